import type { Reader, Transaction } from "../../store/store.js";
import { quietUntil } from "../person/quiet-hours.js";
import { isMissing } from "../price-watches/price-rule.js";
import { noteMissingTold, watchesOf, type PriceWatch } from "../price-watches/price-watch-queries.js";
import { enqueueForEach, type Topic } from "../telegram/outbox.js";
import type { PriceSubscriber } from "../price-watches/price-watches.js";
import { occurrenceAt } from "./schedule.js";
import { standingFacts, untoldMisses, type FactParts } from "./standing-loop.js";
import { waitOf } from "./standing-look.js";
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
  /** Of a limit or a stop: its price, as it was last asked for. */
  readonly watch: Pick<PriceWatch, "asked" | "last" | "missingSince"> | undefined;
}

/** Something to tell an order's owner. */
export type StandingNews =
  /** What it has missed since they were told last; its end, if it has ended. */
  | { readonly kind: "order"; readonly view: StandingView; readonly missed: Misses }
  /** Their address has changed, so that these are paused; or their prices can't be had, or can again. */
  | { readonly kind: "address" | "back" | "missing"; readonly orders: readonly StandingOrder[] };

export async function standingView(parts: FactParts, db: Reader, order: StandingOrder): Promise<StandingView> {
  return viewWith(parts, db, order, await watchesOf(db, { user_id: order.userId, kind: STANDING }));
}

export async function standingViews(parts: FactParts, db: Reader, userId: number): Promise<readonly StandingView[]> {
  const [own, watches] = [
    await rows.standingOrdersOf(db, userId),
    await watchesOf(db, { user_id: userId, kind: STANDING }),
  ];
  return Promise.all(own.map((order) => viewWith(parts, db, order, watches)));
}

async function viewWith(parts: FactParts, db: Reader, order: StandingOrder, watches: readonly PriceWatch[]) {
  const facts = await standingFacts(parts, db, order);
  const { rule, n, ended } = order;
  const place = "schedule" in rule ? n - rule.begins : 0;
  const isNext = "schedule" in rule && ended === null && place < rule.schedule.times;
  const view: StandingView = {
    order,
    done: new Set(facts.calls.done).size,
    isUnderWay: facts.calls.isUnderWay,
    ...waitOf(order, facts, await rows.hasOpenCard(db, order.id, facts.now)),
    next: isNext ? occurrenceAt(rule.schedule, place) : undefined,
    watch: watches.find(({ subject }) => subject === order.id),
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
  const newsOf = async (db: Reader, userId: number, subject: string) => {
    if (subject === rows.ADDRESS) {
      const orders = (await rows.standingOrdersOf(db, userId)).filter(({ paused }) => paused === "address");
      return orders.length === 0 ? undefined : { message: { kind: "address" as const, orders } };
    }
    if (subject === MISSING || subject === BACK) return missingNews(db, userId, subject === MISSING, parts.clock.now());
    const order = await rows.standingOrder(db, subject);
    const missed = order === undefined ? {} : untoldMisses(order);
    if (order === undefined || (order.ended === null && Object.keys(missed).length === 0)) return undefined;
    const onSent = (tx: Transaction, now: number) =>
      order.ended === null ? rows.noteStandingTold(tx, order) : rows.deleteStanding(tx, order, now);
    return { message: { kind: "order" as const, view: await standingView(parts, db, order), missed }, onSent };
  };
  return {
    name: STANDING,
    onReach: (tx, userId, _isReachable, now) => rows.makeStandingDue(tx, { user_id: userId }, now),
    render: async (db, { userId, subject }, person) => {
      const news = await newsOf(db, userId, subject);
      return news && { ...news, isMuted: quietUntil(person, parts.clock.now()) !== undefined };
    },
  };
}

async function missingNews(db: Reader, userId: number, isGone: boolean, now: number) {
  const own = { user_id: userId, kind: STANDING };
  const watches = (await watchesOf(db, own)).filter((watch) =>
    isGone ? isMissing(watch, now) && !watch.isMissingTold : watch.isMissingTold && watch.missingSince === undefined,
  );
  const subjects = watches.map(({ subject }) => subject);
  const orders = (await rows.standingOrdersOf(db, userId)).filter(({ id }) => subjects.includes(id));
  if (subjects.length === 0) return undefined;
  const onSent = (tx: Transaction) => noteMissingTold(tx, own, subjects, isGone);
  return { message: { kind: isGone ? ("missing" as const) : ("back" as const), orders }, onSent };
}
