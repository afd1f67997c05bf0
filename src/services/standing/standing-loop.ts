import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { DAY_MS } from "../../clock.js";
import type { Config } from "../../config.js";
import { compareAmounts } from "../../encoding/amount.js";
import { isFault, type Fault } from "../../fault.js";
import { createLoop } from "../../loop.js";
import { readSetting, setting, unlessRowFails, writeSetting } from "../../store/store.js";
import type { Reader, StoreBasics, Transaction } from "../../store/store.js";
import { MAX_CARD_MS, type Draft } from "../intent/trade-kind.js";
import type { Intents } from "../intent/intent-service.js";
import type { TokenList } from "../market/token-list.js";
import { pauseIn } from "../person/pause.js";
import { personIn, type Person } from "../person/person.js";
import { leastTotalOf, mostTotalOf } from "../market/referral.js";
import { ruleText, type UnitsRule } from "../price-watches/price-rule.js";
import { questionId } from "../price-watches/price-question-queries.js";
import { rearm, unwatch, watch } from "../price-watches/price-watch-queries.js";
import type { PriceWatches } from "../price-watches/price-watches.js";
import { enqueue } from "../telegram/outbox.js";
import { outputOf, type Swaps } from "../trade/swap.js";
import { prepareDraft, type DraftParts } from "../trade/prepare-draft.js";
import * as rows from "./standing-queries.js";
import {
  ADDRESS,
  missReasons,
  STANDING,
  standingRequest,
  type Misses,
  type MissReason,
  type StandingOrder,
} from "./standing-queries.js";
import { standingLook, afterRefusal, occurrenceDue, afterOffer, pausedByAddress, retryAt } from "./standing-look.js";
import type { StandingFacts, StandingLook } from "./standing-look.js";

export interface StandingLoopParts extends StoreBasics, Omit<DraftParts, "trades"> {
  readonly intents: Pick<Intents, "offer" | "spentLately">;
  readonly tokens: Pick<TokenList, "byId">;
  readonly settings: DraftParts["settings"] & Pick<Config, "referralPercentage">;
  /** Makes one request for each card, so that the budget of watched prices counts all of them. */
  readonly polled: Pick<Swaps, "prepare">;
  readonly watches: Pick<PriceWatches, "turn" | "wake">;
  readonly outbox: { readonly wake: () => void };
  readonly noteError: (error: unknown) => void;
}

/** Maximum number of orders that are looked at, or offered, at a time. */
const MAX_CONCURRENT = 8;
/** After each of them: while many are due, others need not wait for all of them. */
const REST_MS = 80;
/** The fee with which prices were watched last. */
const watchedFee = setting("standing-fee", z.number(), 0);

/** Looks at each order when it is due, and offers a card when its time has come. Carries nothing out. */
export function createStandingLoop(parts: StandingLoopParts) {
  const { store, clock } = parts;
  const loop = createLoop(parts, {
    name: "standing-orders",
    width: MAX_CONCURRENT,
    ...rows.standingInTurn(store.db),
    run: async ({ id }, signal) => {
      await lookAtDue(parts, id);
      await clock.sleep(REST_MS, signal).catch(() => undefined);
    },
  });
  return {
    wake: loop.wake,
    run: async (signal: AbortSignal): Promise<void> => {
      // With another fee, other answers leave what people get.
      const fee = parts.settings.referralPercentage;
      if ((await readSetting(store.db, watchedFee)) !== fee) {
        await store.write(async (tx) => {
          await rows.makeStandingDue(tx, {}, clock.now());
          await writeSetting(tx, watchedFee, fee);
        });
      }
      await loop.run(signal);
    },
  };
}

async function lookAtDue(p: StandingLoopParts, id: string): Promise<void> {
  const look = await p.store.write((tx) => unlessDamaged(p, tx, id, () => lookIn(p, tx, id)));
  p.outbox.wake();
  p.watches.wake();
  if (look?.offers === true) await offer(p, look.order, look.person);
}

