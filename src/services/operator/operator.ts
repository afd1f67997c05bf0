import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import type { Amount } from "../../encoding/amount.js";
import { isUnderWay, type Intent } from "../../model/intent.js";
import type { Incident } from "../../model/operator-event.js";
import { people } from "../../model/person.js";
import type { Store } from "../../store/store.js";
import type { Waiting } from "../alerts/alerts.js";
import type { ServiceHealth } from "../clients/health.js";
import type { Lead } from "../lead.js";
import { describeError } from "../telegram-errors.js";
import { createAudit, type Audit } from "./audit.js";
import { createBroadcast, type Broadcast } from "./broadcast.js";
import type { Counted } from "./counted.js";
import { createDrafts, type Drafts } from "./drafts.js";
import { createFigures, type Figures } from "./figures.js";
import { createIncidents } from "./incidents.js";
import { createNewcomers, type Newcomers } from "./newcomers.js";
import { createPushes } from "./pushes.js";
import { createSums, type SumsOfAll } from "./sums.js";
import { watchForIncidents, type Disk } from "./watch.js";
import { createUnknowns, type Unknowns } from "./unknowns.js";

/** What an operator sees of the bot, and what they can do. */
export interface Operator {
  readonly isOperator: (userId: number | undefined) => boolean;
  readonly audit: Audit;
  readonly broadcast: Pick<Broadcast, "audience" | "halt" | "send">;
  readonly drafts: Drafts;
  readonly newcomers: Newcomers;
  readonly sums: Pick<SumsOfAll, "read">;
  readonly unknowns: Pick<Unknowns, "list" | "settle">;
  readonly figures: () => Promise<Figures>;
  /** How many calls have left, or are about to, and have no outcome. Of a great many people only some are looked at. */
  readonly underWay: () => Promise<number>;
  /** Has operators told of what goes wrong, and sends what goes to everybody, until the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** To be told of everything that becomes of intents. */
  readonly note: (counted: Counted) => void;
  /** To be told of what was found after a start: a crash may have come between a call's end and the telling of it. */
  readonly noteFound: (intent: Intent) => void;
  /** Ends when all that was noted is written. */
  readonly settled: () => Promise<void>;
}

/** Documents with something open that are read to count what is under way. */
const MOST_READ = 1_000;

export function createOperator(parts: {
  readonly operators: readonly number[];
  /** Whom the configuration lets in; undefined: everybody. */
  readonly allowed: readonly number[] | undefined;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly newId: () => string;
  readonly find: (owner: number, id: string) => Promise<Intent | undefined>;
  /** Hears of each person for whom a notice waits. */
  readonly noticed: (userId: number) => void;
  readonly services: () => readonly ServiceHealth[];
  readonly alerts: () => Waiting;
  /** The updates of all instances that are being handled. */
  readonly updates: () => Waiting | Promise<Waiting>;
  /** Alerts leave from the instance that leads. */
  readonly lead: Pick<Lead, "isLeading">;
  readonly reported: ReadonlyMap<Incident, boolean>;
  readonly disk: (() => Promise<Disk>) | undefined;
  /** What the operator earned by a call that ended. */
  readonly feesOf: (ended: Intent) => readonly Amount[];
  /** Hears of all that is counted, and what it earned. */
  readonly onCounted: (counted: Counted, fees: readonly Amount[]) => void;
}): Operator {
  const { store, log } = parts;
  const { isLeading } = parts.lead;
  const operators = new Set(parts.operators);
  const sums = createSums(parts);
  const unknowns = createUnknowns(parts);
  const tell = createPushes(parts);
  const newcomers = createNewcomers({ ...parts, tell });
  const broadcast = createBroadcast({ ...parts, isLeading, isIn: newcomers.isIn, tell });
  const figures = createFigures(parts);
  const noteIncident = createIncidents({ store, clock: parts.clock, tell });
  let work: Promise<unknown> = Promise.resolve();

  const inBackground = (task: () => Promise<void>): void => {
    work = Promise.all([work, task()]).catch((error: unknown) => {
      log.error({ reason: describeError(error) }, "What became of an intent was not noted for the operator");
    });
  };
  const noteUnknown = async (steps: Counted["steps"]): Promise<void> => {
    for (const { id, owner } of await unknowns.note(steps)) await tell(`unknown-${id}`, { about: "unknown", owner });
  };

  return {
    isOperator: (userId) => userId !== undefined && operators.has(userId),
    audit: createAudit(parts),
    broadcast,
    drafts: createDrafts(parts),
    newcomers,
    sums,
    unknowns,
    figures: figures.read,
    underWay: async () => {
      const ids = (await store.openIds(people)).slice(0, MOST_READ);
      const found = await Promise.all(ids.map((id) => store.read(people, id)));
      return found.flatMap((person) => Object.values(person?.intents ?? {})).filter(({ state }) => isUnderWay(state))
        .length;
    },
    run: async (signal) => {
      if (operators.size === 0) return;
      const watching = watchForIncidents({ ...parts, isLeading, note: noteIncident, signal });
      await Promise.all([watching, broadcast.run(signal), figures.tellOthers(signal)]);
    },
    noteFound: (intent) => {
      if (intent.state === "UNKNOWN") inBackground(() => noteUnknown([{ before: undefined, intent }]));
    },
    note: (counted) => {
      // The trade itself is already written: a failure here costs only the operator's figures.
      const noting = async () => {
        const ended = counted.steps.filter(({ intent }) => intent.state === "OK");
        const fees = ended.flatMap(({ intent }) => parts.feesOf(intent));
        sums.note(counted, fees);
        parts.onCounted(counted, fees);
        await noteUnknown(counted.steps);
      };
      inBackground(noting);
    },
    settled: async () => {
      await work;
      await sums.settled();
    },
  };
}
