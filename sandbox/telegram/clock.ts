/** The clock of the sandbox's Telegram; the bot's own clock satisfies it. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after the milliseconds; rejects if the signal is aborted first. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** Whole seconds since 1970, as in Telegram's dates. */
export function unixSeconds(clock: Pick<Clock, "now">): number {
  return Math.floor(clock.now() / 1000);
}
