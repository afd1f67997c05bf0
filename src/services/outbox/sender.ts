import { pauseAfter, within } from "../../clock.js";
import { createLoop } from "../../loop.js";
import { Fault } from "../../fault.js";
import type { Notice, Rendered, RowKey, Topic } from "./outbox.js";
import { findPerson, modeFor, newPerson, personIn, type Person, putPerson } from "../person/person.js";
import { fromJson, readRow, type StoreBasics, type Tables, type Transaction } from "../../store/store.js";
import { createKeyedQueue } from "../limits/keyed-queue.js";
import { deliveryFailureOf, floodSeconds } from "../clients/telegram-errors.js";
import * as rows from "./outbox.js";
import type { Pacer } from "./pacer.js";

/** A queue: how much is in it, and for how many milliseconds the oldest has been; 0 where there is none. */
export type Waiting = Awaited<ReturnType<typeof rows.waitingPeople>>;

/** More rows at a time than leave in a second or are on their way. */
const WIDTH = 100;
/** So long a stop waits for what has left, in milliseconds; then it counts as not told, and may come again. */
const STOP_MS = 10_000;
const BACK_OFF = { first: 1000, longest: 60_000 };

export type Outbox = ReturnType<typeof createOutbox<never>>;

export interface OutboxParts<Message> extends StoreBasics {
  readonly pacer: Pacer;
  /**
   * Sends to a chat, or changes what was sent; unless it was asked for, past no other pacing and without repeating.
   * @returns the message's id. @throws GrammyError, or anything else for no answer.
   */
  readonly deliver: (chatId: number, message: Message, how: Delivery) => Promise<number>;
  readonly noteError: (error: unknown) => void;
  readonly run: string;
}

export interface Delivery extends Pick<Rendered<unknown>, "edits" | "under"> {
  readonly isSilent: boolean;
  /** Somebody has just asked for it. */
  readonly isAsked: boolean;
}

function createSending<Message>(parts: OutboxParts<Message>) {
  return {
    ...parts,
    topics: new Map<string, Topic<Message>>(),
    stopping: new AbortController(),
    /** A row is told by one at a time. */
    queue: createKeyedQueue(),
    /** What has left, or may have, and is not noted yet. */
    inFlight: new Map<number, { readonly end: Promise<boolean>; hasWritten: boolean }>(),
    /** People that this process found unreachable: their next message may come with what was read of them before. */
    unreachable: new Set<number>(),
  };
}

type Sending<Message> = ReturnType<typeof createSending<Message>>;

/**
 * A row is rendered when it may leave, so changes that waited make one message. It is deleted after Telegram took the message, in
 * the transaction that notes what was told: a crash in between is the one way to tell something twice.
 */
