import type { Transaction } from "../../store/store.js";
import { personIn, type Person } from "../person/person.js";
import { quietUntil } from "../person/quiet-hours.js";
import { movedTo } from "./schedule.js";
import { closeCalls, type Change, type EndingParts } from "./standing-ends.js";
import { scheduleEnd } from "./standing-preview.js";
import * as rows from "./standing-queries.js";
import type { StandingOrder } from "./standing-queries.js";

/** @returns the order afterwards; undefined if the user has none with this id, or it has ended. */
export function changeStanding({ clock }: Pick<EndingParts, "clock">, change: Change) {
  type Next = (order: StandingOrder, person: Person, tx: Transaction) => StandingOrder | Promise<StandingOrder>;
  return (userId: number, id: string, next: Next) =>
    change(async (tx) => {
      const order = await rows.standingOrder(tx, id);
      if (order === undefined || order.userId !== userId || order.ended !== null) return undefined;
      const after = await next(order, await personIn(tx, userId), tx);
      await rows.putStandingOrder(tx, after, clock.now(), clock.now());
      return after;
    });
}

/** An order that goes on: nothing holds it, and it keeps the address of now. */
export function going(order: StandingOrder, { wallet }: Person): StandingOrder {
  return { ...order, held: null, heldTold: [], paused: null, payout: wallet?.address ?? order.payout, askAt: null };
}

/** Pausing and resuming orders, and what they do in quiet hours. */
export interface ChangingOrders {
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
  /** The same of an exit's targets: by themselves, only its floor comes. */
  readonly targetsComeAtNight: ChangingOrders["comeInQuietHours"];
  /** Its card is closed, if it came in quiet hours, and the order asks at their end. @returns as `comeInQuietHours`. */
  readonly waitUntilMorning: (userId: number, id: string) => Promise<StandingOrder | undefined>;
  /** Moves regular orders to their owner's zone: the same hours, by its clocks. */
  readonly moveToZone: (userId: number) => Promise<void>;
  /** Notes that a card was opened for a purchase whose own card something held. */
  readonly noteTaken: (
    userId: number,
    id: string,
    taken: { readonly n: number; readonly card: string },
  ) => Promise<unknown>;
}

/** Pausing, resuming, moving and ending orders. */
export function changingOf(parts: EndingParts, change: Change): ChangingOrders {
  const { store, clock } = parts;
  const own = changeStanding(parts, change);
  return {
    pause: async (userId, id, isPaused) => {
      const order = await own(userId, id, (order, person) =>
        isPaused ? { ...order, paused: "user" } : going(order, person),
      );
      if (isPaused && order !== undefined) await closeCalls(parts, userId, id, []);
      return order;
    },
    resumeAll: async (userId) => {
      const resumed: StandingOrder[] = [];
      for (const { id, paused } of await rows.standingOrdersOf(store.db, userId)) {
        const order = paused === "address" ? await own(userId, id, going) : undefined;
        if (order !== undefined) resumed.push(order);
      }
      return resumed;
    },
    comeInQuietHours: (userId, id, comesInQuietHours) => own(userId, id, (order) => ({ ...order, comesInQuietHours })),
    targetsComeAtNight: (userId, id, comesAtNight) =>
      own(userId, id, (order) =>
        "targets" in order.rule ? { ...order, rule: { ...order.rule, comesAtNight } } : order,
      ),
    waitUntilMorning: async (userId, id) => {
      const came = (await rows.standingOrder(store.db, id))?.card ?? null;
      const order = await own(userId, id, ({ card, ...before }, person) => {
        const isClosed = came !== null && card === came && quietUntil(person, clock.now()) !== undefined;
        const asked = isClosed ? { card: null, held: null, askAt: clock.now() } : { card };
        return { ...before, comesInQuietHours: false, ...asked };
      });
      if (came !== null && order?.card === null) await parts.intents.cancel(userId, came);
      return order;
    },
    noteTaken: (userId, id, { n, card }) =>
      own(userId, id, (order) =>
        order.n === n || order.n === n + 1 ? { ...order, n: n + 1, card, held: null, askAt: null, failures: 0 } : order,
      ),
    moveToZone: async (userId) => {
      for (const { id } of await rows.standingOrdersOf(store.db, userId)) {
        await own(userId, id, (order, { timeZone }) => {
          if (!("schedule" in order.rule)) return order;
          const { schedule, begins } = order.rule;
          const moved = movedTo(timeZone, schedule, order.n - begins, clock.now());
          const rule = { schedule: moved, begins };
          return { ...order, rule, endsAt: scheduleEnd(moved), held: null, askAt: null, failures: 0 };
        });
      }
    },
  };
}
