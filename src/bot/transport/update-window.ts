import type { Update } from "grammy/types";

interface GivenOut {
  readonly update: Update;
  readonly since: number;
  settled: boolean;
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
  /** What holds the offset back, and since when. */
  readonly unsettled: () => readonly { readonly update: Update; readonly since: number }[];
}

export function createUpdateWindow(): UpdateWindow {
  /** In the order in which Telegram gave them: ids are not compared, since they may start anew after a quiet week. */
  const given = new Map<number, GivenOut>();
  let end = 0;
  const unsettled = () => [...given.values()].filter(({ settled }) => !settled);
  return {
    take: (batch, limit, now) => {
      const fresh = batch.filter((update) => !given.has(update.update_id)).slice(0, limit);
      for (const update of fresh) given.set(update.update_id, { update, since: now, settled: false });
      end = (fresh.at(-1)?.update_id ?? end - 1) + 1;
      return fresh;
    },
    settle: (updateId) => {
      const entry = given.get(updateId);
      if (entry !== undefined) entry.settled = true;
    },
    offset: () => unsettled()[0]?.update.update_id ?? end,
    confirmed: (offset) => {
      for (const updateId of given.keys()) {
        if (updateId === offset) break;
        given.delete(updateId);
      }
    },
    unsettled,
  };
}
