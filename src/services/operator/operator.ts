import { repeat } from "../../clock.js";
import type { Transaction } from "../../store/store.js";
import type { Waiting } from "../outbox/sender.js";
import { countUnderWay, markTold, putAway, unresolvedIntents, untoldUnknowns } from "../intent/queries.js";
import { readSums } from "../intent/totals.js";
import { plainText } from "../text/plain.js";
import { createBroadcast } from "./broadcast.js";
import { watchForIncidents, type IncidentParts } from "./incidents.js";
import { isMember, requestAccess, setMember } from "./access.js";
import { createOperatorNotifications, type TellOperators } from "./notifications.js";
import { noteUnreadable } from "./unreadable.js";

const MAX_NAMED = 10;
const TELL_EVERY_MS = 1_000;
const GATHER_MS = 5_000;
const PAUSE_MS = 600_000;
const MAX_NAME_LENGTH = 60;

export interface OperatorParts extends IncidentParts {
  readonly operators: readonly number[];
  /** Undefined where everybody may use the bot. */
  readonly allowed: readonly number[] | undefined;
  readonly updates: () => Waiting;
}

export type Operator = ReturnType<typeof createOperator>;
export type Figures = Awaited<ReturnType<Operator["figures"]>>;

export function createOperator(parts: OperatorParts) {
  const { store, outbox, clock, log } = parts;
  const operators = new Set(parts.operators);
  const tell = createOperatorNotifications(parts);
  const allowed = parts.allowed && new Set([...parts.allowed, ...parts.operators]);
  const isIn = (userId: number): boolean | Promise<boolean> =>
    allowed === undefined || allowed.has(userId) || isMember(store.db, userId);
  const broadcast = createBroadcast(parts, isIn, tell);
  const watchUnknowns = createWatchOfUnknowns(parts, tell);
  let work: Promise<unknown> = Promise.resolve();
  const noteError = (error: unknown): void => {
    const noted = noteUnreadable(store, tell, error).then(outbox.wake, (err: unknown) => {
      log.error({ err }, "Operators could not be notified of a damaged record");
    });
    work = Promise.all([work, noted]);
  };
  const change = async <Result>(task: (tx: Transaction) => Promise<Result>): Promise<Result> => {
    const result = await store.write(task);
    outbox.wake();
    return result;
  };

  return {
    isOperator: (userId: number | undefined): boolean => userId !== undefined && operators.has(userId),
    broadcast,
    isIn,
    canBeAsked: allowed !== undefined && operators.size > 0,
    /** Once a day for each person. */
    requestAccess: (userId: number, typed: string) =>
      change(async (tx) => {
        const at = clock.now();
        const name = plainText(typed, MAX_NAME_LENGTH);
        const outcome = await requestAccess(tx, userId, at);
        if (outcome === "asked") await tell(tx, `newcomer-${userId}-${at}`, { about: "newcomer", userId, name });
        return outcome;
      }),
    setMember: (userId: number, isIn: boolean) => change((tx) => setMember(tx, userId, isIn, clock.now())),
    figures: async () => ({
      updates: parts.updates(),
      alerts: await outbox.waiting(),
      services: parts.services(),
    }),
    sums: () => readSums(store.db, clock.now()),
    underWay: () => countUnderWay(store.db),
    unknown: () => unresolvedIntents(store.db, noteError),
    /** Takes a call off the list of unknown ones; its owner's card stays as it is. */
    putAway: (id: string) => store.write((tx) => putAway(tx, id)),
    noteError,
    tellOfGivenUp: (updateId: number, userId: number) =>
      change((tx) => tell(tx, `given-up-${updateId}`, { about: "given-up", updateId, userId })),
    /** Until the signal is aborted. */
    run: async (signal: AbortSignal): Promise<void> => {
      if (operators.size === 0) return;
      const watching = [watchForIncidents(parts, tell, signal), watchUnknowns(signal)];
      await Promise.all([broadcast.run(signal), ...watching]);
    },
    settled: async (): Promise<void> => void (await work),
  };
}

/** Tells of calls that ended without a clear answer: of several within a while at once. */
function createWatchOfUnknowns({ store, outbox, clock, log }: OperatorParts, tell: TellOperators) {
  let tellFrom = 0;
  const look = async (): Promise<void> => {
    const untold = await untoldUnknowns(store.db);
    const [newest, oldest] = [untold[0], untold.at(-1)];
    if (newest === undefined || oldest === undefined) return;
    if (clock.now() < Math.max(tellFrom, oldest.endedAt + GATHER_MS)) return;
    tellFrom = clock.now() + PAUSE_MS;
    const owners = [...new Set(untold.map(({ owner }) => owner))].slice(0, MAX_NAMED);
    await store.write(async (tx) => {
      await tell(tx, `unknown-${newest.id}`, { about: "unknown", calls: untold.length, owners });
      await markTold(tx, newest.endedAt);
    });
    outbox.wake();
  };
  return (signal: AbortSignal) =>
    repeat(clock, TELL_EVERY_MS, signal, look, (err) => {
      if (!signal.aborted) log.error({ err }, "Operators could not be notified of unknown outcomes");
    });
}
