import { describe, expect, it } from "vitest";
import type { WorldJson } from "../../sandbox/world.js";
import { defaultWorld, labelsOf, people, sandboxDesk, seesRefused, tradingDesk } from "../support/sandbox-desk.js";

const pairOf = (first: string, second: string) =>
  defaultWorld.pairs!.find((pair) => pair.firstToken === first && pair.secondToken === second)!;
const [klvKfi, klvDvk, kfiDvk] = [pairOf("KLV", "KFI"), pairOf("KLV", "DVK-34ZH"), pairOf("KFI", "DVK-34ZH")];

/** The constant-product formula of a pair with a fee of 0.3 %, computed independently. */
function out(paid: bigint, [reserveIn, reserveOut]: readonly [bigint, bigint]): bigint {
  const kept = paid * 99_700n;
  return (kept * reserveOut) / (reserveIn * 100_000n + kept);
}

function reserves({ reserveFirst = "0", reserveSecond = "0" }: ReturnType<typeof pairOf>): readonly [bigint, bigint] {
  return [BigInt(reserveFirst), BigInt(reserveSecond)];
}

describe("a route that the bot finds", () => {
  it("goes through the best pools, is confirmed once, and moves exactly what the card says", async () => {
    const { desk, alice } = await tradingDesk();
    const before = alice.holds();
    const card = await alice.asks("/multihop 100 KLV DVK-34ZH");
    const direct = out(100_000_000n, reserves(klvDvk));
    expect(card.text).toContain("Route KLV → DVK-34ZH");
    const { text: details } = card;
    expect(details).toContain(`You get about: ${direct / 1_000_000n}.`);
    expect(details).toMatch(/No bot fee/);
    expect(card.text).toContain(desk.address("Alice"));
    const done = await alice.confirms(card);
    expect(labelsOf(done)).toEqual(["🔁 Repeat", "🧾 Receipt", "🔔 Price alert", "🚪 Set an exit"]);
    const after = alice.holds();
    expect(after["DVK-34ZH"]! - before["DVK-34ZH"]!).toBe(direct);
    expect(before["KLV"]! - after["KLV"]!).toBe(100_000_000n);
    expect(desk.callsSent()).toEqual([
      {
        scAddress: defaultWorld.router.address,
        funcName: "multiPairSwap",
        args: [
          `address:${klvDvk.address}`,
          "string:swapTokensFixedInput",
          "string:DVK-34ZH",
          `BigUint:${(direct * 99n) / 100n}`,
        ],
        value: "KLV=100000000",
        caller: desk.address("Alice"),
      },
    ]);
  });

  it("to an exact amount pays no more than offered, and returns the rest", async () => {
    const { desk, alice } = await tradingDesk();
    const before = alice.holds();
    const card = await alice.asks("/multihop 150 KLV KFI=1");
    expect(card.text).toMatch(/You get exactly: 1 KFI\nor nothing; any excess is returned/);
    expect(card.text).not.toMatch(/at least/);
    expect(card.text).toMatch(/exactly 1 KFI/);
    const done = await alice.confirms(card, /Reported by the node: 1 KFI[^]*Returned unused, reported by the node: /);
    const after = alice.holds();
    expect(after["KFI"]! - before["KFI"]!).toBe(1_000_000n);
    const [reserveIn, reserveOut] = reserves(klvKfi);
    const needed = (reserveIn * 1_000_000n * 100_000n) / ((reserveOut - 1_000_000n) * 99_700n) + 1n;
    expect(before["KLV"]! - after["KLV"]!).toBe(needed);
    expect(desk.callsSent()[0]).toMatchObject({
      args: [`address:${klvKfi.address}`, "string:swapTokensFixedOutput", "string:KFI", "BigUint:1000000"],
    });
    expect(done.text).not.toMatch(/can.t tell what happened/);
  });

  it("to an exact amount that costs too much says how much is needed", async () => {
    const { desk, alice } = await tradingDesk();
    expect((await alice.asks("/multihop 50 KLV KFI=1")).text).toMatch(/would cost 100\.\d+ KLV, but you offered 50\./);
    expect((await alice.asks("/multihop 50 KLV KFI=99999999")).text).toMatch(/No route/);
    expect(desk.callsSent()).toEqual([]);
  });
});

