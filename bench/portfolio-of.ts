import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Intent } from "../src/services/intent/intent.js";

/** How many trades are written at a time. */
const LOT = 100;

/** Portfolios by the sources in `folder`, over a store on disk; prices and balances are answered at once. */
export async function portfolioOf(folder: string, directory: string) {
  // Builds before 28 November 2026 have some of them elsewhere.
  const source = <Module>(...paths: readonly string[]) => {
    const found = paths.map((path) => resolve(folder, path)).find((path) => existsSync(path));
    return import(found ?? folder) as Promise<Module>;
  };
  const { systemClock } = await source<typeof import("../src/clock.js")>("src/clock.ts");
  const { amountOf } = await source<typeof import("../src/encoding/amount.js")>("src/encoding/amount.ts");
  const { callsAfter, countCalls } = await source<typeof import("../src/services/intent/queries.js")>(
    "src/services/intent/queries.ts",
  );
  const { insertIntent } = await source<typeof import("../src/services/intent/intent-row.js")>(
    "src/services/intent/intent-row.ts",
    "src/services/intent/row.ts",
  );
  const { createPortfolio } = await source<typeof import("../src/services/history/portfolio.js")>(
    "src/services/history/portfolio.ts",
    "src/services/portfolio/portfolio.ts",
  );
  const { openStore } = await source<typeof import("../src/store/sqlite.js")>("src/store/sqlite.ts");
  const { inLots } = await source<typeof import("../src/store/store.js")>("src/store/store.ts");
  const { intent, swapTerms } = await source<typeof import("../test/cards/arrange.js")>("test/cards/arrange.ts");
  const { alice, kfi, klv, person } =
    await source<typeof import("../test/services/samples.js")>("test/services/samples.ts");
  const store = openStore({ directory });
  const done = intent(swapTerms, "OK", { kind: "ok", returnData: ["26bf", "0efc3c"] });
  const portfolio = createPortfolio({
    balances: { known: async () => ({ KFI: 9_820_760_000n }) },
    holdings: { askable: ({ recentTokens }) => [...recentTokens], watched: async () => [] },
    intents: {
      count: (owner) => countCalls(store.db, owner),
      everything: (owner, from, most) =>
        inLots(most, (last: Intent | undefined) => callsAfter(store.db, owner, last ?? from)),
    },
    lock: { heldElsewhere: async () => undefined, open: async () => [], statusIfTold: async () => undefined },
    pools: { known: async () => undefined },
    rights: { known: () => Promise.resolve("untold") },
    swaps: { quote: async (_person, { to }) => ({ ...swapTerms, quotedOut: amountOf(to, 1n) }) },
    tokens: { named: () => kfi },
    store,
    clock: systemClock,
    settings: { referralPercentage: 1000, returnDataEncoding: "hex" },
  });

  return {
    store,
    /** Gives somebody with this id as many trades. */
    fill: async (trades: number): Promise<void> => {
      for (let from = 0; from < trades; from += LOT) {
        await store.write(async (tx) => {
          for (let at = from; at < from + LOT; at += 1) {
            const id = `id-${trades}-${at}`;
            await insertIntent(tx, { ...done, id, owner: trades, times: { CLAIMED: at, OK: at } });
          }
        });
      }
    },
    read: (userId: number) => portfolio({ userId, person: person() }, alice, klv),
  };
}
