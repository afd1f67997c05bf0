import { repeat } from "../../clock.js";
import type { ServiceHealth } from "../clients/health.js";
import type { Waiting } from "../outbox/sender.js";
import type { Intent } from "../intent/intent.js";
import { countUnderWay, markTold, putAway, unresolvedIntents, untoldUnknowns } from "../intent/queries.js";
import { readSums, type Sums } from "../intent/totals.js";
import { plainText } from "../text/plain.js";
import { createBroadcast, type Broadcast } from "./broadcast.js";
import { watchForIncidents, type IncidentParts } from "./incidents.js";
import { isMember, requestAccess, setMember } from "./access.js";
import { createOperatorNotifications } from "./notifications.js";
import { noteUnreadable } from "./unreadable.js";

const MAX_NAMED = 10;
const TELL_EVERY_MS = 1_000;
const GATHER_MS = 5_000;
const PAUSE_MS = 600_000;
const MAX_NAME_LENGTH = 60;

export interface Figures {
  readonly updates: Waiting;
  readonly alerts: Waiting;
  readonly services: readonly ServiceHealth[];
}

export interface Operator {
  readonly isOperator: (userId: number | undefined) => boolean;
  readonly broadcast: Broadcast;
  readonly isIn: (userId: number) => boolean | Promise<boolean>;
  readonly canBeAsked: boolean;
  /** Once a day for each person. */
  readonly requestAccess: (userId: number, name: string) => Promise<"asked" | "already" | "full">;
  readonly setMember: (userId: number, isIn: boolean) => Promise<void>;
  readonly figures: () => Promise<Figures>;
  readonly sums: () => Promise<{ readonly today: Sums; readonly total: Sums }>;
  readonly underWay: () => Promise<number>;
  readonly unknown: () => Promise<readonly Intent[]>;
  /** Takes it off the list; its owner's card stays as it is. */
  readonly putAway: (id: string) => Promise<void>;
  readonly noteError: (error: unknown) => void;
  readonly tellOfGivenUp: (updateId: number, userId: number) => Promise<void>;
  /** Until the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly settled: () => Promise<void>;
}

export interface OperatorParts extends IncidentParts {
  readonly operators: readonly number[];
  readonly allowed: readonly number[] | undefined;
  readonly updates: () => Waiting;
}

export function createOperator(parts: OperatorParts): Operator {
  const { store, outbox, clock, log } = parts;
  const operators = new Set(parts.operators);
  const tell = createOperatorNotifications(parts);
  const allowed = parts.allowed && new Set([...parts.allowed, ...parts.operators]);
  const isIn = (userId: number) => allowed === undefined || allowed.has(userId) || isMember(store.db, userId);
  const broadcast = createBroadcast({ ...parts, isIn }, tell);
  let work: Promise<unknown> = Promise.resolve();
  const noteError = (error: unknown): void => {
    const noted = noteUnreadable(store, tell, error).then(outbox.wake, (err: unknown) => {
      log.error({ err }, "Operators could not be notified of a damaged record");
    });
    work = Promise.all([work, noted]);
  };
  let tellFrom = 0;
  const tellUnknowns = async (): Promise<void> => {
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

  return {
    isOperator: (userId) => userId !== undefined && operators.has(userId),
    broadcast,
    isIn,
    canBeAsked: allowed !== undefined && operators.size > 0,
    requestAccess: async (userId, typed) => {
      const at = clock.now();
      const name = plainText(typed, MAX_NAME_LENGTH);
      const outcome = await store.write(async (tx) => {
        const outcome = await requestAccess(tx, userId, at);
        if (outcome === "asked") await tell(tx, `newcomer-${userId}-${at}`, { about: "newcomer", userId, name });
        return outcome;
      });
      outbox.wake();
      return outcome;
    },
    setMember: async (userId, isIn) => {
      await store.write((tx) => setMember(tx, userId, isIn, clock.now()));
      outbox.wake();
    },
    figures: async () => ({
      updates: parts.updates(),
      alerts: await outbox.waiting(),
      services: parts.services(),
    }),
    sums: () => readSums(store.db, clock.now()),
    underWay: () => countUnderWay(store.db),
    unknown: () => unresolvedIntents(store.db, noteError),
    putAway: (id) => store.write((tx) => putAway(tx, id)),
    noteError,
    tellOfGivenUp: async (updateId, userId) => {
      await store.write((tx) => tell(tx, `given-up-${updateId}`, { about: "given-up", updateId, userId }));
      outbox.wake();
    },
    run: async (signal) => {
      if (operators.size === 0) return;
      await Promise.all([
        broadcast.run(signal),
        watchForIncidents(parts, tell, signal),
        repeat(clock, TELL_EVERY_MS, signal, tellUnknowns, (err) => {
          if (!signal.aborted) log.error({ err }, "Operators could not be notified of unknown outcomes");
        }),
      ]);
    },
    settled: async () => void (await work),
  };
}
