import type { Fault } from "../../fault.js";
import { type StoreBasics, type Transaction, unlessRowFails } from "../../store/store.js";

/** Maximum number of rows changed in one transaction, so that other writes need not wait. */
export const BATCH_SIZE = 50;

interface BatchParts extends Pick<StoreBasics, "log" | "store"> {
  /** Called after each commit. */
  readonly wake: () => void;
  /** Called for each row that is put aside. */
  readonly noteError: (error: unknown) => void;
}

interface Batches<Row> {
  readonly select: (tx: Transaction, limit: number) => Promise<readonly Row[]>;
  /** The table, its owner and its key. */
  readonly documentOf: (row: Row) => string;
  readonly act: (tx: Transaction, row: Row) => Promise<void>;
  /** Disables a row whose content stands in the way, so that it doesn't hold up others. */
  readonly putAside: (tx: Transaction, row: Row) => Promise<void>;
  /** Called at the end of each transaction. */
  readonly note?: (tx: Transaction, isDone: boolean) => Promise<unknown>;
}

/**
 * Runs `act` on all selected rows, one batch per transaction, on each row once. Ends when all that are selected had their
 * turn: `act` then changes nothing about that.
 */
export async function changeInBatches<Row>(p: BatchParts, batches: Batches<Row>): Promise<void> {
  const { select, documentOf, act, putAside, note } = batches;
  const handled = new Set<string>();
  for (let isOver: boolean | undefined, found: readonly Row[] = []; isOver !== true; ) {
    isOver = await p.store.write(async (tx) => {
      found = await select(tx, BATCH_SIZE);
      const fresh = found.filter((row) => !handled.has(documentOf(row)));
      const [first] = found;
      const isStuck = first !== undefined && fresh.length === 0;
      if (isStuck) p.log.error({ rows: found.length, first: documentOf(first) }, "Rows stay due after their turn");
      for (const row of fresh) {
        let fault: Fault | undefined;
        await unlessRowFails(
          documentOf(row),
          () => act(tx, row),
          (err) => (fault = err),
        );
        if (fault === undefined) continue;
        p.log.error({ document: documentOf(row), err: fault }, "A row can't be handled: it is put aside");
        await putAside(tx, row);
        p.noteError(fault);
      }
      const isDone = isStuck || found.length < BATCH_SIZE;
      await note?.(tx, isDone);
      return isDone;
    });
    for (const row of found) handled.add(documentOf(row));
    if (found.length > 0) p.wake();
  }
}
