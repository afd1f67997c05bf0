import type { MessageEntity } from "grammy/types";
import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import { people } from "../../model/person.js";
import { collectionOf } from "../../store/defaults.js";
import type { Store } from "../../store/store.js";
import { withNotice } from "../alerts/notices.js";
import type { Waiting } from "../alerts/alerts.js";
import { describeError } from "../telegram-errors.js";
import type { TellOperators } from "./pushes.js";

/** A text with its formatting. */
export interface Announcement {
  readonly text: string;
  readonly entities: readonly MessageEntity[];
}

interface BroadcastDocument {
  readonly version: 1;
  /** Each broadcast has the next number; 0 before the first. */
  readonly number: number;
  readonly isOver: boolean;
  /** The last person for whom it was put into the outbox; ids are taken in their order as text. */
  readonly cursor: string;
  readonly people: number;
  readonly announcement?: Announcement;
}

const blank: BroadcastDocument = { version: 1, number: 0, isOver: true, cursor: "", people: 0 };

const broadcasts = collectionOf("broadcasts", blank);

const LAST = "last";
/** While this many people wait for something, nobody else gets the announcement, so that alerts and operators' pushes stay on time. */
const MOST_WAITING = 20;
const WAIT_MILLISECONDS = 250;
/** How often it is written down how far it has come. */
const PEOPLE_BETWEEN_NOTES = 50;
/** It may have been begun by another process. */
const LOOK_EVERY_MILLISECONDS = 1_000;
const TRY_AGAIN_MILLISECONDS = 5_000;

/** A message to everybody who can be reached. One goes out at a time. */
export interface Broadcast {
  /** How many people there are, some of whom can't be reached. */
  readonly audience: () => Promise<number>;
  /** Begins to send; false while an earlier one still goes out. */
  readonly send: (announcement: Announcement) => Promise<boolean>;
  /** Stops the announcement under way: nobody else gets it. */
  readonly halt: () => Promise<void>;
  /** Sends what was begun, also by an earlier run, until the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/**
 * The announcement is put into one person's outbox after the other, together with its number, so that nobody gets it twice
 * however often the process dies.
 */
export function createBroadcast(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly isIn: (userId: number) => boolean | Promise<boolean>;
  /** Whether alerts leave from this process; only there is known how many wait. */
  readonly isLeading: () => boolean;
  /** Whether others wait for alerts. */
  readonly alerts: () => Waiting;
  /** Hears of each person for whom a notice waits. */
  readonly noticed: (userId: number) => void;
  readonly tell: TellOperators;
}): Broadcast {
  const { store, clock, log } = parts;

  const note = (change: (now: BroadcastDocument) => BroadcastDocument): Promise<BroadcastDocument> =>
    store.update(broadcasts, LAST, (before) => {
      const next = change(before);
      return [next, next];
    });

  /** Puts the announcement into a person's outbox; whether it was not there and they can be reached. */
  const give = async (id: string, number: number, announcement: Announcement): Promise<boolean> => {
    // oxlint-disable-next-line money/no-floating-point -- a Telegram user id, not an amount
    const userId = Number(id);
    if (!(await parts.isIn(userId))) return false;
    const isNew = await store.update(people, id, (person) => {
      const isDone = person.restingSince !== undefined || (person.lastBroadcast ?? 0) >= number;
      if (isDone) return [person, false];
      const notice = {
        id: `broadcast-${number}`,
        at: clock.now(),
        what: { kind: "broadcast", ...announcement },
      } as const;
      return [withNotice({ ...person, lastBroadcast: number }, notice), true];
    });
    if (isNew) parts.noticed(userId);
    return isNew;
  };

  const spread = async (begun: BroadcastDocument, signal: AbortSignal): Promise<void> => {
    const { number, announcement } = begun;
    if (announcement === undefined) return;
    const left = (await store.ids(people)).filter((id) => id > begun.cursor).sort(inOrder);
    let reached = 0;
    for (const [index, id] of left.entries()) {
      while (parts.alerts().count >= MOST_WAITING) await clock.sleep(WAIT_MILLISECONDS, signal);
      signal.throwIfAborted();
      const now = await store.read(broadcasts, LAST);
      if (now?.number !== number || now.isOver || !parts.isLeading()) return;
      if (await give(id, number, announcement)) reached += 1;
      if ((index + 1) % PEOPLE_BETWEEN_NOTES > 0) continue;
      const count = reached;
      await note((now) => ({ ...now, cursor: id, people: now.people + count }));
      reached = 0;
    }
    const { people: told } = await note((now) => ({ ...blank, number: now.number, people: now.people + reached }));
    await parts.tell(`broadcast-${number}-over`, { about: "broadcast", people: told });
  };

  return {
    audience: async () => (await store.ids(people)).length,
    send: (announcement) =>
      store.update(broadcasts, LAST, (now) =>
        now.isOver ? [{ ...blank, number: now.number + 1, isOver: false, announcement }, true] : [now, false],
      ),
    halt: async () => {
      await note((now) => ({ ...blank, number: now.number, people: now.people }));
    },
    run: async (signal) => {
      // As a function, because the compiler can't see that what is awaited may change it.
      const isStopping = (): boolean => signal.aborted;
      while (!isStopping()) {
        try {
          const now = (await store.read(broadcasts, LAST)) ?? blank;
          if (now.isOver || !parts.isLeading()) await clock.sleep(LOOK_EVERY_MILLISECONDS, signal);
          else await spread(now, signal);
        } catch (error) {
          if (isStopping()) return;
          log.error({ reason: describeError(error) }, "A message to everybody is held up");
          await clock.sleep(TRY_AGAIN_MILLISECONDS, signal).catch(() => undefined);
        }
      }
    },
  };
}

function inOrder(one: string, other: string): number {
  return one < other ? -1 : 1;
}
