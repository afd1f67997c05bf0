import { describe, expect, it } from "vitest";
import { withIssuers } from "../../sandbox/issuers.js";
import { systemClock } from "../../src/clock.js";
import {
  dataOf,
  defaultWorld,
  labelsOf,
  people,
  requestsTo,
  sandboxDesk,
  type SandboxPerson,
  speaksPortuguese,
  tradingDesk,
} from "../support/sandbox-desk.js";
import { walletChat } from "../support/wallet-chat.js";

/** Taps that each button takes from a pasted token to the node, or to the page where the wallet signs. */
const sales = [
  ["25%", 4n],
  ["50%", 2n],
] as const;

const klvSent = (card: { readonly text: string }) => /You pay: ([0-9.,]+) KLV/.exec(card.text)?.[1];

describe("from a pasted token to a sent trade", () => {
  it("it takes two taps to buy, and to sell a share of what is held then, exact to the unit", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    const before = alice.holds();
    const token = await alice.asks("KFI");
    expect(token.text).toMatch(/^KFI\nPool price: 1 KFI = [^]*\nYour position\n500 KFI[^]*\ncost unknown\n/);
    expect(labelsOf(token).slice(0, 8)).toEqual(["Buy", "10 KLV", "100 KLV", "1,000 KLV", "Sell", "25%", "50%", "All"]);
    await alice.taps(token, "100 KLV");
    const buy = await alice.reads(/^Swap KLV → KFI/);
    expect(klvSent(buy)).toBe("100");
    await alice.confirms(buy, /✅ Swap completed/);
    expect(before["KLV"]! - alice.holds()["KLV"]!).toBe(100_000_000n);
    expect(desk.callsSent()).toMatchObject([{ funcName: "swap", value: "KLV=100000000" }]);

    // The card above was drawn before: a share is of what is held when it is tapped.
    for (const [label, part] of sales) {
      const held = alice.holds()["KFI"]!;
      await alice.taps(token, label);
      await alice.confirms(await alice.reads(/^Swap KFI → KLV/), /✅ Swap completed/);
      expect(held - alice.holds()["KFI"]!).toBe(held / part);
    }
    await alice.taps(token, "All");
    await alice.confirms(await alice.reads(/^Swap KFI → KLV/), /✅ Swap completed/);
    expect(alice.holds()["KFI"] ?? 0n).toBe(0n);
    expect(desk.callsSent()).toHaveLength(4);

    const sold = await alice.asks("KFI");
    expect(sold.text).toMatch(/Your position\n0 KFI\nrealised: [+−][0-9.]+ KLV/);
    expect(labelsOf(sold).join()).not.toContain("Sell");
    // Buttons of an old card say so, and send nothing.
    await alice.taps(token, "50%");
    expect((await alice.reads(/./)).text).toContain("You have no KFI");
    expect(desk.callsSent()).toHaveLength(4);
  });

  it("shows the average cost and the gain of what was bought here, partly known", async () => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    await alice.confirms(await alice.asks("/swap 1000 KLV KFI"), /✅ Swap completed/);
    const card = await alice.asks("KFI");
    expect(card.text).toMatch(
      /Your position\n509[.0-9]* KFI · ≈ [0-9,.]+ KLV\nunrealised: −[^]*\ncost 1,000 KLV \([0-9.]+ each\), known for 9[.0-9]* KFI only\n/,
    );
    // As the portfolio has it, to the unit.
    const [, cost] = /\n(cost 1,000 KLV.*)\n/.exec(card.text) ?? [];
    expect((await alice.asks("/portfolio")).text).toContain(cost);
  });

  it("asks for an amount that is typed, in either language, and opens a limit, an alert and a chart", async () => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    const token = await alice.asks("DVK-34ZH");
    await alice.taps(token, "Buy");
    await alice.reads(/How much KLV do you want to swap for DVK-34ZH/);
    expect((await alice.asks("7.5", /^Swap/)).text).toMatch(/You pay: 7.5 KLV/);
    await alice.taps(token, "🎯");
    await alice.reads(/DVK-34ZH/);
    await alice.asks("/cancel");
    await alice.taps(token, "🔔 Price alert");
    await alice.reads(/DVK-34ZH KLV: when should I alert you/);
    await alice.asks("/cancel");
    await alice.taps(token, "📈 Chart");
    await alice.reads(/DVK-34ZH\/KLV/);
    await speaksPortuguese(alice);
    const cartao = await alice.asks("KFI");
    expect(cartao.text).toMatch(/Preço do pool: [^]*Sua posição\n500 KFI[^]*custo desconhecido/);
    await alice.taps(cartao, "50%");
    await alice.confirms(await alice.reads(/^Troca KFI → KLV/), /✅ Troca concluída/);
    expect(alice.holds()["KFI"]).toBeGreaterThan(0n);
    for (const [said, paid] of [
      ["vender metade KFI", /Você paga: 125 KFI/],
      ["vender tudo KFI", /Você paga: 250 KFI/],
    ] as const) {
      expect((await alice.asks(said)).text).toMatch(paid);
    }
  });

  it("offers to buy an exact amount, by a button or typed, and says it in words, too", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    await alice.taps(await alice.asks("KFI"), "Buy");
    const asked = await alice.reads(/How much KLV/);
    expect(asked.text).toMatch(/To get an exact amount, send it with its token, such as 0.1 KFI\./);
    expect(labelsOf(asked)).toContain("= 1 KFI");
    await alice.taps(asked, "= 1 KFI");
    const route = await alice.reads(/You get exactly: 1 KFI/);
    const before = alice.holds()["KFI"]!;
    await alice.confirms(route, /✅ Route completed/);
    expect(alice.holds()["KFI"]! - before).toBe(1_000_000n);
    expect(desk.callsSent()).toMatchObject([{ funcName: "multiPairSwap" }]);

    await alice.asks("/swap KLV KFI", /How much KLV/);
    expect((await alice.asks("5 USDT-2AB1")).text).toContain("“5 USDT-2AB1”");
    expect((await alice.asks("5kfi")).text).toContain("You get exactly: 5 KFI");
    expect((await alice.asks("I want 5 KFI")).text).toContain("You get exactly: 5 KFI");
    await alice.asks("/swap KLV KFI", /How much KLV/);
    // More than the account can pay for: the question stays open.
    expect((await alice.asks("400 KFI")).text).toMatch(/Not enough KLV/);
    expect((await alice.asks("3")).text).toContain("You pay: 3 KLV");
    await speaksPortuguese(alice);
    await alice.asks("/swap KLV KFI", /envie-o com o token, como 0,1 KFI/);
    expect((await alice.asks("1,5 KFI")).text).toContain("Você recebe exatamente: 1,5 KFI");
    expect((await alice.asks("quero 5 KFI")).text).toContain("Você recebe exatamente: 5 KFI");
  });

  it("keeps the network fee back when all KLV is sold", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    await alice.confirms(await alice.asks("/swap 100 KLV KFI"), /✅ Swap completed/);
    const token = await alice.asks("KLV");
    expect(token.text).toMatch(/^KLV\nPool price: 1 KLV = [0-9.]+ KFI\n[^]*Your position\n[0-9,.]+ KLV · ≈/);
    await alice.taps(token, "All");
    await alice.confirms(await alice.reads(/^Swap KLV → KFI/), /✅ Swap completed/);
    expect(desk.callsSent()).toHaveLength(2);
  });
});

