import type { MessageEntity } from "grammy/types";
import { z } from "zod";
import { createLoop } from "../../loop.js";
import type { Notice } from "../outbox/notice.js";
import type { Person } from "../person/person.js";
import type { Reader, Transaction } from "../../store/queries.js";
import { readSetting, writeSetting, type Setting } from "../../store/settings.js";
import { tell, tellNotice, type Topic } from "../outbox/outbox.js";
import { personIn, unlessUnreadable } from "../person/people.js";
import type { OperatorParts } from "./parts.js";

/** A text with its formatting. */
export interface Announcement {
  readonly text: string;
  readonly entities: readonly MessageEntity[];
}

interface Broadcast {
  /** Each broadcast has the next number; 0 before the first. */
  readonly number: number;
  /** The last person who gets it so far; ids are taken in their order. */
  readonly cursor: number;
  readonly people: number;
  /** While it goes out. */
  readonly announcement?: Announcement | undefined;
}

const broadcast: Setting<Broadcast> = {
  name: "broadcast",
  schema: z.object({
    number: z.number(),
    cursor: z.number(),
    people: z.number(),
    announcement: z.object({ text: z.string(), entities: z.array(z.custom<MessageEntity>()) }).optional(),
  }),
  initial: { number: 0, cursor: 0, people: 0 },
};
const TOPIC = "broadcast";
/**
 * While this many people wait for something, nobody else gets the announcement, so that alerts and operators' pushes stay on
 * time.
 */
const MOST_WAITING = 20;
const WAIT_MILLISECONDS = 250;

export function broadcastTopic<Message>(render: (what: Notice["what"], person: Person) => Message): Topic<Message> {
  return {
    name: TOPIC,
    isOnce: true,
    render: (_db, { payload }, person) =>
      Promise.resolve({ message: render({ kind: "broadcast", ...(payload as Announcement) }, person) }),
  };
}

/**
 * A message to everybody who can be reached; one goes out at a time. It is put into the outbox for a few people after the other,
 * together with the note of how far it has come, so that nobody gets it twice however often the process dies.
 */
export function createBroadcast(
  parts: Pick<OperatorParts, "clock" | "log" | "operators" | "outbox" | "store">,
  isIn: (userId: number) => boolean | Promise<boolean>,
) {
  const { store, outbox, clock } = parts;
  const { db } = store;

  const loop = createLoop(
    {
      name: "broadcast",
      width: 1,
      keyOf: ({ number }) => number,
      due: async () => {
        const begun = await readSetting(db, broadcast);
        const room = MOST_WAITING - (await outbox.waiting()).count;
        return begun.announcement !== undefined && room > 0 ? [{ ...begun, room }] : [];
      },
      nextAt: async (now) => {
        const { announcement } = await readSetting(db, broadcast);
        return announcement && now + WAIT_MILLISECONDS;
      },
      run: async ({ number, cursor, room }) => {
        const ids = await reachableAfter(db, cursor, room);
        const areIn = await Promise.all(ids.map(async (id) => isIn(id)));
        await store.write((tx) =>
          spread(
            tx,
            number,
            ids.filter((_, index) => areIn[index]),
            ids.at(-1),
          ),
        );
        outbox.wake();
      },
    },
    parts,
  );

  /** Puts the announcement into the outbox for some people; where there are no more, that is told. */
  async function spread(tx: Transaction, number: number, ids: readonly number[], last: number | undefined) {
    const begun = await readSetting(tx, broadcast);
    const { announcement } = begun;
    if (begun.number !== number || announcement === undefined) return;
    let { people } = begun;
    for (const userId of ids) {
      if ((await unlessUnreadable(personIn(tx, userId))) === undefined) continue;
      await tell(tx, { user_id: userId, topic: TOPIC, subject: String(number) }, announcement, clock.now());
      people += 1;
    }
    if (last !== undefined) return writeSetting(tx, broadcast, { ...begun, cursor: last, people });
    await writeSetting(tx, broadcast, { number, cursor: 0, people });
    const notice = {
      id: `broadcast-${number}-over`,
      what: { kind: "operator", event: { about: "broadcast", people } },
    } as const;
    for (const operator of parts.operators) await tellNotice(tx, operator, notice, clock.now());
  }

  const change = (step: (now: Broadcast) => Broadcast): Promise<boolean> =>
    store.write(async (tx) => {
      const now = await readSetting(tx, broadcast);
      const next = step(now);
      if (next !== now) await writeSetting(tx, broadcast, next);
      return next !== now;
    });

  return {
    /** How many people there are, some of whom can't be reached. */
    audience: async (): Promise<number> => {
      const known = store.db.selectFrom("users").where("language", "is not", null);
      return (await known.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
    },
    /** Begins to send; false while an earlier one still goes out. */
    send: async (announcement: Announcement): Promise<boolean> => {
      const isBegun = await change((now) =>
        now.announcement === undefined ? { number: now.number + 1, cursor: 0, people: 0, announcement } : now,
      );
      loop.wake();
      return isBegun;
    },
    /** Stops the announcement under way: nobody else gets it. */
    halt: (): Promise<boolean> => change(({ number, people }) => ({ number, cursor: 0, people })),
    /** Sends what was begun, also by an earlier run, until the signal is aborted. */
    run: loop.run,
  };
}

/** The people after one who can be reached, in the order of their ids. */
async function reachableAfter(db: Reader, id: number, limit: number): Promise<readonly number[]> {
  const people = db.selectFrom("users").select("id").where("id", ">", id).where("language", "is not", null);
  const rows = await people.where("unreachable_since", "is", null).orderBy("id").limit(limit).execute();
  return rows.map((row) => row.id);
}
