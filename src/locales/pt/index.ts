export * from "./about.js";
export * from "./account.js";
export * from "./admin.js";
export * from "./common.js";
export { faults, refusals, resultCode, resultCodes } from "./faults.js";
export * from "./intent.js";
export * from "./launch.js";
export * from "./lock.js";
export * from "./market.js";
export * from "./menu.js";
export { rights } from "./rights.js";
export * from "./signals.js";
export * from "./standing.js";
export * from "./swap.js";

/** The language's name for itself. */
export const languageName: string = "Português";

/** In numbers that users type and read. */
export const decimalMark: "." | "," = ",";
