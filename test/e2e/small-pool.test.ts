import { expect, it } from "vitest";
import { poolAddress } from "../services/market/pool-samples.js";
import { defaultWorld, people, tradingDesk } from "../support/sandbox-desk.js";

/** 100,000 DVK and 100 USDT: 35 % off the market, and less than 0.1 % of what the other pools hold. */
const small = {
  ...defaultWorld.pairs![0]!,
  address: poolAddress(7),
  firstToken: "DVK-34ZH",
  secondToken: "USDT-2AB1",
  reserveFirst: "100000000000",
  reserveSecond: "100000000",
  totalFeePercent: 300,
};

/** What people read in this world: their totals, and the cards of small trades through other pools. */
async function readIn(world: typeof defaultWorld) {
  const { desk, alice } = await tradingDesk({ world });
  const bob = desk.person(people.bob);
  await bob.asks(`/wallet ${desk.address("Bob")}`);
  const totals: string[] = [];
  for (const person of [alice, bob]) {
    for (const command of ["/start", "/portfolio", "/portfolio USDT-2AB1"]) {
      const { text } = await person.asks(command);
      totals.push(/Total(?: value)?: (?:about )?([0-9,.]+ [A-Z0-9-]+)/.exec(text)?.[1] ?? text);
    }
  }
  const cards: string[] = [];
  for (const line of [
    "/swap 1 KFI KLV",
    "/swap 1 KLV KFI",
    "/swap 10 KLV USDT-2AB1",
    "/swap 0.1 USDT-2AB1 KLV",
    "KFI",
  ]) {
    cards.push((await bob.asks(line)).text);
  }
  return { totals, cards };
}

it("a pool of 100 USDT that is 35 % off moves nobody's total, and warns nobody", async () => {
  const before = await readIn(defaultWorld);
  const after = await readIn({ ...defaultWorld, pairs: [...defaultWorld.pairs!, small] });
  expect(before.totals.filter((total) => !/^[0-9,.]+ [A-Z]/.test(total))).toEqual([]);
  expect(after.totals).toEqual(before.totals);
  for (const text of after.cards) expect(text).not.toMatch(/⚠️|⛔/);
  // The route through it is offered, with a word.
  expect(after.cards[0]).toMatch(
    /\nRoute over KLV, DVK-34ZH, USDT-2AB1: 14\d\.\d+ KLV \(unusual: one pool's price is far off\)\n/,
  );
  expect(after.cards[0]).toMatch(/\nTotal cost: 1\.3% \([0-9.]+ KLV\)\n/);
}, 60_000);
