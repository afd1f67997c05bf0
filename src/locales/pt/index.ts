export { admin } from "./admin.js";
export { balance } from "./balance.js";
export { common } from "./common.js";
export { faults } from "./faults.js";
export { help } from "./help.js";
export { history } from "./history.js";
export { intent } from "./intent.js";
export { launch } from "./launch.js";
export { lock } from "./lock.js";
export { multihop } from "./multihop.js";
export { orders } from "./orders.js";
export { price } from "./price.js";
export { refusals, resultCodes } from "./refusals.js";
export { security } from "./security.js";
export { settings } from "./settings.js";
export { signing } from "./signing.js";
export { swap } from "./swap.js";
export { token } from "./token.js";
export { wallet } from "./wallet.js";

/** In the language itself. */
export const languageName: string = "Português";

/** What stands before the decimals of a number that somebody types. */
export const decimalMark: "." | "," = ",";
