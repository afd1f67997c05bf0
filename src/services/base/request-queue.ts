import type { Clock } from "../../clock.js";
import { createKeyedQueue } from "./keyed-queue.js";
import { createRateLimit } from "./rate.js";

export type GiveBack = () => void;

interface WaitingRequest {
  readonly begin: (giveBack: GiveBack) => void;
  readonly refuse: (reason: Error) => void;
}

interface Looking extends WaitingRequest {
  readonly userId: number;
}

/** Requests that would follow each other sooner leave together: a timer for each, and a write, would cost more. */
const SHORTEST_PAUSE_MS = 5;

/** Maximum number of people whose last look is remembered. */
const MAX_KNOWN = 10_000;

/** Requests that wait for their turn; each gets a function that gives the turn back if it wasn't made. */
export interface RequestQueue {
  /** Number of looks that wait. */
  readonly waiting: () => number;
  /** @throws what `tooMany` returns once this is the last of too many looks. */
  readonly look: (userId: number, tooMany: () => Error) => Promise<GiveBack>;
  readonly poll: () => Promise<GiveBack>;
  /** Refuses all looks that wait. */
  readonly refuseLooks: (reason: Error) => void;
  /** Refuses all that waits or will be asked for. */
  readonly stop: () => void;
}

/**
 * One rate for what people wait for, and for polls. Looks come first, but not twice in a row while a poll waits; among
 * them, that of the person whose last one was longest ago. @param parts.most maximum number of looks that wait.
 */
export function createRequestQueue(parts: { clock: Clock; requestsPerSecond: number; most: number }): RequestQueue {
  const { clock, requestsPerSecond, most } = parts;
  const rate = createRateLimit(requestsPerSecond);
  const looks: Looking[] = [];
  const polls: WaitingRequest[] = [];
  /** By person, the number of their last look; longest ago first. */
  const served = new Map<number, number>();
  const stopping = new AbortController();
  const turns = createKeyedQueue(1);
  let count = 0;
  let wasLook = false;

  const lastOf = ({ userId }: Looking): number => served.get(userId) ?? 0;

  function nextLook(): Looking | undefined {
    const [first, ...others] = looks;
    if (first === undefined) return undefined;
    const next = others.reduce((best, one) => (lastOf(one) < lastOf(best) ? one : best), first);
    looks.splice(looks.indexOf(next), 1);
    served.delete(next.userId);
    served.set(next.userId, (count += 1));
    const [longestAgo] = served.keys();
    if (served.size > MAX_KNOWN && longestAgo !== undefined) served.delete(longestAgo);
    return next;
  }

  /** The look that would have to wait longest: one of the person who waits for most. */
  function lastLook(): Looking {
    const counts = new Map<number, number>();
    for (const { userId } of looks) counts.set(userId, (counts.get(userId) ?? 0) + 1);
    const countOf = ({ userId }: Looking): number => counts.get(userId) ?? 0;
    return looks.reduce((last, one) => {
      const later = countOf(one) - countOf(last) || lastOf(one) - lastOf(last);
      return later < 0 ? last : one;
    });
  }

  /** Decides whose turn it is only when it comes. */
  async function serve(): Promise<void> {
    while (looks.length + polls.length > 0 && rate.earliest() > clock.monotonic()) {
      const pause = Math.max(SHORTEST_PAUSE_MS, rate.earliest() - clock.monotonic());
      await clock.sleep(pause, stopping.signal).catch(() => undefined);
    }
    wasLook = looks.length > 0 && !(wasLook && polls.length > 0);
    (wasLook ? nextLook() : polls.shift())?.begin(rate.take(clock.monotonic()));
  }

  const refuseLooks = (reason: Error): void => looks.splice(0).forEach(({ refuse }) => refuse(reason));

  return {
    waiting: () => looks.length,
    look: async (userId, tooMany) => {
      stopping.signal.throwIfAborted();
      return new Promise((begin, refuse) => {
        looks.push({ userId, begin, refuse });
        void turns.take("next", serve);
        if (looks.length <= most) return;
        const last = lastLook();
        looks.splice(looks.indexOf(last), 1);
        last.refuse(tooMany());
      });
    },
    poll: async () => {
      stopping.signal.throwIfAborted();
      return new Promise((begin, refuse) => {
        polls.push({ begin, refuse });
        void turns.take("next", serve);
      });
    },
    refuseLooks,
    stop: () => {
      const stopped = new Error("the poller has stopped");
      stopping.abort(stopped);
      refuseLooks(stopped);
      for (const { refuse } of polls.splice(0)) refuse(stopped);
    },
  };
}
