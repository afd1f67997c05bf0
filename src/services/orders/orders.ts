import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import type { Person } from "../../model/person.js";
import type { Store } from "../../store/store.js";
import type { Alerts } from "../alerts/alerts.js";
import { alone, type Lead } from "../lead.js";
import { describeError } from "../telegram-errors.js";
import type { Exchange } from "../clients/exchange.js";
import { createOutage } from "./outage.js";
import type { PaceBounds } from "./pace.js";
import { createPoller, type Poller, type PollerParts } from "./poller.js";
import {
  alertFor,
  isLast,
  kindOf,
  usersToAlert,
  watchedOrders,
  watcherOf,
  withAlertTold,
  type OrderAlert,
  type WatchedOrder,
} from "./watched-order.js";
import { createWatches, type Watches } from "./watches.js";

/** Everything about exchange orders, put together: looking, watching, and alerts that are never lost. */
export interface Orders extends Pick<Poller, "look">, Pick<Watches, "watch" | "unwatch" | "mute" | "list" | "find"> {
  /** Resumes the watches, and the alerts that are still due; does no harm again. */
  readonly start: () => Promise<void>;
  /** Takes up an order whose watchers another instance has changed. */
  readonly take: (orderId: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface OrdersParts<Message> {
  readonly store: Store;
  /** Nothing is polled but by the instance that leads. */
  readonly lead?: Lead;
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly log: Logger;
  readonly pace: PaceBounds & { readonly requestsPerSecond: number };
  readonly outageSeconds: number;
  readonly alerts: Pick<Alerts<Message>, "add">;
  /** Hears of each person for whom a notice waits. */
  readonly noticed: (userId: number) => void;
  readonly render: (alert: OrderAlert, person: Person) => Message;
}

const TAKEN_UP_AT_ONCE = 8;

export function createOrders<Message>(parts: OrdersParts<Message>): Orders {
  const { store, lead = alone, log } = parts;
  const offer = parts.alerts.add({
    name: "order",
    keysOf: ({ watches = [] }) => watches,
    due: async (userId, person, id) => {
      const document = await store.read(watchedOrders, id);
      const alert = document === undefined ? undefined : alertFor(document, userId);
      if (document === undefined || alert === undefined) return undefined;
      return {
        message: parts.render(alert, person),
        kind: kindOf(alert),
        isMuted: watcherOf(document, userId)?.isMuted === true,
        isLast: isLast(alert),
        noteAsTold: () => watches.change(id, (now) => withAlertTold(now, userId, alert)),
      };
    },
    rest: (userId, isResting) => watches.rest(userId, isResting),
  });
  const outage = createOutage({
    ...parts,
    service: "exchange",
    seconds: parts.outageSeconds,
    audience: () => awakeWatchers(store),
  });
  const changed = (document: WatchedOrder): void => {
    for (const userId of usersToAlert(document)) offer(userId, document.id);
  };
  const health: PollerParts["health"] = {
    succeeded: () => {
      if (lead.isLeading()) outage.succeeded();
    },
    failed: (hold) => {
      if (lead.isLeading()) outage.failed(hold);
    },
  };
  const poller = createPoller({ ...parts, health, changed });
  const watches = createWatches({
    ...parts,
    follow: (document) => {
      if (lead.isLeading()) poller.follow(document);
      else lead.tell({ about: "order", id: document.id });
    },
    seenAt: poller.seenAt,
    changed,
  });
  const take = async (id: string): Promise<void> => {
    await watches
      .change(id, (document) => document)
      .then(changed, (error: unknown) => {
        log.error({ order: id, reason: describeError(error) }, "A watch could not be resumed");
      });
  };

  return {
    ...watches,
    look: poller.look,
    take,
    start: async () => {
      await outage.start();
      const ids = (await store.ids(watchedOrders)).values();
      const takeUp = async (): Promise<void> => {
        for (const id of ids) await take(id);
      };
      await Promise.all(Array.from({ length: TAKEN_UP_AT_ONCE }, takeUp));
    },
    stop: async () => {
      await poller.stop();
      await outage.settled();
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
