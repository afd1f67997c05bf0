import type { Config } from "../../config.js";
import type { Amount } from "../../encoding/amount.js";
import { Fault, unlessFaultSync } from "../../fault.js";
import { createUserRateLimit } from "../base/rate.js";
import type { IntentChange } from "../intent/change.js";
import type { Intents } from "../intent/intent-service.js";
import { changePerson, personIn } from "../person/person.js";
import type { PriceWatches } from "../price-watches/price-watches.js";
import type { StandingKind } from "../terms/standing-terms.js";
import type { Topic } from "../telegram/outbox.js";
import { standingIn } from "../terms/terms.js";
import { createStandingLoop, type StandingLoopParts } from "./standing-loop.js";
import { missingStandingNews, standingView, standingViews, type StandingView } from "./standing-news.js";
import { assertMeant, previewStanding, renewed, isSameAs } from "./standing-preview.js";
import type { PreviewParts, StandingOrderRequest, StandingPreview } from "./standing-preview.js";
import { assertRoomFor } from "./standing-share.js";
import { offerTopic, type OfferedCard } from "./standing-offer.js";
import { type Change, closeCalls, type EndedCall, deletingOf } from "./standing-ends.js";
import { changeStanding, changingOf, going, type ChangingOrders } from "./changing-orders.js";
import { openCards } from "./standing-calls.js";
import { noteCrossed, unwatchFloor } from "./watched-lines.js";
import * as rows from "./standing-queries.js";
import { STANDING, type MissReason, type StandingOrder } from "./standing-queries.js";

/**
 * Orders that wait for a price or a time, and then send a card that their owner confirms: nothing happens without them.
 * All functions throw Fault `store-…`, and `store-unreadable` for damaged records.
 */
