import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../clock.js";
import type { Config } from "../../config.js";
import { amountOf, compareAmounts, isZero, NATIVE_TOKEN, parseAssetId } from "../../encoding/amount.js";
import { isFault, OUTAGES } from "../../fault.js";
import type { Basics } from "../../loop.js";
import type { Store, Transaction } from "../../store/store.js";
import { UNSENT_MS, unsentCard, type CardSending } from "../intent/card-sending.js";
import type { Intent } from "../intent/intent.js";
import type { Intents } from "../intent/intent-service.js";
import { EXPIRY_GRACE_MS } from "../intent/machine.js";
import { MAX_CARD_MS, type Draft } from "../intent/trade-kind.js";
import { wholeSale } from "../market/royalty.js";
import { changePerson, defaultControl, type Person } from "../person/person.js";
import { quietUntil } from "../person/quiet-hours.js";
import type { PriceWatches } from "../price-watches/price-watches.js";
import { enqueue, type Topic } from "../telegram/outbox.js";
import { prepareDraft, type DraftParts } from "../trade/prepare-draft.js";
import { outputOf, type Swaps } from "../trade/swap.js";
import { waitingSince, withCard } from "./last-card.js";
import { offerRefusal, type Refusal } from "./refusal.js";
import { standingFacts, type FactParts } from "./standing-facts.js";
import { shrunkTo } from "./exit-plan.js";
import { isFloor, lineOf, occurrenceDue, partNow, standingRequest } from "./occurrence.js";
import { ending, pausedByAddress, retryAt, standingLook } from "./standing-look.js";
import { enqueueHold, stillTold, tellOfOrder } from "./standing-told.js";
import * as rows from "./standing-queries.js";
import { OFFER, withMiss, type StandingOrder } from "./standing-queries.js";
import { rearmWatches } from "./watched-lines.js";

export interface OfferParts extends Basics, FactParts, Omit<DraftParts, "trades"> {
  readonly settings: DraftParts["settings"] & Pick<Config, "keptForFees">;
  readonly store: Pick<Store, "write">;
  readonly intents: Pick<Intents, "offer" | "spentLately">;
  /** Makes one request for each card, so that the budget of watched prices counts all of them. */
  readonly polled: Pick<Swaps, "prepare">;
  readonly watches: Pick<PriceWatches, "turn">;
  readonly outbox: { readonly wake: () => void };
  /** Wakes the loop that looks at orders. */
  readonly wake: () => void;
}

/** How soon a service that doesn't answer is asked again. */
const ASKED_AGAIN_MS = 10_000;

/**
 * Makes the cards of orders, and has them sent. While a service doesn't answer, one of the orders that wait for it asks it
 * again soon, each in its turn; once it answers, all of them at once.
 */
export function createOffers(p: OfferParts) {
  let isOut = false;
  const askAgain = async (signal: AbortSignal): Promise<void> => {
    while (isOut) {
      await p.clock.sleep(ASKED_AGAIN_MS, signal).catch(() => undefined);
      if (signal.aborted) return;
      // Any of them: the one that asked last may be frozen by now, or deleted.
      const next = p.store.write((tx) => makeNextDue(tx, p.clock.now()));
      isOut &&= await next.catch((err: unknown) => {
        p.log.error({ err }, "Nobody asks again whether a service answers; trying again");
        return true;
      });
      p.wake();
    }
  };
  return async (due: StandingOrder, person: Person, signal: AbortSignal): Promise<void> => {
    if (await hasOther(p, due)) return;
    await p.watches.turn();
    const made = await draftOf(p, due, person);
    if ("fault" in made && isFault(made.fault, ...OUTAGES)) {
      await noteRefused(p, due, "no-price");
      if (isOut) return;
      isOut = true;
      void askAgain(signal);
      return;
    }
    if (isOut) {
      isOut = false;
      await p.store.write((tx) => rows.makeHeldDue(tx, "no-price", p.clock.now()));
      p.wake();
    }
    if ("fault" in made) return noteRefused(p, due, offerRefusal(made.fault.code));
    if (!isBeyond(due, made.draft)) return noteRefused(p, due, "price-back");
    return offer(p, due, person, made.draft);
  };
}

