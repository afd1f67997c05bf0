import { describe, expect, it } from "vitest";
import { people, sandboxDesk } from "../support/sandbox-desk.js";

describe("a first visit", () => {
  it("leads from /start over the address to a swap that moves exactly what the card and the answer say", async () => {
    const desk = await sandboxDesk();
    const alice = desk.person(people.alice);
    const wallet = desk.address("Alice");

    expect((await alice.asks("/start")).text).toMatch(/Welcome to Swapdesk[^]*\/wallet klv1…/);
    expect((await alice.asks(`/wallet ${wallet}`)).text).toContain(wallet);
    expect((await alice.asks("/start")).text).toContain("/swap 100 KLV KFI");
    const help = await alice.asks("/help");
    for (const command of ["/quote", "/swap", "/multihop", "/lock", "/unlock", "/locks", "/fees", "/freeze"]) {
      expect(help.text).toContain(`${command} — `);
    }
    const [before, operatorBefore] = [alice.holds(), desk.balancesOf("Operator")];
    const card = await alice.asks("/swap 100 KLV KFI");
    expect(card.text).toMatchInlineSnapshot(`
      "Swap KLV → KFI

      You pay: 100 KLV
      Quoted output: 0.991995 KFI (1 KLV = 0.00991995 KFI)
      Fee 1 %: 0.009919 KFI to whoever runs this bot
      You get about: 0.982076 KFI
      You get at least: 0.972255 KFI
      If the output falls below 0.982075 KFI before the fee (slippage 1 %), the swap fails and you keep your tokens.

      Paid out to: klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy

      Straight through the pools you would get about 0.994295 KFI, 1.24 % more than here: a route pays no fee to this bot.
      Valid until 21:46:01 UTC"
    `);
    expect(desk.callsSent()).toEqual([]);
    await alice.taps(card, "✅ Confirm");
    const done = await alice.sees(card, /answered ok/);
    expect(done.text).toMatchInlineSnapshot(`
      "Swap KLV → KFI
      You pay: 100 KLV
      Paid out to: klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy

      ✅ The node answered ok
      You received: 0.982076 KFI
      Fee 1 %: 0.009919 KFI
      Output in all: 0.991995 KFI"
    `);

    const after = alice.holds();
    const got = after["KFI"]! - before["KFI"]!;
    const fee = desk.balancesOf("Operator")["KFI"]! - operatorBefore["KFI"]!;
    expect(before["KLV"]! - after["KLV"]!).toBe(100_000_000n);
    expect(fee).toBe(((got + fee) * 1000n) / 100_000n);
    expect(done.text).toContain(`You received: 0.${String(got).padStart(6, "0")} KFI`);
    expect(desk.callsSent()).toHaveLength(1);
  });
});
