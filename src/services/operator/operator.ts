import { repeat } from "../../clock.js";
import { isUnderWay, type Intent } from "../../model/intent.js";
import { people } from "../../model/person.js";
import { unlessUnreadable } from "../people.js";
import { createBroadcast } from "./broadcast.js";
import type { Counted } from "./counted.js";
import { createDrafts } from "./drafts.js";
import { createIncidents, watchForIncidents } from "./incidents.js";
import { createNewcomers } from "./newcomers.js";
import type { Figures, OperatorParts } from "./parts.js";
import { createPushes } from "./pushes.js";
import { createSums } from "./sums.js";
import { createUnknowns } from "./unknowns.js";
import { createUnreadable } from "./unreadable.js";

/** Documents with something open that are read to count what is under way. */
const MOST_READ = 1_000;
/** People whose calls a message about unknown outcomes names. */
const MOST_NAMED = 10;
/** How often it is looked whether operators are to be told of some. */
const TELL_EVERY_MILLISECONDS = 1_000;

/** What an operator sees of the bot, and what they can do. */
export type Operator = ReturnType<typeof createOperator>;

export function createOperator(parts: OperatorParts) {
  const { store, log } = parts;
  const operators = new Set(parts.operators);
  const sums = createSums(parts);
  const unknowns = createUnknowns(parts);
  const tell = createPushes(parts);
  const newcomers = createNewcomers(parts, tell);
  const broadcast = createBroadcast(parts, newcomers.isIn);
  const noteIncident = createIncidents(parts, tell);
  const unreadable = createUnreadable(parts, tell);
  let work: Promise<unknown> = Promise.resolve();

  const inBackground = (task: () => Promise<void>): void => {
    work = Promise.all([work, task()]).catch((error: unknown) => {
      log.error({ reason: error }, "Something was not noted for the operator");
    });
  };
  /** One message for all that came to be unknown in a while, which counts them. */
  const tellUnknowns = async (): Promise<void> => {
    const untold = await unknowns.takeUntold();
    const [first] = untold;
    if (first === undefined) return;
    const owners = [...new Set(untold.map(({ owner }) => owner))].slice(0, MOST_NAMED);
    await tell(`unknown-${first.id}`, { about: "unknown", calls: untold.length, owners });
  };

  return {
    isOperator: (userId: number | undefined): boolean => userId !== undefined && operators.has(userId),
    broadcast,
    drafts: createDrafts(parts),
    newcomers,
    sums,
    unknowns,
    unreadable,
    /** To be told of errors, some of which are about a person whose record can't be read. */
    noteError: (error: unknown): void => inBackground(() => unreadable.note(error)),
    /** Tells operators of an update that was given up, since its handling ended the program. */
    tellOfGivenUp: (updateId: number, userId: number): Promise<void> =>
      tell(`given-up-${updateId}`, { about: "given-up", updateId, userId }),
    /** How busy the bot is, and how services answer. */
    figures: async (): Promise<Figures> => ({
      updates: parts.updates(),
      alerts: await parts.outbox.waiting(),
      services: parts.services(),
    }),
    /** How many calls have left, or are about to, and have no outcome. Of a great many people only some are looked at. */
    underWay: async (): Promise<number> => {
      const ids = (await store.openIds(people)).slice(0, MOST_READ);
      const found = await Promise.all(ids.map((id) => unlessUnreadable(store.read(people, id))));
      const intents = found.flatMap((person) => Object.values(person?.intents ?? {}));
      return intents.filter(({ state }) => isUnderWay(state)).length;
    },
    /** Has operators told of what goes wrong, and sends what goes to everybody, until the signal is aborted. */
    run: async (signal: AbortSignal): Promise<void> => {
      if (operators.size === 0) return;
      await Promise.all([
        broadcast.run(signal),
        watchForIncidents(parts, noteIncident, signal),
        repeat(parts.clock, TELL_EVERY_MILLISECONDS, signal, tellUnknowns, (error) => {
          if (!signal.aborted) log.error({ reason: error }, "Operators could not be told of unknown outcomes");
        }),
      ]);
    },
    /** To be told of what was found after a start: a crash may have come between a call's end and the telling of it. */
    noteFound: (intent: Intent): void => {
      if (intent.state === "UNKNOWN") inBackground(() => unknowns.note([{ before: undefined, intent }]));
    },
    /** To be told of everything that becomes of intents. */
    note: (counted: Counted): void =>
      // The trade itself is already written: a failure here costs only the operator's figures.
      inBackground(async () => {
        const ended = counted.steps.filter(({ intent }) => intent.state === "OK");
        const fees = ended.flatMap(({ intent }) => parts.feesOf(intent));
        sums.note(counted, fees);
        parts.onCounted(counted, fees);
        await unknowns.note(counted.steps);
      }),
    /** Ends when all that was noted is written. */
    settled: async (): Promise<void> => {
      await work;
      await sums.settled();
    },
  };
}
