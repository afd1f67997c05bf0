import { pauseAfter, type Clock } from "../../clock.js";
import { Fault, type ServiceName } from "../../fault.js";
import { createLoop, type Loop } from "../../loop.js";
import { dueFrom, type StoreBasics } from "../../store/store.js";
import { createKeyedQueue } from "./keyed-queue.js";
import { createRateLimit, MAX_WAIT_SECONDS } from "./rate.js";

const MAX_LOOKS_PER_PERSON = 3;
/** A look that would have to wait longer is refused at once. */
const MAX_TURN_SECONDS = 15;
/** After this many consecutive failures the service is left alone, for longer each time, and polled once in between. */
const FAILURES_UNTIL_DOWN = 5;
const BACK_OFF = { first: 1000, longest: 30_000 };
/** Seconds' worth of polls that may be in flight; more means that the service can't keep up. */
const SECONDS_IN_FLIGHT = 4;

type GiveBack = () => void;

type Waiting = { readonly begin: (giveBack: GiveBack) => void; readonly refuse: (reason: Error) => void };

export type Budget = ReturnType<typeof createBudget>;

/** A service's requests per second; half of them are reserved for polls that are due. */
export function createBudget(parts: { service: ServiceName; clock: Clock; requestsPerSecond: number }) {
  const { service, clock, requestsPerSecond } = parts;
  const tooOften = (seconds: number) =>
    new Fault("service-rate-limited", { service, retryAfterSeconds: Math.ceil(seconds) });
  const maximumLooks = Math.max(MAX_LOOKS_PER_PERSON, Math.ceil((MAX_TURN_SECONDS * requestsPerSecond) / 2));
  const queue = createRequestQueue(parts);
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
    /** Maximum number of polls in flight. */
    width: Math.max(2, Math.ceil(SECONDS_IN_FLIGHT * requestsPerSecond)),
    poll: (): Promise<GiveBack> => queue.wait(queue.polls),
    /** @throws Fault `service-rate-limited` at once while the service limits requests, and for too many at a time. */
    look: async <Result>(userId: number, work: (giveBack: GiveBack) => Promise<Result>): Promise<Result> => {
      const seconds = (limitedUntil - clock.monotonic()) / 1000;
      if (seconds > 0) throw tooOften(seconds);
      const isTooMany = lookers.filter((one) => one === userId).length >= MAX_LOOKS_PER_PERSON;
      if (isTooMany || queue.looks.length >= maximumLooks) {
        throw tooOften((2 * (queue.looks.length + 1)) / requestsPerSecond);
      }
      lookers.push(userId);
      const result = queue.wait(queue.looks).then(work);
      return result.finally(() => lookers.splice(lookers.indexOf(userId), 1));
    },
    /** Milliseconds to leave the service alone; not positive if there is no need to. */
    pause: (): number => Math.max(failedUntil, limitedUntil) - clock.monotonic(),
    /** Undefined while the service answers. */
    failing: (longSeconds: number) => {
      if (failing === undefined) return undefined;
      const { since, from } = failing;
      return { since, isLong: Math.max(clock.monotonic(), limitedUntil) - from >= longSeconds * 1000 };
    },
    /** Whether the service is down, and one poll at a time checks whether it is back. */
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
    /** @returns milliseconds to leave the service alone. */
    limited: (retryAfterSeconds: number): number => {
      noteFailure();
      const now = clock.monotonic();
      // Requests in flight together are refused together; that counts once.
      if (now >= limitedUntil) limits += 1;
      const asked = 1000 * Math.min(retryAfterSeconds, MAX_WAIT_SECONDS);
      limitedUntil = Math.max(limitedUntil, now + Math.max(asked, pauseAfter(limits, BACK_OFF)));
      for (const { refuse } of queue.looks.splice(0)) refuse(tooOften((limitedUntil - now) / 1000));
      return limitedUntil - now;
    },
    stop: queue.stop,
  };
}

interface PollLoop extends Pick<Loop<{ readonly id: string }, string>, "horizon" | "name" | "run"> {
  readonly table: "orders" | "price_questions";
}

/** Runs due rows: none while the service has to be left alone, and one at a time while it is down. */
export function createPollLoop(budget: Budget, parts: StoreBasics, { table, horizon, ...loop }: PollLoop) {
  const rows = dueFrom(parts.store.db.selectFrom(table).select("id").orderBy("due_at"), "id", { horizon });
  return createLoop(parts, {
    ...rows,
    ...loop,
    width: budget.width,
    due: async (then, room, running) => {
      const limit = budget.isProbing() ? 1 - running.length : room;
      return budget.pause() > 0 || limit <= 0 ? [] : rows.due(then, limit, running);
    },
    nextAt: async (now) => {
      const pause = budget.pause();
      return pause > 0 ? now + pause : rows.nextAt(now);
    },
  });
}

/** One rate for both queues: looks come first, but not twice in a row while a poll waits. */
function createRequestQueue({ clock, requestsPerSecond }: Omit<Parameters<typeof createBudget>[0], "service">) {
  const rate = createRateLimit(requestsPerSecond);
  const looks: Waiting[] = [];
  const polls: Waiting[] = [];
  const stopping = new AbortController();
  const turns = createKeyedQueue(1);
  let wasLook = false;

  /** Decides whose turn it is only when it comes. */
  async function serve(): Promise<void> {
    while (looks.length + polls.length > 0 && rate.earliest() > clock.monotonic())
      await clock.sleep(rate.earliest() - clock.monotonic(), stopping.signal).catch(() => undefined);
    wasLook = looks.length > 0 && !(wasLook && polls.length > 0);
    (wasLook ? looks : polls).shift()?.begin(rate.take(clock.monotonic()));
  }

  return {
    looks,
    polls,
    wait: async (queue: Waiting[]): Promise<GiveBack> => {
      stopping.signal.throwIfAborted();
      return new Promise((begin, refuse) => {
        queue.push({ begin, refuse });
        void turns.take("next", serve);
      });
    },
    stop: () => {
      const stopped = new Error("the poller has stopped");
      stopping.abort(stopped);
      for (const { refuse } of [...looks.splice(0), ...polls.splice(0)]) refuse(stopped);
    },
  };
}
