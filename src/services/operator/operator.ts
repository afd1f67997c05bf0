import { randomUUID } from "node:crypto";
import type { Config } from "../../config.js";
import type { Reader, StoreBasics, Tables, Transaction } from "../../store/store.js";
import { countRows, readSetting, writeSetting } from "../../store/store.js";
import type { ServiceHealth } from "../base/health.js";
import type { ReadingState } from "../chain/block-progress.js";
import { createKeyedQueue } from "../base/keyed-queue.js";
import { enqueueNotice } from "../telegram/outbox.js";
import type { WaitingPeople } from "../telegram/outbox-turns.js";
import { countAsked } from "../price-watches/price-question-queries.js";
import { countUnspent } from "../intent/intent-row.js";
import { countUnderWay, putAway, unresolvedIntents } from "../intent/queries.js";
import type { Intent } from "../intent/intent.js";
import { readSums, type Sums } from "../intent/totals.js";
import { setColumns } from "../person/person.js";
import { assertNotPaused, pauseIn, pauses } from "../person/pause.js";
import { type Broadcast, createBroadcast } from "./broadcast.js";
import { countRequests, isMember, requestAccess } from "./access.js";
import type { IncidentParts } from "./incidents.js";
import { createOperatorNotifications, createWatchOfUnknowns, watchForIncidents } from "./incidents.js";
import { noteUnreadable } from "./forget.js";
import { createListings, type Listings } from "./listings.js";

export interface OperatorParts extends IncidentParts {
  /** How far the chain is read. */
  readonly reading: () => ReadingState;
  /** Undefined if everybody may use the bot. */
  readonly allowed: readonly number[] | undefined;
  readonly updates: () => WaitingPeople;
  /** Whether a token is on the list. */
  readonly isListed: (tokenId: string) => boolean;
  /** Number of standing orders of each kind. */
  readonly standing: () => Promise<Readonly<Record<"limit" | "stop" | "dca" | "exit", number>>>;
  readonly settings: Pick<Config, "pricePollRps" | "standingMax">;
}

/** What operators see first. */
export interface Overview {
  /** `since` is in milliseconds since 1970, as is `now`. */
  readonly pause: { readonly since: number; readonly reason: string } | undefined;
  readonly updates: WaitingPeople;
  readonly alerts: WaitingPeople;
  readonly services: readonly ServiceHealth[];
  readonly now: number;
  readonly reading: ReadingState;
  readonly today: Sums;
  readonly total: Sums;
  /** Calls that have left, or are about to, and have no outcome yet. */
  readonly underWay: number;
  /** Cards kept that have spent nothing, counted up to 100,000. */
  readonly unspent: number;
  readonly unknown: number;
  /** Standing orders of each kind, and how many there may be of all. */
  readonly standing: Readonly<Record<"limit" | "stop" | "dca" | "exit" | "most", number>>;
  readonly prices: { readonly watched: number; readonly perSecond: number };
  /** Strangers who wait to be let in. */
  readonly requests: number;
  /** Operators whom nothing reaches: they never pressed Start, or blocked the bot. */
  readonly away: readonly number[];
}

/** Who may use the bot, and what operators see, do and are told. What reads or writes throws Fault `store-…`. */
export interface Operator {
  readonly isOperator: (userId: number | undefined) => boolean;
  readonly broadcast: Broadcast;
  /** Whether a user has access. */
  readonly isIn: (userId: number) => boolean | Promise<boolean>;
  /** Whether everybody has access. */
  readonly isOpen: boolean;
  /** Whether strangers can ask for access. */
  readonly canBeAsked: boolean;
  /** Once a day per user. `full`: as many strangers as a day may have asked. */
  readonly requestAccess: (userId: number, typed: string) => Promise<"asked" | "already" | "full">;
  /** Whether anybody can be asked to list a token. */
  readonly canList: boolean;
  /** Once per token, and at most three a day per user. */
  readonly requestListing: Listings["request"];
  readonly setMember: (userId: number, isIn: boolean) => Promise<void>;
  /** For an operator, whose own waiting update isn't counted. */
  readonly overview: () => Promise<Overview>;
  readonly sums: () => Promise<{ readonly today: Sums; readonly total: Sums }>;
  /** Calls whose outcome nobody knows. */
  readonly unknown: () => Promise<readonly Intent[]>;
  /** Removes a call from the list of unknown ones; its owner's card doesn't change. */
  readonly putAway: (id: string) => Promise<void>;
  /** Tells operators, once, of a record that can't be read; of any other error nothing. */
  readonly noteError: (error: unknown) => void;
  /** Tells operators of an update that kept killing the program. */
  readonly tellOfGivenUp: (updateId: number, userId: number) => Promise<void>;
  /** Runs until the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Resolves once all errors that were noted are written. */
  readonly settled: () => Promise<void>;
}

