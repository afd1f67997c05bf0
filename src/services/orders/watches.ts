import type { Clock } from "../../clock.js";
import { Fault } from "../../fault.js";
import type { Store } from "../../store/store.js";
import { people } from "../../model/person.js";
import { isFinal, type Order } from "../../model/order.js";
import {
  watchedOrders,
  watcherOf,
  withoutWatcher,
  withWatcher,
  withWatcherChanged,
  type WatchedOrder,
} from "./watched-order.js";
import type { Watcher } from "./watcher.js";

/** One order that a person watches, as it is known. */
export interface Watch {
  readonly order: Order;
  readonly isMuted: boolean;
  /** The exchange doesn't know this order at present, since then (milliseconds since 1970). */
  readonly missingSince?: number;
}

/** Who watches what. Each step is safe to repeat. */
export interface Watches {
  /**
   * Watches an order that was just looked at and shown to the person.
   * @throws Fault `watches-full`.
   */
  readonly watch: (userId: number, order: Order) => Promise<"watching" | "over">;
  readonly unwatch: (userId: number, orderId: string) => Promise<void>;
  readonly mute: (userId: number, orderId: string, isMuted: boolean) => Promise<void>;
  /** What a person watches, the longest watched first. */
  readonly list: (userId: number) => Promise<readonly Watch[]>;
  /** Whether a person watches this order, and whether without sound. */
  readonly find: (userId: number, orderId: string) => Promise<Watch | undefined>;
  /** Lets a person's watches rest: nothing can be sent to them. */
  readonly rest: (userId: number) => Promise<void>;
  /** Wakes them again; gives the orders' ids, or undefined when nothing rested. */
  readonly wake: (userId: number) => Promise<readonly string[] | undefined>;
}

/** Enough for a person, and few enough that nobody uses up the budget of requests alone. */
export const MAX_WATCHES = 50;

/** @param parts.watcher hears of each order whose watchers have changed. */
export function createWatches(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly watcher: Pick<Watcher, "refresh" | "takingUp">;
}): Watches {
  const { store, clock, watcher } = parts;

  async function change(orderId: string, step: (document: WatchedOrder) => WatchedOrder): Promise<void> {
    const busy = watcher.takingUp(orderId);
    // Not awaited in vain: nothing may come between this look and the update.
    if (busy !== undefined) await busy;
    await store.update(watchedOrders, orderId, (document) => [step(document), undefined]);
    await watcher.refresh(orderId);
  }

  async function idsOf(userId: number): Promise<readonly string[]> {
    return (await store.read(people, String(userId)))?.watches ?? [];
  }

  async function find(userId: number, orderId: string): Promise<Watch | undefined> {
    const document = await store.read(watchedOrders, orderId);
    const watcher = document === undefined ? undefined : watcherOf(document, userId);
    if (document?.order === undefined || watcher === undefined || document.isGone === true) return undefined;
    const { order, missingSince } = document;
    return { order, isMuted: watcher.isMuted === true, ...(missingSince !== undefined && { missingSince }) };
  }

  /** What is watched; ids of watches that have ended meanwhile are dropped from the person. */
  async function list(userId: number): Promise<readonly Watch[]> {
    const ids = await idsOf(userId);
    const found = await Promise.all(ids.map((id) => find(userId, id)));
    const ended = ids.filter((_, index) => found[index] === undefined);
    if (ended.length > 0) await forget(userId, ended);
    return found.filter((watch) => watch !== undefined);
  }

  async function forget(userId: number, ended: readonly string[]): Promise<void> {
    await store.update(people, String(userId), (person) => [
      { ...person, watches: (person.watches ?? []).filter((id) => !ended.includes(id)) },
      undefined,
    ]);
  }

  return {
    watch: async (userId, order) => {
      if (isFinal(order)) return "over";
      if ((await list(userId)).length >= MAX_WATCHES && !(await idsOf(userId)).includes(order.id)) {
        throw new Fault("watches-full", { maximum: MAX_WATCHES });
      }
      // The person first: an id without a watch is dropped from the list, a watch without an id would be in no list.
      await store.update(people, String(userId), (person) => {
        const watches = person.watches ?? [];
        return [watches.includes(order.id) ? person : { ...person, watches: [...watches, order.id] }, undefined];
      });
      await change(order.id, (document) => withWatcher(document, userId, order, clock.now()));
      return "watching";
    },
    unwatch: async (userId, orderId) => {
      await change(orderId, (document) => withoutWatcher(document, userId));
      await forget(userId, [orderId]);
    },
    mute: (userId, orderId, isMuted) =>
      change(orderId, (document) => withWatcherChanged(document, userId, { isMuted })),
    list,
    find,
    rest: async (userId) => {
      await store.update(people, String(userId), (person) => [
        person.restingSince === undefined ? { ...person, restingSince: clock.now() } : person,
        undefined,
      ]);
      for (const id of await idsOf(userId)) {
        await change(id, (document) => withWatcherChanged(document, userId, { isResting: true }));
      }
    },
    wake: async (userId) => {
      const person = await store.read(people, String(userId));
      if (person?.restingSince === undefined) return undefined;
      const ids = person.watches ?? [];
      for (const id of ids) await change(id, (document) => withWatcherChanged(document, userId, { isResting: false }));
      // Last, so that waking goes on after an interruption.
      await store.update(people, String(userId), ({ restingSince: _awake, ...rest }) => [rest, undefined]);
      return ids;
    },
  };
}
