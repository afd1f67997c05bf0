import type { Clock } from "../../clock.js";

/** How updates reach the bot: by long polling or by webhook. */
export interface Transport {
  /** Ends when the transport was stopped. @throws Fault `service-unauthorized` when Telegram refuses the token. */
  readonly done: Promise<void>;
  /** Whether Telegram is known to be in reach. */
  readonly healthy: () => boolean;
  /** Takes no more updates, waits at most so long for those under way, and never throws. */
  readonly stop: (deadlineMilliseconds: number) => Promise<void>;
}

/** The kinds of update that this bot asks Telegram for. */
export const allowedUpdates = ["message", "callback_query", "my_chat_member"] as const;

/** Waits for a promise, but no longer than a number of milliseconds; returns whether it settled in time. */
export function atMost(milliseconds: number, promise: Promise<unknown>, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.timer(milliseconds, () => resolve(false));
    const inTime = () => {
      cancel();
      resolve(true);
    };
    promise.then(inTime, inTime);
  });
}
