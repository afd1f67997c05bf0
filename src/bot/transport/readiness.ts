import { within, type Clock } from "../../clock.js";

/** An answer that takes longer is useless. */
const LONGEST_MILLISECONDS = 2_000;
/** However often strangers ask, the store is asked no more often than this. */
const KEPT_MILLISECONDS = 1_000;

/** Whether everything the bot depends on works now. A check that fails or takes too long counts as no. */
export function createReadiness({
  serves,
  clock,
}: {
  readonly serves: () => Promise<boolean>;
  readonly clock: Clock;
}): () => Promise<boolean> {
  let last: { readonly at: number; readonly answer: Promise<boolean> } | undefined;

  const ask = async (): Promise<boolean> => {
    const answer = serves().catch(() => false);
    return (await within(clock, LONGEST_MILLISECONDS, answer)) ?? false;
  };
  return () => {
    const now = clock.monotonic();
    if (last === undefined || now - last.at >= KEPT_MILLISECONDS) last = { at: now, answer: ask() };
    return last.answer;
  };
}
