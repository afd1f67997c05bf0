import { describe, expect, it, test } from "vitest";
import { withIssuers } from "../../sandbox/issuers.js";
import type { Address } from "../../sandbox/chain/address.js";
import { asRead } from "../support/as-read.js";
import { readCsv } from "../support/read-csv.js";
import { defaultWorld, documentedWorld, nextFile, sandboxDesk, speaksPortuguese } from "../support/sandbox-desk.js";
import type { SandboxDesk } from "../support/sandbox-desk.js";
import type { SandboxPerson } from "../support/sandbox-desk.js";
import { signing, walletClock } from "../support/wallet-chat.js";

const moon = "MOON-4R7T";
const moonPair = "klv1qqqqqqqqqqqqqpgq6vhgneplnt64p2cxvx7pwukd9zpauwv5aa9q2xn9dj" as Address;
const world = withIssuers(defaultWorld);
const text = (units: bigint) =>
  `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, "0")}`.replace(/0+$/, "");
const shown = (units: bigint) => text(units).replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ",");
/** Of a decimal with at most six places. */
const unitsOf = (amount: string) => {
  const [whole = "0", part = ""] = amount.split(".");
  return BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, "0"));
};
const fileOf = async (desk: SandboxDesk, alice: SandboxPerson, line: string) =>
  readCsv(await (await nextFile(desk, alice, async () => alice.says(line))).text());

/** Shares of MOON's two bands, each rounded down, as its issuer set them: 5% of 1,000, 2% of what is beyond. */
const shareOn = (sent: bigint) =>
  sent <= 1_000_000_000n ? (sent * 5n) / 100n : 50_000_000n + ((sent - 1_000_000_000n) * 2n) / 100n;

