import type { RawData } from "./transaction.js";

/** Fees that governance can change. */
export interface Fees {
  readonly feePerDataByte: bigint;
  /** For every call; refunded if it fails. */
  readonly kappFee: bigint;
  /** Gas units that one unit of KLV buys. */
  readonly gasMultiplier: bigint;
}

/** Defaults of klever-go kapps/proposal.go; the fee per byte is inferred from real calls, which cost 4.4 to 4.8 KLV. */
export const defaultFees: Fees = { feePerDataByte: 4000n, kappFee: 2_000_000n, gasMultiplier: 10n };

/** Doubles the fees per byte and per call. */
export function doubled(fees: Fees): Fees {
  return { ...fees, feePerDataByte: fees.feePerDataByte * 2n, kappFee: fees.kappFee * 2n };
}

/** Bytes that each contract in a transaction counts as (klever-go core.BaseTxSize). */
export const BASE_SIZE = 250n;
const MAX_GAS = 5_000_000_000n;
const GAS_OF_CALL = 4_000_000n;
const GAS_OF_CHANGE = 500_000n;

/** The gas used by a call with this many changes to the chain's tables. */
export function gasOf(changes: number): bigint {
  return GAS_OF_CALL + GAS_OF_CHANGE * BigInt(changes);
}

/** The fee for a transaction's bytes. */
export function dataFee(fees: Fees, data: readonly string[]): bigint {
  const length = data.reduce((sum, each) => sum + BigInt(Buffer.from(each, "base64").length), 0n);
  return (BASE_SIZE + length) * fees.feePerDataByte;
}

/** The bandwidth fee for this gas, with a margin of one unit (klever-go simulateSmartContract). */
export function bandwidthFee(fees: Fees, data: readonly string[], gas: bigint): bigint {
  return dataFee(fees, data) + (gas + fees.gasMultiplier) / fees.gasMultiplier;
}

/** The gas that a transaction's bandwidth fee buys after paying for the bytes. */
export function gasLimit(fees: Fees, raw: RawData): bigint {
  return ((raw.BandwidthFee ?? 0n) - dataFee(fees, raw.Data ?? [])) * fees.gasMultiplier;
}

/** @returns why a transaction's fees are refused; undefined if they are sufficient. */
export function feeProblem(fees: Fees, raw: RawData): string | undefined {
  const bandwidth = raw.BandwidthFee ?? 0n;
  const kapp = raw.KAppFee ?? 0n;
  const needed = dataFee(fees, raw.Data ?? []);
  if (bandwidth < needed || kapp < fees.kappFee) {
    return `invalid transaction fees: (${bandwidth}/${needed}) (${kapp}/${fees.kappFee})`;
  }
  const limit = gasLimit(fees, raw);
  return limit > MAX_GAS ? `invalid max gas limit per tx, gasLimit: ${limit}, maxGasLimit: ${MAX_GAS}` : undefined;
}
