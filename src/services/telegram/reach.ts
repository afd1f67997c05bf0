import { findPerson, newPerson, putPerson } from "../person/person.js";
import type { Transaction } from "../../store/store.js";
import type { RowKey, Topic } from "./outbox.js";
import * as rows from "./outbox-rows.js";

type Topics = Iterable<Pick<Topic<never>, "onReach">>;

/** Records that the user of a message that was being sent is unreachable, unless they were forgotten meanwhile. */
export async function noteGone(tx: Transaction, key: RowKey, topics: Topics, now: number): Promise<void> {
  if (await rows.beginSending(tx, key, null)) await noteReach(tx, key.user_id, false, topics, now);
}

/** Records that a user is unreachable, or reachable again; rows for them rest in between. */
export async function noteReach(
  tx: Transaction,
  userId: number,
  isReachable: boolean,
  topics: Topics,
  now: number,
): Promise<void> {
  // A user who has never written has no chat yet: their first message still determines their language.
  const person = (await findPerson(tx, userId)) ?? { ...newPerson(userId), chatId: 0 };
  const { restingSince, ...awake } = person;
  if (!isReachable) await putPerson(tx, userId, { restingSince: now, ...person });
  else if (restingSince !== undefined) await putPerson(tx, userId, awake);
  await rows.suspend(tx, userId, isReachable ? now : null);
  for (const { onReach } of topics) await onReach?.(tx, userId, isReachable, now);
}