describe("a sale of all of a token with a royalty", () => {
  it("says on its face, receipt, gain, week and in each file what left the account, to the unit", async () => {
    const desk = await sandboxDesk({ world });
    const alice = await desk.trader();
    const start = alice.holds()["KLV"]!;
    const asked = await alice.asks(
      `/swap 1000 KLV ${moon}`,
      /Selling it all again would cost [0-9.]+ MOON-4R7T \+ 3 KLV/,
    );
    await alice.taps(asked, "⚠️ Buy anyway");
    const buying = await alice.sees(asked, /You get about/);
    expect(asRead(buying.text)).toMatch(/\nRoyalty when you sell: 2\.3497\d+ MOON-4R7T \+ 3 KLV\n/);
    await alice.confirms(buying, /Swap completed/);
    const { [moon]: held = 0n, KLV: before = 0n } = alice.holds();
    // By the reserves after the purchase: 10 KLV are the bot's fee in MOON, 0.3% the pool's.
    const { reserveFirst, reserveSecond } = desk.sandbox.chain.state.pairs.get(moonPair)!;
    const sent = ((held + 1n) * 10_000n + 10_499n) / 10_500n - 1n;
    const share = shareOn(sent);
    const card = await alice.asks(`/swap max ${moon} KLV`, /You get about/);
    const up = (units: bigint) => (units * reserveFirst + reserveSecond - 1n) / reserveSecond;
    const out = (sent * 99_700n * reserveFirst) / (reserveSecond * 100_000n + sent * 99_700n);
    const net = out - out / 100n;
    const total = up(sent + share) + 3_000_000n - net;
    const face = asRead(card.text);
    expect(face).toMatch(`\nYou pay: ${text(sent + share)} ${moon} + 3 KLV\n`);
    expect(face).toMatch(`\nRoyalty to the issuer: ${text(share)} ${moon} + 3 KLV (included)\n`);
    expect(face).toMatch(`\n⚠️ Total cost: 6.29% (${text(total)} KLV)\n`);
    expect(face).toContain(
      `Of the ${text(total)} KLV: ${text(up(sent) - out)} pools + ${text(out / 100n)} bot fee + ${text(up(sent + share) - up(sent) + 3_000_000n)} royalty`,
    );

    const done = await alice.confirms(card, /Swap completed/);
    const after = alice.holds();
    const [left, got] = [held - (after[moon] ?? 0n), after["KLV"]! - before];
    expect([left, got]).toEqual([sent + share, net - 3_000_000n]);
    expect(asRead(done.text)).toMatch(
      `You paid: ${text(left)} ${moon} + 3 KLV\nRoyalty to the issuer: ${text(share)} ${moon} + 3 KLV`,
    );
    const receipt = asRead((await alice.asks("/receipt")).text);
    expect(receipt).toMatch(`You paid: ${text(left)} ${moon} + 3 KLV\n`);
    expect(receipt).toMatch(`\nTotal cost: 6.29% (${text(total)} KLV)\n`);

    // All that was bought is sold, so that the gain is what the account lost.
    const loss = start - after["KLV"]!;
    expect(loss).toBe(1_000_000_000n - (net - 3_000_000n));
    const gain = `−${shown(loss)} KLV`;
    expect(asRead((await alice.asks("/portfolio")).text)).toMatch(`Realised gain: ${gain}`);
    expect(asRead((await alice.asks("/week")).text)).toMatch(`Gain from sales: ${gain}`);

    const calls = await fileOf(desk, alice, "/history csv");
    expect(calls.at(-1)).toMatchObject({
      paid: text(left),
      paid_token: moon,
      besides: "3",
      besides_token: "KLV",
      received: text(net),
      royalty: `${text(share)} + 3`,
      royalty_token: `${moon} + KLV`,
      royalty_said: "",
    });
    const koinly = await fileOf(desk, alice, "/history koinly");
    const [trade, fixed] = koinly.filter(({ Description: about = "" }) => about.includes("royalty"));
    expect(trade).toMatchObject({
      ...{ "Sent Amount": text(sent), "Sent Currency": moon, "Received Amount": text(net) },
      ...{ "Fee Amount": text(share), "Fee Currency": moon },
    });
    expect(fixed).toMatchObject({ "Sent Amount": "3.0", "Sent Currency": "KLV", Label: "cost" });
    const cointracking = await fileOf(desk, alice, "/history cointracking");
    const [sold, other] = cointracking.filter(({ Comment: about = "" }) => about.includes("royalty"));
    expect(sold).toMatchObject({
      ...{ Type: "Trade", "Sell Amount": text(left), "Buy Amount": text(net), Fee: text(share), "Fee Currency": moon },
    });
    expect(other).toMatchObject({ Type: "Other Fee", "Sell Amount": "3.0", "Sell Currency": "KLV" });
  });

  it("has the share of both bands, in a swap and in a route, and a card that was shown with another royalty is replaced", async () => {
    const desk = await sandboxDesk({ world });
    const alice = await desk.trader();
    const issuedAtFirst = desk.sandbox.chain.state.issued.get(moon)!;
    const TransferPercentage = [
      { Amount: 100_000_000n, Percentage: 500 },
      { Amount: 1_000_000_000n, Percentage: 200 },
    ];
    desk.sandbox.chain.issue(moon, { ...issuedAtFirst, Royalties: { ...issuedAtFirst.Royalties, TransferPercentage } });
    await alice.confirms(await alice.asks(`/swap 6000 KLV ${moon}`, /You get about/), /Swap completed/);
    // Of the first 100 MOON 5%, and of 20 more 2%.
    for (const line of [`/swap 120 ${moon} KLV`, `/multihop 120 ${moon} KLV KFI`]) {
      const before = alice.holds()[moon]!;
      const card = await alice.asks(line, /You get about/);
      expect([line, asRead(card.text)]).toEqual([
        line,
        expect.stringMatching(`\nRoyalty to the issuer: 5.4 ${moon} \\+ 3 KLV`),
      ]);
      await alice.confirms(card, /(?:Swap|Route) completed/);
      expect([line, before - alice.holds()[moon]!]).toEqual([line, 125_400_000n]);
    }
    // Cheaper, but not what the card says: it would be in no book as it was shown.
    const card = await alice.asks(`/swap 5 ${moon} KLV`, /You get about/);
    const issued = desk.sandbox.chain.state.issued.get(moon)!;
    desk.sandbox.chain.issue(moon, { ...issued, Royalties: { TransferPercentage: [], TransferFixed: 1_000_000n } });
    await alice.taps(card, "✅ Confirm");
    const fresh = await alice.sees(card, /something has changed since this quote/);
    expect(fresh.text).toContain("⚠️ Nothing was sent");
  });
});

/** What a pool pays out for `units`, its fee of 0.3% off. */
const outOf = (units: bigint, reserveIn: bigint, reserveOut: bigint) =>
  (units * 99_700n * reserveOut) / (reserveIn * 100_000n + units * 99_700n);

