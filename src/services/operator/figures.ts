import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import { collectionOf } from "../../store/defaults.js";
import type { Store } from "../../store/store.js";
import type { Waiting } from "../alerts/alerts.js";
import type { ServiceHealth } from "../clients/health.js";
import { alone, type Lead } from "../lead.js";
import { describeError } from "../telegram-errors.js";

/** How busy the bot is, over all instances, and how services answer. */
export interface Figures {
  readonly updates: Waiting;
  readonly alerts: Waiting;
  readonly services: readonly ServiceHealth[];
}

/** What only the instance that leads knows: the alerts, and the orders' service. */
interface LeadersFigures extends Omit<Figures, "updates"> {
  readonly version: 1;
}

const nothing: LeadersFigures = { version: 1, alerts: { count: 0, oldestMilliseconds: 0 }, services: [] };

const figures = collectionOf("figures", nothing);

const LEADER = "leader";
const TELL_EVERY_MILLISECONDS = 2_000;

/** The figures of all instances, which the one that leads writes down for the others every two seconds. */
export function createFigures(parts: {
  readonly store: Store;
  readonly lead: Pick<Lead, "isLeading">;
  readonly clock: Clock;
  readonly log: Logger;
  /** Of all instances. */
  readonly updates: () => Waiting | Promise<Waiting>;
  readonly alerts: () => Waiting;
  readonly services: () => readonly ServiceHealth[];
}): { readonly read: () => Promise<Figures>; readonly tellOthers: (signal: AbortSignal) => Promise<void> } {
  const { store, lead, clock, log } = parts;
  const own = (): LeadersFigures => ({ ...nothing, alerts: parts.alerts(), services: parts.services() });
  return {
    read: async () => {
      const [updates, told] = await Promise.all([
        parts.updates(),
        lead.isLeading() ? undefined : store.read(figures, LEADER),
      ]);
      const { alerts, services } = told ?? own();
      return { updates, alerts, services };
    },
    tellOthers: async (signal) => {
      while (lead !== alone && !signal.aborted) {
        const telling = lead.isLeading() && store.update(figures, LEADER, () => [own(), undefined]);
        await Promise.resolve(telling).catch((error: unknown) => {
          log.warn({ reason: describeError(error) }, "Other instances could not be told how busy this one is");
        });
        await clock.sleep(TELL_EVERY_MILLISECONDS, signal).catch(() => undefined);
      }
    },
  };
}
