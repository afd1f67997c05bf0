/** Counts and readings of this process in Prometheus' text form. */
export interface Metrics {
  readonly count: (name: string) => void;
  /** A value that is read when it is asked for. */
  readonly gauge: (name: string, read: () => number) => void;
  readonly text: () => string;
}

export function createMetrics(): Metrics {
  const counters = new Map<string, number>();
  const gauges = new Map<string, () => number>([
    ["process_resident_memory_bytes", () => process.memoryUsage.rss()],
    ["process_uptime_seconds", () => process.uptime()],
  ]);
  const line = (type: string, name: string, value: number) => `# TYPE ${name} ${type}\n${name} ${value}\n`;
  return {
    count: (name) => void counters.set(name, (counters.get(name) ?? 0) + 1),
    gauge: (name, read) => void gauges.set(name, read),
    text: () =>
      [
        ...[...counters].map(([name, value]) => line("counter", name, value)),
        ...[...gauges].map(([name, read]) => line("gauge", name, read())),
      ].join(""),
  };
}
