import { isDeepStrictEqual } from "node:util";
import type { Config } from "../../config.js";
import { Fault } from "../../fault.js";
import type { Transaction } from "../../store/store.js";
import type { IntentChange } from "../intent/change.js";
import { changePerson, personIn, type Person } from "../person/person.js";
import type { PriceWatches } from "../price-watches/price-watches.js";
import type { StandingKind } from "../terms/standing-terms.js";
import { standingIn } from "../terms/terms.js";
import { createStandingLoop, type StandingLoopParts } from "./standing-loop.js";
import { missingStandingNews, standingView, standingViews, type StandingView } from "./standing-news.js";
import { assertMeant, endsWhen, previewStanding } from "./standing-preview.js";
import type { PreviewParts, StandingOrderRequest, StandingPreview } from "./standing-preview.js";
import * as rows from "./standing-queries.js";
import { STANDING, type StandingOrder } from "./standing-queries.js";

/**
 * Orders that wait for a price or a time, and then send a card that their owner confirms: nothing happens without them.
 * All functions throw Fault `store-…`, and `store-unreadable` for damaged records.
 */
export interface StandingOrders {
  /** What an order would say, from current prices. Sets nothing. @throws Fault of what is asked for, and `service-…` */
  readonly preview: (userId: number, request: StandingOrderRequest) => Promise<StandingPreview>;
  /**
   * Sets an order; one that asks for the same is left as it is. @param isSure whether a price far away is meant so.
   * @throws as `preview`, and Fault `standing-met`, `standing-far`, `standing-full`, `standing-bot-full`.
   */
  readonly create: (userId: number, request: StandingOrderRequest, isSure?: boolean) => Promise<StandingOrder>;
  /**
   * Has an order ask for something else of its kind; what it has done stays. Without a time, a limit or a stop ends
   * when it would have. @returns the order afterwards; undefined if there is none. @throws as `create`.
   */
  readonly edit: (
    userId: number,
    id: string,
    request: StandingOrderRequest,
    isSure?: boolean,
  ) => Promise<StandingOrder | undefined>;
  /** Resuming also accepts the user's new address. @returns the order afterwards; undefined if there is none. */
  readonly pause: (userId: number, id: string, isPaused: boolean) => Promise<StandingOrder | undefined>;
  /** Resumes the orders that a new address has paused. @returns them. */
  readonly resumeAll: (userId: number) => Promise<readonly StandingOrder[]>;
  /** Whether its cards also come in quiet hours. @returns the order afterwards; undefined if there is none. */
  readonly comeInQuietHours: (
    userId: number,
    id: string,
    comesInQuietHours: boolean,
  ) => Promise<StandingOrder | undefined>;
  /** Moves regular orders to their owner's zone: the same hours, by its clocks. */
  readonly moveToZone: (userId: number) => Promise<void>;
  /** @returns whether there was one. Its open card is closed. */
  readonly end: (userId: number, id: string) => Promise<boolean>;
  /** A user's orders, oldest first; those that have ended are among them until their owner is told. */
  readonly list: (userId: number) => Promise<readonly StandingView[]>;
  readonly find: (userId: number, id: string) => Promise<StandingView | undefined>;
  /** Regular orders that keep the hours of another zone than their owner's. */
  readonly inOtherZones: (userId: number) => Promise<readonly StandingOrder[]>;
  /** Number of orders of each kind that haven't ended. */
  readonly counts: () => Promise<Readonly<Record<StandingKind, number>>>;
  /** Call it after a user's address has changed. */
  readonly look: (userId: number) => Promise<void>;
  /** Call it after a change that may let an order go on. */
  readonly wake: () => void;
  /** Call it after an intent has changed. */
  readonly wakeAfter: (change: IntentChange) => void;
  /** Handles due orders until the signal is aborted, then resolves once those in progress are done. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

interface StandingParts extends StandingLoopParts, Omit<PreviewParts, "store"> {
  readonly balances: PreviewParts["balances"];
  readonly settings: PreviewParts["settings"] & StandingLoopParts["settings"] & Pick<Config, "standingMax">;
  readonly watches: Pick<PriceWatches, "subscribe" | "turn" | "wake">;
  readonly intents: StandingLoopParts["intents"] & {
    readonly supersede: (owner: number, id: string) => Promise<unknown>;
  };
  readonly newId: () => string;
}

/** Enough for a person, and few enough for a list. */
const MAX_OWN = 20;

export function createStandingOrders(parts: StandingParts): StandingOrders {
  const { store, clock, watches } = parts;
  const { db } = store;
  const loop = createStandingLoop(parts);
  watches.subscribe({
    kind: STANDING,
    onCrossed: (tx, { subject }, { at }) => rows.noteCrossed(tx, subject, at),
    // The look finds out.
    onUnlisted: (tx, { subject }) => rows.makeStandingDue(tx, { id: subject }, clock.now()),
    ...missingStandingNews,
    wake: loop.wake,
  });
  const change: Change = async (work) => {
    const result = await store.write(work);
    loop.wake();
    return result;
  };
  return {
    preview: (userId, request) => previewStanding(parts, userId, request),
    ...settingOf(parts, change),
    ...changingOf(parts, change),
    list: (userId) => standingViews(parts, db, userId),
    find: async (userId, id) => {
      const order = await rows.standingOrder(db, id);
      return order?.userId === userId ? standingView(parts, db, order) : undefined;
    },
    inOtherZones: async (userId) => {
      const { timeZone } = await personIn(db, userId);
      const own = await rows.standingOrdersOf(db, userId);
      return own.filter(({ rule, ended }) => ended === null && "schedule" in rule && rule.schedule.zone !== timeZone);
    },
    counts: () => rows.countStanding(db),
    look: (userId) => change((tx) => rows.makeStandingDue(tx, { user_id: userId }, clock.now())),
    wake: loop.wake,
    wakeAfter: ({ after }) => {
      if (standingIn(after.terms.request) !== undefined) loop.wake();
    },
    run: loop.run,
  };
}

type Change = <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;

/** @returns the order afterwards; undefined if the user has none with this id, or it has ended. */
function changeStanding({ clock }: StandingParts, change: Change) {
  return (userId: number, id: string, next: (order: StandingOrder, person: Person) => StandingOrder) =>
    change(async (tx) => {
      const order = await rows.standingOrder(tx, id);
      if (order === undefined || order.userId !== userId || order.ended !== null) return undefined;
      const after = next(order, await personIn(tx, userId));
      await rows.putStandingOrder(tx, after, clock.now(), clock.now());
      return after;
    });
}

/** An order that goes on: nothing holds it, and it keeps the address of now. */
function going(order: StandingOrder, { wallet }: Person): StandingOrder {
  return { ...order, held: null, paused: null, payout: wallet?.address ?? order.payout, askAt: null };
}

/** Setting orders, and asking for something else. */
function settingOf(parts: StandingParts, change: Change): Pick<StandingOrders, "create" | "edit"> {
  const { store, clock, newId, settings, intents } = parts;
  const own = changeStanding(parts, change);
  return {
    create: async (userId, request, isSure = false) => {
      const seen = await previewStanding(parts, userId, request);
      assertMeant(seen, isSure);
      return change(async (tx) => {
        const others = (await rows.standingOrdersOf(tx, userId)).filter(({ ended }) => ended === null);
        const twin = others.find((one) => isSameAs(one, seen.order));
        if (twin !== undefined) return twin;
        if (others.length >= MAX_OWN) throw new Fault("standing-full", { maximum: MAX_OWN });
        const counts = Object.values(await rows.countStanding(tx));
        const count = counts.reduce((sum, each) => sum + each, 0);
        if (count >= settings.standingMax) throw new Fault("standing-bot-full", {});
        const order = { ...seen.order, id: newId(), createdAt: clock.now() };
        // Everybody with an order gets a record, so that `/forget` finds them.
        await changePerson(tx, userId, (person) => ({ ...person }));
        await rows.putStandingOrder(tx, order, clock.now(), clock.now());
        return order;
      });
    },
    edit: async (userId, id, request, isSure = false) => {
      const { order: asked, ...seen } = await previewStanding(parts, userId, request);
      assertMeant({ order: asked, ...seen }, isSure);
      const card = (await rows.standingOrder(store.db, id))?.card ?? null;
      const edited = await own(userId, id, (order, person) => {
        if (order.kind !== request.kind) return order;
        const keepsEnd = "net" in asked.rule && request.until === undefined;
        const rule = "net" in asked.rule ? asked.rule : { ...asked.rule, begins: order.n };
        const afresh = { request: asked.request, rule, card: null, failures: 0, offeredAt: null };
        const { paused } = order;
        return { ...going(order, person), ...afresh, paused, endsAt: keepsEnd ? order.endsAt : asked.endsAt };
      });
      if (edited !== undefined && card !== null) await intents.supersede(userId, card);
      return edited;
    },
  };
}

type Changing = Pick<StandingOrders, "comeInQuietHours" | "end" | "moveToZone" | "pause" | "resumeAll">;

/** Pausing, resuming, moving and ending orders. */
function changingOf(parts: StandingParts, change: Change): Changing {
  const { store, clock, intents } = parts;
  const own = changeStanding(parts, change);
  return {
    pause: (userId, id, isPaused) =>
      own(userId, id, (order, person) => (isPaused ? { ...order, paused: "user" } : going(order, person))),
    resumeAll: async (userId) => {
      const resumed: StandingOrder[] = [];
      for (const { id, paused } of await rows.standingOrdersOf(store.db, userId)) {
        const order = paused === "address" ? await own(userId, id, going) : undefined;
        if (order !== undefined) resumed.push(order);
      }
      return resumed;
    },
    comeInQuietHours: (userId, id, comesInQuietHours) => own(userId, id, (order) => ({ ...order, comesInQuietHours })),
    moveToZone: async (userId) => {
      for (const { id } of await rows.standingOrdersOf(store.db, userId)) {
        await own(userId, id, (order, { timeZone }) => {
          if (!("schedule" in order.rule)) return order;
          const rule = { ...order.rule, schedule: { ...order.rule.schedule, zone: timeZone } };
          return { ...order, rule, endsAt: endsWhen(undefined, rule, clock.now()) };
        });
      }
    },
    end: async (userId, id) => {
      const order = await change(async (tx) => {
        const found = await rows.standingOrder(tx, id);
        if (found === undefined || found.userId !== userId) return undefined;
        await rows.deleteStanding(tx, found, clock.now());
        return found;
      });
      parts.watches.wake();
      const card = order?.card ?? null;
      if (card !== null) await intents.supersede(userId, card);
      return order !== undefined;
    },
  };
}

function isSameAs(one: StandingOrder, other: Pick<StandingOrder, "kind" | "request" | "rule">): boolean {
  const asked = ({ kind, request, rule }: typeof other) => [kind, request, "net" in rule ? rule : rule.schedule];
  return isDeepStrictEqual(asked(one), asked(other));
}
