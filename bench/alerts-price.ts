// The cost of 10,000 price alerts: requests to the quotation service per round of all alerts, on a virtual clock, and
// the time to compare an answer with every alert.
// Run from the root of the project: npx tsx bench/alerts-price.ts
import { amountOf } from "../src/encoding/amount.js";
import type { Rule } from "../src/services/price-watches/price-rule.js";
import { putAlert } from "../src/services/alerts/price-alert-queries.js";
import { createWorld, NOW } from "../test/services/alerts/price-alerts-world.js";
import { exit } from "node:process";
import { klv } from "../test/services/samples.js";

const ALERTS = 10_000;
const PRICE = 1_000_000_000n;

for (const questions of [1, 20, 100]) {
  const tokens = Array.from({ length: questions }, (_, index) => ({ ...klv, id: `TOK-${1000 + index}` }));
  const world = createWorld({ tokens: [klv, ...tokens] });
  const { store } = world.start();
  await store.write(async (tx) => {
    for (let index = 0; index < ALERTS; index += 1) {
      const question = { amount: amountOf(tokens[index % questions] ?? klv, 10_000_000n), out: klv };
      const rule: Rule = { way: "above", price: index % 100 === 0 ? "110" : "130" };
      const state = { rule, anchor: PRICE, comesInQuietHours: true, ended: null } as const;
      const begun = { id: `alert-${index}`, userId: 1 + Math.floor(index / 50), crossings: 0, told: 0, untold: [] };
      await putAlert(tx, { ...question, ...state, ...begun, endsAt: NOW + 86_400_000, endsFromNow: true }, NOW);
    }
  });
  // No alert triggers until the price rises below; then one in a hundred does.
  await world.clock.advance(60_000 + (questions / 2) * 1000);
  const asked = world.asked.length;
  const begun = performance.now();
  const rounds = 4;
  const round = Math.max(15, questions / 2);
  await world.clock.advance(rounds * round * 1000);
  const calm = (performance.now() - begun) / (world.asked.length - asked);
  const perRound = (world.asked.length - asked) / rounds;
  world.price = () => 1_200_000_000n;
  const before = performance.now();
  await world.clock.advance(2 * round * 1000);
  const crossed = performance.now() - before;
  console.log(
    `${ALERTS} alerts, ${questions} questions: ${perRound.toFixed(1)} requests in a round of ${round} s (at 2 a second); ` +
      `${calm.toFixed(2)} ms for an answer that crosses nothing; ${world.told.length} told in ${(crossed / 1000).toFixed(2)} s`,
  );
}

exit(0);
