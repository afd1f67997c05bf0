import * as z from "zod";
import { pauseAfter } from "../../clock.js";
import { isFault } from "../../fault.js";
import { alone, type Basics, createLoop } from "../../loop.js";
import type { Budget } from "../base/budget.js";
import { SLOT_MS } from "./block-rhythm.js";
import type { ChainReader, MovedTransaction } from "./read-block.js";

export const owedSchema = z.object({ hash: z.string(), block: z.number(), at: z.number() }).readonly();
/** A transaction that a block holds and the node didn't show with it. `at`: when the block was made. */
export type OwedTransaction = z.infer<typeof owedSchema>;

interface OwedParts extends Basics, Pick<ChainReader, "readMoved"> {
  readonly budget: Pick<Budget, "poll">;
  /** Tells of one that was found. */
  readonly onFound: (owed: OwedTransaction, found: MovedTransaction) => Promise<void>;
  /** One of a block that was made then is missing, or was given up. */
  readonly onMissed: (at: number) => void;
}

interface Owed extends OwedTransaction {
  looks: number;
  /** Milliseconds since 1970. */
  dueAt: number;
}

/** Of more than that, the last ones are never read. */
const MAX_OWED = 1000;
/** So many of them outlive the process. */
const MAX_OWED_KEPT = 100;
const BACK_OFF = { first: 1000, longest: 600_000 };
/** After so many looks, about a minute, one counts as missed, though it is looked for on. */
const MISSED_LOOKS = 7;
/** For an hour. */
const OWED_BLOCKS = 3_600_000 / SLOT_MS;

/** Transactions that a node left out of their blocks, which are asked for one by one. Nothing else waits for them. */
export function createOwedTransactions(parts: OwedParts) {
  const { clock, log, onFound, onMissed } = parts;
  const all = new Map<string, Owed>();
  const first = (): Owed | undefined => [...all.values()].toSorted((one, other) => one.dueAt - other.dueAt)[0];
  const run = async (): Promise<void> => {
    const owed = first();
    if (owed === undefined) return;
    owed.looks += 1;
    owed.dueAt = clock.now() + pauseAfter(owed.looks, BACK_OFF);
    await parts.budget.poll();
    const found = await parts.readMoved(owed.hash).catch((err: unknown) => {
      if (!isFault(err)) throw err;
      log.info({ hash: owed.hash, err }, "A transaction that its block lacks could not be read");
      return undefined;
    });
    if (found?.block === owed.block) await onFound(owed, found);
    // In another one it is told of with that one.
    if (found !== undefined && found.block > 0) all.delete(owed.hash);
    else if (owed.looks === MISSED_LOOKS) onMissed(owed.at);
  };
  const loop = createLoop(parts, {
    name: "blocks-owed",
    ...alone(() => Promise.resolve(first()?.dueAt), BACK_OFF.longest),
    run,
  });
  return {
    run: loop.run,
    add: (lacking: readonly OwedTransaction[]): void => {
      for (const owed of lacking) {
        if (all.size < MAX_OWED) all.set(owed.hash, { ...owed, looks: 0, dueAt: clock.now() });
        else onMissed(owed.at);
      }
      if (lacking.length > 0) loop.wake();
    },
    /** Those of blocks that are too old aren't looked for any more. */
    leave: (newest: number): void => {
      for (const { hash, block } of all.values()) if (newest - block > OWED_BLOCKS) all.delete(hash);
    },
    forget: (): void => all.clear(),
    /** Those that outlive the process. */
    kept: (): readonly OwedTransaction[] =>
      [...all.values()].slice(0, MAX_OWED_KEPT).map(({ hash, block, at }) => ({ hash, block, at })),
  };
}
