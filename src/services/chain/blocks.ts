import { pauseAfter } from "../../clock.js";
import { isFault } from "../../fault.js";
import { alone, createLoop, type LoopRunner } from "../../loop.js";
import type { StoreBasics } from "../../store/store.js";
import { createBudget } from "../base/budget.js";
import { MAX_WAIT_SECONDS } from "../base/rate.js";
import { type BelievingListener, createBlockListeners, type LookingListener } from "./block-listeners.js";
import { createBlockProgress, type ReadingState } from "./block-progress.js";
import { createBlockRhythm } from "./block-rhythm.js";
import { type BlockSteps, newestTime, nextBlockStep, probeBlocks, serves } from "./block-steps.js";
import { createChainTime } from "./chain-time.js";
import { createOwedTransactions } from "./owed-transactions.js";
import type { ChainReader } from "./read-block.js";

type BlocksParts = ChainReader & StoreBasics;

/**
 * Reads the chain block by block while anybody listens, from the last one that was read on. What is believed waits for the
 * block on top; those who only look are woken by the newest one.
 */
export interface ChainBlocks extends Pick<LoopRunner, "run"> {
  /** Called before `run`, as the next one. */
  readonly believe: (listener: BelievingListener) => void;
  readonly look: (listener: LookingListener) => void;
  /** Call it once somebody waits for something. */
  readonly wake: () => void;
  /**
   * When the newest block that is known of was made, by the chain's time: what later ones hold has happened since. Zero if
   * none is known, as while nobody listens.
   */
  readonly time: () => number;
  readonly state: () => ReadingState;
  /** Whether the node serves no blocks, so that nothing can be told. While nobody listens, it is asked. */
  readonly isClosed: () => Promise<boolean>;
  /** For how many milliseconds somebody has listened to whom nothing is told. */
  readonly overdue: () => Promise<number>;
  /** Whether the chain was found to have begun again within the last day, for operators. */
  readonly sameChain: { readonly incident: "chain-begun-again"; readonly isMismatch: () => boolean };
}

/** Half of the node's pace, so that nobody else who asks it has to wait. */
const BLOCKS_PER_SECOND = 5;
const BACK_OFF = { first: 1000, longest: 30_000 };
/** How often a node that serves none is asked again. */
const CLOSED_MS = 60_000;
/** The longest pause is the one that a node asks for. */
const LONGEST_PAUSE_MS = 1000 * MAX_WAIT_SECONDS;
/** After a step that ended so late, as on a busy machine, the next block may be there already. */
const LATE_STEP_MS = 1000;

export function createBlocks(parts: BlocksParts): ChainBlocks {
  const { clock, log, store } = parts;
  const budget = createBudget({ service: "node", clock, requestsPerSecond: BLOCKS_PER_SECOND });
  const listeners = createBlockListeners(parts);
  const progress = createBlockProgress(clock, listeners.tellLost);
  const owed = createOwedTransactions({
    budget,
    readMoved: parts.readMoved,
    onFound: ({ block: number, at }, found) => listeners.tell({ number, at, transactions: [found] }),
    onMissed: progress.missed,
    clock,
    log,
  });
  const { readBlock, height } = parts;
  const steps: BlockSteps = {
    ...{ readBlock, height, budget, listeners, progress, owed, store, clock, log },
    ...{ rhythm: createBlockRhythm(clock), time: createChainTime(clock), reading: undefined },
    // The disk may say that somebody believed it before the start.
    ...{ isBelieved: false, isKept: true, isBehind: true, hides: false, foundAt: Number.POSITIVE_INFINITY },
    ...{ top: 0, askedAt: Number.NEGATIVE_INFINITY, tries: 0, contradictions: 0, highest: 0 },
  };
  let failures = 0;
  let dueAt = Number.NEGATIVE_INFINITY;
  /** When the next step is to begin at the latest, by the monotonic clock. */
  let expectedAt = Number.POSITIVE_INFINITY;

  /** @returns milliseconds to wait. */
  const noteFailure = (err: unknown): number => {
    if (!isFault(err)) throw err;
    failures += 1;
    steps.isBehind = true;
    log.info({ err, block: steps.reading?.trail.at(-1)?.number }, "The next block could not be read");
    if (noteClosed(err)) return CLOSED_MS;
    const least = isFault(err, "service-rate-limited") ? 1000 * err.parameters.retryAfterSeconds : 0;
    return Math.max(least, pauseAfter(failures, BACK_OFF));
  };
  const noteClosed = (err: unknown): boolean => {
    const isClosed = !serves(err);
    if (isClosed) progress.closed(true);
    return isClosed;
  };
  const run = async (): Promise<void> => {
    const expectedOrBegun = Math.min(expectedAt, clock.monotonic());
    const pause = await nextBlockStep(steps).then((left) => {
      failures = 0;
      return left;
    }, noteFailure);
    if (clock.monotonic() - expectedOrBegun > LATE_STEP_MS) steps.isBehind = true;
    progress.look();
    dueAt = clock.now() + pause;
    expectedAt = clock.monotonic() + pause;
  };
  const loop = createLoop(parts, { name: "blocks", ...alone(() => Promise.resolve(dueAt), LONGEST_PAUSE_MS), run });
  return {
    believe: listeners.believe,
    look: listeners.look,
    wake: () => {
      if (steps.reading !== undefined || failures > 0) return;
      dueAt = clock.now();
      loop.wake();
    },
    time: () => newestTime(steps),
    state: progress.state,
    overdue: () => Promise.resolve(progress.overdue()),
    sameChain: { incident: "chain-begun-again", isMismatch: progress.hasBegunAgain },
    isClosed: async () => {
      // While it doesn't answer, nobody knows.
      if (steps.reading === undefined && failures === 0)
        await probeBlocks(steps).catch((err: unknown) => void noteClosed(err));
      return progress.state().isClosed;
    },
    run: async (signal) => {
      signal.addEventListener("abort", budget.stop);
      await Promise.all([loop.run(signal), owed.run(signal)]);
    },
  };
}
