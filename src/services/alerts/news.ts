import { DAY_MS } from "../../clock.js";
import { alone, createLoop, type LoopRunner } from "../../loop.js";
import { findsAny, type StoreBasics, unlessUnreadable } from "../../store/store.js";
import { personIn } from "../person/person.js";
import { addressesOf } from "../person/watch-only.js";
import { quietUntil } from "../person/quiet-hours.js";
import { enqueue, type Topic } from "../telegram/outbox.js";
import type { Outbox } from "../telegram/outbox-sender.js";
import * as rows from "./news-queries.js";
import type { News, NewsKind, NewsWatch } from "./news-queries.js";

export interface NewsParts extends StoreBasics {
  readonly outbox: Pick<Outbox, "giveWay" | "wake">;
}

/** Quiet hours hold nobody back for longer: who is due later was, before the clock was set back. */
const MAX_HELD_MS = DAY_MS;
const FULL_OUTBOX_MS = 250;
/** Maximum number of users who become due in one transaction. */
const LOT = 250;

/** Puts news of a kind into the outbox for a few users at a time, for nobody in their quiet hours. Wake it after publishing. */
export function createNewsLoop<What>(parts: NewsParts, kind: NewsKind<What>): LoopRunner {
  const { clock, log, outbox, store } = parts;
  const way = outbox.giveWay();
  const tell = async (): Promise<void> => {
    const room = await way.room();
    const moved = await store.write(async (tx) => {
      const now = clock.now();
      let count = 0;
      // However much there is to look at, those who are due are told in between.
      await rows.makeWatchesDue(tx, kind, LOT, now);
      const due = await rows.dueWatches(tx, kind, { now, horizon: MAX_HELD_MS, limit: room });
      for (const watch of due) {
        const person = await unlessUnreadable(() => personIn(tx, watch.user_id));
        const until = person && quietUntil(person, now);
        const key = { ...watch, topic: kind.name };
        const isQueued = await findsAny(tx.selectFrom("outbox").where((row) => row.and(key)));
        const onFault = (err: unknown) => log.error({ err }, "A piece of news is unreadable, and left out");
        const told =
          until === undefined && !isQueued
            ? await rows.countAsTold(tx, kind, watch, { onFault, own: person === undefined ? [] : addressesOf(person) })
            : undefined;
        if (until === undefined && (isQueued || told))
          await rows.setDueLater(tx, kind, watch, { now, isTold: told !== undefined });
        else await rows.setDue(tx, kind, watch, until ?? null);
        if (told) await enqueue(tx, key, told, now);
        if (told) count += 1;
      }
      return count > 0 || (room > 0 && due.length === 0) ? count : undefined;
    });
    if (moved !== undefined) way.moved(moved);
    outbox.wake();
  };
  const dueAt = async () => {
    const [now, at] = [clock.now(), await rows.newsDueAt(store.db, kind)];
    const isTurn = at !== undefined && at !== rows.AT_ONCE && at <= now;
    return isTurn && (await way.room()) === 0 ? now + FULL_OUTBOX_MS : at;
  };
  return createLoop(parts, { name: `${kind.name}-told`, ...alone(dueAt, MAX_HELD_MS), run: tell });
}

/** What is told of a subject at once. */
export interface ToldNews<What> {
  readonly watch: NewsWatch;
  /** The greatest first. */
  readonly found: readonly News<What>[];
  /** The first of them, which are named, and the number of others. */
  readonly named: readonly News<What>[];
  readonly more: number;
}

const MAX_NAMED = 3;

/** Reports news that count as told since the message was queued: a crash while it is sent repeats none. */
export function newsTopic<What>({ clock }: Pick<StoreBasics, "clock">, kind: NewsKind<What>): Topic<ToldNews<What>> {
  return {
    name: kind.name,
    isOnce: true,
    onReach: (tx, userId, isReachable, now) => rows.noteReach(tx, kind, userId, isReachable, now),
    render: async (db, { userId, subject, payload }, person) => {
      const key = { user_id: userId, subject };
      const told = await rows.toldIn(db, kind, key, { ...(payload as rows.ToldRange), own: addressesOf(person) });
      if (told === undefined) return undefined;
      const { watch, found } = told;
      const more = Math.max(0, found.length - MAX_NAMED);
      return {
        message: { watch, found, named: found.slice(0, MAX_NAMED), more },
        // They may have begun since it was queued.
        isMuted: quietUntil(person, clock.now()) !== undefined,
        onSent: (tx, now) => rows.setDueLater(tx, kind, key, { now }),
      };
    },
  };
}
