import { amountOf, compareAmounts, type Amount } from "../../encoding/amount.js";
import { readSetting, type Reader, type Transaction } from "../../store/store.js";
import type { Intent } from "../intent/intent.js";
import { referralSplit } from "../market/referral.js";
import { pauseIn } from "../person/pause.js";
import { personIn } from "../person/person.js";
import { restored } from "../person/gap.js";
import { quietUntil } from "../person/quiet-hours.js";
import { isMissing } from "../price-watches/price-rule.js";
import { noteMissingTold, watchesOf, type PriceWatch } from "../price-watches/price-watch-queries.js";
import type { StandingKind } from "../terms/standing-terms.js";
import { enqueueForEach, type Topic, type TopicRow } from "../telegram/outbox.js";
import type { Storm } from "../telegram/storms.js";
import type { PriceSubscriber } from "../price-watches/price-watches.js";
import { occurrenceAt } from "./schedule.js";
import { afterLastCard } from "./last-card.js";
import { isFloor, lineOf } from "./occurrence.js";
import { standingFacts, type FactParts } from "./standing-facts.js";
import { waitOf } from "./standing-look.js";
import { holdIn, isUntoldHold, untoldMisses, type ToldHold } from "./standing-told.js";
import { lastDone } from "./standing-calls.js";
import * as rows from "./standing-queries.js";
import { STANDING, type Misses, type MissReason, type StandingOrder } from "./standing-queries.js";

/** An order with what it has come to. */
export interface StandingView {
  readonly order: StandingOrder;
  /** Number of its cards that were executed. */
  readonly done: number;
  /** One of its cards is being executed, or its outcome isn't known. */
  readonly isUnderWay: boolean;
  /** Why nothing of it would be offered now. */
  readonly hold: MissReason | undefined;
  /** When the price of a limit or a stop that was put off is asked for again, in milliseconds since 1970. */
  readonly askedAgainAt?: number | undefined;
  /** When its next occurrence is due, in milliseconds since 1970. */
  readonly next: number | undefined;
  /** Of a limit or a stop that was just set: what its owner would get now. */
  readonly netNow?: Amount;
  /** Of a limit or a stop: its price, as it was last asked for. */
  readonly watch: Pick<PriceWatch, "asked" | "last" | "missingSince"> | undefined;
  /** The same of an exit's floor. Of a trail, its high is the anchor. */
  readonly floorWatch?: Pick<PriceWatch, "amount" | "anchor" | "last" | "rule"> | undefined;
}

/** Something to tell an order's owner. */
export type StandingNews =
  /** What it has missed since they were told last; its end, if it has ended. */
  | {
      readonly kind: "order";
      readonly view: StandingView;
      readonly missed: Misses;
      /** The swap that ended a limit or a stop. */
      readonly filled?: Intent | undefined;
    }
  /** Their address has changed, so that these are paused; or their prices can't be had, or can again. */
  | { readonly kind: "address" | "back" | "missing"; readonly orders: readonly StandingOrder[] }
  /** The data was restored to `from`: nobody knows what has become of these since. */
  | { readonly kind: "restored"; readonly orders: readonly StandingOrder[]; readonly from: number }
  /** Their price or time is there, but this holds them. */
  | {
      readonly kind: "held";
      readonly hold: ToldHold;
      readonly orders: readonly StandingOrder[];
      readonly storm?: Storm;
    };

/** Whether what an order's owner would get, after the fee, is beyond its line. */
export function isReachedAt(order: Pick<StandingOrder, "kind" | "n" | "request" | "rule">, net: Amount): boolean {
  const line = lineOf(order);
  if (line === undefined) return false;
  const ahead = compareAmounts(line, net);
  return isFloor(order) ? ahead >= 0 : ahead <= 0;
}

/** What no swap can be taken of, whatever its price: another may happen, its card is on its way, or it doesn't go on. */
const TAKES_NONE: readonly (MissReason | undefined)[] = ["address", "paused", "restored", "telegram", "under-way"];

/** Whether an order's swap can be taken by a tap: its price was there when it was last asked for, or its time has come. */
export function isToTake(view: StandingView, referralPercentage: number): boolean {
  const { order, hold, isUnderWay, watch, floorWatch } = view;
  const { ended, card, request, rule } = order;
  if (ended !== null || isUnderWay || TAKES_NONE.includes(hold)) return false;
  // One that something holds has no card yet.
  if ("schedule" in rule) return card !== null || order.held !== null;
  const last = ("targets" in rule && isFloor(order) ? floorWatch : watch)?.last;
  return (
    last !== undefined && isReachedAt(order, referralSplit(amountOf(request.to, last.units), referralPercentage).rest)
  );
}

export async function standingView(parts: FactParts, db: Reader, order: StandingOrder): Promise<StandingView> {
  return viewWith(parts, db, order, await watchesOf(db, { user_id: order.userId, kind: STANDING }));
}

/** @param kind only those that haven't ended of this one. */
export async function standingViews(
  parts: FactParts,
  db: Reader,
  userId: number,
  kind?: StandingKind,
): Promise<readonly StandingView[]> {
  const all = await rows.standingOrdersOf(db, userId);
  const [own, watches] = [
    kind === undefined ? all : all.filter((order) => order.kind === kind && order.ended === null),
    await watchesOf(db, { user_id: userId, kind: STANDING }),
  ];
  return Promise.all(own.map((order) => viewWith(parts, db, order, watches)));
}

