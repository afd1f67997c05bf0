import { z } from "zod";
import { Fault } from "../fault.js";

export interface AssetId {
  readonly tokenId: string;
  /** Absent for a fungible token; at least 1. */
  readonly nonce?: bigint;
}

export const assetSchema: z.ZodType<AssetId> = z.object({
  tokenId: z.string(),
  nonce: z.bigint().positive().exactOptional(),
});

export interface Payment extends AssetId {
  readonly units: bigint;
}

/** KLV, KFI, or a ticker of 3 to 10 characters, a dash and 4 characters (klever-go `kdautils.IsTickerValid`). */
const TOKEN_ID = /^(?:KLV|KFI|[A-Z0-9]{3,10}-[A-Z0-9]{4})$/;
const NONCE = /^[1-9][0-9]{0,19}$/;
export const MAX_U64 = (1n << 64n) - 1n;
/** 32 bytes: more than any amount on the chain, and a bound on what a request can carry. */
export const MAX_BIG_UINT = (1n << 256n) - 1n;

export function isTokenId(text: string): boolean {
  return TOKEN_ID.test(text);
}

/** Reads `KFI` or `LKTOK-1A2B/7`, in any case. @throws Fault `asset-invalid`. */
export function parseAssetId(text: string): AssetId {
  const [tokenId = "", nonce, ...rest] = text.trim().toUpperCase().split("/");
  const isReadable = nonce === undefined || (NONCE.test(nonce) && BigInt(nonce) <= MAX_U64);
  if (!isTokenId(tokenId) || !isReadable || rest.length > 0)
    throw new Fault("asset-invalid", { text: text.slice(0, 70) });
  return nonce === undefined ? { tokenId } : { tokenId, nonce: BigInt(nonce) };
}

export function formatAssetId(asset: AssetId): string {
  return asset.nonce === undefined ? asset.tokenId : `${asset.tokenId}/${asset.nonce}`;
}

export function checkPayment({ tokenId, nonce, units }: Payment): void {
  if (!isTokenId(tokenId)) throw new Fault("asset-invalid", { text: tokenId });
  if (nonce !== undefined && (nonce < 1n || nonce > MAX_U64)) {
    throw new Fault("value-out-of-range", { name: "nonce", type: "u64", value: nonce.toString() });
  }
  if (units < 1n || units > MAX_BIG_UINT) {
    throw new Fault("value-out-of-range", { name: "payment", type: "BigUint", value: units.toString() });
  }
}

/** The `value` of a contract call: `<asset>=<units>`, several joined by a comma (koperator's `--values`). */
export function formatPayments(payments: readonly Payment[]): string {
  return payments.map((payment) => `${formatAssetId(payment)}=${payment.units}`).join(",");
}
