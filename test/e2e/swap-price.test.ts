import { expect, it, onTestFinished } from "vitest";
import { findPair } from "../../sandbox/chain/state.js";
import { startHttpStub } from "../support/http-stub.js";
import { walletClock } from "../support/wallet-chat.js";
import { until } from "../support/until.js";
import { poolAddress } from "../services/market/pool-samples.js";
import { through } from "../support/launch-chat.js";
import { documentedWorld, labelsOf, sandboxDesk, type SandboxDesk, tradingDesk } from "../support/sandbox-desk.js";

/** Takes most of the KLV/KFI pool away, and leaves it paying 60 % less KFI for a KLV: the pools with DVK are deeper. */
function shift({ sandbox }: SandboxDesk): void {
  const { state } = sandbox.chain;
  const address = findPair(state, "KLV", "KFI")!;
  const pair = state.pairs.get(address)!;
  const left = (token: string, units: bigint) => (units * (token === "KFI" ? 4n : 10n)) / 100n;
  const reserveFirst = left(pair.firstToken, pair.reserveFirst);
  state.pairs.set(address, { ...pair, reserveFirst, reserveSecond: left(pair.secondToken, pair.reserveSecond) });
}

it("every way to a card warns of the loss at once if the pool's price has shifted by 60%", async () => {
  const { desk, alice } = await tradingDesk();
  const before = await alice.asks("/swap 100 KLV KFI");
  expect(before.text).toMatch(/^Swap KLV → KFI\nYou pay[^]*Price impact: 0\.01%/);
  const toConfirm = await alice.asks("/swap 200 KLV KFI");
  const toChange = await alice.asks("/swap 5 KLV KFI");
  const quoted = await alice.asks("/quote 100 KLV KFI");
  const misspelt = await alice.asks("/swap 100 KLV KFl");
  shift(desk);
  const warned =
    /^⛔ You would lose about 60\.\d+%\nSwap 100 KLV → KFI\nYou get about: 0\.392\d+ KFI\nRoute over DVK-34ZH, about: 0\.994295 KFI\nYour 100 KLV is worth: 1\.000314 KFI$/;

  expect((await alice.asks("/quote 100 KLV KFI")).text).toMatch(
    /⚠️ 60\.\d+% below the pool price \(about −0\.\d+ KFI\)/,
  );
  const line = await alice.asks("/swap 100 KLV KFI");
  expect(line.text).toMatch(warned);
  expect(labelsOf(line)).toEqual([
    "🔀 Show route: about 0.994295 KFI",
    "✖️ Cancel",
    expect.stringMatching(/^⚠️ Lose 0\.\d+ KFI and continue$/),
  ]);
  await alice.taps(before, "🔄 Refresh");
  await alice.sees(before, warned);
  await alice.taps(await alice.asks("/swap"), "KLV");
  await alice.taps(await alice.reads(/Which token do you want/), "KFI");
  await alice.taps(await alice.reads(/How much KLV/), "100");
  await alice.reads(warned);
  desk.sandbox.telegram.sendText(alice.id, "100", { replyTo: toChange.messageId });
  await alice.reads(warned);
  await alice.sees(toChange, /^Swap 5 KLV → KFI\nReplaced by a newer quote\. Nothing was sent\.$/);
  await alice.taps(quoted, "💱 Swap now");
  await alice.reads(warned);
  await alice.taps(misspelt, "KFI");
  await alice.reads(warned);
  // The card that replaces an outdated one.
  await alice.confirms(toConfirm, /price moved[^]*⛔ You would lose about 60\.\d+%/);
  // The same for a typed route.
  const named = await alice.asks("/multihop 100 KLV KFI DVK-34ZH");
  expect(named.text).toMatch(/⛔ You would lose about 60\.\d+%[^]*With a route you get about/);
  expect(desk.callsSent()).toEqual([]);

  // Accepting the loss leads to a card that shows it, and that can be confirmed.
  await alice.taps(line, "⚠️ Lose");
  const card = await alice.sees(
    line,
    /^Swap KLV → KFI\n⚠️ 60\.\d+% below the pool price \(about −0\.\d+ KFI\)\nYou pay: 100 KLV/,
  );
  // One loss, one figure: in the warning, on the button, and on the card after it.
  const [share, lost] = [/about (60\.\d+%)/.exec(line.text)?.[1], /Lose (.*) and/.exec(labelsOf(line).at(-1)!)?.[1]];
  expect(card.text).toContain(`⚠️ ${share} below the pool price (about −${lost})`);
  await alice.confirms(card, /not yet confirmed/);
  await alice.taps(await alice.asks("/repeat"), "100 KLV → KFI");
  await alice.reads(warned);
});

