import type { Clock } from "../../clock.js";

/** Telegram is away once it has answered nothing for so long, although it was asked. */
const AWAY_MS = 10_000;
/** From then on it is asked for its name, so that no message need find out. */
const SILENT_MS = 5_000;

/** Whether Telegram answers anything at all. */
export interface Away {
  readonly isAway: () => boolean;
  /**
   * Call it with each request as it begins; `isHeld`: the answer may take long by itself.
   * @returns what is called at its end, with whether Telegram answered in its own words, whatever these say; undefined if
   * it wasn't waited for.
   */
  readonly begin: (isHeld?: boolean) => (hasAnswered: boolean | undefined) => void;
  /** While no answer comes, calls `ask` again and again, until the signal is aborted. */
  readonly run: (ask: () => Promise<unknown>, signal: AbortSignal) => Promise<void>;
}

export function createAway({ clock }: { readonly clock: Pick<Clock, "monotonic" | "sleep"> }): Away {
  let open = 0;
  /** Since when something asked has had no answer, by the monotonic clock. */
  let silentSince: number | undefined;
  let wake = (): void => undefined;
  const fallSilent = (): void => {
    silentSince ??= clock.monotonic();
    wake();
  };
  const hasBeenSilent = (milliseconds: number): boolean =>
    silentSince !== undefined && clock.monotonic() - silentSince >= milliseconds;
  return {
    isAway: () => hasBeenSilent(AWAY_MS),
    begin: (isHeld = false) => {
      if (!isHeld) {
        open += 1;
        fallSilent();
      }
      return (hasAnswered) => {
        if (!isHeld) open -= 1;
        if (hasAnswered === false) fallSilent();
        else if (hasAnswered === true) silentSince = open > 0 ? clock.monotonic() : undefined;
      };
    },
    run: async (ask, signal) => {
      signal.addEventListener("abort", () => wake(), { once: true });
      while (!signal.aborted) {
        if (silentSince === undefined) await new Promise<void>((resolve) => void (wake = resolve));
        await clock.sleep(SILENT_MS, signal).catch(() => undefined);
        if (hasBeenSilent(SILENT_MS)) await ask().catch(() => undefined);
      }
    },
  };
}
