import { unitsInProportion } from "../../encoding/proportion.js";
import { findsAny, type Transaction } from "../../store/store.js";
import { leastTotalOf, mostTotalOf } from "../market/referral.js";
import { ruleText, type PriceQuestion, type WatchRule } from "../price-watches/price-rule.js";
import { questionId } from "../price-watches/price-question-queries.js";
import { pauseWatches, rearm, unwatch, watch, watchOf } from "../price-watches/price-watch-queries.js";
import type { PriceWatch } from "../price-watches/price-watch-queries.js";
import { partRule, partsNow, withTrailLine } from "./exit-plan.js";
import { turnedTo } from "./last-card.js";
import type { StandingFacts } from "./standing-facts.js";
import {
  orderOfWatch,
  ruleJson,
  STANDING,
  standingOrder,
  watchSubjects,
  type StandingOrder,
} from "./standing-queries.js";

interface WatchedLine {
  readonly subject: string;
  readonly question: PriceQuestion;
  readonly rule: WatchRule;
}

/** What an order for a price waits for, as answers before the fee. */
function watchedLines({ id, kind, rule, request }: StandingOrder, percentage: number): readonly WatchedLine[] {
  const [own, floor] = watchSubjects(id);
  if ("schedule" in rule) return [];
  if ("targets" in rule) {
    const state = { rule, pay: request.pay };
    return partsNow(state).map((part) => ({
      subject: part.kind === "target" ? own : floor,
      question: { amount: part.pay, out: request.to },
      rule: partRule(state, part, percentage),
    }));
  }
  const { units } = (kind === "limit" ? leastTotalOf : mostTotalOf)(rule.net, percentage);
  const line = { way: kind === "limit" ? "least" : "most", units } as const;
  return [{ subject: own, question: { amount: request.pay, out: request.to }, rule: line }];
}

/** Watches the prices of an order as long as its owner could be asked. A trail keeps its high while it is paused. */
export async function withWatches(
  tx: Transaction,
  order: StandingOrder,
  { person, now }: Pick<StandingFacts, "now" | "person">,
  percentage: number,
): Promise<StandingOrder> {
  const { id, userId, ended } = order;
  const lines = ended === null ? watchedLines(order, percentage) : [];
  const isOff = order.paused !== null || person.restingSince !== undefined;
  const text = lines
    .map(({ subject, question, rule }) => `${subject} ${questionId(question)} ${ruleText(rule)}`)
    .join("\n");
  const watched = isOff || lines.length === 0 ? null : text;
  if (watched === order.watched) return order;
  const isKept = isOff && lines.some(({ rule }) => rule.way === "trail");
  for (const subject of watchSubjects(id)) {
    const line = lines.find((each) => each.subject === subject);
    const own = { user_id: userId, kind: STANDING, subject };
    if (isKept && line !== undefined) await pauseWatches(tx, own, true, now);
    else if (isOff || line === undefined) await unwatch(tx, own, now);
    else await watchLine(tx, order, line, now);
  }
  return { ...order, watched };
}

async function watchLine(tx: Transaction, order: StandingOrder, { subject, question, rule }: WatchedLine, now: number) {
  const anchor = rule.way === "trail" ? await highNow(tx, order, subject, question) : 0n;
  await watch(tx, { kind: STANDING, subject, userId: order.userId, ...question, rule, anchor }, now);
}

/** A trail's high, for what is left of the amount that it was reached with. */
async function highNow(tx: Transaction, { rule }: StandingOrder, subject: string, { amount }: PriceQuestion) {
  const before = await watchOf(tx, { kind: STANDING, subject });
  if (before !== undefined)
    return before.rule.way === "trail" ? unitsInProportion(before.anchor, amount, before.amount) : 0n;
  return ("targets" in rule && rule.floor !== undefined && "high" in rule.floor && rule.floor.high) || 0n;
}

/** Has the next trail of an order begin without a high. */
export async function unwatchFloor(tx: Transaction, { id, userId }: StandingOrder, now: number): Promise<void> {
  const [, subject] = watchSubjects(id);
  await unwatch(tx, { user_id: userId, kind: STANDING, subject }, now);
}

/** The order with the high of its trail, so that it can be set again as it was. */
export async function withHigh(tx: Transaction, order: StandingOrder): Promise<StandingOrder> {
  const { rule } = order;
  const [, subject] = watchSubjects(order.id);
  const watched = await watchOf(tx, { kind: STANDING, subject });
  if (!("targets" in rule) || rule.floor === undefined || "net" in rule.floor || watched === undefined) return order;
  return { ...order, rule: { ...rule, floor: { ...rule.floor, high: watched.anchor } } };
}

/** Makes the next answers beyond the lines of an order cross them, also if the last ones were there already. */
export async function rearmWatches(tx: Transaction, id: string, now: number): Promise<void> {
  for (const subject of watchSubjects(id)) await rearm(tx, { kind: STANDING, subject }, now);
}

/** Has an order asked about at once: its price has crossed its line. Another part of an exit waits for no card of the last. */
export async function noteCrossed(
  tx: Transaction,
  watched: PriceWatch,
  now: number,
  percentage: number,
): Promise<void> {
  const id = orderOfWatch(watched.subject);
  const open = tx.updateTable("standing_orders").where("id", "=", id).where("due_at", "is not", null);
  const crossed = { ask_at: now, due_at: now, held: null, failures: 0 };
  const isExit = await findsAny(tx.selectFrom("standing_orders").where("id", "=", id).where("kind", "=", "exit"));
  const order = isExit ? await standingOrder(tx, id) : undefined;
  const reached = order === undefined ? {} : reachedBy(order, watched, percentage);
  await open.set({ ...crossed, ...reached }).execute();
}

/** The columns of an exit that say which part was reached. */
function reachedBy(order: StandingOrder, { subject, rule: line, anchor, out }: PriceWatch, percentage: number) {
  if (!("targets" in order.rule)) return {};
  const { targets, floor } = order.rule;
  const n = subject === order.id ? targets[0]?.n : floor?.n;
  const { rule, ...turned } = n === undefined ? order : turnedTo(order, n);
  const isTrail = line.way === "trail" && "targets" in rule;
  return {
    rule: ruleJson(isTrail ? withTrailLine(rule, line, anchor, out, percentage) : rule),
    n: turned.n,
    offered_at: turned.offeredAt,
    offered_moved: turned.offeredMoved,
    offered_on: turned.offeredOn,
    today: turned.today,
  };
}
