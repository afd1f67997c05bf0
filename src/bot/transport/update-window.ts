import type { Update } from "grammy/types";

interface GivenOut {
  readonly update: Update;
  readonly since: number;
}

/** Which updates were given out, and how far Telegram may be told that they are done with. */
export interface UpdateWindow {
  /** Those of a batch that were not given out before, at most `limit`; the rest will come again. */
  readonly take: (batch: readonly Update[], limit: number, now: number) => Update[];
  /** An update no longer holds the offset back: it was handled, or it is kept elsewhere. */
  readonly settle: (updateId: number) => void;
  /** The first update that is not settled, else the one after the last; 0 before the first. */
  readonly offset: () => number;
  /** Telegram has taken this offset: what lies before it will not come again. */
  readonly confirmed: (offset: number) => void;
  /** Whether nothing holds the offset back. */
  readonly isSettled: () => boolean;
  /** What has held the offset back since `time` or before. */
  readonly unsettledSince: (time: number) => readonly Update[];
}

export function createUpdateWindow(): UpdateWindow {
  // Both in the order in which Telegram gave them: ids are not compared, since they may start again elsewhere after a quiet week.
  const given = new Set<number>();
  const unsettled = new Map<number, GivenOut>();
  let end = 0;
  return {
    take: (batch, limit, now) => {
      const fresh = batch.filter((update) => !given.has(update.update_id)).slice(0, limit);
      for (const update of fresh) {
        given.add(update.update_id);
        unsettled.set(update.update_id, { update, since: now });
        end = update.update_id + 1;
      }
      return fresh;
    },
    settle: (updateId) => void unsettled.delete(updateId),
    offset: () => {
      const [first = end] = unsettled.keys();
      return first;
    },
    confirmed: (offset) => {
      for (const updateId of given) {
        if (updateId === offset) break;
        given.delete(updateId);
      }
    },
    isSettled: () => unsettled.size === 0,
    unsettledSince: (time) => [...unsettled.values()].filter(({ since }) => since <= time).map(({ update }) => update),
  };
}
