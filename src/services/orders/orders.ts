import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import type { Store } from "../../store/store.js";
import { writeNotice } from "../alerts/notice.js";
import type { Notice } from "../../model/notice.js";
import { createSender, type SenderParts } from "../alerts/sender.js";
import type { Exchange } from "../clients/exchange.js";
import { createOutage } from "./outage.js";
import type { PaceBounds } from "./pace.js";
import { usersToAlert, watchedOrders } from "./watched-order.js";
import { createWatcher, type Watcher } from "./watcher.js";
import { createWatches, type Watches } from "./watches.js";

/** Everything about exchange orders, put together: looking, watching, and alerts that are never lost. */
export interface Orders extends Pick<Watcher, "look">, Pick<Watches, "watch" | "unwatch" | "mute" | "list" | "find"> {
  /** Takes up what was watched and what is still to be told. */
  readonly start: () => Promise<void>;
  /** What waits stays in the store. Stop the pacer after it. */
  readonly stop: () => Promise<void>;
  /** Writes down something to tell a person, and tells it in its turn. */
  readonly notify: (userId: number, notice: Notice) => Promise<void>;
  /** Tells what was written among a person's notices. */
  readonly noticed: (userId: number) => void;
  /** To be called at each message of a person: if their watches rested, they go on, and what waited is told. */
  readonly wake: (userId: number) => Promise<void>;
}

export interface OrdersParts<Message> extends Omit<SenderParts<Message>, "rest"> {
  readonly store: Store;
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly log: Logger;
  readonly pace: PaceBounds & { readonly requestsPerSecond: number };
  readonly outageSeconds: number;
}

export function createOrders<Message>(parts: OrdersParts<Message>): Orders {
  const { store, exchange, clock, log, pace } = parts;
  const sender = createSender({ ...parts, rest: (userId) => watches.rest(userId) });
  const outage = createOutage({
    service: "exchange",
    seconds: parts.outageSeconds,
    store,
    clock,
    log,
    audience: () => awakeWatchers(store),
    noticed: (userId) => sender.offer(userId, "notices"),
  });
  const watcher = createWatcher({
    store,
    exchange,
    clock,
    log,
    pace,
    health: outage,
    changed: (document) => {
      for (const userId of usersToAlert(document)) sender.offer(userId, { order: document.id });
    },
  });
  const watches = createWatches({ store, clock, watcher });

  return {
    look: watcher.look,
    watch: watches.watch,
    unwatch: watches.unwatch,
    mute: watches.mute,
    list: watches.list,
    find: watches.find,
    start: async () => {
      await outage.start();
      await watcher.start();
      await sender.start();
    },
    stop: async () => {
      await watcher.stop();
      await outage.settled();
      await sender.stop();
    },
    notify: async (userId, notice) => {
      await writeNotice(store, userId, notice);
      sender.offer(userId, "notices");
    },
    noticed: (userId) => sender.offer(userId, "notices"),
    wake: async (userId) => {
      const orderIds = await watches.wake(userId);
      if (orderIds === undefined) return;
      for (const order of orderIds) sender.offer(userId, { order });
      sender.offer(userId, "notices");
    },
  };
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
