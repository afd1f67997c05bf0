import { Fault } from "../../fault.js";
import { isFinal, type Order } from "../../model/order.js";
import type { Person } from "../../model/person.js";
import type { Store } from "../../store/store.js";
import { createTurns } from "../../store/turns.js";
import type { AddSource } from "../alerts/alerts.js";
import type { Notify } from "../alerts/notices.js";
import type { Exchange } from "../clients/exchange.js";
import type { CommonParts } from "../common-parts.js";
import { changePerson, personOf } from "../people.js";
import { createOutage } from "./outage.js";
import type { PaceBounds } from "./pace.js";
import { createPoller } from "./poller.js";
import {
  alertFor,
  isOver,
  usersToAlert,
  watchedOrders,
  watcherOf,
  withAlertTold,
  withWatcher,
  withWatcherChanged,
  type OrderAlert,
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
const TAKEN_UP_AT_ONCE = 8;
const isUnwatched = ({ watchers }: WatchedOrder) => watchers.length === 0;

/** Everything about exchange orders: looking at them, who watches which, and alerts that are never lost. */
export type Orders = ReturnType<typeof createOrders>;

export function createOrders<Message>(
  parts: CommonParts & {
    readonly exchange: Exchange;
    readonly pace: PaceBounds & { readonly requestsPerSecond: number };
    /** An outage shorter than this is reported to nobody. */
    readonly outageSeconds: number;
    readonly alerts: { readonly add: AddSource<Message> };
    readonly notify: Notify;
    readonly render: (alert: OrderAlert, person: Person) => Message;
  },
) {
  const { store, clock, log } = parts;
  /** A document that is being removed must not get a watcher in between. */
  const turns = createTurns(CHANGES_AT_ONCE);
  const offer = parts.alerts.add({
    name: "order",
    keysOf: ({ watches = [] }) => watches,
    due: async (userId, person, id) => {
      const document = (await store.read(watchedOrders, id)) ?? watchedOrders.create(id);
      const watcher = watcherOf(document, userId);
      const alert = watcher && alertFor(document, watcher);
      if (alert === undefined) return undefined;
      return {
        message: parts.render(alert, person),
        kind: alert.about === "gone" ? "other" : alert.change.kind,
        isMuted: watcher?.isMuted === true,
        isLast: isOver(document),
        noteAsTold: () => change(id, (now) => withAlertTold(now, userId, alert)),
      };
    },
    rest: async (userId, isResting) => {
      const { watches = [] } = await personOf(store, userId);
      const rested = (document: WatchedOrder) =>
        withWatcherChanged(document, userId, (watcher) => ({ ...watcher, isResting }));
      for (const id of watches) await change(id, rested);
    },
  });
  const outage = createOutage({ ...parts, audience: () => awakeWatchers(store) });
  const poller = createPoller({ ...parts, health: outage, change: changeAndTell });

  /** Changes who watches an order, or what they were told. One without watchers is removed. */
  function change(id: string, step: (document: WatchedOrder) => WatchedOrder): Promise<WatchedOrder> {
    return turns.take(id, async () => {
      const after = await store.update(watchedOrders, id, (document) => {
        const next = step(document);
        return [next, next];
      });
      poller.follow(after);
      if (isUnwatched(after)) await store.remove(watchedOrders, id, isUnwatched);
      return after;
    });
  }

  /** What cannot be written now is seen again at the next poll or start, because nothing else has remembered it. */
  function changeAndTell(id: string, step: (document: WatchedOrder) => WatchedOrder): Promise<void> {
    return change(id, step).then(tell, (error: unknown) => {
      log.error({ order: id, reason: error }, "A watched order could not be read or written");
    });
  }

  function tell(document: WatchedOrder): void {
    for (const userId of usersToAlert(document)) offer(userId, document.id);
  }

  async function find(userId: number, orderId: string): Promise<Watch | undefined> {
    const document = (await store.read(watchedOrders, orderId)) ?? watchedOrders.create(orderId);
    const { order, missingSince, isGone } = document;
    const watcher = watcherOf(document, userId);
    if (order === undefined || watcher === undefined || isGone === true) return undefined;
    const seenAt = poller.seenAt(orderId) ?? Math.max(watcher.since, document.pace?.changedAt ?? 0);
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
    look: poller.look,
    /** Watches an order that was just looked at and shown to the person. Safe to repeat. @throws Fault `watches-full`. */
    watch: async (userId: number, order: Order): Promise<"watching" | "over"> => {
      if (isFinal(order)) return "over";
      const others = (await list(userId)).filter(({ order: { id } }) => id !== order.id);
      if (others.length >= MAX_WATCHES) throw new Fault("watches-full", { maximum: MAX_WATCHES });
      // The person first: an id without a watch is dropped from the list, a watch without an id would be in no list.
      await changePerson(store, userId, (person) => {
        const watches = person.watches ?? [];
        return watches.includes(order.id) ? person : { ...person, watches: [...watches, order.id] };
      });
      tell(await change(order.id, (document) => withWatcher(document, userId, order, clock.now())));
      return "watching";
    },
    unwatch: async (userId: number, orderId: string): Promise<void> => {
      await change(orderId, withoutWatcher(userId));
      await forget(userId, [orderId]);
    },
    unwatchAll: async (userId: number): Promise<void> => {
      const { watches = [] } = await personOf(store, userId);
      for (const id of watches) await change(id, withoutWatcher(userId));
      await forget(userId, watches);
    },
    mute: async (userId: number, orderId: string, isMuted: boolean): Promise<void> => {
      await change(orderId, (document) => withWatcherChanged(document, userId, (watcher) => ({ ...watcher, isMuted })));
    },
    /** What a person watches, the longest watched first. */
    list,
    /** Whether a person watches this order, and whether without sound. */
    find,
    /** Resumes the watches, and the alerts that are still due. */
    start: async (): Promise<void> => {
      await outage.start();
      const ids = (await store.ids(watchedOrders)).values();
      const takeUp = async (): Promise<void> => {
        for (const id of ids) await changeAndTell(id, (document) => document);
      };
      await Promise.all(Array.from({ length: TAKEN_UP_AT_ONCE }, takeUp));
    },
    stop: async (): Promise<void> => {
      await poller.stop();
      await outage.settled();
    },
  };
}

/** Removes all watches of somebody of whom nothing else is known, where no bot runs. */
export async function unwatchAll(store: Store, userId: number): Promise<void> {
  for (const id of await store.ids(watchedOrders)) {
    await store.update(watchedOrders, id, (document) => [withoutWatcher(userId)(document), undefined]);
    await store.remove(watchedOrders, id, isUnwatched);
  }
}

function withoutWatcher(userId: number): (document: WatchedOrder) => WatchedOrder {
  return (document) => withWatcherChanged(document, userId, () => undefined);
}

/** Everyone who watches an order and can be told. */
async function awakeWatchers(store: Store): Promise<readonly number[]> {
  const found = new Set<number>();
  for (const id of await store.ids(watchedOrders)) {
    const document = await store.read(watchedOrders, id);
    for (const { userId, isResting } of document?.watchers ?? []) if (isResting !== true) found.add(userId);
  }
  return [...found];
}
