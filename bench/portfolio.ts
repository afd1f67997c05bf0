// The cost of a portfolio of 1,000, 10,000, 16,000 and 50,000 trades: its duration, also for each trade, and the longest
// wait of other users meanwhile. And that of a page of history. The trades are read from a store on disk, first as they
// ended, then packed; prices and balances are answered at once.
// Run from the root of the project: npx tsx bench/portfolio.ts
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { systemClock } from "../src/clock.js";
import { amountOf } from "../src/encoding/amount.js";
import { callsAfter, countCalls, historyPage } from "../src/services/intent/queries.js";
import type { Intent } from "../src/services/intent/intent.js";
import { insertIntent, packDue, toPack } from "../src/services/intent/intent-row.js";
import { createPortfolio, MAX_CALLS } from "../src/services/history/portfolio.js";
import { openStore } from "../src/store/sqlite.js";
import { inLots, READ_AT_ONCE } from "../src/store/store.js";
import { intent, swapTerms } from "../test/cards/arrange.js";
import { alice, kfi, klv, person } from "../test/services/samples.js";

const [SIZES, ROUNDS] = [[1_000, 10_000, 16_000, 50_000], 5];
const PAGES = 20;

const directory = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
try {
  const store = openStore({ directory });
  const done = intent(swapTerms, "OK", { kind: "ok", returnData: ["26bf", "0efc3c"] });
  for (const trades of SIZES) {
    for (let from = 0; from < trades; from += READ_AT_ONCE) {
      await store.write(async (tx) => {
        for (let at = from; at < from + READ_AT_ONCE; at += 1) {
          const id = `id-${trades}-${at}`;
          await insertIntent(tx, { ...done, id, owner: trades, times: { CLAIMED: at, OK: at } });
        }
      });
    }
  }
  const portfolio = createPortfolio({
    balances: { known: async () => ({ KFI: 9_820_760_000n }) },
    holdings: { askable: ({ recentTokens }) => [...recentTokens] },
    intents: {
      count: (owner) => countCalls(store.db, owner),
      everything: (owner, from, most) =>
        inLots(most, (last: Intent | undefined) => callsAfter(store.db, owner, last ?? from)),
    },
    lock: { heldElsewhere: async () => undefined, open: async () => [], statusIfTold: async () => undefined },
    pools: { known: async () => undefined },
    swaps: { quote: async (_person, { to }) => ({ ...swapTerms, quotedOut: amountOf(to, 1n) }) },
    tokens: { named: () => kfi },
    store,
    clock: systemClock,
    settings: { referralPercentage: 1000, returnDataEncoding: "hex" },
  });
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
      await portfolio({ userId: trades, person: person() }, alice, klv);
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
