import { repeat } from "../../clock.js";
import type { Intent } from "../intent/intent.js";
import { countUnderWay } from "../intent/queries.js";
import { markTold, putAway, unresolvedIntents, untoldUnknowns } from "../intent/unresolved.js";
import { readSums } from "../intent/totals.js";
import { createBroadcast } from "./broadcast.js";
import { createDrafts } from "./drafts.js";
import { createIncidents, watchForIncidents } from "./incidents.js";
import { createNewcomers } from "./newcomers.js";
import type { Figures, OperatorParts } from "./parts.js";
import { createPushes } from "./pushes.js";
import { createUnreadable } from "./unreadable.js";

/** People whose calls a message about unknown outcomes names. */
const MOST_NAMED = 10;
/** How often it is looked whether operators are to be told of some. */
const TELL_EVERY_MILLISECONDS = 1_000;
/** How long the first one waits for others, and how long operators are left alone after they were told. */
const GATHER_MILLISECONDS = 5_000;
const PAUSE_MILLISECONDS = 600_000;

/** What an operator sees of the bot, and what they can do. */
export type Operator = ReturnType<typeof createOperator>;

export function createOperator(parts: OperatorParts) {
  const { store, clock, log } = parts;
  const operators = new Set(parts.operators);
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
  const noteError = (error: unknown): void => inBackground(() => unreadable.note(error));
  let tellFrom = 0;
  /** One message for all that came to be unknown in a while, which counts them. */
  const tellUnknowns = async (): Promise<void> => {
    const untold = await untoldUnknowns(store.db);
    const [newest, oldest] = [untold[0], untold.at(-1)];
    if (newest === undefined || oldest === undefined) return;
    if (clock.now() < Math.max(tellFrom, oldest.endedAt + GATHER_MILLISECONDS)) return;
    tellFrom = clock.now() + PAUSE_MILLISECONDS;
    const owners = [...new Set(untold.map(({ owner }) => owner))].slice(0, MOST_NAMED);
    await tell(`unknown-${newest.id}`, { about: "unknown", calls: untold.length, owners });
    await store.write((tx) => markTold(tx, newest.endedAt));
  };

  return {
    isOperator: (userId: number | undefined): boolean => userId !== undefined && operators.has(userId),
    broadcast,
    drafts: createDrafts(parts),
    newcomers,
    unreadable,
    /** What came together today, and in all. */
    sums: () => readSums(store.db, clock.now()),
    /** The newest calls of unknown outcome that nobody has put away. */
    unknown: (): Promise<readonly Intent[]> => unresolvedIntents(store.db, noteError),
    /** Takes one of them off the list; its owner's card stays as it is. */
    putAway: (id: string): Promise<void> => store.write((tx) => putAway(tx, id)),
    /** To be told of errors, some of which are about a person whose record can't be read. */
    noteError,
    /** Tells operators of an update that was given up, since its handling ended the program. */
    tellOfGivenUp: (updateId: number, userId: number): Promise<void> =>
      tell(`given-up-${updateId}`, { about: "given-up", updateId, userId }),
    /** How busy the bot is, and how services answer. */
    figures: async (): Promise<Figures> => ({
      updates: parts.updates(),
      alerts: await parts.outbox.waiting(),
      services: parts.services(),
    }),
    /** How many calls have left, or are about to, and have no outcome. */
    underWay: (): Promise<number> => countUnderWay(store.db),
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
    /** Ends when all that was noted is written. */
    settled: async (): Promise<void> => {
      await work;
    },
  };
}
