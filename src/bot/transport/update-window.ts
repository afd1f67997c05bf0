import type { Update } from "grammy/types";

/**
 * Which updates were given out, and how far Telegram may be told that they are done with.
 * @param batchSize how many updates Telegram gives at once.
 */
export function createUpdateWindow(batchSize: number) {
  // Both in the order in which Telegram gave them: ids are not compared, since they may start again elsewhere after a quiet week.
  const given = new Set<number>();
  const unsettled = new Map<number, { readonly update: Update; readonly since: number }>();
  /** The second half of what came last, if that was as much as Telegram gives. */
  let secondHalf: ReadonlySet<number> = new Set();
  let end = 0;
  return {
    /** Those of a batch that were not given out before, at most `limit`; the rest will come again. */
    take: (batch: readonly Update[], limit: number, now: number): Update[] => {
      const half = batch.length < batchSize ? [] : batch.slice(-batchSize / 2);
      secondHalf = new Set(half.map((update) => update.update_id));
      const fresh = batch.filter((update) => !given.has(update.update_id)).slice(0, limit);
      for (const update of fresh) {
        // An older one that is repeated leaves the end where it is: what was given out behind it would come again for ever.
        end = given.size === 0 ? update.update_id + 1 : Math.max(end, update.update_id + 1);
        given.add(update.update_id);
        unsettled.set(update.update_id, { update, since: now });
      }
      return fresh;
    },
    /** An update no longer holds the offset back: it was handled, or it is kept elsewhere. */
    settle: (updateId: number): void => void unsettled.delete(updateId),
    /** The first update that is not settled, else the one after the last; 0 before the first. */
    offset: (): number => {
      const [first = end] = unsettled.keys();
      return first;
    },
    /** Telegram has taken this offset: what lies before it will not come again. */
    confirmed: (offset: number): void => {
      for (const updateId of given) {
        if (updateId === offset) break;
        given.delete(updateId);
      }
    },
    /**
     * Whether the next request brings enough to be worth it: nothing holds the offset back or, where Telegram had as much as it
     * gives at once, only the second half of that.
     */
    isWorthAsking: (): boolean => {
      const [first] = unsettled.keys();
      return first === undefined || secondHalf.has(first);
    },
    /** What has held the offset back since `time` or before. */
    unsettledSince: (time: number): readonly Update[] =>
      [...unsettled.values()].filter(({ since }) => since <= time).map(({ update }) => update),
  };
}