export function createOutbox<Message>(parts: OutboxParts<Message>) {
  const { store, clock, log } = parts;
  const sending = createSending(parts);
  const { topics, stopping, inFlight, unreachable } = sending;

  const loop = createLoop(parts, {
    name: "outbox",
    width: WIDTH,
    ...rows.inTurn(store.db),
    run: (row) => leave(sending, row),
  });

  async function resume(userId: number): Promise<void> {
    await store.write((tx) => noteReach(sending, tx, userId, true));
    unreachable.delete(userId);
    loop.wake();
  }

  return {
    /** What it can tell people of; to be called before anything is sent. */
    use: (more: readonly Topic<Message>[]): void => more.forEach((topic) => topics.set(topic.name, topic)),
    start: () => void loop.run(stopping.signal),
    /** To be called after a row was committed. */
    wake: loop.wake,
    notify: (userId: number, notice: Notice): Promise<void> =>
      store.write((tx) => rows.tellNotice(tx, userId, notice, clock.now())).then(loop.wake),
    /**
     * Tells now, before all that waits, what somebody has just asked for. With a payload it is told though no row waits for it.
     * @throws what Telegram or the network has against it; a row is tried again.
     */
    flush: async (key: RowKey, payload?: object): Promise<void> => {
      try {
        await send(sending, key, { payload });
      } catch (err) {
        const which = floodSeconds(err) === undefined ? key : { user_id: key.user_id };
        const putOff = (tx: Transaction) => rows.putOff(tx, which, clock.now() + pauseFor(err, 0));
        await store.write(putOff).catch((cause: unknown) => log.error({ err: cause }, "Alert not postponed; retrying"));
        loop.wake();
        throw err;
      }
    },
    /** To be called at each message of a person: what is for somebody who could not be reached is due now. */
    heard: (userId: number, person: Person): Promise<void> | undefined => {
      const own = inFlight.get(userId);
      if (own !== undefined) own.hasWritten = true;
      return person.restingSince !== undefined || unreachable.has(userId) ? resume(userId) : undefined;
    },
    /** How many people wait for something that has not left. */
    waiting: (): Promise<Waiting> => rows.waitingPeople(store.db, clock.now()),
    /** Ends when what has left is noted; what waits stays in the store. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await within(clock, STOP_MS, Promise.allSettled([...inFlight.values()].map(({ end }) => end)));
    },
  };
}

/** Sends what a row has to tell once it may leave; what can't be sent is put off, with all that is for the person. */
async function leave<Message>(p: Sending<Message>, { failures, ...key }: RowKey & { readonly failures: number }) {
  const { store, pacer, stopping, inFlight, clock } = p;
  const userId = key.user_id;
  const place = p.topics.get(key.topic)?.isEdit === true ? pacer.change : pacer.alert;
  try {
    // A private chat has the person's id.
    await place(userId, () => {
      if (stopping.signal.aborted) return Promise.resolve(false);
      const end = send(p, key).finally(() => inFlight.delete(userId));
      inFlight.set(userId, { end, hasWritten: false });
      return end;
    });
  } catch (err) {
    if (stopping.signal.aborted) return;
    p.log.warn({ userId, err, failures }, "Alert not sent; retrying");
    await store.write((tx) => rows.putOff(tx, { user_id: userId }, clock.now() + pauseFor(err, failures)));
  }
}

/** After what could not be sent, in milliseconds. */
function pauseFor(err: unknown, failures: number): number {
  const seconds = floodSeconds(err);
  const pause = seconds === undefined ? pauseAfter(failures + 1, BACK_OFF) : seconds * 1000;
  return Math.min(pause, rows.MAX_WAIT_MS);
}

/** What is told without a row of its own. */
const noRow = { payload: "null", revision: 0, since: 0, due_at: 0, failures: 0, begun_by: null };

/**
 * Delivers what a row has to tell, if anything, and notes that.
 * @param asked somebody has just asked for it: what is against it is theirs to hear.
 * @throws when it should be tried again.
 */
function send<Message>(p: Sending<Message>, key: RowKey, asked?: { readonly payload?: unknown }): Promise<boolean> {
  const { store, log } = p;
  const userId = key.user_id;
  return p.queue.take([userId, key.topic, key.subject].join("/"), async () => {
    const row = (await rows.rowOf(store.db, key)) ?? (asked?.payload === undefined ? undefined : { ...key, ...noRow });
    const due = row && (await render(p, row, asked?.payload));
    if (due === undefined) return false;
    let messageId: number | undefined;
    try {
      messageId = await p.deliver(userId, due.message, { ...due, isAsked: asked !== undefined });
    } catch (err) {
      const failure = deliveryFailureOf(err);
      const isBack = p.inFlight.get(userId)?.hasWritten === true;
      if (asked !== undefined || failure === "passing" || (failure === "gone" && isBack)) throw err;
      if (failure === "gone") {
        log.info({ userId, err }, "User unreachable; alerts paused");
        p.unreachable.add(userId);
        await store.write((tx) => noteReach(p, tx, userId, false));
        return true;
      }
      log.error({ userId, err }, "Telegram permanently rejected an alert");
    }
    const end = () => due.end(messageId);
    if (asked === undefined) await untilNoted(p, end);
    else if (row?.revision !== 0 || messageId !== due.edits) {
      // Who asked for it does not wait until it can be noted: it is told once more then.
      await end().catch((err: unknown) => log.error({ err }, "Alert sent but not yet recorded"));
    }
    return true;
  });
}

/** It was sent, so only the note of it is tried again, until a stop. */
async function untilNoted<Message>(p: Sending<Message>, note: () => Promise<unknown>): Promise<void> {
  for (let failures = 1; ; failures += 1) {
    try {
      await note();
      return;
    } catch (err) {
      if (p.stopping.signal.aborted) return;
      p.log.error({ err }, "Alert sent but not yet recorded; retrying");
      await p.clock.sleep(pauseAfter(failures, BACK_OFF), p.stopping.signal).catch(() => undefined);
    }
  }
}

/** What a row has to tell now, and what notes that it was told; undefined where nothing may leave, which is then noted. */
async function render<Message>(p: Sending<Message>, row: Tables["outbox"], asked?: unknown) {
  const { store, clock } = p;
  const { user_id: userId, subject, begun_by } = row;
  const key = { user_id: userId, topic: row.topic, subject };
  const document = `outbox/${userId}/${row.topic}`;
  const topic = p.topics.get(row.topic);
  try {
    const person = await personIn(store.db, userId);
    if (person.restingSince !== undefined) {
      await store.write((tx) => rows.rest(tx, userId));
      return undefined;
    }
    // Kept for a version of the bot that knows it.
    if (topic === undefined) throw new Fault("store-unreadable", { document });
    const payload = asked ?? readRow(document, () => fromJson(row.payload));
    const rendered = await topic.render(store.db, { userId, subject, payload }, person);
    const { message, kind, edits, under, isMuted = false, isLast = false, told } = rendered ?? {};
    const mode = kind === undefined ? "on" : modeFor(person, kind, clock.now());
    const isLate = begun_by !== null && begun_by !== p.run;
    const end = (isTold: boolean, messageId?: number) =>
      store.write(async (tx) => {
        const now = clock.now();
        if (isTold) await told?.(tx, now, messageId);
        await rows.end(tx, row, now);
      });
    if (message === undefined || mode === "off" || isLate) {
      // What is not the last stays untold, so that the next alert that is wanted says what happened since the one before.
      await end(isLast);
      return undefined;
    }
    if (topic.isOnce === true) await store.write((tx) => rows.begin(tx, key, p.run));
    return { message, edits, under, isSilent: mode === "silent" || isMuted, end: (sent?: number) => end(true, sent) };
  } catch (err) {
    p.noteError(err);
    p.log.error({ userId, topic: row.topic, subject, err }, "Alert could not be rendered; retrying");
    await store.write((tx) => rows.putOff(tx, key, clock.now() + pauseFor(err, row.failures)));
    return undefined;
  }
}

/** A person can't be reached any more, or can again: what is for them rests in between. */
async function noteReach<Message>(p: Sending<Message>, tx: Transaction, userId: number, isReachable: boolean) {
  const now = p.clock.now();
  // Who has never written has no chat yet: their first message still tells their language.
  const person = (await findPerson(tx, userId)) ?? { ...newPerson(userId), chatId: 0 };
  const { restingSince, ...awake } = person;
  if (!isReachable) await putPerson(tx, userId, { restingSince: now, ...person });
  else if (restingSince !== undefined) await putPerson(tx, userId, awake);
  await rows.rest(tx, userId, isReachable ? now : null);
  for (const { onReach } of p.topics.values()) await onReach?.(tx, userId, isReachable, now);
}
