import { pauseAfter, within } from "../../clock.js";
import { createLoop } from "../../loop.js";
import { Fault } from "../../fault.js";
import type { Delivery, Notice, RowKey, Topic, WaitingPeople } from "./outbox.js";
import { findPerson, newPerson, type Person, personOf, putPerson } from "../person/person.js";
import { modeFor } from "../person/quiet-hours.js";
import { fromJson, readRow, type StoreBasics, type Tables, type Transaction } from "../../store/store.js";
import { createKeyedQueue } from "../base/keyed-queue.js";
import { deliveryFailureOf, floodSeconds, hasNotArrived } from "./telegram-errors.js";
import * as rows from "./outbox.js";
import type { Pacer } from "./pacer.js";
import { type SendOutcomes, REPEATED_AFTER_MS } from "./send-outcomes.js";

/** More than the rows sent in a second and those in flight. */
const MAX_CONCURRENT = 100;
/** How long a stop waits for sends in flight. After that they count as not sent, and may be repeated. */
const STOP_MS = 10_000;
const BACK_OFF = { first: 1000, longest: 60_000 };
const DOUBT_MS = REPEATED_AFTER_MS + 100;

/** Sends what must reach a chat later, at Telegram's pace. What throws nothing else throws Fault `store-…`. */
export interface Outbox<Message = never> {
  /** Registers topics. Call it before anything is sent. */
  readonly use: (topics: readonly Topic<Message>[]) => void;
  readonly start: () => void;
  /** Call it after a row was committed, or the other if that is due later, in milliseconds since 1970. */
  readonly wake: () => void;
  readonly wakeBy: (at: number) => void;
  /** Resolves once the notice is on disk. */
  readonly notify: (userId: number, notice: Notice) => Promise<void>;
  /**
   * Sends what a user has just asked for now, ahead of all that waits; with a payload, even if no row is waiting.
   * @throws errors of Telegram or the network; it is retried, with that payload.
   */
  readonly flush: (key: RowKey, payload?: object) => Promise<void>;
  /** Call it for each message from a user: what waits for one who was unreachable is due now. */
  readonly onUserReturned: (userId: number, person: Person) => Promise<void> | undefined;
  /** The people for whom something is due. */
  readonly waiting: () => Promise<WaitingPeople>;
  /** Since when Telegram has refused a message in words that aren't known, in milliseconds since 1970. */
  readonly refusedSince: () => Promise<number | undefined>;
  /** Resolves when sends in flight are recorded, or after ten seconds; what waits stays in the store. */
  readonly stop: () => Promise<void>;
}

export interface OutboxParts<Message> extends StoreBasics {
  readonly pacer: Pacer;
  readonly outcomes: SendOutcomes;
  /**
   * Sends or edits a message. Unless the user asked for it, must not pace or retry. @returns the message's id.
   * @throws GrammyError, or another error if there is no answer.
   */
  readonly deliver: (chatId: number, message: Message, how: Delivery) => Promise<number>;
  readonly noteError: (error: unknown) => void;
  readonly run: string;
}

function createSending<Message>(parts: OutboxParts<Message>) {
  return {
    ...parts,
    topics: new Map<string, Topic<Message>>(),
    stopping: new AbortController(),
    /** Serialises the sends of each row. */
    queue: createKeyedQueue(),
    /** By user: sends that may have left and are not recorded yet. */
    inFlight: new Map<number, { readonly end: Promise<boolean>; hasWritten: boolean }>(),
    /** Users that this process found unreachable: with their next message, `heard` may get an outdated record. */
    unreachable: new Set<number>(),
    /** By user: until when nothing is sent to them after a failure, by the monotonic clock. */
    pausedUntil: new Map<number, number>(),
  };
}

type Sending<Message> = ReturnType<typeof createSending<Message>>;

/**
 * A row is rendered when it may be sent, so that pending changes make one message. It is deleted after Telegram
 * accepted the message, in the transaction that records it: only a crash in between can send something twice.
 */
