export { admin } from "./admin.js";
export { common, help } from "./common.js";
export { faults, refusals, resultCode, resultCodes } from "./faults.js";
export { history, receipt } from "./history.js";
export { intent, signing } from "./intent.js";
export { launch } from "./launch.js";
export { lock } from "./lock.js";
export { orders } from "./order.js";
export { priceAlert } from "./price-alert.js";
export { portfolio } from "./portfolio.js";
export { security, settings } from "./settings.js";
export { picture, share } from "./share.js";
export { multihop, price, swap } from "./swap.js";
export { token } from "./token.js";
export { balance, wallet } from "./wallet.js";

/** In the language itself. */
export const languageName: string = "Português";

/** What stands before the decimals of a number that somebody types. */
export const decimalMark: "." | "," = ",";