it.each([
  ["0.009018", /^⛔ You would lose about 99\.\d+%\nSwap 100 KLV → KFI\n[^]*Route over DVK-34ZH, about: 0\.994295 KFI/],
  ["109.3725", /^⚠️ Unrealistic quote: 110× the pool price\nSwap 100 KLV → KFI\n.* give only 0\.994295 KFI/],
])("a quotation that is off by a factor of 110 (%s) leads to a warning at once", async (amountOut, warned) => {
  const stub = await startHttpStub(() => ({ body: { amountOut } }));
  onTestFinished(() => stub.close());
  const { alice } = await tradingDesk({}, { QUOTATION_URL: stub.url });
  const card = await alice.asks("/swap 100 KLV KFI");
  expect(card.text).toMatch(warned);
  expect(card.keyboard?.flat().at(-1)?.text).toMatch(/^⚠️ (?:Lose .* and continue|Swap at this price anyway)$/);
  const price = /⚠️ .* (?:above the pools|the pool price)/;
  expect((await alice.asks("/quote 100 KLV KFI")).text).toMatch(price);
  expect((await alice.asks("kfi")).text).toMatch(price);
});

it("a swap's price impact is its own, not a better route's", async () => {
  const pair = {
    ...documentedWorld.pairs![0]!,
    address: poolAddress(7),
    firstToken: "KFI",
    secondToken: "USDT-2AB1",
    reserveFirst: "100000000",
    reserveSecond: "67000000",
    totalFeePercent: 1000,
  };
  const { alice } = await tradingDesk({ world: { ...documentedWorld, pairs: [...documentedWorld.pairs!, pair] } });
  const impacts: Record<string, string | undefined> = {};
  for (const line of ["100 KLV KFI", "4950 KLV KFI", "9900 KLV KFI", "400 KFI DVK", "10 KFI USDT"]) {
    impacts[line] = /Price impact: (.*)%/.exec((await alice.asks(`/quote ${line}`)).text)?.[1];
  }
  expect(impacts).toEqual({
    "100 KLV KFI": "0.01",
    "4950 KLV KFI": "0.02",
    "9900 KLV KFI": "0.04",
    "400 KFI DVK": "0.62",
    "10 KFI USDT": "9.01",
  });
});

it.each(["node is not ready yet to process VM Queries", "execution failed with timeout", "vm is closing"])(
  "while the node says “%s”, an extra confirmation is needed, and the pools are read again later",
  async (why) => {
    const desk = await sandboxDesk({ clock: walletClock() });
    let isReady = false;
    await through(desk, async ({ funcName = "" }, pass) => {
      if (isReady || !funcName.startsWith("get")) return pass();
      return { status: 400, body: { data: null, error: `executeQuery: ${why}`, code: "bad_request" } };
    });
    const alice = await desk.trader();
    shift(desk);
    const card = await alice.asks("/swap 100 KLV KFI");
    expect(card.text).toMatch(/⚠️ I can't check this price right now\n[^]*The pools can't be read/);
    expect(labelsOf(card)).not.toContain("✅ Confirm swap");
    expect((await alice.asks("/multihop 100 KLV KFI")).text).toMatch(/The node rejected/);
    isReady = true;
    await until(async () => (await alice.asks("/swap 100 KLV KFI")).text.includes("You would lose"));
    expect(desk.callsSent()).toEqual([]);
  },
);

it("a node without views leads to a warning without an extra confirmation", async () => {
  const desk = await sandboxDesk();
  await through(desk, async ({ funcName = "" }, pass) => {
    if (!funcName.startsWith("get")) return pass();
    return {
      body: { data: { data: { returnCode: "VMFunctionNotFound", returnData: null } }, error: "function not found" },
    };
  });
  const alice = await desk.trader();
  expect((await alice.asks("/swap 100 KLV KFI")).text).toMatch(/⚠️ I can't check this price right now\nYou pay/);
});
