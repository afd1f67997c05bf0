import type { Address } from "../../encoding/address.js";
import { unlessFault } from "../../fault.js";
import type { StoreBasics, Transaction } from "../../store/store.js";
import { lastOnChain } from "../intent/queries.js";
import { endAllProposals } from "./proposal-queries.js";
import * as rows from "./standing-queries.js";
import type { StandingOrders } from "./standing-orders.js";

/** How long owners aren't asked yet where the chain may know. */
const ASKED_AFTER_MS = 60_000;

interface AskingParts extends Pick<StoreBasics, "log" | "store"> {
  /** The account's next nonce, and how many of its transactions wait; undefined unless wallets sign. */
  readonly nonceOf: ((account: Address) => Promise<{ readonly nonce: bigint; readonly txPending: bigint }>) | undefined;
}

/** In data that was restored: holds all orders until their owners, or the chain, say what became of them, and ends proposals. */
export const holdOrders =
  ({ nonceOf }: Pick<AskingParts, "nonceOf">) =>
  async (tx: Transaction, now: number): Promise<void> => {
    await endAllProposals(tx);
    await rows.holdRestored(tx, now, now + (nonceOf === undefined ? 0 : ASKED_AFTER_MS));
  };

/**
 * Lets orders go on whose account, by the chain's word, has sent nothing since the last transaction that the data has:
 * their owners need not be asked. What can't be read stays held.
 */
export async function askChain({ store, log, nonceOf }: AskingParts, resume: StandingOrders["pause"]): Promise<void> {
  if (nonceOf === undefined) return;
  for (const userId of await rows.ownersOfRestored(store.db)) {
    const own = (await rows.standingOrdersOf(store.db, userId)).filter(({ paused }) => paused === "restored");
    for (const account of new Set(own.map(({ payout }) => payout))) {
      const known = await lastOnChain(store.db, userId, account);
      const told =
        known === undefined
          ? undefined
          : await unlessFault(
              () => nonceOf(account),
              (err) => log.info({ userId, err }, "Nonce not read; orders stay held"),
            );
      if (known === undefined || told === undefined || told.txPending > 0n || told.nonce !== known + 1n) continue;
      for (const { id } of own.filter(({ payout }) => payout === account)) await resume(userId, id, false);
    }
  }
}
