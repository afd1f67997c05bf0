import { randomBytes, randomInt } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { readOrLog, type Basics } from "../../loop.js";
import { within } from "../../clock.js";
import type { WalletConfig } from "../../config.js";
import type { Address } from "../../encoding/address.js";
import { addAmounts, amountOf, assertWithin, formatAmount, formatAssetId } from "../../encoding/amount.js";
import { type Amount, isZero, KLV, shareInBps, type Token } from "../../encoding/amount.js";
import { argumentsOf, viewBody, type ContractCall } from "../../encoding/call.js";
import {
  transactionHash,
  SMART_CONTRACT_URL,
  transactionOf,
  type Frame,
  type RawData,
} from "../../encoding/transaction.js";
import { Fault, isFault } from "../../fault.js";
import type { PeriodicCheck } from "../chain/checks.js";
import type { NodeParts } from "../chain/node.js";
import { createContractViews, type ContractGateway } from "../chain/query-gateway.js";
import type { PreparedTransaction } from "../intent/intent.js";
import type { Built, ChainNode } from "./chain-node.js";

/** Payments are int64 on the chain. */
const MAX_PAYMENT_UNITS = (1n << 63n) - 1n;
/** Divisor of the margin added to the node's estimate of the bandwidth fee. */
const FEE_MARGIN_DIVISOR = 20n;
/** Bound of the random units that distinguish two requests for one call: the same bytes would be one transaction. */
const MAX_APART = 50_000;

/**
 * Has the node build a call's transaction and rebuilds it here: both must be identical, bit by bit, except for the
 * fees. The fee for bandwidth and gas is then raised by a twentieth: the node's estimate leaves one unit of room, a
 * call that runs out of gas costs the whole fee, and nothing is refunded.
 * @throws Fault `value-out-of-range`, `payment-order`, `account-unknown`, `account-permissions`, `wallet-busy`,
 * `funds-missing`, `network-fee-too-high`, `transaction-altered`, and those of {@link ChainNode.build}.
 */
export async function prepareTransaction(
  parts: Pick<WalletConfig, "chainId" | "maxNetworkFee"> & { readonly node: ChainNode },
  call: ContractCall,
  sender: Address,
): Promise<Pick<PreparedTransaction, "raw" | "hash" | "nonce" | "networkFee">> {
  const { node, chainId, maxNetworkFee } = parts;
  const { payments } = call;
  for (const { units } of payments) assertWithin("payment", "int64", units, MAX_PAYMENT_UNITS);
  const paid = payments.map(formatAssetId);
  const [first, second] = paid;
  // The chain passes payments on in the order of their assets, and it isn't known whether a pair accepts another.
  if (first !== undefined && second !== undefined && first > second)
    throw new Fault("payment-order", { first, second });
  const assets = [...new Set([KLV.id, ...paid])];
  const [signsAlone, { nonce, txPending }, ...balances] = await Promise.all([
    node.signsAlone(sender),
    node.nonce(sender),
    ...assets.map((asset) => node.balance(sender, asset)),
  ]);
  const holds = (asset: string, units: bigint) => (balances[assets.indexOf(asset)] ?? 0n) >= units;
  if (!signsAlone) throw new Fault("account-permissions", {});
  if (txPending > 0n) throw new Fault("wallet-busy", { paid: "" });
  const missing = payments.find((payment) => !holds(formatAssetId(payment), payment.units));
  if (missing !== undefined) throw new Fault("funds-missing", { token: formatAssetId(missing) });

  const built = await node.build(call, sender, nonce);
  const checked = checkedTransaction(built, call, { sender, nonce, chainId });
  const { KAppFee, BandwidthFee: estimated } = built.raw;
  const BandwidthFee = estimated + estimated / FEE_MARGIN_DIVISOR + BigInt(randomInt(MAX_APART));
  const fee = KAppFee + BandwidthFee;
  if (fee > maxNetworkFee) throw new Fault("network-fee-too-high", { fee: inKlv(fee), maximum: inKlv(maxNetworkFee) });
  const needed = (payments.find(({ tokenId }) => tokenId === KLV.id)?.units ?? 0n) + fee;
  if (!holds(KLV.id, needed)) throw new Fault("funds-missing", { token: KLV.id, needed: inKlv(needed) });
  const raw = { ...checked, BandwidthFee };
  return { raw, hash: transactionHash(raw), nonce, networkFee: amountOf(KLV, fee) };
}

export const inKlv = (units: bigint): string => formatAmount(amountOf(KLV, units));

/**
 * Returns the call's transaction as built here, if its hash is the node's. The node chooses the fees; it may omit the
 * type's name, and list payments, which the chain sorts, in any order.
 * @throws Fault `transaction-altered` naming the first field that differs.
 */
