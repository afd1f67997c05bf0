import type { Incident, Notice } from "../../../src/services/telegram/outbox.js";
import { createPacer } from "../../../src/services/telegram/pacer.js";
import { createSendOutcomes } from "../../../src/services/telegram/send-outcomes.js";
import { createOutbox, type OutboxParts } from "../../../src/services/telegram/outbox-sender.js";
import { fromJson, type Reader } from "../../../src/store/store.js";
import { silent } from "../samples.js";

/** A user's waiting notices, oldest first. */
export async function noticesOf(db: Reader, userId: number): Promise<readonly Notice[]> {
  const rows = db.selectFrom("outbox").selectAll().where("user_id", "=", userId).where("topic", "=", "notice");
  const found = await rows.orderBy("since").execute();
  return found.map(({ subject, payload }) => ({ id: subject, what: fromJson(payload) as Notice["what"] }));
}

type Sending<Message> = Pick<OutboxParts<Message>, "clock" | "deliver" | "store"> & { readonly run?: string };

/** An outbox with its own pacer, which sends through `deliver`. */
export function outboxTo<Message>(parts: Sending<Message>) {
  const pacer = createPacer(parts);
  const outcomes = createSendOutcomes(parts);
  const outbox = createOutbox<Message>({
    run: "run",
    ...parts,
    pacer,
    outcomes,
    noteError: () => undefined,
    log: silent,
  });
  return { outbox, outcomes, pacer };
}

const none = { count: 0, oldestMilliseconds: 0 };

/** An empty outbox that sends nothing. */
export const closedOutbox = {
  wake: () => undefined,
  waiting: () => Promise.resolve(none),
  refusedSince: () => Promise.resolve(undefined),
};

/** The router and chain checks, with these results. */
export const checksOf = (told: ReadonlyMap<Incident, boolean>) =>
  (["router-mismatch", "chain-mismatch"] as const).map((incident) => ({
    incident,
    isMismatch: () => told.get(incident),
  }));

/** The parts that incidents come from, with nothing to report. */
export const quiet = {
  log: silent,
  outbox: closedOutbox,
  services: () => [],
  updates: () => none,
  settings: { pricePollRps: 2, standingMax: 1000 },
  standing: async () => ({ limit: 0, stop: 0, dca: 0 }),
  checks: [],
  overdue: { "late-prices": async () => 0, "late-orders": async () => 0 },
  disk: () => Promise.resolve({ bavail: 1, blocks: 1, bsize: 1 }),
};
