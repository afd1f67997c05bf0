import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { testDesk } from "../support/desk.js";
import { project } from "../support/process.js";
import { stopwatch } from "../support/stopwatch.js";
import { until } from "../support/until.js";

const SECONDS = 10;
const CONFIRMS_A_SECOND = 10;

it("with 10 ms added to every sync and ten confirms a second, 95 % of /help answers take less than 100 ms", async () => {
  const desk = await testDesk({
    NODE_OPTIONS: `--import ${join(project, "test/support/broken-sync.mjs")}`,
    SYNC_MS: "10",
    LOG_LEVEL: "warn",
  });
  const traders = await Promise.all(Array.from({ length: SECONDS * CONFIRMS_A_SECOND }, () => desk.trader()));
  const cards = await Promise.all(
    traders.map((person) => {
      person.says("/swap 100 KLV KFI");
      return person.reads(/You pay: 100 KLV/);
    }),
  );
  const asking = desk.stranger();
  const waits: number[] = [];
  const end = performance.now() + SECONDS * 1000;
  const confirming = (async () => {
    for (const [index, person] of traders.entries()) {
      person.taps(cards[index]!, "✅ Confirm");
      await sleep(1000 / CONFIRMS_A_SECOND);
    }
  })();
  while (performance.now() < end) {
    const before = asking.transcript().length;
    const took = stopwatch(desk.program().pid);
    asking.says("/help");
    await until(() => asking.transcript().length > before);
    waits.push(took());
    await sleep(20);
  }
  await confirming;
  await Promise.all(traders.map((person, index) => person.sees(cards[index]!, /not yet confirmed/)));
  const sorted = waits.toSorted((one, other) => one - other);
  process.stdout.write(
    `slow disk: ${waits.length} replies, p50 ${sorted[Math.floor(waits.length / 2)]!.toFixed(0)} ms, p95 ${sorted[Math.floor(waits.length * 0.95)]!.toFixed(0)} ms, max ${sorted.at(-1)!.toFixed(0)}\n`,
  );
  expect(sorted[Math.floor(waits.length * 0.95)]).toBeLessThan(100);
  expect(desk.services.calls()).toHaveLength(traders.length);
});
