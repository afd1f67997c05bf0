import type { KeyedQueue } from "../base/keyed-queue.js";
import { type RenderingParts, renderOrPutOff } from "./outbox-message.js";
import { outboxRow, rowId } from "./outbox-rows.js";
import { dueRowsOf, type Lane, takeTurn } from "./outbox-turns.js";

/** While Telegram is away, each turn takes so long, so that the store isn't busy with what can't be sent. */
const TURN_MS = 15_000;

interface WaitingParts<Message> extends RenderingParts<Message> {
  /** Serialises what is done with each row. */
  readonly queue: KeyedQueue;
  readonly stopping: AbortController;
}

/**
 * A user's turn while Telegram is away. What is due isn't tried, since it might arrive without an answer, and keeps its
 * place; what there is nothing more to say of ends, so that it isn't in the way at the return.
 */
export async function waitForReturn<Message>(p: WaitingParts<Message>, userId: number, lane: Lane): Promise<void> {
  for (const key of await dueRowsOf(p.store.db, userId, lane, p.clock.now()).execute()) {
    await p.queue.take(rowId(key), async () => {
      const row = await outboxRow(p.store.db, key);
      if (row !== undefined) await renderOrPutOff(p, row, { waits: true });
    });
  }
  await p.store.write((tx) => takeTurn(tx, userId, lane));
  await p.clock.sleep(TURN_MS, p.stopping.signal).catch(() => undefined);
}
