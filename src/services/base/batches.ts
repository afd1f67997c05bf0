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

/** Runs `act` on all selected rows, one batch per transaction. Ends once it changes nothing about what is selected. */
export async function changeInBatches<Row>(p: BatchParts, batches: Batches<Row>): Promise<void> {
  const { select, documentOf, act, putAside, note } = batches;
  let before = "";
  for (let isOver: boolean | undefined; isOver !== true; ) {
    isOver = await p.store.write(async (tx) => {
      const found = await select(tx, BATCH_SIZE);
      const documents = found.map(documentOf).join();
      const isStuck = found.length > 0 && documents === before;
      if (isStuck)
        p.log.error({ rows: found.length, first: documentOf(found[0] as Row) }, "Rows stay due after their turn");
      before = documents;
      for (const row of isStuck ? [] : found) {
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
    if (before !== "") p.wake();
  }
}
