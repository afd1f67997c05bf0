/** Counts and readings of this process in Prometheus' text form. */
export interface Metrics {
  /** A count that begins at zero, and the function that raises it by one. */
  readonly counter: (name: string) => () => void;
  /** A value that is read when it is asked for. */
  readonly gauge: (name: string, read: () => number) => void;
  readonly text: () => string;
}

export function createMetrics(): Metrics {
  const values = new Map<string, { readonly type: "counter" | "gauge"; readonly read: () => number }>();
  const gauge = (name: string, read: () => number) => void values.set(name, { type: "gauge", read });
  gauge("process_resident_memory_bytes", () => process.memoryUsage.rss());
  gauge("process_uptime_seconds", () => process.uptime());
  return {
    counter: (name) => {
      let count = 0;
      values.set(name, { type: "counter", read: () => count });
      return () => {
        count++;
      };
    },
    gauge,
    text: () => [...values].map(([name, { type, read }]) => `# TYPE ${name} ${type}\n${name} ${read()}\n`).join(""),
  };
}
