export {
  addresses,
  balance,
  history,
  portfolio,
  receipt,
  security,
  settings,
  wallet,
  week,
} from "./account.js";
export { admin } from "./admin.js";
export { common, help, share } from "./common.js";
export { faults, refusals, resultCode, resultCodes } from "./faults.js";
export { intent, signing } from "./intent.js";
export { launch } from "./launch.js";
export { lock } from "./lock.js";
export { arrivals, bigTrades, newPairs, orders, picture, priceAlert, token } from "./market.js";
export { rights } from "./rights.js";
export { standing } from "./standing.js";
export { multihop, price, swap } from "./swap.js";

/** The language's name for itself. */
export const languageName: string = "Português";

/** In numbers that users type and read. */
export const decimalMark: "." | "," = ",";
