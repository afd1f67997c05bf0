import type { Config } from "../../config.js";
import type { Fault } from "../../fault.js";
import { readSetting, unlessUnreadable, writeSetting, type Reader, type StoreBasics } from "../../store/store.js";
import type { Transaction } from "../../store/store.js";
import type { Intents } from "../intent/intent-service.js";
import { changePerson } from "../person/person.js";
import { restored } from "../person/gap.js";
import { createOperatorNotifications } from "./incidents.js";
import { peopleWaiting, waitingAgain } from "./delays.js";

interface RestoredParts extends StoreBasics {
  readonly intents: Pick<Intents, "endLost">;
  readonly operators: readonly number[];
  readonly settings: Pick<Config, "guardDelaySeconds">;
  /** Holds all orders until their owners say what became of them. */
  readonly holdOrders: (tx: Transaction, now: number) => Promise<void>;
}

/**
 * The first start on data that was restored, or has lost its last writes. What may have been executed since is
 * neither offered again nor called unsent, what lifts a guard waits its whole delay once more, and operators learn from
 * when to when nothing is known. Call it before anything else runs. @returns whether it was such a start.
 */
export async function afterRestore(parts: RestoredParts): Promise<boolean> {
  const { store, clock, log, intents, operators, settings } = parts;
  const mark = await readSetting(store.db, restored);
  if (mark === null || mark.until !== null) return false;
  const until = clock.now();
  const from = Math.min(mark.from ?? (await lastTold(store.db)) ?? until, until);
  log.warn({ from, until }, "The data was restored: nothing is known of what happened since");
  await intents.endLost();
  const tell = createOperatorNotifications(parts, operators);
  await store.write(async (tx) => {
    const onFault = (err: Fault) => log.error({ err }, "Pending change unreadable; it doesn't wait again");
    for (const id of await peopleWaiting(tx))
      await unlessUnreadable(() => changePerson(tx, id, (person) => waitingAgain(person, until, settings)), onFault);
    await parts.holdOrders(tx, until);
    await writeSetting(tx, restored, { from, until });
    await tell(tx, `restored-${until}`, { about: "restored", from, until });
  });
  return true;
}

/** The last moment of which the data says anything. */
async function lastTold(db: Reader): Promise<number | undefined> {
  const queries = [
    db.selectFrom("updates").select(({ fn }) => fn.max<number | null>("received_at").as("at")),
    db.selectFrom("intents").select(({ fn }) => fn.max<number | null>("quoted_at").as("at")),
    db.selectFrom("intents").select(({ fn }) => fn.max<number | null>("ended_at").as("at")),
    db.selectFrom("standing_orders").select(({ fn }) => fn.max<number | null>("created_at").as("at")),
    db.selectFrom("price_pairs").select(({ fn }) => fn.max<number | null>("seen_at").as("at")),
    db.selectFrom("price_questions").select(({ fn }) => fn.max<number | null>("seen_at").as("at")),
  ];
  const times: number[] = [];
  for (const query of queries) {
    const { at } = await query.executeTakeFirstOrThrow();
    if (at !== null) times.push(at);
  }
  return times.length === 0 ? undefined : Math.max(...times);
}
