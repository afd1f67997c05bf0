export { admin } from "./admin.js";
export { common } from "./common.js";
export { faults, refusals, resultCode, resultCodes } from "./faults.js";
export { help } from "./help.js";
export { history } from "./history.js";
export { intent, signing } from "./intent.js";
export { launch } from "./launch.js";
export { lock } from "./lock.js";
export { orders } from "./order.js";
export { picture } from "./picture.js";
export { priceAlert } from "./price-alert.js";
export { portfolio } from "./portfolio.js";
export { receipt } from "./receipt.js";
export { security, settings } from "./settings.js";
export { share } from "./share.js";
export { multihop, price, swap } from "./swap.js";
export { token } from "./token.js";
export { balance, wallet } from "./wallet.js";

/** In the language itself. */
export const languageName: string = "Português";

/** What stands before the decimals of a number that somebody types. */
export const decimalMark: "." | "," = ",";
