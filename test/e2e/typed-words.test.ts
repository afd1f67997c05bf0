import { describe, expect, it } from "vitest";
import { defaultWorld, labelsOf, speaksPortuguese, tradingDesk } from "../support/sandbox-desk.js";

describe("words that people use", () => {
  it("buy an exact amount for a payment that is found, or spend an exact one", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    const card = await alice.asks("buy 2 KFI");
    expect(card.text).toMatch(/Buy KFI: exactly 2 KFI, paid in KLV[^]*At most: [0-9.,]+ KLV[^]*You get exactly: 2 KFI/);
    const before = alice.holds();
    await alice.confirms(card, /Route completed|Accepted/);
    const after = alice.holds();
    expect(after["KFI"]! - before["KFI"]!).toBe(2_000_000n);
    const paid = before["KLV"]! - after["KLV"]!;
    const [, most = ""] = /At most: ([0-9.,]+) KLV/.exec(card.text) ?? [];
    expect(paid).toBeGreaterThan(0n);
    expect(paid).toBeLessThanOrEqual(BigInt(Math.ceil(Number(most.replaceAll(",", "")) * 1e6)));
    expect(desk.callsSent()).toMatchObject([{ funcName: "multiPairSwap" }]);

    expect((await alice.asks("/buy KFI for 100 KLV")).text).toMatch(/Swap KLV → KFI[^]*You pay: 100 KLV/);
    expect((await alice.asks("sell 5 KFI")).text).toMatch(/Swap KFI → KLV[^]*You pay: 5 KFI/);
    const either = await alice.asks("buy KFI 50 KLV");
    expect(either.text).toContain("That can mean more than one thing. Which one?");
    expect(labelsOf(either)).toEqual(["50 KLV → KFI", "KLV → 50 KFI"]);
    await alice.taps(either, "KLV → 50 KFI");
    expect((await alice.reads(/You get exactly/)).text).toContain("You get exactly: 50 KFI");
    // What it would take is named, and what there is can be spent instead.
    const dear = await alice.asks("buy 150 KFI");
    expect(dear.text).toMatch(/Not enough KLV: you need [0-9.,]+, you have 9,/);
    await alice.taps(dear, "max KLV → KFI");
    expect((await alice.reads(/You pay: 9,/)).text).toContain("Swap KLV → KFI");
    const unclear = await alice.asks("buy 1.000 KFI");
    await alice.taps(unclear, "1");
    expect((await alice.reads(/You get exactly/)).text).toContain("You get exactly: 1 KFI");
    expect((await alice.asks("buy")).text).toContain("buy KFI for 100 KLV");
    expect((await alice.asks("buy me a coffee")).text).toContain("I didn't understand that");
  });

  it("find the payment again when the price has moved, and a reply says how much to buy", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    const most = (text: string) => Number(/At most: ([0-9.,]+)/.exec(text)?.[1]?.replaceAll(",", ""));
    const card = await alice.asks("buy 2 KFI");
    desk.sandbox.telegram.sendText(alice.id, "3", { replyTo: card.messageId });
    const more = await alice.reads(/exactly: 3 KFI/);
    await alice.sees(card, /Replaced by a newer quote/);
    expect(most(more.text)).toBeGreaterThan(1.4 * most(card.text));
    // Bob sells for more than the slippage, so that what was the most before wouldn't do.
    const bob = await desk.trader("Bob");
    await bob.confirms(await bob.asks("/multihop max KLV KFI"), /Route completed|Accepted/);
    const again = await alice.asks("buy 3 KFI");
    expect(most(again.text)).toBeGreaterThan(1.001 * most(more.text));
    await alice.taps(more, "🔄 Refresh");
    const refreshed = await alice.sees(
      more,
      new RegExp(String.raw`[Aa]t most: ${/[Aa]t most: ([0-9.,]+)/.exec(again.text)?.[1]}`),
    );
    expect(refreshed.text).toContain("You get exactly: 3 KFI");
  });

  it("name a token's price, a chart against KLV, and a command with a typo", async () => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    for (const text of ["kfi price", "price of KFI", "preço do kfi"]) {
      expect((await alice.asks(text)).text).toMatch(/^KFI\n[^]*1 KFI =/);
    }
    expect((await alice.asks("/chart KFI")).text).toContain("KFI/KLV · 6 hours");
    expect((await alice.asks("/chart KLV")).text).toMatch(/KLV\/[A-Z0-9-]+ · 6 hours/);
    for (const text of ["withdraw", "deposit", "sacar"])
      expect((await alice.asks(text)).text).toMatch(/^Your wallet address\nklv1/);
    const typo = await alice.asks("/swp 100 KLV KFI");
    expect(typo.text).toBe("Unknown command. /help lists what I can do.");
    expect(labelsOf(typo)).toEqual(["/swap 100 KLV KFI"]);
    await alice.taps(typo, "/swap");
    expect((await alice.reads(/You pay/)).text).toContain("You pay: 100 KLV");
    expect(labelsOf(await alice.asks("/nonsense"))).toEqual([]);
    expect(labelsOf(await alice.asks("balance please"))).toEqual(["/balance please"]);
  });

  it("set orders, and lose nothing that was typed", async () => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    const shows = async (typed: string, seen: RegExp) => expect((await alice.asks(typed)).text, typed).toMatch(seen);
    await shows("sell 5 KFI at 110", /^🎯 Limit order\nYou pay: 5 KFI\nYou get at least: 550 KLV/);
    await shows("buy 100 KFI at 90", /^🎯 Limit order\nYou pay: 9,000 KLV\nYou get at least: 100 KFI/);
    for (const typed of ["/stoploss 5 KFI 90", "stop loss 5 KFI 90", "/stop loss 5 KFI at 90"])
      await shows(typed, /^🛑 Stop order\nYou pay: 5 KFI\nI ask you at: 450 KLV or less/);
    for (const typed of ["/stoploss KFI 90", "stop loss KFI 90"]) {
      await shows(typed, /^How much KFI do you want to swap for KLV\?/);
      await shows("5", /^🛑 Stop order\nYou pay: 5 KFI\nI ask you at: 450 KLV or less/);
    }
    await shows("/takeprofit 5 KFI 110", /^🎯 Limit order\nYou pay: 5 KFI\nYou get at least: 550 KLV/);
    const either = await alice.asks("/limit 5 KFI 90");
    expect(labelsOf(either)).toEqual(["KLV → 5 KFI", "5 KFI → KLV"]);
    await alice.taps(either, "KLV → 5 KFI");
    await alice.reads(/^🎯 Limit order\nYou pay: 450 KLV\nYou get at least: 5 KFI/);
    // 96 KLV for a KFI is near the price, 96 KFI for a KLV isn't; 0.0095 is the other way round.
    await shows("/limit 500 KLV KFI at 96", /1 KFI = 96 KLV/);
    for (const typed of ["/limit 500 KLV KFI at 0.0095", "/limit 5 KFI KLV at 0.0095"])
      expect(labelsOf(await alice.asks(typed)).toSorted()).toEqual(["1 KFI = 0.0095 KLV", "1 KLV = 0.0095 KFI"]);
    await shows("/stop", /^What should stop\?/);
  });

  it("are read as amounts wherever they stand", async () => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    for (const line of ["100KLV KFI", "100 KLV/KFI", "KLV KFI 100", "１００ KLV KFI"]) {
      expect((await alice.asks(`/swap ${line}`)).text).toMatch(/Swap KLV → KFI[^]*You pay: 100 KLV/);
    }
    const middle = await alice.asks("/swap KFI 1 KLV");
    expect(labelsOf(middle)).toEqual(["1 KFI → KLV", "KFI → 1 KLV"]);
    const other = await alice.asks(`/swap 1 KLV KFI to klv1${"q".repeat(58)}`);
    expect(other.text).toContain("pay only to your own account");
    await alice.taps(other, "1 KLV KFI");
    expect((await alice.reads(/You pay/)).text).toContain("You pay: 1 KLV");
    const none = await alice.asks("/swap 100 KLV LPKLVKFI-3I0N");
    expect(none.text).toContain("No route from KLV to LPKLVKFI-3I0N");
    expect(labelsOf(none)).toEqual([]);
  });

  it("are times that a lock asks about", async () => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    const past = await alice.asks("/lock 5 KFI 30");
    expect(past.text).toContain("Epoch 30 has already started. Did you mean 30d");
    expect(labelsOf(past)).toEqual(["30d", "#30"]);
    await alice.taps(past, "30d");
    expect((await alice.reads(/Lock 5 KFI/)).text).toMatch(/You lock: 5 KFI/);
    expect((await alice.asks("/lock 5 KFI #30")).text).toMatch(/Nothing will be locked: epoch 30/);
    const month = await alice.asks("/lock 5 KFI 1m");
    expect(month.text).toContain("Did you mean 30d?");
    expect(labelsOf(month)).toEqual(["30d"]);
    const long = await alice.asks("/lock 5 KFI 21y");
    expect(long.text).toMatch(/is about 21 years away[^]*longest lock allowed is 20 years/);
    // An answer to a question is asked about as well.
    await alice.asks("/lock 5 KFI");
    const answered = await alice.asks("30");
    await alice.taps(answered, "30d");
    expect((await alice.reads(/You lock/)).text).toContain("You lock: 5 KFI");
  });

  it("are prices that an alert asks about, in either language", async () => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    const unclear = await alice.asks("/alert KFI 5");
    expect(unclear.text).toContain("Above or below 5?");
    expect(labelsOf(unclear)).toEqual(["above 5", "below 5", "5%"]);
    await alice.taps(unclear, "5%");
    expect((await alice.reads(/KFI ±5%/)).text).toContain("KFI ±5% in KLV");
    expect(labelsOf(await alice.asks("/alert KFI 120"))).toEqual(["above 120", "below 120"]);
    expect((await alice.asks("/alert 1kKFI above 1m")).text).toMatch(/KFI above 1,000,000 KLV[^]*1,000 KFI/);
    expect(labelsOf(await alice.asks("/alert KFI 5% 1m"))).toEqual(["30d"]);
    await speaksPortuguese(alice);
    const asked = await alice.asks("/alert KFI 1,5");
    expect(labelsOf(asked)).toEqual(["acima de 1,5", "abaixo de 1,5", "1,5%"]);
    await alice.taps(asked, "acima");
    expect((await alice.reads(/KFI acima de/)).text).toContain("KFI acima de 1,5 KLV");
    expect((await alice.asks("comprar 2 KFI")).text).toMatch(/Você recebe exatamente: 2 KFI/);
    expect((await alice.asks("comprar KFI por 100 KLV")).text).toMatch(/Você paga: 100 KLV/);
    expect((await alice.asks("vender 5 KFI")).text).toMatch(/Você paga: 5 KFI/);
  });
});
