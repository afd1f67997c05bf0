import { createTurns } from "../limits/turns.js";
import type { SignedIntent } from "../intent/intent.js";
import { pauseAfter, type BackOff } from "../limits/back-off.js";
import { createPace, look, type Followed, type LookParts } from "./look.js";

const BACK_OFF: BackOff = { first: 1000, longest: 30_000 };

/** Brings requests for a signature and transactions to their end, whether or not anybody taps. */
export interface Follower {
  /**
   * Follows an intent from now on, or looks at it at once. `isFresh`: its price and the chain were asked a moment ago, so that it
   * can be given to the network without asking again.
   */
  readonly follow: (intent: SignedIntent, isFresh?: boolean) => void;
  /** Looks at nothing any more, once what is under way has ended. */
  readonly stop: () => Promise<void>;
}

export function createFollower(parts: Omit<LookParts, "follow" | "late" | "pace">): Follower {
  const { clock, log } = parts;
  const followed = new Map<string, Followed>();
  const running = createTurns();
  let isStopped = false;

  const run = async (item: Followed): Promise<void> => {
    while (!isStopped) {
      let pause: number | undefined;
      try {
        pause = await look(looking, item);
        item.failures = 0;
      } catch (error) {
        item.failures += 1;
        pause = pauseAfter(item.failures, BACK_OFF);
        log.warn({ intent: item.id, err: error }, "A transaction could not be looked up");
      }
      const { signal } = item.wake;
      // What it was told of during its last look is looked at again.
      if (pause === undefined && !signal.aborted) break;
      await clock.sleep(Math.max(1, pause ?? 0), signal).catch(() => undefined);
      if (signal.aborted) item.wake = new AbortController();
    }
    followed.delete(item.id);
  };

  const follow = (intent: SignedIntent, isFresh = false): void => {
    if (isStopped) return;
    const known = followed.get(intent.id);
    if (known !== undefined) {
      known.isFresh ||= isFresh;
      known.wake.abort();
      return;
    }
    const item: Followed = {
      owner: intent.owner,
      id: intent.id,
      isFresh,
      seen: {},
      looks: 0,
      failures: 0,
      broadcastAt: Number.NEGATIVE_INFINITY,
      wake: new AbortController(),
    };
    followed.set(intent.id, item);
    void running.take(intent.id, () => run(item));
  };

  const looking: LookParts = { ...parts, pace: createPace(clock), late: createTurns(), follow };

  return {
    follow,
    stop: async () => {
      isStopped = true;
      for (const { wake } of followed.values()) wake.abort();
      await running.settled();
    },
  };
}
