// The cost of a portfolio of 1,000, 10,000, 16,000 and 50,000 trades: its duration, also for each trade, and the longest
// wait of other users meanwhile. And that of a page of history. The trades are read from a store on disk, first as they
// ended, then packed; prices and balances are answered at once.
// Run from the root of the project: npx tsx bench/portfolio.ts
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { historyPage } from "../src/services/intent/queries.js";
import { packDue, toPack } from "../src/services/intent/intent-row.js";
import { MAX_CALLS } from "../src/services/history/portfolio.js";
import { READ_AT_ONCE } from "../src/store/store.js";
import { portfolioOf } from "./portfolio-of.js";

const [SIZES, ROUNDS] = [[1_000, 10_000, 16_000, 50_000], 5];
const PAGES = 20;

const directory = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
try {
  const { store, fill, read } = await portfolioOf(".", directory);
  for (const trades of SIZES) await fill(trades);
  for (let round = 1; round <= 2 * ROUNDS; round += 1) {
    if (round === ROUNDS + 1) {
      const left = () => toPack(store.db).where("pack_at", "is not", null).limit(1).executeTakeFirst();
      while ((await left()) !== undefined)
        await store.write((tx) => packDue(tx, 0, Number.MAX_SAFE_INTEGER, READ_AT_ONCE));
      console.log("packed:");
    }
    for (const trades of SIZES) {
      const delay = monitorEventLoopDelay({ resolution: 1 });
      const [begun, used] = [performance.now(), process.cpuUsage()];
      delay.enable();
      await read(trades);
      delay.disable();
      const took = performance.now() - begun;
      const { user, system } = process.cpuUsage(used);
      const page = process.cpuUsage();
      for (let time = 0; time < PAGES; time += 1) await historyPage(store.db, trades, 0, 8);
      const paged = process.cpuUsage(page);
      console.log(
        `${trades} trades: ${took.toFixed(0)} ms, ${((user + system) / 1e3).toFixed(0)} ms of the processor, ` +
          `${((user + system) / Math.min(trades, MAX_CALLS)).toFixed(0)} us a trade that is read; ` +
          `others waited ${(delay.percentile(99) / 1e6).toFixed(0)} ms in 99 of 100 cases, ${(delay.max / 1e6).toFixed(0)} at most; ` +
          `a page of history ${((paged.user + paged.system) / 1e3 / PAGES).toFixed(2)} ms`,
      );
    }
  }
  await store.close();
} finally {
  await rm(directory, { recursive: true, force: true });
}
