import type { Logger } from "pino";
import { repeat, type Clock } from "../../clock.js";
import { isZero, parseAssetId } from "../../encoding/amount.js";
import type { Person } from "../person/person.js";
import type { Reader, Transaction, Tables, Database } from "../../store/store.js";
import { tell, type Topic } from "../outbox/outbox.js";
import type { LockContract } from "./contract.js";
import { findLock, sortable, type Lock } from "./record.js";

/** In milliseconds; epochs last hours. */
const LOOK_EVERY_MS = 30_000;
/** Of more, the others are reminded of with the next look. */
const MAX_REMINDED = 1000;
const TOPIC = "lock";

export function lockTopic<Message>(render: (lock: Lock, person: Person) => Message): Topic<Message> {
  return {
    name: TOPIC,
    render: async (db, { userId, subject }, person) => {
      const lock = await findLock(db, userId, parseAssetId(subject));
      return lock === undefined || isZero(lock.amount) ? undefined : { message: render(lock, person) };
    },
  };
}

/** Once for each lock, until the signal is aborted. */
export function remindOfLocks(
  parts: {
    readonly store: Database;
    readonly lock: Pick<LockContract, "epochStatus">;
    readonly outbox: { readonly wake: () => void };
    readonly clock: Clock;
    readonly log: Logger;
  },
  signal: AbortSignal,
): Promise<void> {
  const { store, clock, log } = parts;

  const look = async (): Promise<void> => {
    if (!(await isReminderWaiting(store.db))) return;
    const { epoch } = await parts.lock.epochStatus();
    for (const lock of await dueReminders(store.db, epoch)) {
      const remind = store.write(async (tx) => {
        await noteReminded(tx, lock);
        await tell(tx, { user_id: lock.owner, topic: TOPIC, subject: lock.asset }, null, clock.now());
      });
      await remind.catch((err: unknown) => {
        log.error({ userId: lock.owner, err }, "Lock reminder failed; retrying");
      });
    }
    parts.outbox.wake();
  };

  return repeat(clock, LOOK_EVERY_MS, signal, look, (err) => {
    log.info({ err }, "Locks not compared with the epoch");
  });
}

export async function isReminderWaiting(db: Reader): Promise<boolean> {
  const waiting = db.selectFrom("locks").select("owner").where("remind", "=", 1).limit(1);
  return (await waiting.executeTakeFirst()) !== undefined;
}

export function dueReminders(db: Reader, epoch: bigint): Promise<readonly Pick<Tables["locks"], "owner" | "asset">[]> {
  const waiting = db.selectFrom("locks").select(["owner", "asset"]).where("remind", "=", 1);
  return waiting.where("unlock_epoch", "<=", sortable(epoch)).limit(MAX_REMINDED).execute();
}

export async function noteReminded(tx: Transaction, lock: Pick<Tables["locks"], "owner" | "asset">): Promise<void> {
  const row = tx.updateTable("locks").set({ remind: null });
  await row.where("owner", "=", lock.owner).where("asset", "=", lock.asset).execute();
}
