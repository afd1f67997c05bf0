import type { Address } from "../../encoding/address.js";
import type { ContractName, FunctionName, InputsOf } from "../../encoding/contracts.js";
import type { OutputsOf, Failure } from "../../encoding/result.js";
import type { Fault } from "../../fault.js";
import type { Intent, IntentTransaction } from "./intent.js";

export type SendOutcome =
  | { readonly kind: "ok"; readonly returnData: readonly string[] }
  | ({ readonly kind: "failed" } & Failure)
  /** It may or may not have been executed; it must not be sent again. */
  | { readonly kind: "unknown"; readonly fault: Fault }
  /** It is certain that the request never left. */
  | { readonly kind: "not-sent"; readonly fault: Fault };

export interface ChainStatus {
  readonly epoch: bigint;
  readonly epochMilliseconds?: number;
  /** In milliseconds since 1970. */
  readonly nextEpochAt?: number;
}

export type Begun =
  /** Once SENT is written, `send` sends it exactly once. It never throws and never retries. */
  | { readonly state: "SENT"; readonly send: () => Promise<SendOutcome> }
  | { readonly state: "SIGNING"; readonly transaction: IntentTransaction };

/** How contract calls travel and contracts are read. Nothing above may assume more than is said here. */
export interface ContractGateway extends ContractViews {
  /** For the account of its payout. Sends nothing. @throws Fault for whatever speaks against it. */
  readonly begin: (
    intent: Pick<Intent, "call" | "id"> & { readonly terms: Pick<Intent["terms"], "payout"> },
  ) => Promise<Begun>;
  /** What became of a call when the program ended after its claim, before SENT or SIGNING was written. */
  readonly interrupted: "not-sent" | "unknown";
}

export interface ContractViews {
  /**
   * Asks a read-only function, with retries.
   * @throws Fault `view-missing` where there is no such contract or function, `contract-failed` with the contract's words,
   * `node-refused` with the node's own, which say nothing about the contract; `service-…`, `answer-unreadable`.
   */
  readonly query: <Contract extends ContractName, Name extends FunctionName<Contract>>(
    target: { readonly contract: Contract; readonly address: Address },
    functionName: Name,
    inputs: InputsOf<Contract, Name>,
  ) => Promise<OutputsOf<Contract, Name>>;
  /** @throws Fault `service-…`, `answer-unreadable`. */
  readonly chainStatus: () => Promise<ChainStatus>;
}
