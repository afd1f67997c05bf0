import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import type { Amount } from "../../encoding/amount.js";
import { isUnderWay, type Intent } from "../../model/intent.js";
import { people } from "../../model/person.js";
import type { Store } from "../../store/store.js";
import { describeError } from "../telegram-errors.js";
import { createAudit, type Audit } from "./audit.js";
import type { Counted } from "./counted.js";
import { createDrafts, type Drafts } from "./drafts.js";
import { createSums, type SumsOfAll } from "./sums.js";
import { createUnknowns, type Unknowns } from "./unknowns.js";

/** What whoever runs the bot sees of it, and what they do. */
export interface Operator {
  readonly isOperator: (userId: number | undefined) => boolean;
  readonly audit: Audit;
  readonly drafts: Drafts;
  readonly sums: Pick<SumsOfAll, "read">;
  readonly unknowns: Pick<Unknowns, "list">;
  /** How many calls have left, or are about to, and have no outcome. Of a great many people only some are looked at. */
  readonly underWay: () => Promise<number>;
  /** To be told of everything that becomes of intents. */
  readonly note: (counted: Counted) => void;
  /** Ends when all that was noted is written. */
  readonly settled: () => Promise<void>;
}

/** Documents with something open that are read to count what is under way. */
const MOST_READ = 1_000;

export function createOperator(parts: {
  readonly operators: readonly number[];
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly newId: () => string;
  readonly find: (owner: number, id: string) => Promise<Intent | undefined>;
  /** What the operator earned by a call that ended. */
  readonly feesOf: (ended: Intent) => Iterable<Amount>;
}): Operator {
  const { store, log } = parts;
  const operators = new Set(parts.operators);
  const sums = createSums(parts);
  const unknowns = createUnknowns(parts);
  let work: Promise<unknown> = Promise.resolve();

  return {
    isOperator: (userId) => userId !== undefined && operators.has(userId),
    audit: createAudit(parts),
    drafts: createDrafts(parts),
    sums,
    unknowns,
    underWay: async () => {
      const ids = (await store.openIds(people)).slice(0, MOST_READ);
      const found = await Promise.all(ids.map((id) => store.read(people, id)));
      return found.flatMap((person) => Object.values(person?.intents ?? {})).filter(({ state }) => isUnderWay(state))
        .length;
    },
    note: (counted) => {
      // The trade itself is written already: whatever fails here is the operator's loss alone.
      const noting = async () => {
        sums.note(counted);
        await unknowns.note(counted);
      };
      work = Promise.all([work, noting()]).catch((error: unknown) => {
        log.error({ reason: describeError(error) }, "What became of an intent was not noted for the operator");
      });
    },
    settled: async () => {
      await work;
      await sums.settled();
    },
  };
}