/** One that can't be read is put aside, and operators are told. */
async function unlessDamaged<Value>(p: StandingLoopParts, tx: Transaction, id: string, work: () => Promise<Value>) {
  let fault: Fault | undefined;
  const done = await unlessRowFails(`standing_orders/${id}`, work, (err) => (fault = err));
  if (fault === undefined) return done;
  const { cause = fault } = fault;
  const told = isFault(cause, "store-unreadable") ? cause : undefined;
  p.log.error({ order: id, err: fault }, "A standing order can't be handled: it is put aside");
  // What else is unreadable, such as its owner's record, can be put right.
  const isOwn = told === undefined || told.parameters.document.startsWith("standing_orders/");
  await rows.setStandingAside(tx, id, isOwn ? null : p.clock.now() + DAY_MS);
  p.noteError(told ?? fault);
  return undefined;
}

type LookedAt = StandingLook & { readonly person: Person };

/** Looks at an order, and writes what was found. */
async function lookIn(p: StandingLoopParts, tx: Transaction, id: string): Promise<LookedAt | undefined> {
  const order = await rows.standingOrder(tx, id);
  if (order === undefined || order.ended !== null) return undefined;
  const facts = await standingFacts(p, tx, order);
  const { person, now } = facts;
  const current = pausedByAddress(order, person);
  const looked = standingLook(current, facts);
  const look = { ...looked, order: await withWatch(p, tx, looked.order, facts) };
  await rows.putStandingOrder(tx, look.order, now, look.dueAt);
  if (current !== order) await pauseOthers(tx, order, facts);
  await tellOfOrder(tx, look, facts);
  return { ...look, person };
}

/** All of a user's orders are paused together, so that one message says so. */
async function pauseOthers(
  tx: Transaction,
  { id, userId }: StandingOrder,
  { person, now }: StandingFacts,
): Promise<void> {
  for (const other of await rows.standingOrdersOf(tx, userId)) {
    if (other.id !== id) await rows.putStandingOrder(tx, pausedByAddress(other, person), now, now);
  }
  await enqueue(tx, { user_id: userId, topic: STANDING, subject: ADDRESS }, null, now);
}

/** Watches the price of a limit or a stop, as long as its owner could be asked: its line is the answer before the fee. */
async function withWatch(
  { settings: { referralPercentage } }: StandingLoopParts,
  tx: Transaction,
  order: StandingOrder,
  { person, now }: StandingFacts,
): Promise<StandingOrder> {
  const { id, kind, userId, rule, request } = order;
  if (!("net" in rule)) return order;
  const isOff = order.ended !== null || order.paused !== null || person.restingSince !== undefined;
  const { units } = (kind === "limit" ? leastTotalOf : mostTotalOf)(rule.net, referralPercentage);
  const line: UnitsRule = { way: kind === "limit" ? "least" : "most", units };
  const question = { amount: request.pay, out: request.to };
  const watched = isOff ? null : `${questionId(question)} ${ruleText(line)}`;
  if (watched === order.watched) return order;
  if (isOff) await unwatch(tx, { user_id: userId, kind: STANDING, subject: id }, now);
  else await watch(tx, { kind: STANDING, subject: id, userId, ...question, rule: line, anchor: 0n }, now);
  return { ...order, watched };
}

export type FactParts = Pick<StandingLoopParts, "clock" | "tokens">;

export async function standingFacts(p: FactParts, tx: Reader, order: StandingOrder) {
  const { request, userId, id } = order;
  return {
    now: p.clock.now(),
    person: await personIn(tx, userId),
    calls: await rows.standingCalls(tx, id),
    isTradingPaused: (await pauseIn(tx)) !== undefined,
    isListed: [request.from, request.to].every((token) => p.tokens.byId(token.id)?.precision === token.precision),
  } satisfies StandingFacts;
}

/** Of a price, only what keeps its card from being made is told: the rest passes by itself, and `/orders` shows it. */
const TOLD_OF_PRICES: readonly MissReason[] = ["balance", "limit", "one-way"];