describe.each([
  {
    name: "a share in two bands alone",
    royalties: {
      TransferPercentage: [
        { Amount: 100_000_000n, Percentage: 500 },
        { Amount: 1_000_000_000n, Percentage: 200 },
      ],
      TransferFixed: 0n,
    },
    // Of the first 100 MOON 5%, and of 20 more 2%.
    share: 5_400_000n,
    fixed: 0n,
    told: `5.4 ${moon}`,
    paid: `125.4 ${moon}`,
  },
  {
    name: "a fixed part alone",
    royalties: { TransferPercentage: [], TransferFixed: 3_000_000n },
    share: 0n,
    fixed: 3_000_000n,
    told: "3 KLV",
    paid: `120 ${moon} + 3 KLV`,
  },
])("a token with $name", ({ royalties, share, fixed, told, paid }) => {
  it("is bought, sold and sent along a route for what its cards say, to the unit", async () => {
    const desk = await sandboxDesk({ world });
    const alice = await desk.trader();
    const { chain } = desk.sandbox;
    const issued = chain.state.issued.get(moon)!;
    chain.issue(moon, { ...issued, Royalties: { ...issued.Royalties, ...royalties } });
    const poolOf = (token: string) => {
      const pairs = chain.state.pairs.entries().map(([, pair]) => pair);
      return pairs.find(({ firstToken, secondToken }) => firstToken === "KLV" && secondToken === token)!;
    };
    const reserves = (token: string) => [poolOf(token).reserveFirst, poolOf(token).reserveSecond] as const;
    const moved = async (line: string, done: RegExp) => {
      const before = alice.holds();
      const card = await alice.asks(line, /You get about/);
      await alice.confirms(card, done);
      const after = alice.holds();
      const by = (token: string) => (after[token] ?? 0n) - (before[token] ?? 0n);
      return { face: asRead(card.text), by: { moon: by(moon), klv: by("KLV"), kfi: by("KFI") } };
    };

    const bought = outOf(6_000_000_000n, ...reserves(moon));
    const held = bought - bought / 100n;
    const purchase = await moved(`/swap 6000 KLV ${moon}`, /Swap completed/);
    expect(purchase.by).toEqual({ moon: held, klv: -6_000_000_000n, kfi: 0n });
    const whole = fixed > 0n ? "3 KLV" : `[0-9.]+ ${moon}`;
    expect(purchase.face).toMatch(new RegExp(`\nRoyalty when you sell: ${whole}\n`));

    const [klv, moons] = reserves(moon);
    const out = outOf(120_000_000n, moons, klv);
    const net = out - out / 100n;
    const sale = await moved(`/swap 120 ${moon} KLV`, /Swap completed/);
    expect(sale.face).toContain(`\nYou pay: ${paid}\nRoyalty to the issuer: ${told} (included)\n`);
    expect(sale.by).toEqual({ moon: -120_000_000n - share, klv: net - fixed, kfi: 0n });
    const cost = (6_000_000_000n * (120_000_000n + share) + held - 1n) / held;
    const booked = async (token: string) =>
      (await fileOf(desk, alice, "/portfolio csv")).find((row) => row["token"] === token);
    const realised = `-${text(cost + fixed - net)}`;
    expect(await booked(moon)).toMatchObject({ cost: text(6_000_000_000n - cost), realised });

    const [klvLeft, moonsLeft] = reserves(moon);
    const [klvIn, kfiOut] = reserves("KFI");
    const way = outOf(outOf(120_000_000n, moonsLeft, klvLeft), klvIn, kfiOut);
    const route = await moved(`/multihop 120 ${moon} KLV KFI`, /Route completed/);
    expect(route.face).toContain(`\nYou pay: ${paid}\nRoyalty to the issuer: ${told} (included)\n`);
    expect(route.by).toEqual({ moon: -120_000_000n - share, klv: -fixed, kfi: way });
    // What the way there cost is passed on, and nothing is sold.
    const left = held - 120_000_000n - share;
    const passed = ((6_000_000_000n - cost) * (120_000_000n + share) + left - 1n) / left;
    expect(await booked(moon)).toMatchObject({ cost: text(6_000_000_000n - cost - passed), realised });
    expect(await booked("KFI")).toMatchObject({ cost: text(passed + fixed) });
  });
});

test("an exact purchase of which nothing is proven has its most on the card, and is counted as left out of gains, week and files", async () => {
  const desk = await sandboxDesk({ world: withIssuers(documentedWorld) });
  const alice = await desk.trader();
  const asked = await alice.asks(`buy 50 ${moon}`);
  await alice.taps(asked, "⚠️ Buy anyway");
  const card = await alice.sees(asked, /\nYou pay about: 1,003\.\d+ KLV\nAt most: 1,013\.\d+ KLV\n/);
  // Alone, so that what its issuer does is still read at the tap.
  desk.sandbox.faults.set("calls", "drop-after");
  await alice.confirms(card, /Outcome unknown/);
  desk.sandbox.faults.set("calls", undefined);
  expect(alice.holds()[moon]).toBe(50_000_000n);
  const portfolio = asRead((await alice.asks("/portfolio")).text);
  expect(portfolio).toContain("1 trade isn't counted: its outcome or amounts are unknown.");
  expect(portfolio).not.toMatch(/cost \d/);
  const week = asRead((await alice.asks("/week")).text);
  expect(week).toContain("\nTrades: 0\n");
  expect(week).toContain("1 trade isn't counted: it isn't proven.");
  expect((await fileOf(desk, alice, "/history csv")).at(-1)).toMatchObject({ paid: "", received: "" });
  await alice.asks("/history koinly", /1 trade is not in there/);
});

