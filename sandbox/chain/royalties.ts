import { isContract, type Address } from "./address.js";
import type { Payment } from "./ledger.js";
import type { ChainState } from "./state.js";

const WHOLE = 10_000n;

/**
 * What a transfer costs on top, in the token and in the native one, unless a contract sends it (klever-go kapps/kda.go,
 * computeNewFlowRoyalty; core/kapp/accounts/accounts.go).
 */
export function royaltiesOn(state: ChainState, from: Address, { tokenId, units }: Payment) {
  const { TransferPercentage: bands = [], TransferFixed: klv = 0n } = state.issued.get(tokenId)?.Royalties ?? {};
  if (isContract(from)) return { kda: 0n, klv: 0n };
  let [left, kda] = [units, 0n];
  for (const [index, { Amount, Percentage }] of bands.entries()) {
    const part = left < Amount ? left : Amount;
    kda += (part * BigInt(Percentage)) / WHOLE;
    left -= part;
    if (index === bands.length - 1) kda += (left * BigInt(Percentage)) / WHOLE;
  }
  return { kda, klv };
}
