import type { Incident, Notice } from "../../../src/services/outbox/outbox.js";
import { createPacer } from "../../../src/services/outbox/pacer.js";
import { createOutbox, type OutboxParts } from "../../../src/services/outbox/sender.js";
import { fromJson, type Reader } from "../../../src/store/store.js";
import { silent } from "../samples.js";

/** The notices that wait for a person, in the order in which they were written. */
export async function noticesOf(db: Reader, userId: number): Promise<readonly Notice[]> {
  const rows = db.selectFrom("outbox").selectAll().where("user_id", "=", userId).where("topic", "=", "notice");
  const found = await rows.orderBy("since").execute();
  return found.map(({ subject, payload }) => ({ id: subject, what: fromJson(payload) as Notice["what"] }));
}

type Sending<Message> = Pick<OutboxParts<Message>, "clock" | "deliver" | "store"> & { readonly run?: string };

/** An outbox with a pacer of its own, whose messages `deliver` takes. */
export function outboxTo<Message>(parts: Sending<Message>) {
  const pacer = createPacer(parts);
  const outbox = createOutbox<Message>({ run: "run", ...parts, pacer, noteError: () => undefined, log: silent });
  return { outbox, pacer };
}

const none = { count: 0, oldestMilliseconds: 0 };

/** An outbox from which nothing leaves. */
export const closedOutbox = { wake: () => undefined, waiting: () => Promise.resolve(none) };

/** Both checks of the chain, with what they were last told. */
export const checksOf = (told: ReadonlyMap<Incident, boolean>) =>
  (["router-mismatch", "chain-mismatch"] as const).map((incident) => ({
    incident,
    isMismatch: () => told.get(incident),
  }));

/** What an operator could be told of, while there is nothing. */
export const quiet = {
  log: silent,
  outbox: closedOutbox,
  services: () => [],
  updates: () => none,
  checks: [],
  disk: () => Promise.resolve({ bavail: 1, blocks: 1, bsize: 1 }),
};