/** Has the next of the orders that wait for a service looked at now. @returns whether there is one. */
async function makeNextDue(tx: Transaction, now: number): Promise<boolean> {
  const held = tx.selectFrom("standing_orders").select("id").where("held", "=", "no-price").where("ended", "is", null);
  const next = await held.where("due_at", "is not", null).orderBy("due_at").limit(1).executeTakeFirst();
  if (next !== undefined) await rows.makeStandingDue(tx, next, now);
  return next !== undefined;
}

async function draftOf(p: OfferParts, due: StandingOrder, person: Person) {
  const { id, userId } = due;
  try {
    const request = standingRequest(due, occurrenceDue(due));
    const trades = { draft: () => p.polled.prepare(person, request) };
    return { draft: await prepareDraft({ ...p, trades }, request, { userId, person }) };
  } catch (fault) {
    // What the store says is tried again as it is.
    if (!isFault(fault) || fault.code.startsWith("store-")) throw fault;
    p.log.info({ order: id, err: fault }, "A standing order can't be offered now");
    return { fault };
  }
}

async function offer(p: OfferParts, due: StandingOrder, person: Person, draft: Draft): Promise<void> {
  const { userId } = due;
  const of = { owner: userId, chatId: person.chatId };
  const expiresAt = p.clock.now() + UNSENT_MS;
  await p.intents.offer(of, { ...draft, expiresAt }, due.card, async (tx, intentId) => {
    const again = await stillDue(p, tx, due);
    if (again === undefined) return false;
    const { now } = again.facts;
    const order = withCard(again.order, intentId, now);
    await rows.putStandingOrder(tx, order, now, expiresAt + EXPIRY_GRACE_MS);
    await enqueue(tx, { user_id: userId, topic: OFFER, subject: order.id }, null, waitingSince(again.order, now));
    return true;
  });
  p.outbox.wake();
}

/**
 * A stop asks only while what its owner would get, after the fee, is no more than its line. A limit's draft says itself
 * whether its price is there.
 */
function isBeyond(order: StandingOrder, { terms }: Draft): boolean {
  const line = lineOf(order);
  if (!isFloor(order) || line === undefined || terms.kind !== "swap") return true;
  return compareAmounts(outputOf(terms).net, line) <= 0;
}

/**
 * An exit sells no more than is held, with what the issuer takes by now: it goes on with that, or ends if nothing is held.
 * @returns whether it has changed; not if what is held isn't known.
 */
async function hasOther(p: OfferParts, due: StandingOrder): Promise<boolean> {
  const { rule, request, payout } = due;
  const part = partNow(due);
  if (!("targets" in rule) || part === undefined || !p.settings.callIncludesCaller) return false;
  const { id } = request.from;
  const isNative = id === NATIVE_TOKEN;
  const [known, told] = await Promise.all([
    p.balances.known(payout, [id]),
    isNative ? undefined : p.rights.known(parseAssetId(id).tokenId),
  ]);
  const units = known?.[id];
  if (units === undefined) return false;
  const kept = isNative ? p.settings.keptForFees : 0n;
  const held = amountOf(request.from, units > kept ? units - kept : 0n);
  const payable = (takes: typeof held) => wholeSale(told, takes).sent;
  const takes = rule.targets.find(({ n }) => n === part.n)?.takes ?? rule.left;
  const isLess = compareAmounts(held, rule.left) < 0;
  if (!isLess && compareAmounts(payable(takes), part.pay) >= 0) return false;
  await p.store.write(async (tx) => {
    const again = await stillDue(p, tx, due);
    if (again === undefined) return;
    const { order, facts } = again;
    const fitting = shrunkTo({ rule, pay: request.pay }, isLess ? held : rule.left, payable);
    const isNone = isZero(fitting.pay);
    const next = isNone
      ? ending(order, "empty").order
      : { ...order, rule: fitting.rule, request: { ...request, pay: fitting.pay } };
    await rows.putStandingOrder(tx, next, facts.now, facts.now);
    await tellOfOrder(tx, next, facts.now);
  });
  p.wake();
  p.outbox.wake();
  return true;
}

