import type { BelievedBlock, BelievingListener } from "../chain/block-listeners.js";
import type { ChainBlocks } from "../chain/blocks.js";
import type { MovedTransaction } from "../chain/read-block.js";
import { inLots } from "../base/lots.js";
import type { NewsParts } from "./news.js";
import { type FreshNews, lastSince, type NewsKind, publish, watchedAmong } from "./news-queries.js";

export interface BlockNewsParts extends NewsParts {
  readonly blocks: Pick<ChainBlocks, "believe" | "isClosed" | "state" | "time" | "wake">;
}

/** How to tell what a transaction is to whom. Its news begin when its block was made. */
interface BlockNewsKind<What, Found> {
  readonly kind: NewsKind<What>;
  /** What it may be, to those who watch that. */
  readonly find: (transaction: MovedTransaction, at: number) => readonly Found[];
  /** What is news, of what somebody watches. */
  readonly newsOf: (found: readonly Found[]) => Promise<readonly Omit<FreshNews<What>, "begun">[]>;
  /** Called after something was published. */
  readonly onPublished: () => void;
}

/** In one transaction. */
const PUBLISHED_AT_ONCE = 50;

/** Publishes what blocks hold of what somebody watches: one query a block finds that, however many watch. */
export function blockNewsListener<What, Found extends { readonly subject: string }>(
  { store, clock }: Pick<NewsParts, "store" | "clock">,
  { kind, find, newsOf, onPublished }: BlockNewsKind<What, Found>,
): BelievingListener {
  const onBlock = async ({ at, transactions }: BelievedBlock): Promise<void> => {
    const found = transactions.flatMap((transaction) => (transaction.isOk ? find(transaction, at) : []));
    if (found.length === 0) return;
    const watched = await watchedAmong(store.db, kind, [...new Set(found.map(({ subject }) => subject))]);
    const fresh = await newsOf(found.filter(({ subject }) => watched.has(subject)));
    for (const lot of inLots(fresh, PUBLISHED_AT_ONCE)) {
      await store.write(async (tx) => {
        for (const news of lot) await publish(tx, kind, { ...news, begun: at }, clock.now());
      });
    }
    if (fresh.length > 0) onPublished();
  };
  return { isWanted: async () => (await lastSince(store.db, kind)) !== undefined, onBlock };
}
