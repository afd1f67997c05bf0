import type { Address } from "../../encoding/address.js";
import { isFault } from "../../fault.js";
import type { ContractViews } from "./query-gateway.js";

/** A view without inputs that only this contract has. */
const ownViews = {
  referral: "getRouterAddress",
  router: "getAllPairContractMetadata",
  simpleLock: "getLockedTokenId",
  pair: "getReservesAndTotalSupply",
} as const;

/** What a view is answered by a contract that doesn't have it. */
export const UNANSWERED = ["view-missing", "contract-failed", "answer-unreadable"] as const;

type Placed = keyof typeof ownViews;

/**
 * What stands at an address that fails the own view of the contract that should. @returns undefined if that one answers,
 * or none: a node need not have views. @throws Fault `service-…`, `node-refused`.
 */
export async function otherContractAt(
  { query }: Pick<ContractViews, "query">,
  { contract, address }: { readonly contract: Placed; readonly address: Address },
): Promise<Placed | undefined> {
  const answersAs = async (one: Placed): Promise<boolean> => {
    try {
      await query({ contract: one, address }, ownViews[one] as never, {} as never);
      return true;
    } catch (error) {
      // A referral contract without a router.
      if (isFault(error, "address-zero")) return true;
      if (isFault(error, ...UNANSWERED)) return false;
      throw error;
    }
  };
  if (await answersAs(contract)) return undefined;
  for (const other of Object.keys(ownViews) as Placed[]) {
    if (other !== contract && (await answersAs(other))) return other;
  }
  return undefined;
}
