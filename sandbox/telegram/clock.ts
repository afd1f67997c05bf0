/** Time as the sandbox's Telegram needs it; the shape is that of the program's own clock, so either can be passed in. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after so many milliseconds; rejects when the signal is aborted first. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** The time in whole seconds since 1970, as Telegram dates things. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}
