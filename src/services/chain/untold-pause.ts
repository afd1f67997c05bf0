import type { Clock } from "../../clock.js";

/** A node that is still starting, or a proxy before it, serves everything a moment later. */
const PAUSES_MS = [2_000, 10_000, 30_000, 60_000] as const;
const LATER_MS = 600_000;

/** When a node is asked again that said that it doesn't serve something. */
export interface UntoldPause {
  /** Whether it is left alone until then. */
  readonly isOn: () => boolean;
  /** It has said so. */
  readonly note: () => void;
  /** It has answered otherwise. */
  readonly end: () => void;
  /** Resolves with the end of a first pause, if it has said so once only; undefined otherwise. */
  readonly first: () => Promise<void> | undefined;
}

export function createUntoldPause({ monotonic, sleep }: Pick<Clock, "monotonic" | "sleep">): UntoldPause {
  let [said, until] = [0, Number.NEGATIVE_INFINITY];
  const isOn = () => monotonic() < until;
  return {
    isOn,
    note: () => {
      until = monotonic() + (PAUSES_MS[said] ?? LATER_MS);
      said += 1;
    },
    end: () => {
      [said, until] = [0, Number.NEGATIVE_INFINITY];
    },
    first: () => (said === 1 && isOn() ? sleep(until - monotonic()) : undefined),
  };
}
