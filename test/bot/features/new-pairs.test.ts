import { expect, it } from "vitest";
import { newPairsFeature } from "../../../src/bot/features/new-pairs.js";
import { countAsTold, publish, putWatch } from "../../../src/services/alerts/news-queries.js";
import { ANY_PAIR, newPairKind } from "../../../src/services/alerts/pair-readings.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { poolAddress, poolOf } from "../../services/market/pool-samples.js";
import { kfi, klv, person, silent, untoldRights } from "../../services/samples.js";

const KLV = 10n ** 6n;

it("tells hours later what a pair holds then, and what it held when it was found only beside that", async () => {
  const [clock, store] = [createVirtualClock(), createMemoryDisk().open()];
  const settings = { referralContract: poolAddress(8), routerContract: poolAddress(9) };
  const base = { settings, tokens: tokenListOf([klv, kfi]), store, clock, log: silent };
  const { topics = [] } = newPairsFeature({
    base: base as never,
    newPairs: {} as never,
    rights: untoldRights,
    pairFacts: async () => ({ pool: poolOf(3, ["KLV", KLV], ["KFI", 5n]), depth: KLV, locked: undefined }),
  });
  const key = { user_id: 1, subject: ANY_PAIR };
  const payload = await store.write(async (tx) => {
    await putWatch(tx, newPairKind, 1, { subject: ANY_PAIR, least: 100_000n * KLV });
    const what = { address: poolAddress(3), first: "KLV", second: "KFI", openedAt: clock.now() };
    const fresh = { subject: ANY_PAIR, before: 0n, units: 1_000_000n * KLV, begun: 1, what };
    await publish(tx, newPairKind, fresh, clock.now());
    return countAsTold(tx, newPairKind, key);
  });
  const due = await topics[0]!.render(store.db, { userId: 1, subject: ANY_PAIR, payload }, person());
  const { text } = due!.message as { readonly text: string };
  expect(text).toContain("Depth on either side: 1 KLV now; it was 1,000,000 KLV.");
});
