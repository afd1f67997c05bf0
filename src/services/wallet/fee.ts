import type { Logger } from "pino";
import { within, type Clock } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import { addAmounts, amountOf, isZero, shareInBps, type Amount, type Token } from "../../encoding/amount.js";
import { argumentsOf, type ContractCall } from "../../encoding/call.js";
import { unlessFault } from "../../fault.js";
import type { FeeEstimate } from "../intent/intent.js";
import type { ChainNode } from "./node.js";
import { KLV, mostNetworkFee } from "./prepare.js";

/** For so long the fee of one call is that of others of its kind: gas hardly depends on the figures. */
const GOOD_FOR_MS = 600_000;
const TIMEOUT_MS = 1_500;
/** An estimate to the last unit would only seem exact. */
const STEP = 10_000n;

/** Undefined where the node says nothing soon enough. Never throws a Fault. */
export type EstimateFee = (
  call: ContractCall,
  caller: Address,
  paid: readonly Amount[],
) => Promise<FeeEstimate | undefined>;

/** What a call will cost, by a simulation of one of its kind: a function, with as many arguments and payments. */
export function createFeeEstimates(parts: {
  readonly clock: Clock;
  readonly log: Logger;
  readonly node: Pick<ChainNode, "build" | "nonce">;
  readonly worthIn: (amount: Amount, token: Token) => Promise<Amount | undefined>;
}): EstimateFee {
  const { node, clock, log } = parts;
  const fees = new Map<string, { readonly fee: Promise<Amount | undefined>; readonly askedAt: number }>();

  const ask = async (call: ContractCall, caller: Address): Promise<Amount> => {
    const { nonce } = await node.nonce(caller);
    const { raw } = await node.build(call, caller, nonce);
    return amountOf(KLV, ((mostNetworkFee(raw) + STEP - 1n) / STEP) * STEP);
  };

  const feeOf = (call: ContractCall, caller: Address): Promise<Amount | undefined> => {
    const kind = `${call.function} ${argumentsOf(call).length} ${call.payments.length}`;
    const known = fees.get(kind);
    if (known !== undefined && clock.monotonic() - known.askedAt < GOOD_FOR_MS) return known.fee;
    const fee = unlessFault(
      () => ask(call, caller),
      (err) => log.info({ err }, "Network fee not estimated"),
    );
    const asked = { fee, askedAt: clock.monotonic() };
    fees.set(kind, asked);
    // One person's refused call says nothing about the next one's.
    void fee.then((told) => told === undefined && fees.get(kind) === asked && fees.delete(kind));
    return fee;
  };

  const worthOf = async (paid: readonly Amount[]): Promise<Amount | undefined> => {
    const worths = await Promise.all(
      paid.map(async (amount) => (amount.token.id === KLV.id ? amount : parts.worthIn(amount, KLV))),
    );
    return worths.every((worth) => worth !== undefined) ? worths.reduce(addAmounts, amountOf(KLV, 0n)) : undefined;
  };

  return async (call, caller, paid) => {
    const [amount, worth] = await Promise.all([within(clock, TIMEOUT_MS, feeOf(call, caller)), worthOf(paid)]);
    if (amount === undefined) return undefined;
    return worth === undefined || isZero(worth) ? { amount } : { amount, shareBps: shareInBps(amount, worth) };
  };
}
