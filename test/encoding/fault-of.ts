import { isFault, type FaultCode } from "../../src/fault.js";

/** The code of the fault that `act` throws. Other errors propagate; throwing nothing is an error. */
export function faultOf(act: () => unknown): FaultCode {
  try {
    act();
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
  throw new Error("nothing was thrown");
}
