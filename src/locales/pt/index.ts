export { balance, history, portfolio, receipt, security, settings, wallet } from "./account.js";
export { admin } from "./admin.js";
export { common, help, share } from "./common.js";
export { faults, refusals, resultCode, resultCodes } from "./faults.js";
export { intent, signing } from "./intent.js";
export { launch } from "./launch.js";
export { lock } from "./lock.js";
export { orders, picture, priceAlert, token } from "./market.js";
export { multihop, price, swap } from "./swap.js";

/** In the language itself. */
export const languageName: string = "Português";

/** What stands before the decimals of a number that somebody types. */
export const decimalMark: "." | "," = ",";
