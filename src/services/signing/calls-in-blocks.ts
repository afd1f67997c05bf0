import { addressToBytes } from "../../encoding/address.js";
import type { ChainBlocks } from "../chain/blocks.js";
import { createLooksAgain } from "../base/looks-again.js";
import { type Intent, isSigned } from "../intent/intent.js";
import { isUnderWay } from "../intent/machine.js";

/** Has a call looked at when a block may hold it, and after the next ones. */
export function createCallsInBlocks(blocks: Pick<ChainBlocks, "look" | "wake">, look: (id: string) => void) {
  /** By the call: its hash, and its sender in base64. */
  const watched = new Map<string, { readonly hash: string; readonly sender: string }>();
  const again = createLooksAgain<string>();
  const end = (id: string): void => {
    watched.delete(id);
    again.settle(id);
  };
  blocks.look({
    isWanted: () => watched.size > 0,
    onNewest: ({ hashes, accounts }) => {
      const due = new Set(again.next());
      for (const [id, { hash, sender }] of watched) {
        if (!hashes.has(hash) && accounts?.has(sender) !== true) continue;
        again.add(id);
        due.add(id);
      }
      due.forEach(look);
    },
  });
  return {
    /** While a call is in progress, a transaction of its sender in a block may be its own. */
    note: (intent: Intent): void => {
      if (!isSigned(intent) || !isUnderWay(intent.state)) {
        end(intent.id);
        return;
      }
      const sender = Buffer.from(addressToBytes(intent.terms.payout)).toString("base64");
      const isNew = !watched.has(intent.id);
      watched.set(intent.id, { hash: intent.transaction.hash, sender });
      if (isNew) blocks.wake();
    },
    end,
  };
}