describe("where wallets sign", () => {
  it("it takes two taps to the signing page, in Portuguese, too", async () => {
    const chat = await walletChat();
    const { alice } = chat;
    const buys = async (person: SandboxPerson, title: RegExp, done: RegExp) => {
      await person.taps(await person.asks("KFI"), "100 KLV");
      const swap = await person.reads(title);
      await person.taps(swap, "✅ Confirm");
      await person.sees(swap, done);
      return swap;
    };
    const swap = await buys(alice, /^Swap KLV → KFI/, /Waiting for your signature/);
    expect(await chat.sign(chat.pageOf(swap))).toBe(200);
    await alice.sees(swap, /✅ Swap completed/);
    const bought = await alice.asks("KFI");
    expect(bought.text).toMatch(/cost 100 KLV|cost 10[0-9.]+ KLV/);
    await speaksPortuguese(alice);
    await alice.taps(await alice.asks("KLV"), "Tudo");
    const all = await alice.reads(/^Troca KLV → KFI/);
    const [, pays = ""] = /Você paga: ([0-9.,]+) KLV/.exec(all.text) ?? [];
    const held = alice.holds()["KLV"]!;
    const paid = BigInt(Math.round(Number(pays.replaceAll(".", "").replace(",", ".")) * 1e6));
    expect(held - paid).toBeGreaterThan(0n);
    await alice.taps(all, "✅ Confirm");
    await alice.sees(all, /Aguardando sua assinatura|assinatura/);
  });
});