/** The order, if it is still to be offered: a tap, a freeze or a change may have come in between. */
async function stillDue(p: FactParts, tx: Transaction, due: StandingOrder) {
  const order = await rows.standingOrder(tx, due.id);
  if (order === undefined) return undefined;
  const facts = await standingFacts(p, tx, order);
  const again = standingLook(pausedByAddress(order, facts.person), facts);
  const isSame = again.offers && again.order.n === due.n && isDeepStrictEqual(again.order.rule, due.rule);
  return isSame ? { order: again.order, facts } : undefined;
}

async function noteRefused(p: OfferParts, due: StandingOrder, reason: Refusal) {
  await p.store.write(async (tx) => {
    const again = await stillDue(p, tx, due);
    if (again === undefined) return;
    const { order, facts } = again;
    const { now } = facts;
    // A price that is back is offered as soon as it crosses its line again. What held it until then has cost it.
    if (reason === "price-back") {
      const { held } = due;
      await rearmWatches(tx, order.id, now);
      const missed = held === null || held === "lately" ? order : withMiss(order, held);
      await rows.putStandingOrder(tx, { ...missed, askAt: null, held: null, heldTold: [], failures: 0 }, now, now);
    } else {
      const refused = { ...order, held: reason };
      const held = { ...refused, heldTold: stillTold(refused, facts) };
      await rows.putStandingOrder(tx, held, now, retryAt(held, now));
      await enqueueHold(tx, held, now);
    }
  });
  p.outbox.wake();
}

interface TopicParts {
  readonly clock: Clock;
  readonly noteCardSending: Intents["noteCardSending"];
  /** Wakes the loop that looks at orders at a time, in milliseconds since 1970. */
  readonly wakeBy: (at: number) => void;
}

const knowingStops = (person: Person): Person => ({
  ...person,
  alerts: { ...(person.alerts ?? defaultControl), knowsStops: true },
});

/** After a commit. */
const COMMITTED_MS = 100;

/** An order's card as it is sent. */
export interface OfferedCard {
  readonly card: Intent;
  /** The order, if its owner learns by this card that stops come in quiet hours. */
  readonly comesAtNight?: string | undefined;
}

/** Sends an order's card. A row stands for the order, so that a later card takes the place of one that wasn't sent. */
export function offerTopic({ clock, noteCardSending, wakeBy }: TopicParts): Topic<OfferedCard> {
  return {
    name: OFFER,
    render: async (db, { userId, subject }, person) => {
      const order = await rows.standingOrder(db, subject);
      const now = clock.now();
      const card = await unsentCard(db, userId, order, now);
      if (card === undefined) return undefined;
      const note = async (tx: Transaction, sending: CardSending) => {
        await noteCardSending(tx, card, sending);
        await rows.makeStandingDue(tx, { id: subject }, clock.now());
        wakeBy(clock.now() + COMMITTED_MS);
      };
      // Once nobody knows whether it has arrived, only an answer says more.
      const attempt = card.arrived === undefined && {
        onBegin: async (tx: Transaction) => {
          // It may have ended since it was read, and the order may have been looked at: another card takes its place then.
          const again = await unsentCard(tx, userId, await rows.standingOrder(tx, subject), clock.now());
          if (again?.id === card.id) await note(tx, { kind: "begun" });
          return again?.id === card.id;
        },
        onNotSent: (tx: Transaction) => note(tx, { kind: "not-sent" }),
      };
      const isNews =
        order !== undefined && isFloor(order) && quietUntil(person, now) !== undefined && !person.alerts?.knowsStops;
      return {
        message: { card: { ...card, expiresAt: now + MAX_CARD_MS }, comesAtNight: isNews ? order.id : undefined },
        ...attempt,
        onSent: async (tx, _now, messageId) => {
          await note(tx, { kind: "sent", messageId });
          if (isNews && messageId !== undefined) await changePerson(tx, userId, knowingStops);
        },
      };
    },
  };
}
