import { sql } from "kysely";
import { pauseAfter, type Clock } from "../../clock.js";
import { Fault, type ServiceName } from "../../fault.js";
import { createLoop, type LoopRunner } from "../../loop.js";
import { dueFrom, type StoreBasics } from "../../store/store.js";
import { MAX_WAIT_SECONDS } from "./rate.js";
import { createRequestQueue, type GiveBack } from "./request-queue.js";
import { createTurns, type Polled, type Taken } from "./fair-turns.js";

const MAX_LOOKS_PER_PERSON = 3;
/** A look that would have to wait longer is refused. */
const MAX_TURN_SECONDS = 15;
/** After this many consecutive failures the service is left alone, for longer each time, and polled once in between. */
const FAILURES_UNTIL_DOWN = 5;
const BACK_OFF = { first: 1000, longest: 10_000 };
/** Seconds' worth of polls that may be in flight; more means that the service can't keep up. */
const SECONDS_IN_FLIGHT = 4;
/** Seconds' worth of polls that are chosen at once: choosing costs more, the more are in flight. */
const SECONDS_CHOSEN = 1 / 40;

/** A service's requests per second; half of them are reserved for polls that are due. */
export interface Budget {
  /** Maximum number of polls in flight. */
  readonly width: number;
  /** Maximum number of polls that are chosen at once. */
  readonly lot: number;
  /** Resolves when a poll may make its request. */
  readonly poll: () => Promise<GiveBack>;
  /** @throws Fault `service-rate-limited` while the service limits requests, and for the last of too many at a time. */
  readonly look: <Result>(userId: number, work: (giveBack: GiveBack) => Promise<Result>) => Promise<Result>;
  /** Milliseconds to leave the service alone; not positive if there is no need to. */
  readonly pause: () => number;
  /** Undefined while the service answers. `since`: in milliseconds since 1970. */
  readonly failing: (longSeconds: number) => { readonly since: number; readonly isLong: boolean } | undefined;
  /** Whether the service is down, and one poll at a time checks whether it is back. */
  readonly isProbing: () => boolean;
  /** How a request ended: with an answer, with none, or with a 429. */
  readonly answered: () => void;
  readonly failed: () => void;
  /** @returns milliseconds to leave the service alone. */
  readonly limited: (retryAfterSeconds: number) => number;
  /** Nothing waits any more afterwards. */
  readonly stop: () => void;
}

export function createBudget(parts: { service: ServiceName; clock: Clock; requestsPerSecond: number }): Budget {
  const { service, clock, requestsPerSecond } = parts;
  const tooOften = (seconds: number) =>
    new Fault("service-rate-limited", { service, retryAfterSeconds: Math.ceil(seconds) });
  const most = Math.max(MAX_LOOKS_PER_PERSON, Math.ceil((MAX_TURN_SECONDS * requestsPerSecond) / 2));
  const queue = createRequestQueue({ clock, requestsPerSecond, most });
  const tooMany = () => tooOften((2 * (queue.waiting() + 1)) / requestsPerSecond);
  const lookers: number[] = [];
  /** Consecutive. Times are from the monotonic clock. */
  let failures = 0;
  let failedUntil = 0;
  let limits = 0;
  let limitedUntil = 0;
  let failing: { readonly since: number; readonly from: number } | undefined;
  const noteFailure = () => {
    failing ??= { since: clock.now(), from: clock.monotonic() };
  };

  return {
    width: Math.max(2, Math.ceil(SECONDS_IN_FLIGHT * requestsPerSecond)),
    lot: Math.max(1, Math.floor(SECONDS_CHOSEN * requestsPerSecond)),
    poll: queue.poll,
    look: async <Result>(userId: number, work: (giveBack: GiveBack) => Promise<Result>): Promise<Result> => {
      const seconds = (limitedUntil - clock.monotonic()) / 1000;
      if (seconds > 0) throw tooOften(seconds);
      if (lookers.filter((one) => one === userId).length >= MAX_LOOKS_PER_PERSON) throw tooMany();
      lookers.push(userId);
      const result = queue.look(userId, tooMany).then(work);
      return result.finally(() => lookers.splice(lookers.indexOf(userId), 1));
    },
    pause: (): number => Math.max(failedUntil, limitedUntil) - clock.monotonic(),
    failing: (longSeconds: number) => {
      if (failing === undefined) return undefined;
      const { since, from } = failing;
      return { since, isLong: Math.max(clock.monotonic(), limitedUntil) - from >= longSeconds * 1000 };
    },
    isProbing: (): boolean => failures >= FAILURES_UNTIL_DOWN,
    answered: (): void => {
      failures = 0;
      failedUntil = 0;
      failing = undefined;
      // An answer to a request from before a 429 doesn't cancel the wait.
      if (clock.monotonic() >= limitedUntil) limits = 0;
    },
    failed: (): void => {
      noteFailure();
      failures += 1;
      if (failures < FAILURES_UNTIL_DOWN) return;
      failedUntil = clock.monotonic() + pauseAfter(failures - FAILURES_UNTIL_DOWN + 1, BACK_OFF);
    },
    limited: (retryAfterSeconds: number): number => {
      noteFailure();
      const now = clock.monotonic();
      // Requests in flight together are refused together; that counts once.
      if (now >= limitedUntil) limits += 1;
      const asked = 1000 * Math.min(retryAfterSeconds, MAX_WAIT_SECONDS);
      limitedUntil = Math.max(limitedUntil, now + Math.max(asked, pauseAfter(limits, BACK_OFF)));
      queue.refuseLooks(tooOften((limitedUntil - now) / 1000));
      return limitedUntil - now;
    },
    stop: queue.stop,
  };
}

