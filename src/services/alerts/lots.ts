import type { Fault } from "../../fault.js";
import { type StoreBasics, type Transaction, unlessRowFails } from "../../store/store.js";
import * as rows from "./price-alert-queries.js";
import type { PriceAlert } from "./price-alert-queries.js";

/** Maximum number of alerts changed in one transaction, so that other writes need not wait. */
export const BATCH_SIZE = 50;

interface LotParts extends Pick<StoreBasics, "log" | "store"> {
  readonly outbox: { readonly wake: () => void };
  readonly noteError: (error: unknown) => void;
}

/** Runs `act` on all selected alerts, one lot per transaction. Ends once it changes nothing about what is selected. */
export async function changeInBatches(
  p: LotParts,
  select: (tx: Transaction) => Promise<readonly rows.AlertRow[]>,
  act: (tx: Transaction, alert: PriceAlert) => Promise<void>,
  note: (tx: Transaction, isDone: boolean) => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  let before = "";
  for (let isOver: boolean | undefined; isOver !== true; ) {
    isOver = await p.store.write(async (tx) => {
      const found = await select(tx);
      const ids = found.map(({ id }) => id).join();
      const isStuck = found.length > 0 && ids === before;
      if (isStuck) p.log.error({ alerts: found.length, first: found[0]?.id }, "Price alerts stay due after their turn");
      before = ids;
      for (const row of isStuck ? [] : found) {
        let fault: Fault | undefined;
        const work = async () => act(tx, rows.alertFrom(row));
        await unlessRowFails(`price_alerts/${row.user_id}/${row.id}`, work, (err) => (fault = err));
        if (fault === undefined) continue;
        p.log.error({ alert: row.id, err: fault }, "A price alert can't be handled: it is put aside");
        await rows.putAside(tx, row.id);
        p.noteError(fault);
      }
      const isDone = isStuck || found.length < BATCH_SIZE;
      await note(tx, isDone);
      return isDone;
    });
    if (before !== "") p.outbox.wake();
  }
}
