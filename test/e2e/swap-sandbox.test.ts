import { describe, expect, it, onTestFinished } from "vitest";
import { startHttpStub } from "../support/http-stub.js";
import { labelsOf, people, sandboxDesk, speaksPortuguese, tradingDesk } from "../support/sandbox-desk.js";
import { systemClock } from "../../src/clock.js";

describe("a first visit", () => {
  it("leads from /start and the address to a swap that moves exactly what the card and the answer say", async () => {
    const desk = await sandboxDesk();
    const alice = desk.person(people.alice);
    const wallet = desk.address("Alice");

    expect((await alice.asks("/start")).text).toMatch(/Welcome to Swapdesk[^]*Tap 💱 Swap/);
    expect((await alice.asks(`/wallet ${wallet}`)).text).toContain(wallet);
    expect((await alice.asks("/start")).text).toMatch(/Your account[^]*klv1/);
    const help = await alice.asks("/help");
    for (const command of ["/quote", "/swap", "/multihop", "/lock", "/locks", "/fees"]) {
      expect(help.text).toContain(command);
    }
    const [before, operatorBefore] = [alice.holds(), desk.balancesOf("Operator")];
    const card = await alice.asks("/swap 100 KLV KFI");
    expect(card.text.replace(/until .*/, "until …")).toMatchInlineSnapshot(`
      "Swap KLV → KFI
      You pay: 100 KLV
      You get about: 0.982076 KFI
      You get at least: 0.972255 KFI
      or nothing is swapped (slippage 1%)
      Total cost: 1.3% (1.297373 KLV)
      Route over DVK-34ZH: 0.994295 KFI
      Account klv1usdny…ujlazy
      Valid until …
      Quote before bot fee: 0.991995 KFI
      1 KLV = 0.00991995 KFI
      Bot fee 1%: 0.009919 KFI to the operator
      Pool fee: 0.3%
      Price impact: 0.01%
      Pool price: 1 KLV = 0.00994985 KFI (KLV → KFI)
      Of the 1.297373 KLV: 0.300473 pools + 0.9969 bot fee
      Best pool route: 0.994295 KFI (KLV → DVK-34ZH → KFI)
      On-chain minimum before the bot fee: 0.982075 KFI (982075 base units). Below that the swap fails and you keep your tokens.
      klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy"
    `);
    expect(desk.callsSent()).toEqual([]);
    const done = await alice.confirms(card);
    expect(done.text).toMatchInlineSnapshot(`
      "☑️ Accepted, not yet confirmed
      Swap 100 KLV → KFI
      Reported by the node: 0.982076 KFI
      Bot fee 1%, reported by the node: 0.009919 KFI
      Check your wallet balance before you do anything else.
      What you confirmed:
      You pay: 100 KLV
      Quote before bot fee: 0.991995 KFI
      1 KLV = 0.00991995 KFI
      Bot fee 1%: 0.009919 KFI to the operator
      Pool fee: 0.3%
      Price impact: 0.01%
      Pool price: 1 KLV = 0.00994985 KFI (KLV → KFI)
      Of the 1.297373 KLV: 0.300473 pools + 0.9969 bot fee
      You get about: 0.982076 KFI
      You get at least: 0.972255 KFI
      Best pool route: 0.994295 KFI (KLV → DVK-34ZH → KFI)
      On-chain minimum before the bot fee: 0.982075 KFI (982075 base units). Below that the swap fails and you keep your tokens."
    `);

    const after = alice.holds();
    const got = after["KFI"]! - before["KFI"]!;
    const fee = desk.balancesOf("Operator")["KFI"]! - operatorBefore["KFI"]!;
    expect(before["KLV"]! - after["KLV"]!).toBe(100_000_000n);
    expect([got, fee]).toEqual([982_076n, 9_919n]);
    expect(desk.callsSent()).toHaveLength(1);
  });
});

