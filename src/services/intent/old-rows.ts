import { pauseAfter } from "../../clock.js";
import { isFault } from "../../fault.js";
import type { IntentParts } from "./change.js";
import type { StoreBasics } from "../../store/store.js";
import { isSigned } from "./intent.js";
import { intentOf, oldRows, writePhase } from "./intent-row.js";

/** Rows rewritten at a time, and the pause after them: other writes wait for one lot. */
const [LOT, REST_MS] = [20, 100];
const BACK_OFF = { first: 1_000, longest: 30_000 };

/**
 * Gives the transactions of rows of version 1.0.0 their phases, in lots; they read as before. What can't be read is
 * reported and left as it is. Ends with the signal, and goes on in the next run.
 */
export async function rewriteOldRows(
  parts: StoreBasics & Pick<IntentParts, "onUnreadable">,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock, log, onUnreadable } = parts;
  let [last, failures, left]: [string | undefined, number, number] = ["", 0, 0];
  while (last !== undefined) {
    const after: string = last;
    const unreadable: unknown[] = [];
    try {
      last = await store.write(async (tx) => {
        unreadable.length = 0;
        const rows = await oldRows(tx, after, LOT);
        for (const row of rows) {
          try {
            const intent = intentOf(row);
            if (isSigned(intent)) await writePhase(tx, intent);
          } catch (error) {
            if (!isFault(error, "store-unreadable")) throw error;
            unreadable.push(error);
          }
        }
        return rows.at(LOT - 1)?.id;
      });
      failures = 0;
      left += unreadable.length;
      unreadable.forEach(onUnreadable);
    } catch (err) {
      // The lease is another process's now, which goes on.
      if (isFault(err, "store-lost")) return;
      failures += 1;
      log.error({ err }, "Rows of an earlier version not rewritten yet; retrying");
    }
    if (last !== undefined) await clock.sleep(failures === 0 ? REST_MS : pauseAfter(failures, BACK_OFF), signal);
  }
  if (left > 0) log.error({ rows: left }, "Rows of an earlier version left as they are: they can't be read");
}
