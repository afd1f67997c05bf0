import type { Person } from "../../model/person.js";
import type { Store } from "../../store/store.js";
import type { AddSource } from "../alerts/alerts.js";
import type { Notify } from "../alerts/notices.js";
import { alone, type Lead } from "../lead.js";
import type { Exchange } from "../clients/exchange.js";
import type { CommonParts } from "../common-parts.js";
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
  type OrderAlert,
  type WatchedOrder,
} from "./watched-order.js";
import { createWatches } from "./watches.js";

const TAKEN_UP_AT_ONCE = 8;

/** Everything about exchange orders, put together: looking, watching, and alerts that are never lost. */
export type Orders = ReturnType<typeof createOrders>;

export function createOrders<Message>(
  parts: CommonParts & {
    /** Nothing is polled but by the instance that leads. */
    readonly lead?: Lead;
    readonly exchange: Exchange;
    readonly pace: PaceBounds & { readonly requestsPerSecond: number };
    /** An outage shorter than this is reported to nobody. */
    readonly outageSeconds: number;
    readonly alerts: { readonly add: AddSource<Message> };
    readonly notify: Notify;
    readonly render: (alert: OrderAlert, person: Person) => Message;
  },
) {
  const { store, lead = alone, log } = parts;
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
        noteAsTold: () => watches.change(id, (now) => withAlertTold(now, userId, alert)),
      };
    },
    rest: (userId, isResting) => watches.rest(userId, isResting),
  });
  const outage = createOutage({ ...parts, lead, audience: () => awakeWatchers(store) });
  const changed = (document: WatchedOrder): void => {
    for (const userId of usersToAlert(document)) offer(userId, document.id);
  };
  /** What cannot be written now is seen again at the next poll or start, because nothing else has remembered it. */
  const change = (id: string, step: (document: WatchedOrder) => WatchedOrder): Promise<void> =>
    watches.change(id, step).then(changed, (error: unknown) => {
      log.error({ order: id, reason: error }, "A watched order could not be read or written");
    });
  const poller = createPoller({ ...parts, health: outage, change });
  const watches = createWatches({
    ...parts,
    follow: (document) => {
      if (lead.isLeading()) poller.follow(document);
      else lead.tell({ about: "order", id: document.id });
    },
    seenAt: poller.seenAt,
    changed,
  });
  const take = (id: string): Promise<void> => change(id, (document) => document);

  return {
    ...watches,
    look: poller.look,
    /** Takes up an order whose watchers another instance has changed. */
    take,
    /** Resumes the watches, and the alerts that are still due; does no harm again. */
    start: async (): Promise<void> => {
      await outage.start();
      const ids = (await store.ids(watchedOrders)).values();
      const takeUp = async (): Promise<void> => {
        for (const id of ids) await take(id);
      };
      await Promise.all(Array.from({ length: TAKEN_UP_AT_ONCE }, takeUp));
    },
    stop: async (): Promise<void> => {
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
