import { Fault } from "../../fault.js";
import { isFinal, type Order } from "../../model/order.js";
import { createTurns } from "../../store/turns.js";
import { changePerson, personOf } from "../people.js";
import type { CommonParts } from "../common-parts.js";
import {
  watchedOrders,
  watcherOf,
  withoutWatcher,
  withWatcher,
  withWatcherChanged,
  type WatchedOrder,
} from "./watched-order.js";

/** One order that a person watches, as last known. */
export interface Watch {
  readonly order: Order;
  readonly isMuted: boolean;
  /** The latest moment from which these figures are certain, in milliseconds since 1970. */
  readonly seenAt: number;
  /** When the exchange first said that it doesn't know this order, in milliseconds since 1970; absent if it knows it. */
  readonly missingSince?: number;
}

/** Enough for a person, and few enough that nobody can use up the request budget alone. */
const MAX_WATCHES = 50;
const CHANGES_AT_ONCE = 16;
const isUnwatched = ({ watchers }: WatchedOrder) => watchers.length === 0;

/**
 * Who watches what. Each step is safe to repeat.
 * @param parts.follow hears of each document whose watchers have changed.
 * @param parts.changed hears of each document in which an alert may be due.
 */
export function createWatches(
  parts: Pick<CommonParts, "store" | "clock"> & {
    readonly follow: (document: WatchedOrder) => void;
    readonly seenAt: (orderId: string) => number | undefined;
    readonly changed: (document: WatchedOrder) => void;
  },
) {
  const { store, clock } = parts;
  /** A document that is being removed must not get a watcher in between. */
  const turns = createTurns(CHANGES_AT_ONCE);

  function change(orderId: string, step: (document: WatchedOrder) => WatchedOrder): Promise<WatchedOrder> {
    return turns.take(orderId, async () => {
      const after = await store.update(watchedOrders, orderId, (document) => {
        const next = step(document);
        return [next, next];
      });
      parts.follow(after);
      if (isUnwatched(after)) await store.remove(watchedOrders, orderId, isUnwatched);
      return after;
    });
  }

  async function find(userId: number, orderId: string): Promise<Watch | undefined> {
    const document = (await store.read(watchedOrders, orderId)) ?? watchedOrders.create(orderId);
    const { order, missingSince, isGone } = document;
    const watcher = watcherOf(document, userId);
    if (order === undefined || watcher === undefined || isGone === true) return undefined;
    const seenAt = parts.seenAt(orderId) ?? Math.max(watcher.since, document.pace?.changedAt ?? 0);
    return { order, isMuted: watcher.isMuted === true, seenAt, ...(missingSince !== undefined && { missingSince }) };
  }

  /** What is watched; ids of watches that have ended meanwhile are dropped from the person. */
  async function list(userId: number): Promise<readonly Watch[]> {
    const { watches: ids = [] } = await personOf(store, userId);
    const found = await Promise.all(ids.map((id) => find(userId, id)));
    const ended = ids.filter((_, index) => found[index] === undefined);
    if (ended.length > 0) await forget(userId, ended);
    return found.filter((watch) => watch !== undefined);
  }

  async function forget(userId: number, ended: readonly string[]): Promise<void> {
    await changePerson(store, userId, (person) => ({
      ...person,
      watches: (person.watches ?? []).filter((id) => !ended.includes(id)),
    }));
  }

  return {
    /** Watches an order that was just looked at and shown to the person. @throws Fault `watches-full`. */
    watch: async (userId: number, order: Order): Promise<"watching" | "over"> => {
      if (isFinal(order)) return "over";
      const others = (await list(userId)).filter(({ order: { id } }) => id !== order.id);
      if (others.length >= MAX_WATCHES) throw new Fault("watches-full", { maximum: MAX_WATCHES });
      // The person first: an id without a watch is dropped from the list, a watch without an id would be in no list.
      await changePerson(store, userId, (person) => {
        const watches = person.watches ?? [];
        return watches.includes(order.id) ? person : { ...person, watches: [...watches, order.id] };
      });
      parts.changed(await change(order.id, (document) => withWatcher(document, userId, order, clock.now())));
      return "watching";
    },
    unwatch: async (userId: number, orderId: string): Promise<void> => {
      await change(orderId, (document) => withoutWatcher(document, userId));
      await forget(userId, [orderId]);
    },
    mute: async (userId: number, orderId: string, isMuted: boolean): Promise<void> => {
      await change(orderId, (document) => withWatcherChanged(document, userId, { isMuted }));
    },
    /** What a person watches, the longest watched first. */
    list,
    /** Whether a person watches this order, and whether without sound. */
    find,
    /** Lets a person's watches rest, or wakes them. */
    rest: async (userId: number, isResting: boolean): Promise<void> => {
      const { watches = [] } = await personOf(store, userId);
      for (const id of watches) await change(id, (document) => withWatcherChanged(document, userId, { isResting }));
    },
    /** Changes who watches an order, or what they were told; one without watchers is removed. */
    change,
  };
}