describe("the dialog of /swap", () => {
  it("offers buttons, accepts typed names, and offers the same buttons next time", async () => {
    const { alice } = await tradingDesk();
    const which = await alice.asks("/swap");
    expect(labelsOf(which)).toEqual(["KLV", "KFI", "DVK-34ZH", "USDT-2AB1", "BTC-9K3F", "✖️ Cancel"]);
    await alice.taps(which, "USDT");
    const out = await alice.reads(/Which token do you want/);
    expect((await alice.sees(which, /› USDT-2AB1/)).keyboard).toBeUndefined();
    expect(labelsOf(out)).not.toContain("USDT-2AB1");
    expect((await alice.asks("usdt")).text).toMatch(/can't trade USDT-2AB1 for itself/);
    expect((await alice.asks("nonsense")).text).toMatch(/don't know the token “nonsense”/);
    const amount = await alice.asks("klv");
    expect(amount.text).toMatch(/How much USDT-2AB1 do you want to swap for KLV/);
    expect((await alice.asks("1,5")).text).toMatch(/comma/);
    // Amounts are offered by value: small ones for a token that is worth many KLV.
    await alice.taps(amount, "5");
    const card = await alice.reads(/Swap USDT-2AB1 → KLV/);
    await alice.confirms(card);
    expect(alice.holds()["USDT-2AB1"]).toBe(995_000_000n);
    const again = await alice.asks("/swap");
    // Buttons keep their places.
    expect(again.keyboard).toEqual(which.keyboard);
  });

  it("continues in its language if the user's language changes in the middle, and the card is in the new one", async () => {
    const { alice } = await tradingDesk();
    const settings = await alice.asks("/settings");
    await alice.asks("/swap");
    await speaksPortuguese(alice, settings);
    expect((await alice.asks("KLV")).text).toMatch(/Which token do you want/);
    await alice.asks("KFI");
    expect((await alice.asks("5")).text).toMatch(/Troca KLV → KFI[^]*Você paga: 5 KLV/);
  });

  it("works the same for /quote, which shows a price without an address, and a button to swap", async () => {
    const desk = await sandboxDesk();
    const bob = desk.person(people.bob);
    await bob.asks("/quote");
    await bob.asks("KLV");
    await bob.asks("DVK");
    const quote = await bob.asks("12.5");
    expect(quote.text).toMatch(/Quote KLV → DVK-34ZH[^]*You pay: 12\.5 KLV/);
    expect(quote.keyboard?.flat().map(({ data }) => data)).toContain("v1:do:swap 12.5 KLV DVK-34ZH");
  });
});

describe("a refusal", () => {
  it("names a pair for which the quotation service has no route", async () => {
    const { desk, alice } = await tradingDesk();
    expect((await alice.asks("/swap 1 KLV LPKLVKFI-3I0N")).text).toMatch(/No route from KLV to LPKLVKFI-3I0N/);
    expect(desk.callsSent()).toEqual([]);
  });

  it("by the contract is shown with its message, and the card offers a new quote", async () => {
    const { alice } = await tradingDesk();
    const before = alice.holds();
    const card = await alice.asks("/swap 99999 KLV KFI");
    const refused = await alice.confirms(card, /Rejected/);
    expect(refused.text).toMatch(/Not enough balance[^]*you keep your tokens/);
    expect(labelsOf(refused)).toEqual(["🔄 New quote"]);
    expect(alice.holds()).toEqual(before);
    await alice.taps(card, "🔄 New quote");
    const fresh = await alice.reads(/You get at least/);
    expect(fresh.messageId).not.toBe(card.messageId);
  });
});

describe("an alternative route", () => {
  it("is offered first if it is better, replaces the swap on its card and back, and leaves one confirm button", async () => {
    let ahead = 0;
    const { desk, alice } = await tradingDesk({ clock: { ...systemClock, now: () => systemClock.now() + ahead } });
    const before = alice.holds();
    const card = await alice.asks("/swap 100 KLV KFI");
    const confirms = () =>
      desk.sandbox.telegram
        .chat(alice.id)
        .flatMap(({ keyboard = [] }) => keyboard.flat())
        .filter(({ text }) => text.startsWith("✅ Confirm"));
    const [toRoute, confirmSwap] = labelsOf(card);
    expect([toRoute, confirmSwap]).toEqual(["🔀 Show route: about 0.994295 KFI", "✅ Confirm swap"]);
    await alice.taps(card, "🔀 Show route");
    const route = await alice.sees(card, /^Route KLV → DVK-34ZH → KFI/);
    expect(route.text).toMatch(
      /You get about: 0\.994295 KFI\nYou get at least: [^]*\nTotal cost: 0\.6% \(0\.601683 KLV\)\n/,
    );
    expect(route.text).toMatch(/As a swap: 0\.982076 KFI\n/);
    expect(confirms()).toHaveLength(1);
    // The second of two quick taps isn't a confirm.
    expect(await alice.taps(card, "✅ Confirm route")).toMatch(/quote is new/);
    await alice.taps(card, "🔀 Show swap: about 0.982076 KFI");
    await alice.sees(card, /^Swap KLV → KFI/);
    await alice.taps(card, "🔀 Show route");
    await alice.sees(card, /^Route /);
    expect(confirms()).toHaveLength(1);
    expect(desk.callsSent()).toEqual([]);
    ahead = 1_500;
    await alice.confirms(card, /Reported by the node: 0\.994295 KFI/);
    expect(alice.holds()["KFI"]! - before["KFI"]!).toBe(994_295n);
    expect(before["KLV"]! - alice.holds()["KLV"]!).toBe(100_000_000n);
    expect(confirms()).toEqual([]);
    expect(desk.callsSent().map(({ funcName }) => funcName)).toEqual(["multiPairSwap"]);
  });

  it("is offered second below the operator's threshold", async () => {
    const { alice } = await tradingDesk({}, { BETTER_ROUTE_BPS: "1000" });
    const card = await alice.asks("/swap 100 KLV KFI");
    const [first, second] = labelsOf(card);
    expect([first, second]).toEqual(["✅ Confirm swap", "🔀 Show route: about 0.994295 KFI"]);
  });

  it("of /multihop offers the swap first if that pays more", async () => {
    const generous = await startHttpStub(() => ({ body: { amountOut: "1.5" } }));
    onTestFinished(() => generous.close());
    const { alice } = await tradingDesk({}, { QUOTATION_URL: generous.url });
    const route = await alice.asks("/multihop 100.50 KLV KFI");
    expect(route.text).toMatch(/As a swap: 1\.485 KFI \(unusual: one pool's price is far off\)\n/);
    expect(labelsOf(route)[0]).toBe("🔀 Show swap: about 1.485 KFI");
    await alice.taps(route, "🔀 Show swap");
    await alice.sees(route, /^⚠️ 50\.11% above the pools\nSwap 100\.5 KLV → KFI\n/);
  });

  it("isn't traded while the referral contract works with another router, and neither is a swap", async () => {
    const { desk, alice } = await tradingDesk(
      {},
      { ROUTER_CONTRACT: "klv1qqqqqqqqqqqqqpgq9696g7x76kwrrh02fahn4rpem4v595t8c0nqgxzpmu" },
    );
    const answer = await alice.asks("/swap 100 KLV KFI");
    if (answer.keyboard !== undefined) {
      // The card may have been made before the chain answered.
      await alice.confirms(answer, /Not sent[^]*don't match its configuration/);
    } else expect(answer.text).toMatch(/don't match its configuration/);
    expect((await alice.asks("/multihop 100 KLV KFI")).text).toMatch(/don't match its configuration/);
    expect(desk.callsSent()).toEqual([]);
  });
});
