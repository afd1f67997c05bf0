import type { MessageEntity } from "grammy/types";
import { repeat } from "../../clock.js";
import { people } from "../../model/person.js";
import { collectionOf } from "../../store/defaults.js";
import { withNotice } from "../alerts/notices.js";
import { unlessUnreadable, userIdOf } from "../people.js";
import type { OperatorParts } from "./parts.js";
import type { TellOperators } from "./pushes.js";

/** A text with its formatting. */
export interface Announcement {
  readonly text: string;
  readonly entities: readonly MessageEntity[];
}

interface Broadcast {
  readonly version: 1;
  /** Each broadcast has the next number; 0 before the first. */
  readonly number: number;
  readonly isOver: boolean;
  /** The last person for whom it was put into the outbox; ids are taken in their order as text. */
  readonly cursor: string;
  readonly people: number;
  readonly announcement?: Announcement;
}

const blank: Broadcast = { version: 1, number: 0, isOver: true, cursor: "", people: 0 };
const broadcasts = collectionOf("broadcasts", blank);
const LAST = "last";
/**
 * While this many people wait for something, nobody else gets the announcement, so that alerts and operators' pushes stay on
 * time.
 */
const MOST_WAITING = 20;
const WAIT_MILLISECONDS = 250;
/** How often it is written down how far it has come. */
const PEOPLE_BETWEEN_NOTES = 50;
const LOOK_EVERY_MILLISECONDS = 1_000;

/**
 * A message to everybody who can be reached; one goes out at a time. It is put into one person's outbox after the other,
 * together with its number, so that nobody gets it twice however often the process dies.
 */
export function createBroadcast(
  parts: Pick<OperatorParts, "alerts" | "clock" | "log" | "notify" | "store">,
  isIn: (userId: number) => boolean | Promise<boolean>,
  tell: TellOperators,
) {
  const { store, clock, log } = parts;

  const note = (change: (now: Broadcast) => Broadcast): Promise<void> =>
    store.update(broadcasts, LAST, (now) => [change(now), undefined]);

  /** Puts the announcement into a person's outbox; whether it was not there and they can be reached. */
  const give = async (id: string, number: number, announcement: Announcement): Promise<boolean> => {
    const userId = userIdOf(id);
    if (!(await isIn(userId))) return false;
    const notice = { id: `broadcast-${number}`, what: { kind: "broadcast", ...announcement } } as const;
    return parts.notify(userId, (person) => {
      const isDone = person.restingSince !== undefined || (person.lastBroadcast ?? 0) >= number;
      return isDone ? person : withNotice({ ...person, lastBroadcast: number }, notice);
    });
  };

  const spread = async ({ number, announcement, ...begun }: Broadcast, signal: AbortSignal): Promise<void> => {
    if (announcement === undefined) return;
    const left = (await store.ids(people)).filter((id) => id > begun.cursor).sort();
    let reached = begun.people;
    for (const [index, id] of left.entries()) {
      while (parts.alerts().count >= MOST_WAITING) await clock.sleep(WAIT_MILLISECONDS, signal);
      signal.throwIfAborted();
      const now = await store.read(broadcasts, LAST);
      if (now?.number !== number || now.isOver) return;
      if ((await unlessUnreadable(give(id, number, announcement))) === true) reached += 1;
      const people = reached;
      if ((index + 1) % PEOPLE_BETWEEN_NOTES === 0) await note((now) => ({ ...now, cursor: id, people }));
    }
    await note((now) => ({ ...blank, number: now.number, people: reached }));
    await tell(`broadcast-${number}-over`, { about: "broadcast", people: reached });
  };

  return {
    /** How many people there are, some of whom can't be reached. */
    audience: async (): Promise<number> => (await store.ids(people)).length,
    /** Begins to send; false while an earlier one still goes out. */
    send: (announcement: Announcement): Promise<boolean> =>
      store.update(broadcasts, LAST, (now) =>
        now.isOver ? [{ ...blank, number: now.number + 1, isOver: false, announcement }, true] : [now, false],
      ),
    /** Stops the announcement under way: nobody else gets it. */
    halt: (): Promise<void> => note((now) => ({ ...blank, number: now.number, people: now.people })),
    /** Sends what was begun, also by an earlier run, until the signal is aborted. */
    run: (signal: AbortSignal): Promise<void> => {
      const look = async () => {
        const now = (await store.read(broadcasts, LAST)) ?? blank;
        if (!now.isOver) await spread(now, signal);
      };
      return repeat(clock, LOOK_EVERY_MILLISECONDS, signal, look, (error) => {
        if (!signal.aborted) log.error({ reason: error }, "A message to everybody is held up");
      });
    },
  };
}
