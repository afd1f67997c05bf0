import type { Notice } from "../../../src/services/outbox/outbox.js";
import { fromJson } from "../../../src/store/json.js";
import type { Reader } from "../../../src/store/queries.js";

/** The notices that wait for a person, in the order in which they were written. */
export async function noticesOf(db: Reader, userId: number): Promise<readonly Notice[]> {
  const rows = db.selectFrom("outbox").selectAll().where("user_id", "=", userId).where("topic", "=", "notice");
  const found = await rows.orderBy("since").execute();
  return found.map(({ subject, payload }) => ({ id: subject, what: fromJson(payload) as Notice["what"] }));
}

/** An outbox from which nothing leaves. */
export const closedOutbox = {
  wake: () => undefined,
  waiting: () => Promise.resolve({ count: 0, oldestMilliseconds: 0 }),
};
