import { execute } from "../chain/execute.js";
import { BadRequest, CallFailure, type FailureCode } from "../chain/failure.js";
import type { Payment, Transfer } from "../chain/ledger.js";
import type { CallRequest } from "../chain/request.js";
import type { ChainState } from "../chain/state.js";
import { NATIVE_TOKEN } from "../chain/token-id.js";
import { contractCall, functionNameOf } from "./contract-call.js";
import { gasLimit, gasOf, type Fees } from "./fees.js";
import { senderOf, type RawData } from "./transaction.js";

/** Numbers from klever-go transaction.proto. */
export const RESULT_CODES: Readonly<Record<FailureCode, number>> = {
  ContractNotFound: 5,
  AssetPaused: 31,
  VMFunctionNotFound: 55,
  VMUserError: 57,
  VMOutOfGas: 58,
  VMExecutionFailed: 62,
  KDATransferNotAllowed: 65,
};

interface Event {
  readonly address: string;
  readonly identifier: string;
  readonly topics: readonly string[];
  /** Hex. */
  readonly data: readonly string[];
}

/** The result of a transaction in its block. */
export interface Outcome {
  /** 0 if the call succeeded. */
  readonly resultCode: number;
  readonly words: string;
  readonly events: readonly Event[];
  /** What the call moved, without fees; nothing if it failed. */
  readonly transfers: readonly Transfer[];
}

/** The block and epoch in which a call runs. */
export interface Moment {
  readonly block: () => number;
  readonly epoch: () => number;
}

/** Runs a call and undoes all its changes. @throws CallFailure, BadRequest. */
export function simulate(
  state: ChainState,
  moment: Moment,
  request: CallRequest,
): { readonly entries: readonly Buffer[]; readonly gas: bigint } {
  const { result, changes, undo } = state.journal.recorded(() => execute(state, moment, request));
  undo();
  return { entries: result.entries, gas: gasOf(changes) };
}

/**
 * Runs a transaction whose sender can pay its fees. The bandwidth fee is always spent; a failure refunds the payment
 * and the KApp fee. With `usesMoreGas`, the transaction always runs out of gas.
 */
export function carryOut(
  state: ChainState,
  moment: Moment,
  { fees, usesMoreGas }: { readonly fees: Fees; readonly usesMoreGas: boolean },
  raw: RawData,
): Outcome {
  const sender = senderOf(raw);
  const kappFee = native(raw.KAppFee);
  state.ledger.burn(sender, native(raw.BandwidthFee));
  state.ledger.burn(sender, kappFee);
  try {
    const call = contractCall(raw);
    const { result: entries, transfers } = state.ledger.recorded(() =>
      state.journal.atomically(() => {
        const { result, changes } = state.journal.recorded(() => execute(state, moment, call));
        if (usesMoreGas || gasOf(changes) > gasLimit(fees, raw)) throw new CallFailure("not enough gas", "VMOutOfGas");
        return result.entries;
      }),
    );
    const data = entries.map((entry) => entry.toString("hex"));
    const event = { address: call.contract, topics: [] };
    return {
      resultCode: 0,
      words: "",
      events: [
        // Contracts may write events of this name too; the node's own comes last.
        { ...event, identifier: "ReturnData", data: ["00"] },
        { ...event, identifier: call.functionName, data: [] },
        { ...event, identifier: "ReturnData", data },
      ],
      transfers,
    };
  } catch (failure) {
    if (!(failure instanceof CallFailure || failure instanceof BadRequest)) throw failure;
    state.ledger.mint(sender, kappFee);
    const code = failure instanceof CallFailure ? failure.returnCode : "VMUserError";
    const trace = Buffer.from(traceOf(code, functionNameOf(raw), failure.message)).toString("hex");
    return {
      resultCode: RESULT_CODES[code],
      words: failure.message,
      events: [{ address: sender, identifier: "internalVMErrors", topics: [], data: [trace] }],
      transfers: [],
    };
  }
}

/**
 * The VM's trace of a failure (klever-go kvm/vmhost/contexts): the error that ended the call with the function's name,
 * then the message of the contract or of the VM's own function. Running out of gas has only the first line.
 */
function traceOf(code: FailureCode, functionName: string, words: string): string {
  const line = (number: number, ...texts: string[]) =>
    `\n\truntime.go:${number} ${texts.map((text) => `[${text}]`).join(" ")}`;
  switch (code) {
    case "VMUserError": {
      const signalled = "error signalled by smartcontract";
      return line(856, signalled, functionName) + line(853, signalled, words);
    }
    case "VMExecutionFailed":
      return line(856, "execution failed", functionName) + line(853, words);
    default:
      return line(856, words, functionName);
  }
}

function native(units = 0n): Payment {
  return { tokenId: NATIVE_TOKEN, nonce: 0n, units };
}
