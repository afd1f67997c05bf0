import type { Logger } from "pino";
import { within, type Clock } from "../../clock.js";
import { createLoop } from "../../loop.js";
import { Fault } from "../../fault.js";
import type { Notice } from "./notice.js";
import type { Person } from "../person/person.js";
import { fromJson } from "../../store/json.js";
import type { Transaction } from "../../store/queries.js";
import type { Tables } from "../../store/schema.js";
import type { Database } from "../../store/store.js";
import { pauseAfter } from "../limits/back-off.js";
import { changePersonIn, personIn } from "../person/people.js";
import { deliveryFailureOf, floodSeconds } from "../clients/telegram-errors.js";
import { modeFor } from "./control.js";
import * as rows from "./outbox.js";
import type { DueRow, RowKey, Topic } from "./outbox.js";
import type { Pacer } from "./pacer.js";

/** A queue: how much is in it, and for how many milliseconds the oldest has been; 0 where there is none. */
export interface Waiting {
  readonly count: number;
  readonly oldestMilliseconds: number;
}

/** So many people's messages wait for their turn in the pace at a time, more than leave in a second or are on their way. */
const WIDTH = 100;
/** So long a stop waits for what has left, in milliseconds; then it counts as not told, and may come again. */
const STOP_MILLISECONDS = 10_000;
const BACK_OFF = { first: 1000, longest: 60_000 };

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Empties the outbox. What a row tells is read from the database at the moment when it may leave, so several changes that waited
 * make one message, and the row goes after Telegram took it, in the transaction that notes what was told: a crash in between
 * is the one way to tell something twice. One message follows the other within a chat; what fails for a while is tried
 * again and again. Who can't be reached rests until their next message.
 */
