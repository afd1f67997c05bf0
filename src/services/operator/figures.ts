import { repeat } from "../../clock.js";
import { collectionOf } from "../../store/defaults.js";
import type { Waiting } from "../alerts/alerts.js";
import type { ServiceHealth } from "../clients/health.js";
import { alone } from "../lead.js";
import type { OperatorParts } from "./parts.js";

/** How busy the bot is, over all instances, and how services answer. */
export interface Figures {
  readonly updates: Waiting;
  readonly alerts: Waiting;
  readonly services: readonly ServiceHealth[];
}

/** What only the instance that leads knows: the alerts, and the orders' service. */
type LeadersFigures = Omit<Figures, "updates">;
const nothing: LeadersFigures = { alerts: { count: 0, oldestMilliseconds: 0 }, services: [] };
const figures = collectionOf("figures", { version: 1, ...nothing });

const LEADER = "leader";
const TELL_EVERY_MILLISECONDS = 2_000;

/** The figures of all instances, which the one that leads writes down for the others every two seconds. */
export function createFigures(
  parts: Pick<OperatorParts, "alerts" | "clock" | "lead" | "log" | "services" | "store" | "updates">,
) {
  const { store, lead, clock, log } = parts;
  const own = (): LeadersFigures => ({ alerts: parts.alerts(), services: parts.services() });
  return {
    read: async (): Promise<Figures> => {
      const told = lead.isLeading() ? undefined : await store.read(figures, LEADER);
      const { alerts, services } = told ?? own();
      return { updates: await parts.updates(), alerts, services };
    },
    tellOthers: async (signal: AbortSignal): Promise<void> => {
      if (lead === alone) return;
      const tell = async () =>
        lead.isLeading() && store.update(figures, LEADER, (now) => [{ ...now, ...own() }, undefined]);
      await repeat(clock, TELL_EVERY_MILLISECONDS, signal, tell, (error) => {
        log.warn({ reason: error }, "Other instances could not be told how busy this one is");
      });
    },
  };
}
