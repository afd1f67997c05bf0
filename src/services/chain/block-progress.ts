import { type Clock, DAY_MS } from "../../clock.js";
import { THREE_SLOTS_MS } from "./block-rhythm.js";

/** How far the chain is read. Times are in milliseconds since 1970. */
export interface ReadingState {
  /** Whether each block is read as it comes. */
  readonly isCurrent: boolean;
  /** Since when it is or isn't; undefined while nobody listens. */
  readonly since: number | undefined;
  /** The node doesn't serve blocks. */
  readonly isClosed: boolean;
  /** When the last of what was left out was made: what is too old, or what the node never showed. */
  readonly missedAt: number | undefined;
}

/** What can be said about how far the chain is read. @param onLost called when it isn't read as it comes any more. */
export function createBlockProgress(clock: Pick<Clock, "monotonic" | "now">, onLost: () => void) {
  /** Monotonic, as the next one. */
  let currentAt = Number.NEGATIVE_INFINITY;
  let readAt = Number.NEGATIVE_INFINITY;
  let [wasCurrent, isClosed] = [false, false];
  let since: number | undefined;
  let missedAt: number | undefined;
  let begunAgainAt = Number.NEGATIVE_INFINITY;
  const isCurrent = () => clock.monotonic() - currentAt < THREE_SLOTS_MS;
  const look = (): void => {
    if (isCurrent() === wasCurrent) return;
    [wasCurrent, since] = [!wasCurrent, clock.now()];
    if (!wasCurrent) onLost();
  };
  return {
    /** Call it often. */
    look,
    begun: (): void => {
      since ??= clock.now();
      readAt = clock.monotonic();
    },
    /** Nobody listens. */
    parked: (): void => {
      currentAt = Number.NEGATIVE_INFINITY;
      look();
      [since, missedAt] = [undefined, undefined];
    },
    /** A block was read. */
    read: (isAsItComes: boolean): void => {
      readAt = clock.monotonic();
      if (isAsItComes) currentAt = readAt;
      isClosed = false;
      look();
    },
    /** For how many milliseconds no block was read. */
    idleFor: () => clock.monotonic() - readAt,
    closed: (is: boolean): void => void (isClosed = is),
    missed: (at: number): void => void (missedAt = Math.max(at, missedAt ?? 0)),
    begunAgain: (): void => void (begunAgainAt = clock.monotonic()),
    hasBegunAgain: () => clock.monotonic() - begunAgainAt < DAY_MS,
    overdue: () => (since === undefined || isClosed || isCurrent() ? 0 : Math.max(0, clock.now() - since)),
    state: (): ReadingState => ({ isCurrent: isCurrent(), since, isClosed, missedAt }),
  };
}
