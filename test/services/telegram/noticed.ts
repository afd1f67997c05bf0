import { GrammyError } from "grammy";
import type { Away } from "../../../src/services/telegram/away.js";
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

type Sending<Message> = Pick<OutboxParts<Message>, "clock" | "deliver" | "store"> & {
  readonly run?: string;
  readonly away?: OutboxParts<Message>["away"];
};

/** Makes requests of which Telegram's absence is told. */
export const askedBy =
  (away: Away) =>
  async <Answer>(request: () => Promise<Answer>): Promise<Answer> => {
    const end = away.begin();
    try {
      const answer = await request();
      end(true);
      return answer;
    } catch (error) {
      end(error instanceof GrammyError);
      throw error;
    }
  };

/** An outbox with its own pacer, which sends through `deliver`. */
export function outboxTo<Message>(parts: Sending<Message>) {
  const pacer = createPacer(parts);
  const outcomes = createSendOutcomes(parts);
  const outbox = createOutbox<Message>({
    run: "run",
    away: { isAway: () => false },
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
  flush: () => Promise.resolve(),
  waiting: () => Promise.resolve(none),
  giveWay: () => ({ room: () => Promise.resolve(20), moved: () => undefined }),
  stuckMilliseconds: () => 0,
  refusedSince: () => Promise.resolve(undefined),
};

/** The router and chain checks, with these results. */
export const checksOf = (told: ReadonlyMap<Incident, boolean>) =>
  (["router-mismatch", "chain-mismatch", "chain-begun-again", "wrong-clock"] as const).map((incident) => ({
    incident,
    isMismatch: () => told.get(incident),
  }));

/** The parts that incidents come from, with nothing to report. */
export const quiet = {
  log: silent,
  operators: [] as readonly number[],
  outbox: closedOutbox,
  services: () => [],
  updates: () => none,
  isListed: () => false,
  settings: { pricePollRps: 2, standingMax: 1000 },
  standing: async () => ({ limit: 0, stop: 0, dca: 0, exit: 0 }),
  checks: [],
  overdue: { "late-prices": async () => 0, "late-orders": async () => 0, "late-blocks": async () => 0 },
  taken: { "full-orders": async () => 0 },
  reading: () => ({ isCurrent: true, since: undefined, isClosed: false, missedAt: undefined }),
  disk: () => Promise.resolve({ bavail: 1, blocks: 1, bsize: 1 }),
};
