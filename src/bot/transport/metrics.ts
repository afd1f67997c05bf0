import { Counter, Gauge, Registry } from "prom-client";
import { systemClock, type Clock } from "../../clock.js";
import type { Waiting } from "../../services/alerts/alerts.js";

export type Metrics = ReturnType<typeof createMetrics>;

/** What this process counts and reads, for Prometheus. */
export function createMetrics(clock: Pick<Clock, "monotonic"> = systemClock) {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Resident memory",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: "process_uptime_seconds",
    help: "Time since the process began",
    registers,
    collect() {
      this.set(process.uptime());
    },
  });
  /** In the order in which they came. */
  const underWay = new Set<{ readonly since: number }>();
  new Gauge({
    name: "swapdesk_updates_under_way",
    help: "Updates being handled",
    registers,
    collect() {
      this.set(underWay.size);
    },
  });
  const updatesHandled = new Counter({ name: "swapdesk_updates_handled_total", help: "Updates handled", registers });
  return {
    /** An update has come; gives what is to be called when it was handled, whatever came of it. */
    updateBegins: () => {
      const update = { since: clock.monotonic() };
      underWay.add(update);
      return () => {
        underWay.delete(update);
        updatesHandled.inc();
      };
    },
    updates: {
      waiting: (): Waiting => {
        const [oldest] = underWay;
        const oldestMilliseconds = oldest === undefined ? 0 : clock.monotonic() - oldest.since;
        return { count: underWay.size, oldestMilliseconds };
      },
    },
    updatesFailed: new Counter({
      name: "swapdesk_updates_failed_total",
      help: "Updates whose handler failed",
      registers,
    }),
    /** All of them in Prometheus' text form. */
    text: () => registry.metrics(),
  };
}
