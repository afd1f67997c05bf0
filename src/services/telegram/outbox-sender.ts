import { pauseAfter, within } from "../../clock.js";
import { createLoop, type LoopRunner } from "../../loop.js";
import type { Delivery, Notice, RowKey, SentTopic } from "./outbox.js";
import type { Person } from "../person/person.js";
import type { StoreBasics, Transaction } from "../../store/store.js";
import { noteGone, noteReach } from "./reach.js";
import { createKeyedQueue } from "../base/keyed-queue.js";
import type { Away } from "./away.js";
import { deliveryFailureOf, floodSeconds, hasNotArrived, isPage } from "./telegram-errors.js";
import { enqueue, enqueueNotice } from "./outbox.js";
import * as rows from "./outbox-rows.js";
import { type DueMessage, renderOrPutOff } from "./outbox-message.js";
import { createGiveWays, type GiveWay } from "./give-way.js";
import * as turns from "./outbox-turns.js";
import type { Pacer } from "./pacer.js";
import { waitForReturn } from "./wait-for-return.js";
import { BACK_OFF, pauseFor, type SendOutcomes } from "./send-outcomes.js";

/** More than are in flight; a user who comes next waits behind all of them, at Telegram's pace. */
const MAX_CONCURRENT = 60;
/** How long a stop waits for sends in flight. After that they count as not sent, and may be repeated. */
const STOP_MS = 10_000;

/** Sends what must reach a chat later, at Telegram's pace. What throws nothing else throws Fault `store-…`. */
export interface Outbox<Message = never> {
  /** Registers topics. Call it before anything is sent. */
  readonly use: (topics: readonly SentTopic<Message>[]) => void;
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
  readonly waiting: () => Promise<turns.WaitingPeople>;
  /** For a kind of news that gives way to what is due now. */
  readonly giveWay: () => GiveWay;
  /** For how many milliseconds some kind of news hasn't moved although somebody is to be told; 0 if all move. */
  readonly stuckMilliseconds: () => number;
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
  readonly away: Pick<Away, "isAway">;
  readonly noteError: (error: unknown) => void;
  readonly run: string;
}

interface InFlight {
  readonly end: Promise<boolean>;
  /** The user has written since it began. */
  hasWritten: boolean;
}

/** @param onPutOff called once a row is to be tried again that Telegram refused. */
function createSending<Message>(parts: OutboxParts<Message>, onPutOff: () => void) {
  return {
    ...parts,
    onPutOff,
    ways: createGiveWays({ ...parts, due: () => turns.countDue(parts.store.db, parts.clock.now()) }),
    topics: new Map<string, SentTopic<Message>>(),
    stopping: new AbortController(),
    /** Serialises the sends of each row. */
    queue: createKeyedQueue(),
    /** By lane and user: sends that may have left and are not recorded yet. */
    inFlight: { messages: new Map<number, InFlight>(), edits: new Map<number, InFlight>() },
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
  const sending = createSending(parts, () => retries.wake());
  const { topics, stopping, inFlight, unreachable } = sending;

  const inTurn = (lane: turns.Lane) => ({
    width: MAX_CONCURRENT,
    ...turns.usersInTurn(store.db, lane),
    run: ({ user_id: userId }: Pick<RowKey, "user_id">) => sendNext(sending, userId, lane),
  });
  const lanes = [
    createLoop(parts, { name: "outbox", ...inTurn("messages") }),
    createLoop(parts, { name: "outbox-edits", ...inTurn("edits") }),
  ];
  const wake = () => lanes.forEach((lane) => lane.wake());
  const retries: LoopRunner = createLoop(parts, {
    name: "outbox-retries",
    width: 1,
    ...rows.toRetry(store.db),
    run: (row) => store.write((tx) => rows.retry(tx, row, clock.now())).then(wake),
  });

  async function resume(userId: number): Promise<void> {
    await store.write((tx) => noteReach(tx, userId, true, topics.values(), clock.now()));
    unreachable.delete(userId);
    sending.pausedUntil.delete(userId);
    wake();
  }

  return {
    use: (more) => more.forEach((topic) => topics.set(topic.name, topic)),
    start: () => {
      for (const lane of lanes) void lane.run(stopping.signal);
      void retries.run(stopping.signal);
    },
    wake,
    wakeBy: (at) => lanes.forEach((lane) => lane.wakeBy(at)),
    notify: (userId, notice) => store.write((tx) => enqueueNotice(tx, userId, notice, clock.now())).then(wake),
    flush: async (key, payload) => {
      try {
        await send(sending, key, { payload });
      } catch (err) {
        const which = floodSeconds(err) === undefined ? key : { user_id: key.user_id };
        const putOff = async (tx: Transaction) => {
          const now = clock.now();
          if (payload !== undefined) await enqueue(tx, key, payload, now, { isEdit: true });
          await rows.postpone(tx, which, { now, pause: pauseFor(err, 0) });
        };
        await store.write(putOff).catch((cause: unknown) => log.error({ err: cause }, "Alert not postponed; retrying"));
        wake();
        throw err;
      }
    },
    onUserReturned: (userId, person) => {
      for (const own of [inFlight.messages.get(userId), inFlight.edits.get(userId)])
        if (own !== undefined) own.hasWritten = true;
      return person.restingSince !== undefined || unreachable.has(userId) ? resume(userId) : undefined;
    },
    waiting: () => turns.waitingPeople(store.db, clock.now()),
    giveWay: sending.ways.giveWay,
    stuckMilliseconds: sending.ways.stuckMilliseconds,
    refusedSince: () => rows.refusedSince(store.db),
    stop: async () => {
      stopping.abort();
      const ends = [...inFlight.messages.values(), ...inFlight.edits.values()].map(({ end }) => end);
      await within(clock, STOP_MS, Promise.allSettled(ends));
    },
  };
}

/** Sends a user's next message once it may leave. On failure, puts off everything for the user. */
async function sendNext<Message>(p: Sending<Message>, userId: number, lane: turns.Lane) {
  const { store, pacer, stopping, clock, pausedUntil } = p;
  const inFlight = p.inFlight[lane];
  const row = await turns.nextRowOf(store.db, userId, lane, clock.now());
  if (row === undefined) return store.write((tx) => turns.settleTurns(tx, userId));
  if (p.away.isAway()) return waitForReturn(p, userId, lane);
  const pause = (pausedUntil.get(userId) ?? 0) - clock.monotonic();
  // A newer row waits with those that have failed, and so doesn't overtake them.
  if (pause > 0)
    return store.write((tx) => rows.postpone(tx, { user_id: userId }, { now: clock.now(), pause, isFailure: false }));
  const { failures, ...key } = row;
  const place = lane === "edits" ? pacer.change : pacer.alert;
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
      await turns.takeTurn(tx, userId, lane);
    });
    pausedUntil.set(userId, clock.monotonic() + pause);
  }
}