export function createOutbox<Message>(parts: {
  readonly store: Database;
  readonly topics: readonly Topic<Message>[];
  readonly pacer: Pacer;
  /** Sends to a chat, past no other pacing and without repeating. @throws GrammyError, or anything else for no answer. */
  readonly deliver: (chatId: number, message: Message, options: { readonly isSilent: boolean }) => Promise<unknown>;
  /** In the transaction in which nothing can be sent to a person any more, or can again. */
  readonly onReach: (tx: Transaction, userId: number, isReachable: boolean, now: number) => Promise<void>;
  /** To be told of what can't be read. */
  readonly noteError: (error: unknown) => void;
  /** Names this run of the program. */
  readonly run: string;
  readonly clock: Clock;
  readonly log: Logger;
}) {
  const { store, pacer, clock, log } = parts;
  const { db } = store;
  const topics = new Map(parts.topics.map((topic) => [topic.name, topic]));
  const stopping = new AbortController();
  /** Messages that have left, or may have, and are not noted yet; and who has written meanwhile. */
  const sendings = new Map<number, Promise<boolean>>();
  const writers = new Set<number>();
  /** Whom this process has laid to rest: a message of theirs may come with the person as they were before that. */
  const rested = new Set<number>();

  const loop = createLoop(
    {
      name: "outbox",
      width: WIDTH,
      keyOf: ({ user_id }: DueRow) => user_id,
      due: (now, limit, running) => rows.dueRows(db, now, limit, running),
      nextAt: (now) => rows.nextDueAfter(db, now),
      run: async ({ failures, ...key }: DueRow) => {
        try {
          // A private chat has the person's id.
          await pacer.alert(key.user_id, () => (stopping.signal.aborted ? Promise.resolve(false) : send(key)));
        } catch (error) {
          if (stopping.signal.aborted) return;
          const seconds = floodSeconds(error);
          const pause = seconds === undefined ? pauseAfter(failures + 1, BACK_OFF) : seconds * 1000;
          const until = clock.now() + Math.min(pause, rows.LONGEST_WAIT_MILLISECONDS);
          log.warn({ userId: key.user_id, reason: error, failures }, "An alert could not be sent yet");
          await store.write((tx) => rows.putOff(tx, { user_id: key.user_id }, until));
        }
      },
    },
    parts,
  );

  /** What has begun is waited for at a stop. */
  function send(key: RowKey): Promise<boolean> {
    const sending = sendDue(key).finally(() => {
      sendings.delete(key.user_id);
      writers.delete(key.user_id);
    });
    sendings.set(key.user_id, sending);
    return sending;
  }

  /** Sends what a row has to tell at this moment, if anything, and notes that. @throws when it should be tried again. */
  async function sendDue(key: RowKey): Promise<boolean> {
    const userId = key.user_id;
    const row = await rows.rowOf(db, key);
    const due = row && (await render(row));
    if (due === undefined) return false;
    try {
      await parts.deliver(userId, due.message, due);
    } catch (error) {
      const failure = deliveryFailureOf(error);
      // Who has written meanwhile is back.
      if (failure === "passing" || (failure === "gone" && writers.has(userId))) throw error;
      if (failure === "gone") {
        log.info({ userId, reason: error }, "A person can't be reached; their watches rest");
        rested.add(userId);
        await store.write((tx) => layToRest(tx, userId));
        return true;
      }
      log.error({ userId, reason: error }, "Telegram refuses an alert for good");
    }
    // It was sent, so only the note of it is tried again.
    await untilDone(due.end);
    return true;
  }

  /** What a row has to tell now, and what notes that it was told; undefined where nothing may leave, which is then noted. */
  async function render(row: Tables["outbox"]) {
    const { user_id: userId, subject, begun_by } = row;
    const key = { user_id: userId, topic: row.topic, subject };
    const topic = topics.get(row.topic);
    try {
      const person = await personIn(db, userId);
      if (person.restingSince !== undefined) {
        await store.write((tx) => rows.rest(tx, userId));
        return undefined;
      }
      const rendered = await topic?.render(db, { userId, subject, payload: payloadOf(row) }, person);
      const { message, kind, isMuted = false, isLast = false, told } = rendered ?? {};
      const mode = kind === undefined ? "on" : modeFor(person, kind, clock.now());
      const isLate = begun_by !== null && begun_by !== parts.run;
      if (message === undefined || mode === "off" || isLate) {
        // What is not the last stays untold, so that the next alert that is wanted says what happened since the one before.
        await store.write((tx) => rows.end(tx, row, clock.now(), isLast ? told : undefined));
        return undefined;
      }
      if (topic?.isOnce === true) await store.write((tx) => rows.begin(tx, key, parts.run));
      const end = () => store.write((tx) => rows.end(tx, row, clock.now(), told));
      return { message, isSilent: mode === "silent" || isMuted, end };
    } catch (err) {
      parts.noteError(err);
      log.error({ userId, topic: row.topic, subject, err }, "What a person is to be told could not be made out");
      const until = clock.now() + pauseAfter(row.failures + 1, BACK_OFF);
      await store.write((tx) => rows.putOff(tx, key, until));
      return undefined;
    }
  }

  async function layToRest(tx: Transaction, userId: number): Promise<void> {
    await changePersonIn(tx, userId, (person) => ({ restingSince: clock.now(), ...person }));
    await rows.rest(tx, userId);
    await parts.onReach(tx, userId, false, clock.now());
  }

  async function wakeUp(userId: number): Promise<void> {
    await store.write(async (tx) => {
      await changePersonIn(tx, userId, (person) => {
        const { restingSince, ...awake } = person;
        return restingSince === undefined ? person : awake;
      });
      await rows.resume(tx, userId, clock.now());
      await parts.onReach(tx, userId, true, clock.now());
    });
    rested.delete(userId);
    loop.wake();
  }

  /** Tries again after pauses until it succeeds, or this stops. */
  async function untilDone(task: () => Promise<unknown>): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      try {
        await task();
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.error({ reason: error }, "An alert was sent, but this could not be written down yet");
        await clock.sleep(pauseAfter(failures, BACK_OFF), stopping.signal).catch(() => undefined);
      }
    }
  }

  return {
    start: (): void => {
      void loop.run(stopping.signal);
    },
    /** To be called after something was written that people are to be told. */
    wake: loop.wake,
    /** Writes a notice that stands for itself. */
    notify: async (userId: number, notice: Notice): Promise<void> => {
      await store.write((tx) => rows.tellNotice(tx, userId, notice, clock.now()));
      loop.wake();
    },
    /** To be called at each message of a person. If what is for them rested, it is due now. */
    heard: (userId: number, person: Person): Promise<void> | undefined => {
      if (sendings.has(userId)) writers.add(userId);
      return person.restingSince !== undefined || rested.has(userId) ? wakeUp(userId) : undefined;
    },
    /** How many people wait for something that has not left, and for how many milliseconds the first one has. */
    waiting: async (): Promise<Waiting> => {
      const { count, since } = await rows.waitingPeople(db);
      return { count, oldestMilliseconds: since === null ? 0 : Math.max(0, clock.now() - since) };
    },
    /** Ends when what has left is noted; what waits stays in the database. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await within(clock, STOP_MILLISECONDS, Promise.allSettled(sendings.values()));
    },
  };
}

/** @throws Fault `store-unreadable`. */
function payloadOf({ user_id: userId, topic, payload }: Tables["outbox"]): unknown {
  try {
    return fromJson(payload);
  } catch (cause) {
    throw new Fault("store-unreadable", { document: `outbox/${userId}/${topic}` }, { cause });
  }
}
