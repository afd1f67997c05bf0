import { Counter, Gauge, Registry } from "prom-client";

export type Metrics = ReturnType<typeof createMetrics>;

/** What this process counts and reads, for Prometheus. */
export function createMetrics() {
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
  return {
    updatesHandled: new Counter({ name: "swapdesk_updates_handled_total", help: "Updates handled", registers }),
    updatesFailed: new Counter({
      name: "swapdesk_updates_failed_total",
      help: "Updates whose handler failed",
      registers,
    }),
    updatesUnderWay: new Gauge({ name: "swapdesk_updates_under_way", help: "Updates being handled", registers }),
    /** All of them in Prometheus' text form. */
    text: () => registry.metrics(),
  };
}