describe("a typed route", () => {
  it("with mixed functions over three hops sends exactly the documented groups", async () => {
    const { desk, alice } = await tradingDesk();
    const before = alice.holds();
    const card = await alice.asks("/multihop 100 KLV DVK-34ZH=900 KFI KLV");
    const { text: details } = card;
    expect(details).toMatch(/1\. KLV → DVK-34ZH[^]*exactly 900 DVK-34ZH[^]*returned unused[^]*3\. KFI → KLV/);
    expect(details).toMatch(/At most: 91\.\d+ KLV[^]*spends about 90\.\d+ KLV, at most 91\.\d+ KLV/);
    expect(details).toMatch(/or nothing is swapped \(slippage 1%\)/);
    await alice.confirms(card);
    const [reserveIn, reserveOut] = reserves(klvDvk);
    const needed = (reserveIn * 900_000_000n * 100_000n) / ((reserveOut - 900_000_000n) * 99_700n) + 1n;

    const kfi = out(900_000_000n, [...reserves(kfiDvk)].reverse() as unknown as readonly [bigint, bigint]);
    const klv = out(kfi, [...reserves(klvKfi)].reverse() as unknown as readonly [bigint, bigint]);
    expect(desk.callsSent()).toEqual([
      {
        scAddress: defaultWorld.router.address,
        funcName: "multiPairSwap",
        args: [
          `address:${klvDvk.address}`,
          "string:swapTokensFixedOutput",
          "string:DVK-34ZH",
          "BigUint:900000000",
          `address:${kfiDvk.address}`,
          "string:swapTokensFixedInput",
          "string:KFI",
          "BigUint:1",
          `address:${klvKfi.address}`,
          "string:swapTokensFixedInput",
          "string:KLV",
          `BigUint:${(klv * 99n) / 100n}`,
        ],
        value: `KLV=${(needed * 101n) / 100n + 1n}`,
        caller: desk.address("Alice"),
      },
    ]);
    expect(alice.holds()["KLV"]! - before["KLV"]!).toBe(klv - needed);
    expect(alice.holds()["DVK-34ZH"]).toBe(before["DVK-34ZH"]);
  });

  it("of four hops is accepted, and of five refused", async () => {
    const { desk, alice } = await tradingDesk();
    const card = await alice.asks("/multihop 10 USDT KLV DVK KFI KLV");
    // Each pair has one pool, so the route returns to KLV through a different pair.
    expect(card.text).toMatch(/4\. KFI → KLV/);
    await alice.confirms(card);
    expect((desk.callsSent()[0]!["args"] as string[]).length).toBe(16);
    expect((await alice.asks("/multihop 10 USDT KLV DVK KFI KLV BTC")).text).toMatch(/at most 4 hops/);
  });

  it("back through the same pair is refused if it has only one pool", async () => {
    const { alice } = await tradingDesk();
    expect((await alice.asks("/multihop 10 KLV KFI KLV")).text).toMatch(/No route from KFI to KLV/);
  });
});

