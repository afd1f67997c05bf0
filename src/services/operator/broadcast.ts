import { randomBytes } from "node:crypto";
import type { MessageEntity } from "grammy/types";
import * as z from "zod";
import { createLoop } from "../../loop.js";
import { type Notice, enqueue, type Rendered, type Topic } from "../telegram/outbox.js";
import { personIn } from "../person/person.js";
import {
  countRows,
  findsAny,
  type Reader,
  readSetting,
  setting,
  unlessUnreadable,
  writeSetting,
} from "../../store/store.js";
import type { Transaction } from "../../store/store.js";
import type { IncidentParts, TellOperators } from "./incidents.js";

const announcementSchema = z.object({ text: z.string(), entities: z.array(z.custom<MessageEntity>()).readonly() });
export type Announcement = Readonly<z.infer<typeof announcementSchema>>;

const count = z.number();

/** `people`: those in whose outbox it is or was. `reached`: those who got it. `isSpread`: the outbox has it for all. */
const broadcast = setting(
  "broadcast",
  z.object({
    number: count,
    cursor: count,
    people: count,
    reached: count,
    isSpread: z.boolean().exactOptional(),
    announcement: announcementSchema.optional(),
  }),
  { number: 0, cursor: 0, people: 0, reached: 0 },
);
const TOPIC = "broadcast";
const WAIT_MS = 250;

export const broadcastTopic: Topic<Notice["what"]> = {
  name: TOPIC,
  isOnce: true,
  render: (_db, { payload, subject }) => {
    const onSent: Rendered<unknown>["onSent"] = async (tx, _now, messageId) => {
      const now = await readSetting(tx, broadcast);
      if (messageId !== undefined && String(now.number) === subject)
        await writeSetting(tx, broadcast, { ...now, reached: now.reached + 1 });
    };
    return Promise.resolve({ message: payload as Notice["what"], onSent });
  },
};

/** Whether anybody may still get it soon: not those who are unreachable, or whom Telegram refuses to write to. */
const isBroadcastUnderWay = (db: Reader, number: number): Promise<boolean> => {
  const rows = db.selectFrom("outbox").where("topic", "=", TOPIC).where("subject", "=", String(number));
  return findsAny(rows.where("due_at", "is not", null).where("refused_since", "is", null));
};

/** Announcements to everybody, one at a time. */
export interface Broadcast {
  /** How many people it would reach. */
  readonly audience: () => Promise<number>;
  /** @returns false while another one is in progress. */
  readonly send: (announcement: Announcement) => Promise<boolean>;
  /** People who have not got it yet will not. */
  readonly halt: () => Promise<void>;
  /** Runs until the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** Rows and progress are one transaction, so nobody gets it twice however often the process dies. */
export function createBroadcast(
  parts: Pick<IncidentParts, "clock" | "log" | "outbox" | "store">,
  isIn: (userId: number) => boolean | Promise<boolean>,
  tellOperators: TellOperators,
  noteError: (error: unknown) => void,
): Broadcast {
  const { store, outbox, clock } = parts;
  const { db } = store;
  const way = outbox.giveWay();
  let reached = 0;

  const loop = createLoop(parts, {
    name: "broadcast",
    width: 1,
    horizon: WAIT_MS,
    due: async () => {
      const begun = await readSetting(db, broadcast);
      const { number, announcement, isSpread } = begun;
      if (announcement === undefined) return [];
      if (begun.reached !== reached) way.moved(0);
      reached = begun.reached;
      const room = await way.room();
      if (isSpread) return (await isBroadcastUnderWay(db, number)) ? [] : [{ number, room: 1 }];
      return room > 0 ? [{ number, room }] : [];
    },
    keyOf: ({ number }) => number,
    // It is always due, until it is over.
    times: async (now) => ((await readSetting(db, broadcast)).announcement === undefined ? [] : [now, now + WAIT_MS]),
    run: async ({ number, room }) => {
      await store.write((tx) => spread(tx, number, room));
      way.moved(room);
      outbox.wake();
    },
  });

  async function spread(tx: Transaction, number: number, room: number): Promise<void> {
    const begun = await readSetting(tx, broadcast);
    const { announcement } = begun;
    if (begun.number !== number || announcement === undefined) return;
    const known = tx.selectFrom("users").select("id").where("id", ">", begun.cursor).where("language", "is not", null);
    const reachable = known.where("unreachable_since", "is", null).orderBy("id").limit(room);
    const ids = (await reachable.execute()).map(({ id }) => id);
    const last = ids.at(-1);
    const what: Notice["what"] = { kind: "broadcast", ...announcement };
    let { people } = begun;
    for (const userId of ids) {
      const isReadable = (await unlessUnreadable(() => personIn(tx, userId), noteError)) !== undefined;
      if (!isReadable || !(await isIn(userId))) continue;
      await enqueue(tx, { user_id: userId, topic: TOPIC, subject: String(number) }, what, clock.now());
      people += 1;
    }
    if (last !== undefined) return writeSetting(tx, broadcast, { ...begun, cursor: last, people });
    if (await isBroadcastUnderWay(tx, number)) return writeSetting(tx, broadcast, { ...begun, isSpread: true });
    const { reached } = begun;
    await writeSetting(tx, broadcast, { number, cursor: 0, people, reached });
    const event = { about: "broadcast", people: reached, others: people - reached } as const;
    await tellOperators(tx, `broadcast-${number}-over`, event);
  }

  return {
    audience: () => countRows(db.selectFrom("users").where("language", "is not", null)),
    /** @returns false while an earlier one is still being sent. */
    send: async (announcement: Announcement): Promise<boolean> => {
      const isBegun = await store.write(async (tx) => {
        const now = await readSetting(tx, broadcast);
        if (now.announcement !== undefined) return false;
        await writeSetting(tx, broadcast, { number: now.number + 1, cursor: 0, people: 0, reached: 0, announcement });
        return true;
      });
      loop.wake();
      return isBegun;
    },
    halt: () =>
      store.write(async (tx) => {
        const { announcement: _ended, isSpread: _over, ...begun } = await readSetting(tx, broadcast);
        await writeSetting(tx, broadcast, { ...begun, cursor: 0 });
      }),
    run: loop.run,
  };
}

/** A pause with its reason, or a broadcast. */
const plannedSchema = z.object({ reason: z.string(), announcement: announcementSchema }).partial();
type Planned = z.infer<typeof plannedSchema>;
const draftSchema = z.object({ id: z.string(), planned: plannedSchema }).optional();

/** The button has the id, so that one under an older draft does nothing. */
export const broadcastDraft = (operatorId: number) => setting(`draft/${operatorId}`, draftSchema, undefined);

export async function keepDraft(tx: Transaction, operatorId: number, planned: Planned): Promise<string> {
  const id = randomBytes(16).toString("base64url");
  await writeSetting(tx, broadcastDraft(operatorId), { id, planned });
  return id;
}

/** Returns what was planned, and deletes it. */
export async function takeDraft(tx: Transaction, operatorId: number, id: string): Promise<Planned> {
  const draft = await readSetting(tx, broadcastDraft(operatorId));
  if (draft?.id !== id) return {};
  await tx.deleteFrom("settings").where("name", "=", broadcastDraft(operatorId).name).execute();
  return draft.planned;
}
