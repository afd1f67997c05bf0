import type { Clock } from "../../clock.js";
import { Fault } from "../../fault.js";
import { createPump } from "../limits/pump.js";
import { createRateLimit } from "../limits/rate.js";
import { afterFailure, afterLimit, afterSuccess, closedBreaker, heldUntil, isProbing } from "./breaker.js";

/** How many seconds' worth of requests may be under way at once; more means that the exchange can't keep up. */
const SECONDS_UNDER_WAY = 4;
/** At a time. Nobody who taps faster is reading. */
const MAX_LOOKS_PER_PERSON = 3;
/** Nobody waits longer than this for their turn; beyond that they are told at once. */
const LONGEST_WAIT_SECONDS = 15;

/** What is done in a turn; `giveBack` where nothing is asked after all. */
type Work<Result> = (giveBack: () => void) => Promise<Result>;

/** Somebody's place in the budget. */
interface Turn {
  readonly begin: (giveBack: () => void) => void;
  readonly refuse: (reason: Error) => void;
}

/** The requests that the exchange is asked in a second: half of them stay for polls that are due. */
export interface Budget {
  /** How many polls may be under way at once. */
  readonly maximumPolling: number;
  readonly poll: (work: Work<void>) => Promise<void>;
  /** @throws Fault `service-rate-limited` at once while the exchange wants to be left alone, and for too many at a time. */
  readonly look: <Result>(userId: number, work: Work<Result>) => Promise<Result>;
  /** What came of a request: an answer, none, or a wish to be left alone, with how long that will be granted in milliseconds. */
  readonly answered: () => void;
  readonly failed: () => void;
  readonly limited: (retryAfterSeconds: number) => number;
  readonly stop: () => void;
}

export function createBudget(parts: { readonly clock: Clock; readonly requestsPerSecond: number }): Budget {
  const { clock, requestsPerSecond } = parts;
  const rate = createRateLimit(requestsPerSecond);
  const maximumPolling = Math.max(2, Math.ceil(SECONDS_UNDER_WAY * requestsPerSecond));
  const maximumLooks = Math.max(MAX_LOOKS_PER_PERSON, Math.ceil((LONGEST_WAIT_SECONDS * requestsPerSecond) / 2));
  const looks: Turn[] = [];
  const polls: Turn[] = [];
  /** Who looks now, once for each order. */
  const lookers: number[] = [];
  let polling = 0;
  let wasLook = false;
  let breaker = closedBreaker;

  const pump = createPump(clock, (now) => {
    for (;;) {
      const refusal = refusalAt(now);
      if (refusal !== undefined) refuse(looks, refusal);
      const mayPoll = polls.length > 0 && polling < (isProbing(breaker) ? 1 : maximumPolling);
      const polledAt = mayPoll ? heldUntil(breaker) : undefined;
      // People who look go first, but not twice in a row where a poll is due.
      const isLook = looks.length > 0 && !(wasLook && polledAt !== undefined && polledAt <= now);
      if (!isLook && polledAt === undefined) return undefined;
      const at = Math.max(isLook ? now : (polledAt ?? now), rate.earliest());
      if (at > now) return at;
      wasLook = isLook;
      if (!isLook) polling += 1;
      (isLook ? looks : polls).shift()?.begin(rate.take(now));
    }
  });
  const turn = (queue: Turn[]): Promise<() => void> =>
    new Promise((begin, refuse) => {
      queue.push({ begin, refuse });
      pump.kick();
    });
  /** Why nobody may look now; undefined while they may. */
  const refusalAt = (now: number): Fault | undefined =>
    now < breaker.limitedUntil ? tooOften((breaker.limitedUntil - now) / 1000) : undefined;

  return {
    maximumPolling,
    poll: async (work) => {
      const giveBack = await turn(polls);
      await work(giveBack).finally(() => {
        polling -= 1;
        pump.kick();
      });
    },
    look: async (userId, work) => {
      const refusal = refusalAt(clock.monotonic());
      if (refusal !== undefined) throw refusal;
      const isTooMany = lookers.filter((one) => one === userId).length >= MAX_LOOKS_PER_PERSON;
      if (isTooMany || looks.length >= maximumLooks) throw tooOften((2 * (looks.length + 1)) / requestsPerSecond);
      lookers.push(userId);
      const result = turn(looks).then(work);
      return result.finally(() => lookers.splice(lookers.indexOf(userId), 1));
    },
    answered: () => {
      breaker = afterSuccess(breaker, clock.monotonic());
    },
    failed: () => {
      breaker = afterFailure(breaker, clock.monotonic());
    },
    limited: (retryAfterSeconds) => {
      const now = clock.monotonic();
      breaker = afterLimit(breaker, retryAfterSeconds, now);
      return breaker.limitedUntil - now;
    },
    stop: () => {
      pump.stop();
      for (const queue of [looks, polls]) refuse(queue, new Error("the poller has stopped"));
    },
  };
}

function refuse(queue: Turn[], reason: Error): void {
  for (const { refuse } of queue.splice(0)) refuse(reason);
}

function tooOften(seconds: number): Fault {
  return new Fault("service-rate-limited", { service: "exchange", retryAfterSeconds: Math.ceil(seconds) });
}