it("a name that two tokens have is chosen by id and issuer, and a look-alike names its issuer first", async () => {
  const issued = withIssuers(defaultWorld);
  const moon = issued.tokens.find(({ id }) => id === "MOON-4R7T")!;
  const world = { ...issued, tokens: [...issued.tokens, { ...moon, id: "MOON-0000" }] };
  const { alice } = await tradingDesk({ world });
  const which = await alice.asks(moon.name);
  expect(which.text).toMatch(
    /^Several tokens are named “.*”\..*\nMOON-4R7T · issuer: klv1[a-z0-9]{5}…[a-z0-9]{6}\nMOON-0000 · issuer: unknown$/,
  );
  expect(labelsOf(which)).toEqual(["MOON-4R7T", "MOON-0000"]);
  await alice.taps(which, "MOON-4R7T");
  const card = await alice.reads(/Deepest pool/);
  expect(card.text).toMatch(/^MOON-4R7T · issuer: klv1.*\n⚠️ Other tokens have the same or a similar name: MOON-0000\./);
  expect((await alice.asks("KFI")).text).toMatch(/^KFI\n/);
  await speaksPortuguese(alice);
  expect((await alice.asks(moon.name)).text).toMatch(/^Vários tokens se chamam “.*”\.[^]*MOON-4R7T · emissor: klv1/);
});

describe("what a token's card can't know", () => {
  it("has no buttons to sell without an account, or where the node doesn't tell balances", async () => {
    const desk = await sandboxDesk({ world: defaultWorld });
    const bob = desk.person(people.bob);
    const stranger = await bob.asks("KFI");
    expect(stranger.text).not.toContain("Your position");
    expect(labelsOf(stranger)).toContain("100 KLV");
    expect(labelsOf(stranger).join()).not.toContain("Sell");

    const untold = await tradingDesk();
    const blind = await untold.alice.asks("KFI");
    expect(blind.text).toMatch(/Your position\nKFI: balance unknown[^]*LP tokens in the lock contract: unknown/);
    expect(labelsOf(blind).join()).not.toContain("Sell");
  });

  it("says what part of the LP tokens lies in the lock contract, and that until when is unknown", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    expect((await alice.asks("DVK-34ZH")).text).toContain("LP tokens in the lock contract: none");
    await alice.confirms(await alice.asks("/lock 20 LPKLVKFI-3I0N 30d"), /✅ Lock/);
    const { text } = await alice.asks("KFI");
    expect(text).toContain("LP tokens in the lock contract: less than 0.01% (until when: unknown)");
    desk.sandbox.faults.set("balances", "5xx");
    expect((await alice.asks("KFI")).text).toMatch(/KFI: balance unknown[^]*in the lock contract: unknown\n/);
  });

  it("asks no more of the node and the quotation service than a person may", async () => {
    // No time passes in which more could be asked.
    const { desk, alice } = await tradingDesk({ world: defaultWorld, clock: { ...systemClock, monotonic: () => 0 } });
    const token = await alice.asks("KFI");
    const data = dataOf(token, "25%");
    for (let tap = 0; tap < 40; tap += 1) {
      desk.sandbox.telegram.press(alice.id, token.messageId, data);
      await alice.reads(/^Swap KFI|Too many/);
      await alice.asks("KFI");
    }
    expect((await alice.asks("KFI")).text).toMatch(/^Too many requests/);
    expect(requestsTo(desk, /^\/quotation/).length).toBeLessThan(70);
    expect(desk.callsSent()).toEqual([]);
  });
});