interface PollLoop {
  readonly name: string;
  readonly table: Polled;
  readonly horizon: number;
  /** @returns whether it made a request. */
  readonly run: (id: string, taken: Taken) => Promise<boolean>;
}

/** What is due, by time and in the order of turns. */
function pollQueries({ db }: StoreBasics["store"], table: Polled, horizon: number) {
  const polled = db.selectFrom(table).where("due_at", "is not", null);
  const rows = dueFrom(polled.select("id").orderBy("due_at"), "id", { horizon });
  return {
    ...rows,
    /**
     * Whether a row is due that isn't running. It asks by due time, which reads no more rows than run: by turn, it would
     * read all that aren't due.
     */
    isAnyDue: async (now: number, running: readonly string[]): Promise<boolean> => {
      const isFree = ({ id }: { readonly id: string }) => !running.includes(id);
      const most = running.length + 1;
      if ((await rows.due({ until: now }, most, [])).some(isFree)) return true;
      return (await rows.due({ after: now + horizon }, most, [])).some(isFree);
    },
    /**
     * The rows with the lowest turns of those that are due, or due later than the horizon. Running ones are left out here
     * rather than in the query, whose list would grow with them. The plus keeps databases from sorting all that is due.
     */
    nextInTurn: async (now: number, running: readonly string[], most: number) => {
      const dueAt = sql<number>`+due_at`;
      const due = polled.select(["id", "turn"]).where("turn", "is not", null).$narrowType<{ turn: number }>();
      const either = due.where((row) => row.or([row(dueAt, "<=", now), row(dueAt, ">", now + horizon)]));
      const first = either
        .orderBy("turn")
        .orderBy("due_at")
        .limit(running.length + most);
      const left = new Set(running);
      return (await first.execute()).filter(({ id }) => !left.has(id)).slice(0, most);
    },
    /** When the row was due that has been due for longest. */
    oldest: async (): Promise<number | null> => {
      const first = polled.where("turn", "is not", null).select(({ fn }) => fn.min("due_at").as("at"));
      return (await first.executeTakeFirstOrThrow()).at;
    },
  };
}

/** A loop that polls a service. */
export interface PollRunner extends LoopRunner {
  /** For how many milliseconds a row has been overdue, while the service answers. @throws Fault `store-…` */
  readonly overdue: () => Promise<number>;
}

/**
 * Runs due rows in turn: none while the service has to be left alone, and one at a time while it is down. Whose turn it
 * is is decided only once a request may begin, at most a fortieth of a second's ahead.
 */
export function createPollLoop(
  budget: Budget,
  parts: StoreBasics,
  { name, table, horizon, run }: PollLoop,
): PollRunner {
  const { store, clock } = parts;
  const rows = pollQueries(store, table, horizon);
  /** Since when rows can have been polled. From the monotonic clock. */
  let wellSince = clock.monotonic();
  /** Whether the last look left due rows behind. */
  let isMoreDue = false;
  const turns = createTurns(store, table);

  const isPossible = (running: readonly string[]): boolean =>
    budget.pause() <= 0 && !(budget.isProbing() && running.length > 0);

  /** Waits until a request may begin. @returns undefined if it no longer may. */
  async function nextRequest(running: readonly string[]): Promise<GiveBack | undefined> {
    const giveBack = await budget.poll();
    if (isPossible(running)) return giveBack;
    giveBack();
    // The look began before that, so it doesn't know how long to wait.
    loop.wake();
    return undefined;
  }

  const loop = createLoop(parts, {
    name,
    width: budget.width,
    keyOf: rows.keyOf,
    horizon,
    due: async (then, room, running) => {
      if ("after" in then || !isPossible(running)) return [];
      if (!isMoreDue && !(await rows.isAnyDue(then.until, running))) return [];
      const giveBack = await nextRequest(running);
      if (giveBack === undefined) return [];
      const most = budget.isProbing() ? 1 : Math.min(room, budget.lot);
      const next = await rows.nextInTurn(clock.now(), running, most + 1);
      isMoreDue = next.length > most;
      if (isMoreDue) loop.wake();
      const [first, ...others] = await turns.take(next.slice(0, most));
      if (first !== undefined) return [{ ...first, giveBack }, ...others];
      giveBack();
      return [];
    },
    run: async ({ id, taken, ...chosen }: { id: string; taken: Taken; giveBack?: GiveBack }) => {
      const giveBack = chosen.giveBack ?? (await nextRequest([id]));
      if (giveBack !== undefined && !(await run(id, taken))) giveBack();
    },
    times: async (now) => {
      const pause = budget.pause();
      if (pause > 0) return [now + pause];
      if (isMoreDue) return [now, (await rows.nextAt(now)) ?? now];
      const times = await rows.times(now);
      // What was scheduled before the clock was set back is due now.
      return times.some((at) => at > now + horizon) ? [now, ...times] : times;
    },
  });
  return {
    ...loop,
    overdue: async () => {
      const now = clock.monotonic();
      if (budget.failing(0) !== undefined) wellSince = now;
      const at = await rows.oldest();
      return at === null ? 0 : Math.max(0, Math.min(clock.now() - at, now - wellSince));
    },
  };
}
