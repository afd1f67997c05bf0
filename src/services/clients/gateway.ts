import type { Address } from "../../encoding/address.js";
import type { ContractCall } from "../../encoding/call.js";
import type { ContractName, FunctionName } from "../../encoding/contracts.js";
import type { InputsOf } from "../../encoding/inputs.js";
import type { OutputsOf } from "../../encoding/result.js";
import type { Failure } from "../../encoding/result-code.js";
import type { Fault } from "../../fault.js";
import type { IntentTransaction } from "../../model/intent.js";

/** What became of a call that was sent. */
export type SendOutcome =
  | { readonly kind: "ok"; readonly returnData: readonly string[] }
  | ({ readonly kind: "failed" } & Failure)
  /** It may or may not have been carried out; it must not be sent again. */
  | { readonly kind: "unknown"; readonly fault: Fault }
  /** It is certain that the request never left. */
  | { readonly kind: "not-sent"; readonly fault: Fault }
  /** It is on its way (a wallet has to sign, say); whoever learns the end reports it to the intents. */
  | { readonly kind: "pending" };

/** The current epoch and, where the node reports it, how long one lasts. */
export interface ChainStatus {
  readonly epoch: bigint;
  readonly epochMilliseconds?: number;
  /** When the next epoch begins, in milliseconds since 1970. */
  readonly nextEpochAt?: number;
}

/** A gateway whose node carries out what it is sent. */
export interface SendingGateway extends ContractViews {
  /** Sends a call exactly once. Never throws, never retries. `caller` is the person's address. */
  readonly send: (
    call: ContractCall,
    context: { readonly intentId: string; readonly caller: Address },
  ) => Promise<SendOutcome>;
}

/** A gateway whose calls are transactions, which the person's wallet has to sign before they leave. */
export interface SigningGateway extends ContractViews {
  /** The transaction for the caller's wallet. Sends nothing. @throws Fault for whatever speaks against it. */
  readonly prepare: (call: ContractCall, caller: Address) => Promise<IntentTransaction>;
}

/** How contract calls travel and contracts are read. Nothing above may assume more than is said here. */
export type ContractGateway = SendingGateway | SigningGateway;

/** How contracts and the chain are read. */
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