export function createOperator(parts: OperatorParts): Operator {
  const { store, outbox, clock, log } = parts;
  const operators = new Set(parts.operators);
  const tell = createOperatorNotifications(parts, parts.operators);
  const allowed = parts.allowed && new Set([...parts.allowed, ...parts.operators]);
  const isIn = (userId: number): boolean | Promise<boolean> =>
    allowed === undefined || allowed.has(userId) || isMember(store.db, userId);
  const watchUnknowns = createWatchOfUnknowns(parts, tell);
  const noting = createKeyedQueue();
  const noteError = (error: unknown): void => {
    const onError = (err: unknown) => log.error({ err }, "Operators could not be notified of a damaged record");
    void noting.take(Symbol(), () => noteUnreadable(store, tell, error).then(outbox.wake, onError));
  };
  const sums = () => readSums(store.db, clock.now());
  const broadcast = createBroadcast(parts, isIn, tell, noteError);
  const unknown = () => unresolvedIntents(store.db, noteError);
  const change = async <Result>(task: (tx: Transaction) => Promise<Result>): Promise<Result> => {
    const result = await store.write(task);
    outbox.wake();
    return result;
  };

  const listings = createListings({ store, clock, log, wake: outbox.wake, tell, isListed: parts.isListed });

  return {
    isOperator: (userId: number | undefined): boolean => userId !== undefined && operators.has(userId),
    broadcast,
    isIn,
    isOpen: allowed === undefined,
    canBeAsked: allowed !== undefined && operators.size > 0,
    requestAccess: (userId: number, typed: string) =>
      change((tx) => requestAccess(tx, { userId, typed }, clock.now(), { tell, operators: parts.operators })),
    canList: operators.size > 0,
    requestListing: listings.request,
    setMember: (userId: number, isIn: boolean) =>
      change(async (tx) => {
        const wasIn = await isMember(tx, userId);
        await setColumns(tx, userId, { access: isIn ? "member" : null });
        if (isIn && !wasIn) await enqueueNotice(tx, userId, { id: "let-in", what: { kind: "let-in" } }, clock.now());
      }),
    overview: async () => {
      const { count, ...oldest } = parts.updates();
      return {
        pause: await pauseIn(store.db),
        updates: { ...oldest, count: Math.max(0, count - 1) },
        alerts: await outbox.waiting(),
        services: parts.services(),
        now: clock.now(),
        reading: parts.reading(),
        ...(await sums()),
        underWay: await countUnderWay(store.db),
        unspent: await countUnspent(store.db),
        unknown: (await unknown()).length,
        standing: { ...(await parts.standing()), most: parts.settings.standingMax },
        requests: await countRequests(store.db),
        away: await awayAmong(store.db, parts.operators),
        prices: { watched: await countAsked(store.db), perSecond: parts.settings.pricePollRps },
      };
    },
    sums,
    unknown,
    putAway: (id: string) => store.write((tx) => putAway(tx, id)),
    noteError,
    tellOfGivenUp: (updateId: number, userId: number) =>
      change((tx) => tell(tx, `given-up-${updateId}`, { about: "given-up", updateId, userId })),
    run: async (signal: AbortSignal): Promise<void> => {
      if (operators.size === 0) return;
      const watching = [watchForIncidents(parts, tell, signal), watchUnknowns(signal)];
      await Promise.all([broadcast.run(signal), listings.run(signal), ...watching]);
    },
    settled: noting.settled,
  };
}

async function awayAmong(db: Reader, operators: readonly number[]): Promise<readonly number[]> {
  const known = db
    .selectFrom("users")
    .select("id")
    .where("id", "in", [...operators]);
  const rows = await known.where("unreachable_since", "is not", null).orderBy("id").execute();
  return rows.map(({ id }) => id);
}

type LogAction = "pause" | "resume" | "approve" | "decline" | "withdraw" | "broadcast" | "halt" | "settle" | "anew";

/** `about`: the reason for a pause, a user's id, or the beginning of a text. */
export type LogEntry = Omit<Tables["operator_log"], "id" | "action"> & { readonly action: LogAction };

const MAX_ABOUT_LENGTH = 200;

/** Called before the action. Entries are kept forever. */
export async function enterLog(tx: Transaction, { about, ...entry }: LogEntry): Promise<void> {
  const last = await tx.selectFrom("operator_log").select("at").orderBy("at", "desc").limit(1).executeTakeFirst();
  // No two entries share a time, so that the times give their order.
  const at = Math.max(entry.at, (last?.at ?? 0) + 1);
  const row = { ...entry, id: randomUUID(), at, about: about.slice(0, MAX_ABOUT_LENGTH) };
  await tx.insertInto("operator_log").values(row).execute();
}

/** Newest first; `page` counts from 0 and is clamped. */
export async function logPage(db: Reader, wanted: number, size: number) {
  const log = db.selectFrom("operator_log");
  const count = await countRows(log);
  const pages = Math.max(1, Math.ceil(count / size));
  const page = Math.min(Math.max(wanted, 0), pages - 1);
  const entries = log.select(["at", "operator", "action", "about"]).orderBy("at", "desc").limit(size);
  const rows = await entries.offset(page * size).execute();
  // Only `enterLog` writes entries.
  return { items: rows as readonly LogEntry[], page, pages };
}

/** The operators' pause of all trading. */
export interface TradingPause {
  /** `since` is in milliseconds since 1970. @throws Fault `store-…`, as all of these. */
  readonly pauseNow: () => Promise<{ readonly since: number; readonly reason: string } | undefined>;
  /** @throws Fault `trading-paused`, with the reason. */
  readonly assertOpen: () => Promise<void>;
  /** No call leaves once this has resolved. A second pause changes the reason. */
  readonly pause: (reason: string) => Promise<void>;
  readonly resume: () => Promise<void>;
}

export function createTradingPause({ store, clock }: Pick<StoreBasics, "clock" | "store">): TradingPause {
  const pauseNow = () => pauseIn(store.db);
  return {
    pauseNow,
    assertOpen: async (): Promise<void> => assertNotPaused(await pauseNow()),
    pause: (reason: string): Promise<void> =>
      store.write(async (tx) => {
        const now = await readSetting(tx, pauses);
        await writeSetting(tx, pauses, { since: now?.since ?? clock.now(), reason });
      }),
    resume: (): Promise<void> => store.write((tx) => writeSetting(tx, pauses, null)),
  };
}
