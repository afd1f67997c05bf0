import { EventEmitter } from "node:events";
import { Logger as WorkerLogger, run, type Runner, type WorkerEvents } from "graphile-worker";
import type { Update } from "grammy/types";
import type pg from "pg";
import type { Logger } from "pino";
import { repeat, within, type Clock } from "../../clock.js";
import { isFault } from "../../fault.js";
import type { Instance } from "../../store/postgres/instances.js";
import { createTurns } from "../../store/turns.js";
import { UPDATES_TASK, type UpdateLog, type WaitingUpdate } from "../../store/postgres/update-log.js";
import type { Consumer } from "./consume.js";
import { untilStored } from "../../store/patient.js";
import { tellOnce } from "../tell-once.js";
import { personOf } from "./transport.js";

export type UpdateQueue = ReturnType<typeof createUpdateQueue>;

/** People whose updates one instance has in hand at once. */
const CONCURRENCY = 200;
/** Of them, those who have just begun: more would share the database so that all wait and none is answered. */
const BEGIN_AT_ONCE = 16;
/** Who is not done by then waits for a service, and takes no room from others. */
const SLOW_MILLISECONDS = 1_000;
/** How often it is asked for jobs of which no notice came, and what the dead left is looked through. */
const POLL_EVERY_MILLISECONDS = 1_000;
const TRY_AGAIN_MILLISECONDS = 500;