export function checkedTransaction({ raw: told, hash }: Built, call: ContractCall, frame: Frame): RawData {
  const orders = [call, { ...call, payments: call.payments.toReversed() }];
  const forms = [SMART_CONTRACT_URL, ""].flatMap((url) => orders.map((each) => transactionOf(each, frame, told, url)));
  const same = forms.find((raw) => transactionHash(raw) === hash);
  if (same !== undefined) return same;
  const fields = Object.keys({ ...forms[0], ...told }) as (keyof RawData)[];
  const differs = fields.find((field) => forms.every((raw) => !isDeepStrictEqual(raw[field], told[field])));
  throw new Fault("transaction-altered", { field: differs ?? "txHash" });
}

/** How long after the signing deadline a transaction may still be sent: its price is as old as that. */
const SEND_MS = 300_000;

/**
 * The node builds each call's transaction, the user's wallet signs it, and the node is sent the bytes that were checked
 * here.
 */
export function createWalletGateway(
  parts: Basics &
    NodeParts &
    Pick<WalletConfig, "chainId" | "maxNetworkFee" | "signSeconds"> & {
      readonly node: ChainNode;
      readonly hide: (text: string) => string;
      readonly chainCheck: Pick<PeriodicCheck, "assertMatch">;
    },
): ContractGateway {
  const { clock, chainCheck, log } = parts;
  return {
    ...createContractViews({ ...parts, returnDataEncoding: "base64", bodyOf: viewBody }),
    // Nothing leaves before the wallet has signed.
    interrupted: "not-sent",
    begin: async ({ call, terms }) => {
      const prepared = prepareTransaction(parts, call, terms.payout).catch((err: unknown) => {
        if (isFault(err, "transaction-altered")) {
          log.error({ err, call }, "SECURITY: node returned a transaction that does not match the request");
        }
        throw err;
      });
      const [transaction] = await Promise.all([prepared, chainCheck.assertMatch()]);
      const signUntil = clock.now() + parts.signSeconds * 1000;
      const token = randomBytes(32).toString("base64url");
      return { kind: "request", transaction: { ...transaction, token, signUntil, sendUntil: signUntil + SEND_MS } };
    },
  };
}

/** How long a fee is reused for calls of the same kind: gas hardly depends on the amounts. */
const GOOD_FOR_MS = 600_000;
const TIMEOUT_MS = 1_500;
/** Estimates are rounded up to this, since more digits would only look exact. */
const STEP = 10_000n;

/** A call's network fee to expect at most, in KLV, rounded up. */
export interface EstimatedFee {
  readonly amount: Amount;
  /** Its part of what is paid, in basis points rounded up; absent if that isn't worth anything, or nobody knows what. */
  readonly shareBps?: bigint;
}

/** Undefined if the node doesn't answer within 1.5 seconds. Never throws a Fault. @param paid what the call pays. */
export type EstimateFee = (
  call: ContractCall,
  caller: Address,
  paid: readonly Amount[],
) => Promise<EstimatedFee | undefined>;

/** Estimates by simulating a call like it: the same function, argument count and payment count. */
export function createFeeEstimates(
  parts: Basics & {
    readonly node: Pick<ChainNode, "build" | "nonce">;
    readonly worthIn: (amount: Amount, token: Token) => Promise<Amount | undefined>;
  },
): EstimateFee {
  const { node, clock } = parts;
  const fees = new Map<string, { readonly fee: Promise<Amount | undefined>; readonly askedAt: number }>();

  const feeOf = (call: ContractCall, caller: Address): Promise<Amount | undefined> => {
    const kind = `${call.function} ${argumentsOf(call).length} ${call.payments.length}`;
    const known = fees.get(kind);
    if (known !== undefined && clock.monotonic() - known.askedAt < GOOD_FOR_MS) return known.fee;
    const ask = async (): Promise<Amount> => {
      const { nonce } = await node.nonce(caller);
      const { KAppFee, BandwidthFee } = (await node.build(call, caller, nonce)).raw;
      const most = KAppFee + BandwidthFee + BandwidthFee / FEE_MARGIN_DIVISOR + BigInt(MAX_APART);
      return amountOf(KLV, ((most + STEP - 1n) / STEP) * STEP);
    };
    const fee = readOrLog(parts, "Network fee not estimated", ask);
    const asked = { fee, askedAt: clock.monotonic() };
    fees.set(kind, asked);
    // A failure of one user's call says nothing about the next user's.
    void fee.then((told) => told === undefined && fees.get(kind) === asked && fees.delete(kind));
    return fee;
  };

  const worthOf = async (amount: Amount) => (amount.token.id === KLV.id ? amount : parts.worthIn(amount, KLV));

  return async (call, caller, paid) => {
    const fee = within(clock, TIMEOUT_MS, feeOf(call, caller));
    const [amount, ...worths] = await Promise.all([fee, ...paid.map(worthOf)]);
    if (amount === undefined) return undefined;
    if (!worths.every((worth) => worth !== undefined)) return { amount };
    const worth = worths.reduce(addAmounts, amountOf(KLV, 0n));
    return isZero(worth) ? { amount } : { amount, shareBps: shareInBps(amount, worth) };
  };
}