/**
 * Delivers a row's message, if there is one, and records it.
 * @param asked set if the user has just asked for it: errors are then the caller's.
 * @throws if it should be retried.
 */
function send<Message>(p: Sending<Message>, key: RowKey, asked?: { readonly payload?: unknown }): Promise<boolean> {
  const { store, log, outcomes } = p;
  const userId = key.user_id;
  const id = rows.rowId(key);
  return p.queue.take(id, async () => {
    const row =
      (await rows.outboxRow(store.db, key)) ?? (asked?.payload === undefined ? undefined : { ...key, ...rows.noRow });
    // Its place may have come only after Telegram had gone.
    const waits = asked === undefined && p.away.isAway();
    const due = row && (await renderOrPutOff(p, row, { asked: asked?.payload, waits }));
    if (row === undefined || due === undefined) return false;
    let messageId: number | undefined;
    try {
      messageId = await p.deliver(userId, due.message, { ...due, isAsked: asked !== undefined });
      outcomes.noteAccepted();
      p.ways.noteTaken(true);
      for (const about of [id, `${userId}`]) outcomes.forget(about);
    } catch (err) {
      if (due.onNotSent !== undefined && hasNotArrived(err)) await store.write(due.onNotSent);
      if (floodSeconds(err) === undefined) outcomes.noteFailed(userId);
      const failure = deliveryFailureOf(err);
      if (failure === "passing" && floodSeconds(err) === undefined) p.ways.noteTaken(false);
      if (due.endUnclear !== undefined && !hasNotArrived(err) && !isPage(err)) {
        log.warn({ userId, topic: key.topic, err }, "An alert may have been sent; it counts as told");
        await untilNoted(p, due.endUnclear);
        return true;
      }
      const isBack = [p.inFlight.messages, p.inFlight.edits].some((lane) => lane.get(userId)?.hasWritten === true);
      if (asked !== undefined || failure === "passing" || (failure === "gone" && isBack)) throw err;
      if (!outcomes.isBelieved(failure === "gone" ? `${userId}` : id)) throw err;
      if (failure === "gone") {
        log.info({ userId, err }, "User unreachable; alerts paused");
        p.unreachable.add(userId);
        await store.write((tx) => noteGone(tx, key, p.topics.values(), p.clock.now()));
        return true;
      }
      const isOver = failure === "refused" || (await putOffAll(p, due));
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

/** {@link rows.putOffRefused}, of each row that the message is for. */
async function putOffAll<Message>(p: Sending<Message>, due: DueMessage<Message>): Promise<boolean> {
  const isOver = await p.store.write(async (tx) => {
    let areOver = true;
    for (const row of due.rows) areOver = (await rows.putOffRefused(tx, row, p.clock.now())) && areOver;
    return areOver;
  });
  p.onPutOff();
  return isOver;
}