describe("bad input", () => {
  const world: WorldJson = {
    ...defaultWorld,
    pairs: defaultWorld.pairs!.map((pair) =>
      pair.secondToken === "BTC-9K3F"
        ? { ...pair, state: "Inactive" }
        : pair.secondToken === "USDT-2AB1"
          ? { ...pair, state: "Inactive", reserveFirst: "0", reserveSecond: "0", lpSupply: "0" }
          : pair,
    ),
  };

  it("is refused with an explanation, and no call leaves", async () => {
    const { desk, alice } = await tradingDesk({ world });
    const refusals = [
      ["/multihop 100 KLV", /Send the amount and the tokens in order/],
      ["/multihop 100", /Send the amount and the tokens/],
      ["/multihop x KLV KFI", /“x” isn't an amount/],
      ["/multihop 100 KLV KLV", /can't trade KLV for itself/],
      ["/multihop 100 KLV KFI KFI DVK", /can't trade KFI for itself/],
      ["/multihop 100 KLV NOPE", /don't know the token “NOPE”/],
      ["/multihop 100 KLV LKTOK-1A2B", /isn't a fungible token/],
      ["/multihop 100 KLV KFI=", /amount is missing/],
      ["/multihop 100 KLV KFI=1=2", /isn't an amount/],
      ["/multihop 100 DVK BTC KLV", /no DVK-34ZH\/BTC-9K3F pool/],
      ["/multihop 100 KLV BTC KLV", /KLV\/BTC-9K3F pool is disabled/],
      ["/multihop 100 KLV USDT KLV", /KLV\/USDT-2AB1 pool has no liquidity/],
      ["/multihop 100 KLV BTC", /No route from KLV to BTC-9K3F/],
      ["/multihop 0.000001 KLV KFI", /No route from KLV to KFI for this amount/],
    ] as const;
    await seesRefused(alice, refusals);
    expect(desk.callsSent()).toEqual([]);
  });
});

describe("without arguments", () => {
  it("/multihop asks for a missing payout address first, then for the route", async () => {
    const desk = await sandboxDesk();
    const alice = desk.person(people.alice);
    await alice.asks("/multihop");
    const prompt = await alice.asks(desk.address("Alice"), /multihop/);
    expect(prompt.text).toMatch(/\/multihop 100 KLV DVK-34ZH KFI/);
    expect((await alice.asks("100 KLV")).text).toMatch(/Send the amount and the tokens/);
    expect((await alice.asks("100 KLV NOPE")).text).toMatch(/NOPE/);
    expect((await alice.asks("100 KLV DVK KFI")).text).toMatch(/^Route KLV → DVK-34ZH → KFI/);
  });
});

describe("at confirm", () => {
  it("a price that moved beyond the minimum sends nothing and shows a new card", async () => {
    const { desk, alice } = await tradingDesk({}, { DEFAULT_SLIPPAGE_BPS: "10" });
    const card = await alice.asks("/multihop 100 KLV KFI");
    const bob = await desk.trader("Bob");
    // Moves both pools' prices by about one percent, which is more than the 0.1 % that Alice allows.
    const whale = await bob.asks("/multihop 45000 KLV DVK KFI");
    await bob.confirms(whale);
    expect(desk.callsSent()).toHaveLength(1);

    const fresh = await alice.confirms(card, /price moved. Nothing was sent/);
    expect(desk.callsSent()).toHaveLength(1);
    expect(fresh.keyboard?.[0]?.[0]?.text).toBe("Show the new quote");
    await expect.poll(() => alice.taps(card, "Show the new quote"), { interval: 300 }).toBe("");
    await alice.confirms(card);
    expect(desk.callsSent()).toHaveLength(2);
  });

  it("a pair that the router no longer lists gets no call", async () => {
    const { desk, alice } = await tradingDesk();
    const card = await alice.asks("/multihop 100 KLV KFI");
    desk.sandbox.chain.state.registry.delete("KLV DVK-34ZH");
    await alice.confirms(card, /Not sent[^]*no longer works with/);
    expect(desk.callsSent()).toEqual([]);
  });

  it("an error of the node means that no call is sent", async () => {
    const { desk, alice } = await tradingDesk();
    const card = await alice.asks("/multihop 100 KLV KFI");
    desk.sandbox.faults.set("node", "5xx");
    await alice.confirms(card, /Not sent[^]*node returned an error/);
    expect(desk.callsSent()).toEqual([]);
  });
});