async function viewWith(parts: FactParts, db: Reader, before: StandingOrder, watches: readonly PriceWatch[]) {
  const facts = await standingFacts(parts, db, before);
  const order = afterLastCard(before, facts);
  const { rule, n, ended } = order;
  const place = "schedule" in rule ? n - rule.begins : 0;
  const [own, floor] = rows.watchSubjects(order.id);
  const isNext = "schedule" in rule && ended === null && place < rule.schedule.times;
  const view: StandingView = {
    order,
    done: new Set(facts.calls.done).size,
    isUnderWay: facts.calls.isUnderWay,
    ...waitOf(order, facts),
    next: isNext ? occurrenceAt(rule.schedule, place) : undefined,
    watch: watches.find(({ subject }) => subject === own),
    floorWatch: watches.find(({ subject }) => subject === floor),
  };
  return view;
}

/** Subjects of what concerns several orders of a user. */
const [MISSING, BACK] = ["missing", "back"];
/** For how long news of missing prices are gathered. */
const GATHERED_MS = 300_000;

/** Tells of prices that can't be had for a day, and of those that can again. */
export const missingStandingNews = {
  onMissing: (tx, owners, now) =>
    enqueueForEach(tx, owners, { topic: STANDING, subject: MISSING }, null, now, now + GATHERED_MS),
  onReturn: (tx, owners, now) =>
    enqueueForEach(tx, owners, { topic: STANDING, subject: BACK }, null, now, now + GATHERED_MS),
} satisfies Partial<PriceSubscriber>;

/** Tells owners what their orders have missed, and of their ends. */
export function standingTopic(parts: FactParts): Topic<StandingNews> {
  const newsOf = async (db: Reader, { userId, subject, storm }: TopicRow) => {
    if (subject === rows.ADDRESS) {
      const orders = (await rows.standingOrdersOf(db, userId)).filter(({ paused }) => paused === "address");
      return orders.length === 0 ? undefined : { message: { kind: "address" as const, orders } };
    }
    if (subject === rows.OF_RESTORE) {
      const message = await restoredNews(db, userId);
      return message && { message };
    }
    if (subject === MISSING || subject === BACK) return missingNews(db, userId, subject === MISSING, parts.clock.now());
    const hold = holdIn(subject);
    if (hold !== undefined) return heldNews(db, userId, hold, storm);
    const order = await rows.standingOrder(db, subject);
    const missed = order === undefined ? {} : untoldMisses(order);
    if (order === undefined || (order.ended === null && Object.keys(missed).length === 0)) return undefined;
    const onSent = (tx: Transaction, now: number) =>
      order.ended === null ? rows.noteStandingTold(tx, order) : rows.deleteStanding(tx, order, now);
    const filled = order.ended === "done" && "net" in order.rule ? await lastDone(db, order.id) : undefined;
    return { message: { kind: "order" as const, view: await standingView(parts, db, order), missed, filled }, onSent };
  };
  return {
    name: STANDING,
    onReach: (tx, userId, _isReachable, now) => rows.makeStandingDue(tx, { user_id: userId }, now),
    render: async (db, row, person) => {
      const news = await newsOf(db, row);
      return news && { ...news, isMuted: quietUntil(person, parts.clock.now()) !== undefined };
    },
  };
}

/** @returns undefined once their owner has said of all what became of them. */
export async function restoredNews(db: Reader, userId: number) {
  const orders = (await rows.standingOrdersOf(db, userId)).filter(
    ({ paused, ended }) => paused === "restored" && ended === null,
  );
  const from = (await readSetting(db, restored))?.from ?? 0;
  return orders.length === 0 ? undefined : ({ kind: "restored", orders, from } as const);
}

async function heldNews(db: Reader, userId: number, hold: ToldHold, storm: Storm | undefined) {
  const isOver = {
    frozen: async () => (await personIn(db, userId)).frozenSince === undefined,
    "trading-paused": async () => (await pauseIn(db)) === undefined,
  } as const;
  const orders = (await rows.standingOrdersOf(db, userId)).filter((order) => isUntoldHold(order, hold));
  const isGone = orders.length === 0 || (hold in isOver && (await isOver[hold as keyof typeof isOver]()));
  if (isGone && storm === undefined) return undefined;
  const ids = orders.map(({ id }) => id);
  return {
    message: { kind: "held" as const, hold, orders: isGone ? [] : orders, ...(storm && { storm }) },
    onSent: (tx: Transaction) => rows.noteHoldTold(tx, ids, hold),
  };
}

async function missingNews(db: Reader, userId: number, isGone: boolean, now: number) {
  const own = { user_id: userId, kind: STANDING };
  const watches = (await watchesOf(db, own)).filter((watch) =>
    isGone ? isMissing(watch, now) && !watch.isMissingTold : watch.isMissingTold && watch.missingSince === undefined,
  );
  const subjects = watches.map(({ subject }) => subject);
  const ids = subjects.map(rows.orderOfWatch);
  const orders = (await rows.standingOrdersOf(db, userId)).filter(({ id }) => ids.includes(id));
  if (subjects.length === 0) return undefined;
  const onSent = (tx: Transaction) => noteMissingTold(tx, own, subjects, isGone);
  return { message: { kind: isGone ? ("missing" as const) : ("back" as const), orders }, onSent };
}
