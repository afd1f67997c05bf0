import type { RawData } from "./transaction.js";

/** What governance may change. */
export interface Fees {
  readonly feePerDataByte: bigint;
  /** For every call, given back when it fails. */
  readonly kappFee: bigint;
  /** Gas units that one unit of KLV buys. */
  readonly gasMultiplier: bigint;
}

/** Defaults of klever-go kapps/proposal.go; the fee for a byte is what real calls of 4.4 to 4.8 KLV suggest. */
export const defaultFees: Fees = { feePerDataByte: 4000n, kappFee: 2_000_000n, gasMultiplier: 10n };

/** Twice what a byte and a contract cost. */
export function doubled(fees: Fees): Fees {
  return { ...fees, feePerDataByte: fees.feePerDataByte * 2n, kappFee: fees.kappFee * 2n };
}

/** Bytes that every contract of a transaction counts as (klever-go core.BaseTxSize). */
export const BASE_SIZE = 250n;
const MAX_GAS = 5_000_000_000n;
const GAS_OF_CALL = 4_000_000n;
const GAS_OF_CHANGE = 500_000n;

/** The gas of a call that changed so many rows of the chain's tables. */
export function gasOf(changes: number): bigint {
  return GAS_OF_CALL + GAS_OF_CHANGE * BigInt(changes);
}

/** What the bytes of a transaction cost. */
export function dataFee(fees: Fees, data: readonly string[]): bigint {
  const length = data.reduce((sum, each) => sum + BigInt(Buffer.from(each, "base64").length), 0n);
  return (BASE_SIZE + length) * fees.feePerDataByte;
}

/** The bandwidth fee that pays for this gas, with one unit of safety (klever-go simulateSmartContract). */
export function bandwidthFee(fees: Fees, data: readonly string[], gas: bigint): bigint {
  return dataFee(fees, data) + (gas + fees.gasMultiplier) / fees.gasMultiplier;
}

/** What of its bandwidth fee a transaction does not need for its bytes buys gas. */
export function gasLimit(fees: Fees, raw: RawData): bigint {
  return ((raw.BandwidthFee ?? 0n) - dataFee(fees, raw.Data ?? [])) * fees.gasMultiplier;
}

/** Why the fees of a transaction are refused; undefined when they are enough. */
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