export function createOutbox<Message>(parts: OutboxParts<Message>): Outbox<Message> {
  const { store, clock, log } = parts;
  const sending = createSending(parts);
  const { topics, stopping, inFlight, unreachable } = sending;

  const loop = createLoop(parts, {
    name: "outbox",
    width: MAX_CONCURRENT,
    ...rows.inTurn(store.db),
    run: (row) => sendWhenFree(sending, row),
  });
  const retries = createLoop(parts, {
    name: "outbox-retries",
    width: 1,
    ...rows.toRetry(store.db),
    run: (row) => store.write((tx) => rows.retry(tx, row, clock.now())).then(loop.wake),
  });

  async function resume(userId: number): Promise<void> {
    await store.write((tx) => noteUserReach(sending, tx, userId, true));
    unreachable.delete(userId);
    sending.pausedUntil.delete(userId);
    loop.wake();
  }

  return {
    use: (more) => more.forEach((topic) => topics.set(topic.name, topic)),
    start: () => {
      void loop.run(stopping.signal);
      void retries.run(stopping.signal);
    },
    wake: loop.wake,
    wakeBy: loop.wakeBy,
    notify: (userId, notice) =>
      store.write((tx) => rows.enqueueNotice(tx, userId, notice, clock.now())).then(loop.wake),
    flush: async (key, payload) => {
      try {
        await send(sending, key, { payload });
      } catch (err) {
        const which = floodSeconds(err) === undefined ? key : { user_id: key.user_id };
        const putOff = async (tx: Transaction) => {
          const now = clock.now();
          if (payload !== undefined) await rows.enqueue(tx, key, payload, now);
          await rows.postpone(tx, which, { now, pause: pauseFor(err, 0) });
        };
        await store.write(putOff).catch((cause: unknown) => log.error({ err: cause }, "Alert not postponed; retrying"));
        loop.wake();
        throw err;
      }
    },
    onUserReturned: (userId, person) => {
      const own = inFlight.get(userId);
      if (own !== undefined) own.hasWritten = true;
      return person.restingSince !== undefined || unreachable.has(userId) ? resume(userId) : undefined;
    },
    waiting: () => rows.waitingPeople(store.db, clock.now()),
    refusedSince: () => rows.refusedSince(store.db),
    stop: async () => {
      stopping.abort();
      await within(clock, STOP_MS, Promise.allSettled([...inFlight.values()].map(({ end }) => end)));
    },
  };
}

/** Sends a row's message once it may leave. On failure, puts off everything for the user. */
async function sendWhenFree<Message>(
  p: Sending<Message>,
  { failures, ...key }: RowKey & { readonly failures: number },
) {
  const { store, pacer, stopping, inFlight, clock, pausedUntil } = p;
  const userId = key.user_id;
  const pause = (pausedUntil.get(userId) ?? 0) - clock.monotonic();
  // A newer row waits with those that have failed, and so doesn't overtake them.
  if (pause > 0)
    return store.write((tx) => rows.postpone(tx, { user_id: userId }, { now: clock.now(), pause, isFailure: false }));
  const place = p.topics.get(key.topic)?.isEdit === true ? pacer.change : pacer.alert;
  try {
    // A private chat has its user's id.
    await place(userId, () => {
      if (stopping.signal.aborted) return Promise.resolve(false);
      const end = send(p, key).finally(() => inFlight.delete(userId));
      inFlight.set(userId, { end, hasWritten: false });
      return end;
    });
    pausedUntil.delete(userId);
  } catch (err) {
    if (stopping.signal.aborted) return;
    p.log.warn({ userId, err, failures }, "Alert not sent; retrying");
    const pause = pauseFor(err, failures);
    await store.write(async (tx) => {
      if (hasNotArrived(err)) await rows.beginSending(tx, key, null);
      await rows.postpone(tx, { user_id: userId }, { now: clock.now(), pause });
    });
    pausedUntil.set(userId, clock.monotonic() + pause);
  }
}

/** Milliseconds to wait after a failure to send. A refusal counts only if it is repeated after {@link REPEATED_AFTER_MS}. */
function pauseFor(err: unknown, failures: number): number {
  const seconds = floodSeconds(err);
  const backOff = Math.max(pauseAfter(failures + 1, BACK_OFF), deliveryFailureOf(err) === "passing" ? 0 : DOUBT_MS);
  return Math.min(seconds === undefined ? backOff : seconds * 1000, rows.MAX_WAIT_MS);
}

/**
 * Delivers a row's message, if there is one, and records it.
 * @param asked set if the user has just asked for it: errors are then the caller's.
 * @throws if it should be retried.
 */