/** Updates as all instances share them: whichever receives one, any may handle it. */
export function createUpdateQueue(parts: {
  readonly pool: pg.Pool;
  readonly updates: UpdateLog;
  readonly instance: Instance;
  readonly consumer: Consumer;
  /** Whether an update is handled at once by whoever receives it. */
  readonly overtakes: (update: Update) => boolean;
  readonly tellToSlowDown: (update: Update) => Promise<unknown>;
  /** Nothing can be kept at the moment. */
  readonly tellOfOutage: (update: Update) => Promise<unknown>;
  /** Who was told of it, until an update of theirs is handled. */
  readonly toldOfOutage: Set<number>;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn" | "error">;
}) {
  const { updates, instance, consumer, clock, log } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const beginnings = createTurns(BEGIN_AT_ONCE);
  /** Whose updates are in hand here, and whether more was said to wait since. */
  const inHand = new Map<number, { hasMore: boolean }>();
  /** Who was told, until an update of theirs is kept. */
  const toldToSlowDown = new Set<number>();
  let running: Promise<unknown> = Promise.resolve();
  /** Takers of jobs that take no more, and have some under way. */
  const ending = new Set<Promise<void>>();

  function explainOnce(update: Update, tell: (update: Update) => Promise<unknown>, told: Set<number>): Promise<void> {
    const userId = personOf(update);
    const untold = (error: unknown) =>
      log.warn({ userId, reason: error }, "A person could not be told why they are not answered");
    return tellOnce(told, userId, () => tell(update), untold);
  }

  /** Repeats what must be noted for as long as the database is away. @throws Fault `store-lost`. */
  async function untilNoted<Result>(note: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await note();
      } catch (error) {
        log.warn({ reason: error }, "What was handled could not be noted yet");
      }
      await clock.sleep(TRY_AGAIN_MILLISECONDS);
      await instance.assertHeld().catch((error: unknown) => {
        if (isFault(error, "store-lost")) throw error;
      });
    }
  }

  async function handleAll(personId: number): Promise<void> {
    let waiting = await updates.begin(personId);
    while (waiting !== undefined) {
      const handled: WaitingUpdate = waiting;
      await untilStored(() => consumer.consume(JSON.parse(handled.update) as Update), { clock, signal });
      waiting = await untilNoted(() => updates.next(personId, handled));
      if (waiting === undefined || !signal.aborted) continue;
      await untilNoted(() => updates.handBack(personId));
      return;
    }
  }

  /** Handles all of a person's updates, once there is room to begin. */
  async function begin(personId: number): Promise<void> {
    const begun = await beginnings.take(String(personId), async () => {
      const handling = handleAll(personId);
      await within(clock, SLOW_MILLISECONDS, handling);
      return { handling };
    });
    await begun.handling;
  }

  async function work(payload: unknown): Promise<void> {
    const { person } = payload as { readonly person: number };
    const already = inHand.get(person);
    if (already !== undefined) {
      already.hasMore = true;
      return;
    }
    try {
      for (let hand = { hasMore: true }; hand.hasMore; hand = inHand.get(person) ?? { hasMore: false }) {
        inHand.set(person, { hasMore: false });
        await begin(person);
      }
    } finally {
      inHand.delete(person);
    }
  }

  /** Takes jobs until it is stopped, or the database is away. */
  async function takeJobs(): Promise<void> {
    const events: WorkerEvents = new EventEmitter();
    const named = new Promise<string>((resolve) => {
      events.once("pool:create", ({ workerPool }) => resolve(workerPool.id));
    });
    let isBroken = false;
    const untilBroken = new Promise<void>((resolve) => {
      events.once("pool:forcefulShutdown", () => {
        isBroken = true;
        resolve();
      });
    });
    events.once("pool:fatalError", ({ workerPool }) => {
      // What it complains of is logged.
      Promise.resolve(workerPool.forcefulShutdown("a job's end could not be noted")).catch(() => undefined);
    });
    const runner: Runner = await run({
      pgPool: parts.pool,
      noHandleSignals: true,
      concurrency: CONCURRENCY,
      pollInterval: POLL_EVERY_MILLISECONDS,
      crontab: "",
      taskList: {
        [UPDATES_TASK]: async (payload) => {
          await work(payload);
          // Once the pool is broken, nobody hears that the end of another job could not be noted, which would end the program.
          if (isBroken) await new Promise(() => undefined);
        },
      },
      events,
      logger: new WorkerLogger(() => (level, message) => {
        const severity: string = level;
        if (severity === "error") log.error({ reason: message }, "The queue of updates failed");
      }),
      // Ends of jobs are noted together: of one that could not be noted by itself nobody would hear, which ends a program.
      preset: { worker: { localQueue: { size: CONCURRENCY }, completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    });
    try {
      await instance.nameWorkers(await named);
      // After an outage the queue would wait for up to half a minute before it asks again.
      await Promise.race([runner.promise, untilBroken, untilAnotherSession()]);
    } finally {
      // It has told by itself why it ended.
      const ended = runner.promise.catch(() => undefined).finally(() => ending.delete(ended));
      ending.add(ended);
      // It may have stopped by itself.
      runner.stop().catch(() => undefined);
    }
  }

  async function untilAnotherSession(): Promise<void> {
    const before = instance.sessions();
    while (instance.sessions() === before && !signal.aborted) {
      await clock.sleep(TRY_AGAIN_MILLISECONDS, signal).catch(() => undefined);
    }
  }

  /** Does it until the end, with a pause after each time; what goes wrong is logged. */
  function keepDoing(task: () => Promise<unknown>, milliseconds: number, trouble: string): Promise<void> {
    return repeat(clock, milliseconds, signal, task, (error) => log.warn({ reason: error }, trouble));
  }

  return {
    /** Whether the update is durable, or handled; when not, Telegram has to send it again. */
    receive: async (update: Update): Promise<boolean> => {
      if (signal.aborted) return false;
      if (parts.overtakes(update)) {
        return consumer.consume(update).then(
          () => true,
          () => false,
        );
      }
      try {
        const kept = await updates.keep(update.update_id, personOf(update), JSON.stringify(update));
        if (kept === "dropped") await explainOnce(update, parts.tellToSlowDown, toldToSlowDown);
        else if (kept === "kept") toldToSlowDown.delete(personOf(update));
        return true;
      } catch (error) {
        log.warn({ updateId: update.update_id, reason: error }, "An update could not be kept");
        await explainOnce(update, parts.tellOfOutage, parts.toldOfOutage);
        return false;
      }
    },
    /** Begins to handle what waits. */
    start: (): void => {
      running = Promise.all([
        keepDoing(takeJobs, TRY_AGAIN_MILLISECONDS, "The queue of updates is out of reach"),
        keepDoing(updates.tidy, POLL_EVERY_MILLISECONDS, "The queue of updates could not be tidied"),
      ]);
    },
    /** Lets what is under way end, and leaves the rest to others. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await running;
      await Promise.all(ending);
    },
  };
}