export interface StandingOrders extends ChangingOrders {
  /** What an order would say, from current prices. Sets nothing. @throws Fault of what is asked for, and `service-…` */
  readonly preview: (userId: number, request: StandingOrderRequest) => Promise<StandingPreview>;
  /**
   * Sets an order; one that asks for the same is left as it is. @param isSure whether a price far away is meant so.
   * @returns it, with what its owner would get now. @throws as `preview`, and Fault `standing-met`, `standing-far`,
   * `standing-full`, `standing-bot-full`.
   */
  readonly create: (userId: number, request: StandingOrderRequest, isSure?: boolean) => Promise<NewOrder>;
  /**
   * Has an order ask for something else of its kind; what it has done stays. Without a time, a limit or a stop ends
   * when it would have. @returns the order afterwards; undefined if there is none. @throws as `create`.
   */
  readonly edit: (
    userId: number,
    id: string,
    request: StandingOrderRequest,
    isSure?: boolean,
  ) => Promise<NewOrder | undefined>;
  /** Its open cards are closed, and what waits to be signed is withdrawn. @returns undefined if there was none. */
  readonly end: (userId: number, id: string) => Promise<EndedCall | undefined>;
  /** Orders of a user that were deleted within the last minute, the last one first. */
  readonly deleted: (userId: number) => readonly StandingOrder[];
  /** Sets a deleted order again as it was. @throws Fault `standing-over`, `standing-full`, `standing-bot-full`. */
  readonly putBack: (userId: number, id: string) => Promise<void>;
  /** Closes an order's open cards, but for the one that its owner has just asked for. */
  readonly closeOthers: (userId: number, id: string, but: string) => Promise<void>;
  /** A user's orders, oldest first; those that have ended are among them until their owner is told. */
  readonly list: (userId: number) => Promise<readonly StandingView[]>;
  readonly find: (userId: number, id: string) => Promise<StandingView | undefined>;
  /** A user's exits that haven't ended, one a token. */
  readonly exits: (userId: number) => Promise<readonly StandingView[]>;
  /** Regular orders that keep the hours of another zone than their owner's. */
  readonly inOtherZones: (userId: number) => Promise<readonly StandingOrder[]>;
  /** Number of orders of each kind that haven't ended. */
  readonly counts: () => Promise<Readonly<Record<StandingKind, number>>>;
  /** Call it after a user's address has changed. */
  readonly look: (userId: number) => Promise<void>;
  /** Call it after what may have held orders of many people has ended. */
  readonly lookAtHeld: () => Promise<void>;
  /** Call it after what may have held orders of a user has ended. */
  readonly lookAtHeldOf: (userId: number) => Promise<void>;
  /** Call it after a change that may let an order go on. */
  readonly wake: () => void;
  /** Call it after an intent has changed. */
  readonly wakeAfter: (change: IntentChange) => void;
  /** What sends their cards. */
  readonly offers: Topic<OfferedCard>;
  /** Handles due orders until the signal is aborted, then resolves once those in progress are done. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** An order that was just set or changed, with what its owner would get now. */
type NewOrder = StandingOrder & { readonly netNow: Amount };

interface StandingParts extends StandingLoopParts, Omit<PreviewParts, "store"> {
  readonly balances: PreviewParts["balances"];
  readonly settings: PreviewParts["settings"] & StandingLoopParts["settings"] & Pick<Config, "standingMax">;
  readonly watches: Pick<PriceWatches, "subscribe" | "turn" | "wake">;
  readonly intents: StandingLoopParts["intents"] & {
    readonly supersede: (owner: number, id: string) => Promise<unknown>;
    readonly cancel: Intents["cancel"];
    readonly noteCardSending: Intents["noteCardSending"];
  };
  readonly newId: () => string;
}

export function createStandingOrders(parts: StandingParts): StandingOrders {
  const { store, clock, watches } = parts;
  const { db } = store;
  const loop = createStandingLoop(parts);
  watches.subscribe({
    kind: STANDING,
    onCrossed: (tx, watch, { at }) => noteCrossed(tx, watch, at, parts.settings.referralPercentage),
    // The look finds out.
    onUnlisted: (tx, { subject }) => rows.makeStandingDue(tx, { id: rows.orderOfWatch(subject) }, clock.now()),
    ...missingStandingNews,
    wake: loop.wake,
  });
  const change: Change = async (work) => {
    const result = await store.write(work);
    loop.wake();
    return result;
  };
  const mayAsk = createUserRateLimit({ clock, burst: 1, refillSeconds: 60 });
  return {
    preview: (userId, request) => previewStanding(parts, userId, request),
    ...settingOf(parts, change),
    ...changingOf(parts, change),
    ...deletingOf(parts, change),
    closeOthers: async (userId, id, but) => {
      const others = (await openCards(db, id)).filter((card) => card !== but);
      for (const card of others) await parts.intents.supersede(userId, card);
    },
    list: (userId) => standingViews(parts, db, userId),
    find: async (userId, id) => {
      const order = await rows.standingOrder(db, id);
      return order?.userId === userId ? standingView(parts, db, order) : undefined;
    },
    exits: (userId) => standingViews(parts, db, userId, "exit"),
    inOtherZones: async (userId) => {
      const { timeZone } = await personIn(db, userId);
      const own = await rows.standingOrdersOf(db, userId);
      return own.filter(({ rule, ended }) => ended === null && "schedule" in rule && rule.schedule.zone !== timeZone);
    },
    counts: () => rows.countStanding(db),
    look: (userId) => change((tx) => rows.makeStandingDue(tx, { user_id: userId }, clock.now())),
    lookAtHeld: () => change((tx) => rows.makeHeldDue(tx, undefined, clock.now())),
    lookAtHeldOf: async (userId) => {
      if (!(await rows.hasHeld(db, userId))) return;
      let but = costly;
      unlessFaultSync(() => {
        mayAsk.take(userId);
        but = [];
      });
      await change((tx) => rows.makeHeldOfDue(tx, userId, but, clock.now()));
    },
    offers: offerTopic({ clock, noteCardSending: parts.intents.noteCardSending, wakeBy: loop.wakeBy }),
    wake: loop.wake,
    wakeAfter: ({ after }) => {
      if (standingIn(after.terms.request) !== undefined) loop.wake();
    },
    run: loop.run,
  };
}

/** A look at what these hold costs a request, so nobody causes one with each message. */
const costly: readonly MissReason[] = [...rows.refusedFor, "no-price"];

/** Setting orders, and asking for something else. */
function settingOf(parts: StandingParts, change: Change): Pick<StandingOrders, "create" | "edit"> {
  const { store, clock, newId, settings } = parts;
  const own = changeStanding(parts, change);
  return {
    create: async (userId, request, isSure = false) => {
      const seen = await previewStanding(parts, userId, request);
      assertMeant(seen, isSure);
      return change(async (tx) => {
        const others = (await rows.standingOrdersOf(tx, userId)).filter(({ ended }) => ended === null);
        const twin = others.find((one) => isSameAs(one, seen.order));
        if (twin !== undefined) return { ...twin, netNow: seen.net };
        // Two of them would sell the same.
        const { id: token } = seen.order.request.from;
        if (request.kind === "exit" && others.some((one) => one.kind === "exit" && one.request.from.id === token))
          throw new Fault("exit-exists", { token });
        await assertRoomFor(tx, others.length, settings.standingMax);
        const order = { ...seen.order, id: newId(), createdAt: clock.now() };
        // Everybody with an order gets a record, so that `/forget` finds them.
        await changePerson(tx, userId, (person) => ({ ...person }));
        await rows.putStandingOrder(tx, order, clock.now(), clock.now());
        return { ...order, netNow: seen.net };
      });
    },
    edit: async (userId, id, request, isSure = false) => {
      const { order: asked, ...seen } = await previewStanding(parts, userId, request);
      assertMeant({ order: asked, ...seen }, isSure);
      const open = await openCards(store.db, id);
      const edited = await own(userId, id, async (order, person, tx) => {
        if (order.kind !== request.kind) return order;
        const keepsEnd = !("schedule" in asked.rule) && request.until === undefined;
        const { rule, n } = renewed(order, asked.rule);
        const isExit = "targets" in rule;
        // The high of a trail counts from when it is set.
        if (isExit) await unwatchFloor(tx, order, clock.now());
        const watched = isExit ? null : order.watched;
        const afresh = { request: asked.request, rule, n, watched, card: null, failures: 0, offeredAt: null };
        const { paused } = order;
        const { endsAt, endsFromNow } = keepsEnd ? order : asked;
        return { ...going(order, person), ...afresh, paused, endsAt, endsFromNow };
      });
      if (edited !== undefined) await closeCalls(parts, userId, id, open);
      return edited && { ...edited, netNow: seen.net };
    },
  };
}
