import { type ApiError, conflict } from "./api-error.js";
import type { Clock } from "./clock.js";
import type { Update } from "./types.js";
import type { UpdateQueue } from "./update-queue.js";

export interface PollRequest {
  readonly offset?: number;
  readonly limit?: number;
  /** Seconds. */
  readonly timeout?: number;
}

interface Parked {
  readonly offset: number;
  readonly limit: number;
  readonly settle: (outcome: Update[] | ApiError) => void;
}

const longestTimeoutSeconds = 50;
const conflictPauseMilliseconds = 3000;

const otherPoll = "terminated by other getUpdates request; make sure that only one bot instance is running";

/** getUpdates with the server's own quirks (tdlib/telegram-bot-api, from Client::process_get_updates_query on). */
export function createPolling(queue: UpdateQueue, clock: Clock) {
  let parked: Parked | undefined;
  let previous = { offset: Number.NaN, at: Number.NEGATIVE_INFINITY };
  let nextConflictAt = Number.NEGATIVE_INFINITY;

  queue.subscribe(() => {
    if (parked === undefined) return;
    const updates = queue.take(parked.offset, parked.limit);
    if (updates.length > 0) parked.settle(updates);
  });

  /** Answers a conflict at once if the last was three seconds ago; else it waits, which slows down competing bots. */
  const refuse = async (error: ApiError): Promise<never> => {
    const now = clock.now();
    if (now >= nextConflictAt) nextConflictAt = now + conflictPauseMilliseconds;
    else await clock.sleep(conflictPauseMilliseconds);
    throw error;
  };

  const park = async (
    offset: number,
    limit: number,
    timeoutSeconds: number,
    signal?: AbortSignal,
  ): Promise<Update[]> => {
    parked?.settle(conflict(otherPoll));
    const timer = new AbortController();
    const outcome = await new Promise<Update[] | ApiError>((resolve) => {
      const settle = (result: Update[] | ApiError) => {
        if (parked === self) parked = undefined;
        timer.abort();
        resolve(result);
      };
      const self: Parked = { offset, limit, settle };
      parked = self;
      signal?.addEventListener("abort", () => self.settle([]), { once: true });
      clock.sleep(timeoutSeconds * 1000, timer.signal).then(
        () => self.settle([]),
        () => undefined, // aborted: somebody else settled it
      );
    });
    return outcome instanceof Error ? refuse(outcome) : outcome;
  };

  return {
    /** The next updates; waits for one up to the timeout. `signal` is aborted if the client disconnects. */
    async poll(request: PollRequest, signal?: AbortSignal): Promise<Update[]> {
      const { offset = 0 } = request;
      let limit = clamp(request.limit ?? 100, 1, 100);
      let timeout = clamp(request.timeout ?? 0, 0, longestTimeoutSeconds);
      const now = clock.now();
      // Slows down a bot that keeps polling with the same offset.
      if (offset === previous.offset && timeout < 3 && now < previous.at + 3000) timeout = 3;
      if (offset === previous.offset && now < previous.at + 500) limit = 1;
      previous = { offset, at: now };
      const updates = queue.take(offset, limit);
      const isDone = updates.length > 0 || timeout === 0 || signal?.aborted === true;
      return isDone ? updates : park(offset, limit, timeout, signal);
    },

    refuse,

    /** Ends a waiting poll when a webhook is set. */
    interruptByWebhook(): void {
      parked?.settle(conflict("terminated by setWebhook request"));
    },

    isWaiting: (): boolean => parked !== undefined,
  };
}

function clamp(value: number, minimum: number, maximum: number): number {
  return Math.min(Math.max(value, minimum), maximum);
}
