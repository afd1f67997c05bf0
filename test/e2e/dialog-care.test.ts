import { describe, expect, it } from "vitest";
import { asRead } from "../support/as-read.js";
import {
  defaultWorld,
  people,
  sandboxDesk,
  type SandboxPerson,
  speaksPortuguese,
  tradingDesk,
} from "../support/sandbox-desk.js";

type Message = Awaited<ReturnType<SandboxPerson["asks"]>>;
const CANCEL = "✖️ Cancel";
const rowsOf = ({ keyboard = [] }: Message) => keyboard.map((row) => row.map(({ text }) => asRead(text)));

describe("the token picker", () => {
  it("lists held tokens first, two per row with balances, and offers LP tokens only where they can be used", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    const expected = [
      ["KLV · 10,000", "KFI · 500"],
      ["DVK-34ZH · 250,000", "USDT-2AB1 · 1,000"],
      ["BTC-9K3F · 0.05"],
      [CANCEL],
    ];
    expect(rowsOf(await alice.asks("/swap"))).toEqual(expected);
    // A card's tokens don't move to the front afterwards.
    await alice.asks("/swap 1 USDT BTC");
    const again = await alice.asks("/swap");
    expect(rowsOf(again)).toEqual(expected);
    await alice.taps(again, "DVK");
    const out = await alice.reads(/You pay with DVK-34ZH/);
    expect(rowsOf(out).flat()).toEqual(expected.flat().filter((label) => !label.startsWith("DVK")));
    // LP tokens can be locked.
    const lockable = rowsOf(await alice.asks("/lock"));
    expect(lockable.flat()).toContain("LPKLVKFI-3I0N · 40");
    expect(lockable.every((row) => row.length <= 2)).toBe(true);
    expect(lockable.at(-1)).toEqual([CANCEL]);
    // Bob holds no DVK, so it comes after what he holds.
    const bob = await desk.trader("Bob");
    expect(rowsOf(await bob.asks("/swap")).flat()).toEqual([
      "KLV · 50,000",
      "KFI · 200",
      "USDT-2AB1 · 5,000",
      "DVK-34ZH",
      "BTC-9K3F",
      CANCEL,
    ]);
  });

  it("has ten buttons for a list of 500 tokens, and asks the node for at most forty balances", async () => {
    const many = Array.from({ length: 500 }, (_, at) => {
      const ticker = `T${String(at).padStart(3, "0")}`;
      return { id: `${ticker}-AAAA`, name: ticker, precision: 6, kind: "fungible" as const };
    });
    const world = { ...defaultWorld, tokens: [...defaultWorld.tokens, ...many] };
    const { desk, alice } = await tradingDesk({ world });
    const readsSoFar = () => desk.sandbox.wireLog.entries().filter(({ path }) => path.includes("/balance")).length;
    const before = readsSoFar();
    const picker = await alice.asks("/swap");
    const tokens = rowsOf(picker).slice(0, -1);
    expect(rowsOf(picker).at(-1)).toEqual([CANCEL]);
    expect(tokens.flat()).toHaveLength(10);
    expect(tokens.every((row) => row.length === 2)).toBe(true);
    const reads = readsSoFar() - before;
    expect(reads).toBeGreaterThan(0);
    expect(reads).toBeLessThanOrEqual(40);
  });
});

describe("the question for an amount", () => {
  it("shows the balance, and offers amounts of similar value in any token, and shares", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    const ask = await alice.asks("/swap KLV KFI");
    expect(ask.text).toMatch(/How much KLV[^]*You have 10,000 KLV\./);
    const exact = ["= 0.1 KFI", "= 1 KFI", "= 10 KFI"];
    expect(rowsOf(ask)).toEqual([["10", "100", "1,000"], ["25%", "50%", "max"], exact, [CANCEL]]);
    // 1 KLV is worth 0.0067 USDT here, so these are about 10, 100 and 1,000 KLV.
    expect(rowsOf(await alice.asks("/swap USDT KFI"))[0]).toEqual(["0.05", "0.5", "5"]);
    const bob = await desk.trader("Bob");
    const none = await bob.asks("/swap BTC KLV");
    expect(none.text).toContain("You have no BTC-9K3F.");
    expect(rowsOf(none).flat()).not.toContain("max");
  });

  it("opens the input field next to its buttons; a reply after its end is an ordinary message", async () => {
    const { desk, alice } = await tradingDesk();
    const question = await alice.asks("/swap KLV KFI");
    expect(question.forceReply).toBe(true);
    const reply = (text: string) => desk.sandbox.telegram.sendText(alice.id, text, { replyTo: question.messageId });
    reply("7");
    const card = await alice.reads(/You pay: 7 KLV/);
    expect(card.forceReply).toBeUndefined();
    reply("8");
    expect((await alice.reads(/./)).text).not.toMatch(/You pay/);
  });

  it("repeats a tapped number as its button writes it, also in Portuguese", async () => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    await speaksPortuguese(alice);
    const question = await alice.asks("/swap KLV KFI", /Quanto KLV/);
    await alice.taps(question, "1.000");
    await alice.sees(question, /› 1\.000$/);
    const small = await alice.asks("/swap KFI KLV", /Quanto KFI/);
    await alice.taps(small, "0,1");
    await alice.sees(small, /› 0,1$/);
  });

  it("offers about as much as the user's own quick amounts, which are in KLV, in every token", async () => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    const settings = await alice.asks("/settings");
    await alice.taps(settings, "Quick amounts");
    await alice.reads(/Send up to four amounts/);
    expect((await alice.asks("3 7")).text).toContain("Quick amounts: 3  7 KLV");
    expect(rowsOf(await alice.asks("/swap KLV KFI"))[0]).toEqual(["3", "7"]);
    expect(rowsOf(await alice.asks("/swap USDT KFI"))[0]).toEqual(["0.02", "0.05"]);
    await alice.asks("/cancel");
    const token = await alice.asks("USDT");
    expect(rowsOf(token)[0]).toEqual(["Buy", "3 KLV", "7 KLV"]);
    const native = await alice.asks("KLV");
    expect(rowsOf(native)[0]?.[1]).toMatch(/^0\.[0-9]+ /);
    // The alert's amount has the same meaning.
    expect((await alice.asks("/alert USDT above 500")).text).toContain("for selling 0.02 USDT-2AB1");
  });

  it("offers no amounts of a token whose price isn't known", async () => {
    const desk = await sandboxDesk({ world: defaultWorld });
    desk.sandbox.faults.set("quotation", "5xx");
    desk.sandbox.faults.set("node", "5xx");
    const bob = await desk.trader("Bob");
    expect(rowsOf(await bob.asks("/swap USDT KFI"))[0]).not.toContain("10");
    expect(rowsOf(await bob.asks("/swap KLV KFI"))[0]).toEqual(["10", "100", "1,000"]);
  });
});

