import { describe, expect, it } from "vitest";
import { defaultWorld, labelsOf, speaksPortuguese, tradingDesk } from "../support/sandbox-desk.js";

describe("a typed amount", () => {
  it("is read as usual in English, and refused with suggestions if it is ambiguous", async () => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    for (const [typed, shown] of [
      ["1,000", "1,000"],
      ["1k", "1,000"],
      ["1,000.50", "1,000.5"],
      ["1.000,50", "1,000.5"],
      ["1'000", "1,000"],
      ["1½", "1.5"],
      ["１，０００", "1,000"],
      ["half", "5,000"],
      ["all", "10,000"],
      ["12.5 %", "1,250"],
    ] as const) {
      expect((await alice.asks(`/swap ${typed} KLV KFI`)).text).toContain(`You pay: ${shown} KLV`);
    }
    const million = await alice.asks("/swap 1m KLV KFI");
    expect(million.text).toContain("you need 1,000,000");
    expect(labelsOf(million)).toEqual(["max"]);
    // One to some, a thousand to others: never guess.
    const unclear = await alice.asks("/swap 1.000 KLV KFI");
    expect(unclear.text).toMatch(/two things[^]*1 or 1000\?/);
    expect(labelsOf(unclear)).toEqual(["1", "1000"]);
    await alice.taps(unclear, "1000");
    expect((await alice.reads(/You pay/)).text).toContain("You pay: 1,000 KLV");
    const half = await alice.asks("/swap ½ KLV KFI");
    expect(half.text).toContain("“½” can mean two things: 0.5, or 50% of what you have. Which one?");
    await alice.taps(half, "50%");
    expect((await alice.reads(/You pay/)).text).toContain("You pay: 5,000 KLV");
    const over = await alice.asks("/swap 150% KLV KFI");
    expect(over.text).toContain("“150%” is more than all you have.");
    await alice.taps(over, "max");
    expect((await alice.reads(/You pay/)).text).toContain("You pay: 10,000 KLV");
    // Without a command, an ambiguous amount is asked about as well.
    const pasted = await alice.asks("1.000 KLV KFI");
    await alice.taps(pasted, "1000");
    expect((await alice.reads(/Quote/)).text).toContain("1,000 KLV");
    // Only a person's own notation is ambiguous, not a link's.
    expect((await alice.asks("/start quote_1p125_KLV_KFI")).text).toContain("You pay: 1.125 KLV");
    const refused = await alice.asks("/swap 1,5 KLV KFI");
    expect(refused.text).toMatch(/comma[^]*Did you mean 1\.5\?/);
    await alice.taps(refused, "1.5");
    expect((await alice.reads(/You pay/)).text).toContain("You pay: 1.5 KLV");
    expect((await alice.asks("/swap much KLV KFI")).text).toMatch(/isn't an amount[^]*50%, half, max/);
  });

  it("is read as usual in Portuguese", async () => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    await speaksPortuguese(alice);
    for (const [typed, shown] of [
      ["1,5", "1,5"],
      ["1,1250", "1,125"],
      ["1.125", "1.125"],
      ["1'000,5", "1.000,5"],
      ["1.000,50", "1.000,5"],
      ["1,000.50", "1.000,5"],
      ["1.000.000", undefined],
      ["metade", "5.000"],
      ["12,5%", "1.250"],
      ["2,5k", "2.500"],
    ] as const) {
      const { text } = await alice.asks(`/swap ${typed} KLV KFI`);
      expect(text).toContain(shown === undefined ? "são necessários 1.000.000" : `Você paga: ${shown} KLV`);
    }
    // About one to some, over a thousand to others: never guess.
    const refused = await alice.asks("/swap 1,125 KLV KFI");
    expect(refused.text).toMatch(/duas coisas[^]*1,125 ou 1125\?/);
    expect(labelsOf(refused)).toEqual(["1,125", "1125"]);
    await alice.taps(refused, "1125");
    expect((await alice.reads(/Você paga/)).text).toContain("Você paga: 1.125 KLV");
    // A button's number always has a decimal point.
    const card = await alice.asks("/quote 1,125 KLV KFI");
    await alice.taps(card, "1,125");
    await alice.taps(await alice.reads(/Cotação/), "💱");
    expect((await alice.reads(/Troca/)).text).toContain("Você paga: 1,125 KLV");
    expect((await alice.asks("/start quote_1p125_KLV_KFI")).text).toContain("1,125 KLV");
    expect((await alice.asks("0,5 KLV KFI")).text).toMatch(/Cotação[^]*0,5 KLV/);
  });

  it("can be a share in routes, locks and unlocks", async () => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    expect((await alice.asks("/multihop half KLV DVK-34ZH KFI")).text).toContain("5,000 KLV");
    expect((await alice.asks("/lock half KFI 30d")).text).toContain("250 KFI");
    expect((await alice.asks("/unlock LKTOK-1A2B/1 half")).text).toContain("12.5 LKTOK-1A2B/1");
    expect((await alice.asks("/unlock LKTOK-1A2B/1")).text).toContain("25 LKTOK-1A2B/1");
    const ask = await alice.asks("/unlock");
    expect(ask.text).toMatch(/Which locked token/);
    await alice.asks("LKTOK-1A2B/1");
    expect((await alice.asks("max")).text).toContain("25 LKTOK-1A2B/1");
    await alice.asks("/multihop");
    expect((await alice.asks("max KFI KLV USDT-2AB1")).text).toContain("500 KFI");
  });
});