function send<Message>(p: Sending<Message>, key: RowKey, asked?: { readonly payload?: unknown }): Promise<boolean> {
  const { store, log, outcomes } = p;
  const userId = key.user_id;
  const id = [userId, key.topic, key.subject].join("/");
  return p.queue.take(id, async () => {
    const row =
      (await rows.outboxRow(store.db, key)) ?? (asked?.payload === undefined ? undefined : { ...key, ...rows.noRow });
    const due = row && (await render(p, row, asked?.payload));
    if (row === undefined || due === undefined) return false;
    let messageId: number | undefined;
    try {
      messageId = await p.deliver(userId, due.message, { ...due, isAsked: asked !== undefined });
      outcomes.noteAccepted();
      for (const about of [id, `${userId}`]) outcomes.forget(about);
    } catch (err) {
      if (floodSeconds(err) === undefined) outcomes.noteFailed(userId);
      const failure = deliveryFailureOf(err);
      const isBack = p.inFlight.get(userId)?.hasWritten === true;
      if (asked !== undefined || failure === "passing" || (failure === "gone" && isBack)) throw err;
      if (!outcomes.isBelieved(failure === "gone" ? `${userId}` : id)) throw err;
      if (failure === "gone") {
        log.info({ userId, err }, "User unreachable; alerts paused");
        p.unreachable.add(userId);
        await store.write((tx) => rows.beginSending(tx, key, null).then(() => noteUserReach(p, tx, userId, false)));
        return true;
      }
      const isOver = failure === "refused" || (await store.write((tx) => rows.putOffRefused(tx, row, p.clock.now())));
      if (!isOver) {
        log.error({ userId, err }, "Telegram refused an alert in words that are not known; retrying for days");
        return true;
      }
      log.error({ userId, err }, "Telegram permanently rejected an alert");
    }
    const end = () => due.end(messageId);
    if (asked === undefined) await untilNoted(p, end);
    else if (row.revision !== 0 || messageId !== due.edits) {
      // The user doesn't wait until it can be recorded: it is then sent once more.
      await end().catch((err: unknown) => log.error({ err }, "Alert sent but not yet recorded"));
    }
    return true;
  });
}

/** Retries only the record of what was sent, until a stop. */
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

/** Renders a row's message, with the function that records it as sent. If nothing may be sent, records that instead. */
async function render<Message>(p: Sending<Message>, row: Tables["outbox"] | rows.QueuedRow, asked?: unknown) {
  const { store, clock } = p;
  const { user_id: userId, subject, begun_by } = row;
  const key = { user_id: userId, topic: row.topic, subject };
  const document = `outbox/${userId}/${row.topic}`;
  const topic = p.topics.get(row.topic);
  try {
    const person =
      ("language" in row ? personOf(userId, row) : await findPerson(store.db, userId)) ?? newPerson(userId);
    if (person.restingSince !== undefined) {
      await store.write((tx) => rows.suspend(tx, userId));
      return undefined;
    }
    // Kept for a version of the bot that knows the topic.
    if (topic === undefined) throw new Fault("store-unreadable", { document });
    const payload = asked ?? readRow(document, () => fromJson(row.payload));
    const rendered = await topic.render(store.db, { userId, subject, payload }, person);
    const { message, kind, edits, under, isMuted = false, isLast = false, onSent } = rendered ?? {};
    const mode = kind === undefined ? "on" : modeFor(person, kind, clock.now());
    const isLate = begun_by !== null && begun_by !== p.run;
    const end = (isTold: boolean, messageId?: number) =>
      store.write(async (tx) => {
        const now = clock.now();
        if (isTold) await onSent?.(tx, now, messageId);
        await rows.endSending(tx, row, now);
      });
    if (message === undefined || mode === "off" || isLate) {
      // Unless it is the last, it stays unsent, so that the next wanted alert reports everything since the one before.
      await end(isLast);
      return undefined;
    }
    if (topic.isOnce === true) await store.write((tx) => rows.beginSending(tx, key, p.run));
    return { message, edits, under, isSilent: mode === "silent" || isMuted, end: (sent?: number) => end(true, sent) };
  } catch (err) {
    p.noteError(err);
    p.log.error({ userId, topic: row.topic, subject, err }, "Alert could not be rendered; retrying");
    const pause = pauseFor(err, row.failures);
    await store.write((tx) => rows.postpone(tx, key, { now: clock.now(), pause }));
    return undefined;
  }
}

/** Records that a user is unreachable, or reachable again; rows for them rest in between. */
async function noteUserReach<Message>(p: Sending<Message>, tx: Transaction, userId: number, isReachable: boolean) {
  const now = p.clock.now();
  // A user who has never written has no chat yet: their first message still determines their language.
  const person = (await findPerson(tx, userId)) ?? { ...newPerson(userId), chatId: 0 };
  const { restingSince, ...awake } = person;
  if (!isReachable) await putPerson(tx, userId, { restingSince: now, ...person });
  else if (restingSince !== undefined) await putPerson(tx, userId, awake);
  await rows.suspend(tx, userId, isReachable ? now : null);
  for (const { onReach } of p.topics.values()) await onReach?.(tx, userId, isReachable, now);
}