/** What an order's owner hasn't been told of yet. */
export function untoldMisses({ missed, told, kind }: Pick<StandingOrder, "kind" | "missed" | "told">): Misses {
  const reasons = kind === "dca" ? missReasons : TOLD_OF_PRICES;
  const counts = reasons.map((reason) => [reason, (missed[reason] ?? 0) - (told[reason] ?? 0)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** Reasons that the owner knows of, as long as they last. */
const KNOWN: readonly (MissReason | null)[] = ["paused", "address", "unreachable", "frozen", "trading-paused"];

/** Tells the owner of what they don't know yet, once that is of use. */
async function tellOfOrder(tx: Transaction, { order }: StandingLook, { person, now }: StandingFacts): Promise<void> {
  const isNews = order.ended !== null || Object.keys(untoldMisses(order)).length > 0;
  const isHeld = order.paused !== null || person.frozenSince !== undefined || KNOWN.includes(order.held);
  if (!isNews || (isHeld && order.ended === null)) return;
  await enqueue(tx, { user_id: order.userId, topic: STANDING, subject: order.id }, null, now);
}

/** A card's life: as long as one without a price, since its price is asked for again when it is tapped. */
const CARD_MS = MAX_CARD_MS;

async function offer(p: StandingLoopParts, due: StandingOrder, person: Person): Promise<void> {
  const { id, userId } = due;
  await p.watches.turn();
  let draft: Draft;
  try {
    const request = standingRequest(due, occurrenceDue(due));
    const trades = { draft: () => p.polled.prepare(person, request) };
    draft = await prepareDraft({ ...p, trades }, request, { userId, person });
  } catch (error) {
    if (!isFault(error)) throw error;
    p.log.info({ order: id, err: error }, "A standing order can't be offered now");
    return noteRefused(p, due, refusalReason(error));
  }
  if (!isBeyond(due, draft)) return noteRefused(p, due, undefined);
  const of = { owner: userId, chatId: person.chatId };
  const card = { ...draft, expiresAt: p.clock.now() + CARD_MS };
  await p.intents.offer(of, card, due.card, async (tx, intentId) => {
    const again = await stillDue(p, tx, due);
    if (again === undefined) return false;
    const { order, facts } = again;
    await rows.putStandingOrder(tx, afterOffer(order, facts, intentId), facts.now, facts.now);
    return true;
  });
  p.outbox.wake();
}

/**
 * A stop asks only while what its owner would get, after the fee, is no more than its line. A limit's draft says itself
 * whether its price is there.
 */
function isBeyond({ kind, rule }: StandingOrder, { terms }: Draft): boolean {
  if (kind !== "stop" || !("net" in rule) || terms.kind !== "swap") return true;
  return compareAmounts(outputOf(terms).net, rule.net) <= 0;
}

/** The order, if it is still to be offered: a tap, a freeze or a change may have come in between. */
async function stillDue(p: StandingLoopParts, tx: Transaction, due: StandingOrder) {
  const order = await rows.standingOrder(tx, due.id);
  if (order === undefined) return undefined;
  const facts = await standingFacts(p, tx, order);
  const again = standingLook(pausedByAddress(order, facts.person), facts);
  const isSame = again.offers && order.n === due.n && isDeepStrictEqual(again.order.rule, due.rule);
  return isSame ? { order, facts } : undefined;
}

/** Why a card can't be made. Undefined if its price has gone back. */
function refusalReason({ code }: Fault): MissReason | undefined {
  if (code === "standing-price-back") return undefined;
  if (code === "token-one-way" || code === "token-limited") return "one-way";
  return code.startsWith("limit-") ? "limit" : code === "balance-too-small" ? "balance" : "no-price";
}

async function noteRefused(p: StandingLoopParts, due: StandingOrder, reason: MissReason | undefined): Promise<void> {
  await p.store.write(async (tx) => {
    const again = await stillDue(p, tx, due);
    if (again === undefined) return;
    const { order, facts } = again;
    const { now } = facts;
    // A price that is back is offered as soon as it crosses its line again.
    if (reason === undefined) {
      await rearm(tx, { kind: STANDING, subject: order.id }, now);
      await rows.putStandingOrder(tx, { ...order, askAt: null, held: null, failures: 0 }, now, now);
    } else if (reason === "no-price") {
      await rows.putStandingOrder(tx, { ...order, held: reason }, now, retryAt(order, now));
    } else {
      await rows.putStandingOrder(tx, afterRefusal(order, facts, reason), now, now);
    }
  });
  p.outbox.wake();
}
