import { pauseAfter } from "../../clock.js";
import type { StoreBasics, Transaction } from "../../store/store.js";

const BACK_OFF = { first: 1000, longest: 30_000 };

interface MoveParts extends StoreBasics {
  /** What is moved, for the log. */
  readonly what: string;
  /** Moves by a number of milliseconds what was set since a time. */
  readonly move: (tx: Transaction, step: number, since: number) => Promise<unknown>;
  /** Called once that is on disk: what was moved may be due. */
  readonly wake: () => void;
}

/** Moves something along with the clock. */
export interface Moves {
  /** Resolves when all is moved that the clock was set by until now. */
  readonly settled: () => Promise<unknown>;
  /**
   * One transaction for each step, queued before anything learns the new time. @param first a step to begin with.
   * @returns a function that ends it.
   */
  readonly begin: (signal: AbortSignal, first?: number) => () => void;
}

/**
 * Moves what was reckoned from now along with the clock, whenever that is set: its time is over once it has passed.
 * Dates and times of day never move.
 */
export function createMoves({ store, clock, log, what, move, wake }: MoveParts): Moves {
  let moving: Promise<unknown> = Promise.resolve();

  async function untilMoved(step: number, since: number, signal: AbortSignal): Promise<void> {
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        await store.write((tx) => move(tx, step, since));
        wake();
        return;
      } catch (err) {
        log.error({ err, step, what }, "Not moved with the clock yet; retrying");
        await clock.sleep(pauseAfter(failures, BACK_OFF), signal).catch(() => undefined);
      }
    }
  }

  return {
    settled: () => moving,
    begin: (signal, first) => {
      const moveBy = (step: number): void => {
        // What a run that began with a wrong clock found is right once that is.
        const since = clock.doubt.wrongFrom() ?? 0;
        moving = Promise.all([moving, untilMoved(step, since, signal)]);
      };
      if (first !== undefined) moveBy(first);
      return clock.onStep(moveBy);
    },
  };
}
