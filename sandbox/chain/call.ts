import type { Address } from "./address.js";
import type { OutputsOf } from "./codec.js";
import type { ContractName, FunctionName, InputsOf } from "./declarations.js";
import { check } from "./failure.js";
import { NATIVE_TOKEN } from "./token-id.js";
import type { Payment } from "./ledger.js";
import type { ChainState } from "./state.js";

/** What a contract function sees of its call. The payments are already in the contract's account. */
export interface Call {
  readonly state: ChainState;
  /** The running contract. */
  readonly self: Address;
  readonly caller: Address;
  readonly payments: readonly Payment[];
  readonly block: number;
  readonly epoch: bigint;
  /** Sends from the contract's own account. */
  readonly send: (to: Address, payment: Payment) => void;
  /** Calls a function of another contract, with payments from this contract's account. */
  readonly execute: Execute;
}

export type Execute = <Contract extends ContractName, Name extends FunctionName<Contract>>(
  contract: Contract,
  address: Address,
  functionName: Name,
  inputs: InputsOf<Contract, Name>,
  payments: readonly Payment[],
) => OutputsOf<Contract, Name>;

/** A contract: for each declared function, one that takes a call and its inputs and returns the outputs. */
export type Implementation<Contract extends ContractName> = {
  readonly [Name in FunctionName<Contract>]: (
    call: Call,
    inputs: InputsOf<Contract, Name>,
  ) => OutputsOf<Contract, Name>;
};

/**
 * The call's only payment, in any asset; without one, zero of the native token (klever-vm-sdk-rs `klv_or_single_kda`).
 * A native payment next to another one is ignored and stays with the contract.
 */
export function anyPayment(call: Call): Payment {
  const others = kdaPayments(call);
  check(others.length <= 1, "incorrect number of KDA transfers");
  return others[0] ?? call.payments[0] ?? { tokenId: NATIVE_TOKEN, nonce: 0n, units: 0n };
}

/** Like {@link anyPayment}, but without a nonce. */
export function fungiblePayment(call: Call): Payment {
  const payment = anyPayment(call);
  check(payment.nonce === 0n, "fungible KDA token expected");
  return payment;
}

/** The only payment that is not in the native token (klever-vm-sdk-rs `single_kda`). */
export function kdaPayment(call: Call): Payment {
  const [payment, ...others] = kdaPayments(call);
  check(payment !== undefined && others.length === 0, "incorrect number of KDA transfers");
  return payment;
}

function kdaPayments(call: Call): readonly Payment[] {
  return call.payments.filter(({ tokenId }) => tokenId !== NATIVE_TOKEN);
}