test("a purchase where a wallet signs has its network fee in the total, and what a sale would cost on its face", async () => {
  const desk = await sandboxDesk(
    { world, wallet: true, clock: walletClock() },
    { QUOTE_TTL_SECONDS: "600", HTTP_TIMEOUT_SECONDS: "100" },
  );
  const { sign, pageOf } = signing(desk);
  const alice = await desk.trader();
  const start = desk.balancesOf("Alice")["KLV"]!;
  const card = await alice.asks("/swap 20 KLV KFI", /You get about[^]*Network fee about/);
  const face = asRead(card.text);
  const [, percent = "", total = ""] = /\n⚠️ Total cost: ([0-9.]+)% \(([0-9.]+) KLV\)\n/.exec(face) ?? [];
  const [, fee = ""] = /\nNetwork fee about: ([0-9.]+) KLV\n/.exec(face) ?? [];
  expect(Number(total)).toBeCloseTo(Number(fee) + 0.26, 1);
  expect(Number(percent)).toBeCloseTo(Number(total) * 5, 1);
  expect(face).not.toMatch(/That is|⛔/);
  await sign(pageOf(await alice.confirms(card, /Waiting for your signature/)));
  await alice.sees(card, /Swap completed/);
  const receipt = asRead((await alice.asks("/receipt")).text);
  const [, charged = ""] = /\nNetwork fee: ([0-9.]+) KLV\n/.exec(receipt) ?? [];
  expect(receipt).toMatch(new RegExp(`\nTotal cost: 2[0-9.]+% [^]*${charged.replace(".", "\\.")} network fee`));
  expect(start - desk.balancesOf("Alice")["KLV"]!).toBe(20_000_000n + unitsOf(charged));
  const buying = await alice.asks(`/swap 100 KLV ${moon}`);
  await alice.taps(buying, "⚠️ Buy anyway");
  await alice.sees(buying, /\nRoyalty when you sell: [0-9.]+ MOON-4R7T \+ 3 KLV \(not sold here yet\)\n/);
  await sign(pageOf(await alice.confirms(buying, /Waiting for your signature/)));
  await alice.sees(buying, /Swap completed/);
  const refusal = await alice.asks(`/swap max ${moon} KLV`);
  expect(asRead(refusal.text)).toMatch(/MOON-4R7T[^]*royalty/);
  expect((refusal.keyboard ?? []).flat().filter(({ text: label }) => /Confirm/.test(label))).toEqual([]);
  const koinly = await fileOf(desk, alice, "/history koinly");
  expect(koinly[0]).toMatchObject({
    "Sent Amount": "20.0",
    "Fee Amount": charged,
    "Fee Currency": "KLV",
  });
  const entries = await fileOf(desk, alice, "/history cointracking");
  expect(entries[0]).toMatchObject({
    ...{ Type: "Trade", "Sell Amount": text(20_000_000n + unitsOf(charged)), "Sell Currency": "KLV" },
    ...{ Fee: charged, "Fee Currency": "KLV" },
  });
  expect((await fileOf(desk, alice, "/history csv"))[0]).toMatchObject({ paid: "20", network_fee_klv: charged });
});

test("an exact purchase says what it will likely cost, and at most, in both languages", async () => {
  const desk = await sandboxDesk({ world });
  const alice = await desk.trader();
  const asked = await alice.asks(`buy 50 ${moon}`);
  await alice.taps(asked, "⚠️ Buy anyway");
  const card = await alice.sees(asked, /You get exactly/);
  expect(asRead(card.text)).toMatch(
    /\nYou pay about: 1,003\.\d+ KLV\nAt most: 1,013\.\d+ KLV\nRoyalty when you sell: [^]*\nYou get exactly: 50 MOON-4R7T\n/,
  );
  expect(asRead(card.text).match(/You get about/g)).toBeNull();
  await speaksPortuguese(alice);
  const other = await alice.asks(`comprar 50 ${moon}`);
  await alice.taps(other, "⚠️ Comprar mesmo assim");
  const again = await alice.sees(other, /Você recebe exatamente/);
  expect(asRead(again.text)).toMatch(/\nVocê paga cerca de: [^]*\nNo máximo: /);
});