it("a newcomer's first swap takes six taps from Start, plus the address, and its dialog offers shares", async () => {
  const desk = await sandboxDesk({ world: defaultWorld });
  const alice = desk.person(people.alice);
  let taps = 1;
  const tap = (message: Message, label: string) => {
    taps += 1;
    return alice.taps(message, label);
  };
  // The client's own Start button sends this.
  await tap(await alice.asks("/start"), "💱 Swap");
  await alice.reads(/klv1/);
  const from = await alice.asks(desk.address("Alice"), /Which token/);
  expect(rowsOf(from)[0]).toEqual(["KLV · 10,000", "KFI · 500"]);
  await tap(from, "KLV");
  await tap(await alice.reads(/Which token do you want/), "KFI");
  const amount = await alice.reads(/How much KLV/);
  expect(rowsOf(amount).slice(1)).toEqual([["25%", "50%", "max"], ["= 0.1 KFI", "= 1 KFI", "= 10 KFI"], [CANCEL]]);
  await tap(amount, "100");
  const card = await alice.reads(/You pay: 100 KLV/);
  await tap(card, "✅ Confirm");
  await alice.sees(card, /✅ Swap completed/);
  expect(taps).toBe(6);
  expect(desk.callsSent()).toHaveLength(1);
});

describe("a typed trade", () => {
  it.each([
    ["/swap 100 KLV", /You pay with KLV\. Which token/, "KFI", /You pay: 100 KLV/],
    ["/swap KFI", /You pay with KFI\. Which token/, "KLV", /How much KFI/],
    ["/swap KLV KFI", /How much KLV/, "100", /You pay: 100 KLV/],
    ["/quote 100 KLV", /You pay with KLV\. Which token/, "KFI", /Quote KLV → KFI/],
    ["/lock 5 KFI", /Lock until when/, "30d", /Lock 5 KFI/],
    ["/lock KFI", /How much KFI/, "5", /Lock until when/],
    ["/lock KFI 30d", /How much KFI/, "5", /Lock 5 KFI/],
    ["/multihop 100 KLV", /\/multihop/, "100 KLV DVK-34ZH KFI", /KLV[^]*DVK[^]*KFI/],
    ["swap 100 KLV", /You pay with KLV\. Which token/, "KFI", /You pay: 100 KLV/],
  ])("%s leads to a question for the missing part", async (line, question, answer, then) => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    expect((await alice.asks(line)).text).toMatch(question);
    expect((await alice.asks(answer)).text).toMatch(then);
  });

  it.each([
    "/swap 100 klv to kfi",
    "swap 100 klv to kfi",
    "/swap 100 KLV → KFI",
    "/swap 100 KLV for KFI",
    "trocar 100 klv por kfi",
  ])("%s leads to the card", async (line) => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    expect((await alice.asks(line)).text).toMatch(/^Swap KLV → KFI/);
  });

  it("is refused for a mistake before the bot asks for a missing part", async () => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    const refused = await alice.asks("/swap 100 KLW");
    expect(refused.text).toMatch(/don't know the token “KLW”\. Did you mean KLV/);
    await alice.taps(refused, "KLV");
    await alice.reads(/You pay with KLV\. Which token/);
    expect((await alice.asks("/swap 1,5 KLV")).text).toMatch(/comma/);
  });
});

describe("a lock until a date in the past", () => {
  it("keeps the question open, offers durations, and doesn't mention epochs", async () => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    const until = await alice.asks("/lock 5 KFI");
    expect(rowsOf(until)).toEqual([["7d", "30d", "90d", "1y"], [CANCEL]]);
    const refused = await alice.asks("2020-01-01");
    expect(refused.text).toMatch(/“2020-01-01” is in the past/);
    expect(refused.text).not.toMatch(/poch/);
    expect(rowsOf(refused)).toEqual([["7d", "30d", "90d", "1y"], [CANCEL]]);
    expect((await alice.asks("1y")).text).toMatch(/^Lock 5 KFI/);
    const line = await alice.asks("/lock 5 KFI 2020-01-01");
    await alice.taps(line, "90d");
    await alice.reads(/^Lock 5 KFI/);
  });
});
