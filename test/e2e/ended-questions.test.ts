import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/clock.js";
import { doStep } from "../support/launch-chat.js";
import {
  dataOf,
  defaultWorld,
  labelsOf,
  people,
  sandboxDesk,
  type SandboxDesk,
  type SandboxPerson,
  speaksPortuguese,
  tradingDesk,
} from "../support/sandbox-desk.js";

type Message = Awaited<ReturnType<SandboxPerson["asks"]>>;

const CANCEL = "✖️ Cancel";
const ENDED = /You began something else, so the question of \/launch ended/;
const world = defaultWorld;

const now = (desk: SandboxDesk, { id }: SandboxPerson, { messageId }: Message): Message =>
  desk.sandbox.telegram.chat(id).find((one) => one.messageId === messageId)!;

/** Waits until these are the buttons under a message. */
const hasButtons = (desk: SandboxDesk, person: SandboxPerson, message: Message, ...labels: string[]) =>
  expect.poll(() => labelsOf(now(desk, person, message))).toEqual(labels);

const press = (desk: SandboxDesk, { id }: SandboxPerson, { messageId }: Message, data: string) =>
  desk.sandbox.telegram.press(id, messageId, data);

const countOf = (desk: SandboxDesk, { id }: SandboxPerson, pattern: RegExp): number =>
  desk.sandbox.telegram.chat(id).filter(({ from, text }) => from === "bot" && pattern.test(text)).length;

/** Alice at the second question of /launch. */
async function launching(...setup: Parameters<typeof tradingDesk>) {
  const { desk, alice } = await tradingDesk({ world, ...setup[0] }, ...(setup.slice(1) as []));
  await alice.taps(await alice.asks("/launch"), "DVK-34ZH");
  const question = await alice.reads(/want to pair with DVK-34ZH/);
  return { desk, alice, question };
}

describe("a question that something else ended", () => {
  it("keeps one button, which asks it again; the answers before it are kept", async () => {
    const { desk, alice, question } = await launching();
    await alice.asks("/help", /\/history/);
    await hasButtons(desk, alice, question, "▶️ Continue /launch");
    await alice.taps(question, "▶️ Continue /launch");
    const again = await alice.reads(/want to pair with DVK-34ZH/);
    await hasButtons(desk, alice, question);
    expect(labelsOf(again)).toEqual(labelsOf(question));
    await alice.taps(again, "USDT-2AB1");
    await alice.reads(/LP token ticker/);
    expect(countOf(desk, alice, /first token/)).toBe(1);
  });

  it("says so to its own answers: a tap, a reply, or a text that isn't understood", async () => {
    const { desk, alice, question } = await launching();
    const answer = dataOf(question, "USDT-2AB1");
    // An older card's button ends it, too.
    await alice.taps(await alice.asks("/stop"), "🔔 Alerts");
    await alice.reads(/alert/i);
    const { callbackQueryId } = press(desk, alice, question, answer);
    const tapped = await alice.reads(ENDED);
    expect(labelsOf(tapped)).toEqual(["▶️ Continue /launch"]);
    expect(callbackQueryId).toBeDefined();
    // “KFI” alone would show the token.
    desk.sandbox.telegram.sendText(alice.id, "KFI", { replyTo: question.messageId });
    expect(labelsOf(await alice.reads(ENDED))).toEqual(["▶️ Continue /launch"]);
    const unread = await alice.asks("hm 5?");
    expect(unread.text).toMatch(/^I didn't understand that[^]*the question of \/launch ended/);
    expect(labelsOf(unread)).toEqual(["▶️ Continue /launch"]);
    await alice.taps(unread, "▶️ Continue /launch");
    await alice.reads(/want to pair with DVK-34ZH/);
    expect((await alice.asks("USDT")).text).toMatch(/LP token ticker/);
  });

  it("is mentioned at once by a command that doesn't exist, which ended it", async () => {
    const { alice } = await launching();
    const unknown = await alice.asks("/nonsense");
    expect(unknown.text).toMatch(/^Unknown command[^]*the question of \/launch ended/);
    await alice.taps(unknown, "▶️ Continue /launch");
    await alice.reads(/want to pair with DVK-34ZH/);
  });

  it("leaves a command, and a trade in words, in reply to it what they are", async () => {
    const { desk, alice, question } = await launching();
    await alice.asks("/help", /\/history/);
    const reply = (text: string) => desk.sandbox.telegram.sendText(alice.id, text, { replyTo: question.messageId });
    reply("/orders");
    expect((await alice.reads(/./)).text).toMatch(/order/i);
    reply("100 KLV KFI");
    await alice.reads(/^Quote KLV → KFI/);
  });

  it("is asked once for two taps, and the second says where it is", async () => {
    const { desk, alice, question } = await launching();
    await alice.asks("/help", /\/history/);
    await hasButtons(desk, alice, question, "▶️ Continue /launch");
    const data = dataOf(now(desk, alice, question), "▶️ Continue");
    press(desk, alice, question, data);
    press(desk, alice, question, data);
    await alice.asks("USDT", /LP token ticker/);
    expect(countOf(desk, alice, /want to pair with DVK-34ZH/)).toBe(2);
    await alice.asks("/cancel", /Cancelled\. Nothing was sent/);
    // What /cancel ends is not offered again.
    expect((await alice.asks("hm?")).text).toBe("I didn't understand that. /help lists what I can do.");
  });

  it("changes places with the one that is open", async () => {
    const { desk, alice, question } = await launching();
    const lock = await alice.asks("/lock");
    expect(lock.text).toMatch(/want to lock/);
    await alice.taps(question, "▶️ Continue /launch");
    await alice.reads(/want to pair with DVK-34ZH/);
    await hasButtons(desk, alice, lock, "▶️ Continue /lock");
    await alice.taps(lock, "▶️ Continue /lock");
    await alice.taps(await alice.reads(/want to lock/), "KFI");
    await alice.reads(/How much KFI/);
  });

  it("isn't answered by a reply while another is open", async () => {
    const { desk, alice, question } = await launching();
    await alice.asks("/lock", /want to lock/);
    desk.sandbox.telegram.sendText(alice.id, "KFI", { replyTo: question.messageId });
    await alice.reads(ENDED);
    expect(countOf(desk, alice, /How much KFI/)).toBe(0);
    await alice.asks("KFI", /How much KFI/);
  });

  it("is asked with what is so now: balance and language", async () => {
    const { desk, alice } = await tradingDesk({ world });
    const question = await alice.asks("/swap KLV KFI");
    expect(question.text).toContain("You have 10,000 KLV.");
    await alice.confirms(await alice.asks("/swap 100 KLV USDT-2AB1"), /✅ Swap completed/);
    await speaksPortuguese(alice);
    await hasButtons(desk, alice, question, "▶️ Continue /swap");
    await alice.taps(question, "▶️ Continue /swap");
    const again = await alice.reads(/Quanto/);
    expect(again.text).toContain("9.900 KLV");
    const card = await alice.asks("10");
    expect(card.text).toMatch(/10 KLV/);
    expect(desk.callsSent()).toHaveLength(1);
  });

  it("of a launch's deposit keeps the first amount, and offers what matches it at the price of now", async () => {
    const { desk, alice } = await tradingDesk({ world });
    let checklist = await alice.asks("/launch DVK-34ZH USDT-2AB1");
    for (const step of ["Create the pair", "Issue the LP token", "Set the token roles"]) {
      checklist = await doStep(alice, checklist, step);
    }
    await alice.taps(checklist, "▶️ Add the first liquidity");
    await alice.reads(/How much DVK-34ZH/);
    const question = await alice.asks("1000", /How much USDT-2AB1[^]*At the market price it is/);
    await alice.taps(await alice.asks("/stop"), "🔔 Alerts");
    await hasButtons(desk, alice, question, "▶️ Continue /launch");
    const { pairs } = desk.sandbox.chain.state;
    for (const [address, pair] of pairs.entries()) {
      pairs.set(address, { ...pair, reserveFirst: pair.reserveFirst * (pair.secondToken === "DVK-34ZH" ? 2n : 1n) });
    }
    // The bot reads the pools again after a while.
    const marketAmount = async () => {
      const [, amount = ""] = /market price it is ([\d.,]+)/.exec((await asksAgain()).text) ?? [];
      return Number(amount);
    };
    let shown = question;
    const asksAgain = async () => {
      await hasButtons(desk, alice, shown, "▶️ Continue /launch");
      await alice.taps(shown, "▶️ Continue /launch");
      shown = await alice.reads(/How much USDT-2AB1/);
      await alice.asks("/help", /\/history/);
      return shown;
    };
    const before = Number(/market price it is ([\d.,]+)/.exec(question.text)?.[1]);
    await expect.poll(marketAmount).toBeGreaterThan(1.5 * before);
    expect(countOf(desk, alice, /How much DVK-34ZH/)).toBe(1);
  });

  it("after an address was set doesn't ask for it, and opens one card however often it is tapped", async () => {
    const desk = await sandboxDesk({ world });
    const alice = desk.person(people.alice);
    const question = await alice.asks("/swap 100 KLV KFI");
    expect(question.text).toMatch(/klv1… wallet address/);
    await alice.asks(`/wallet ${desk.address("Bob")}`, /Saved/);
    await hasButtons(desk, alice, question, "▶️ Continue /swap");
    const data = dataOf(now(desk, alice, question), "▶️ Continue");
    press(desk, alice, question, data);
    press(desk, alice, question, data);
    const card = await alice.reads(/^Swap KLV → KFI/);
    expect(card.text).toContain(desk.address("Bob"));
    await alice.asks("/help", /\/history/);
    expect(countOf(desk, alice, /^Swap KLV → KFI/)).toBe(1);
  });

  it("isn't asked while the account is frozen, and is kept for afterwards", async () => {
    const { desk, alice } = await tradingDesk({ world });
    const question = await alice.asks("/lock 5 KFI");
    await alice.asks("/help", /\/history/);
    await hasButtons(desk, alice, question, "▶️ Continue /lock");
    await alice.asks("/freeze", /Frozen/);
    const data = dataOf(now(desk, alice, question), "▶️ Continue");
    await alice.taps(question, "▶️ Continue /lock");
    await alice.reads(/account is frozen/);
    await alice.asks("/unfreeze", /Unfrozen/);
    press(desk, alice, question, data);
    await alice.reads(/Lock until when/);
  });

  it("survives a restart", async () => {
    const { desk, alice, question } = await launching();
    await alice.asks("/help", /\/history/);
    await hasButtons(desk, alice, question, "▶️ Continue /launch");
    await desk.restart();
    await alice.taps(question, "▶️ Continue /launch");
    await alice.reads(/want to pair with DVK-34ZH/);
  });

  it("is mentioned for ten minutes, and can be continued for a day", async () => {
    let ahead = 0;
    const clock = { ...systemClock, now: () => Date.now() + ahead };
    const { desk, alice, question } = await launching({ clock });
    await alice.asks("/help", /\/history/);
    await hasButtons(desk, alice, question, "▶️ Continue /launch");
    const data = dataOf(now(desk, alice, question), "▶️ Continue");
    ahead = 11 * 60_000;
    expect(labelsOf(await alice.asks("hm?"))).toEqual([]);
    ahead = 23 * 3_600_000;
    await alice.taps(question, "▶️ Continue /launch");
    const again = await alice.reads(/want to pair with DVK-34ZH/);
    await alice.asks("/help", /\/history/);
    await hasButtons(desk, alice, again, "▶️ Continue /launch");
    ahead = 48 * 3_600_000;
    expect(await alice.taps(again, "▶️ Continue /launch")).toMatch(/no longer active/);
    press(desk, alice, question, data);
    await alice.asks("/help", /\/history/);
    expect(countOf(desk, alice, /want to pair with DVK-34ZH/)).toBe(2);
  });

  it("of the settings is kept when another of their pages is opened", async () => {
    const { desk, alice } = await tradingDesk({ world });
    const settings = await alice.asks("/settings");
    await alice.taps(settings, "Quick amounts");
    const question = await alice.reads(/Send up to four amounts/);
    await alice.taps(settings, "Language");
    await hasButtons(desk, alice, question, "▶️ Continue /settings");
    await alice.taps(question, "▶️ Continue /settings");
    await alice.reads(/Send up to four amounts/);
    expect((await alice.asks("3 7")).text).toContain("Quick amounts: 3  7 KLV");
  });
});

/** Each kind of question: how to get there, what it asks, and a wrong answer. */
const questions: readonly (readonly [name: string, asked: RegExp, way: (person: SandboxPerson) => Promise<unknown>])[] =
  [
    ["/swap, token", /Which token do you pay with/, (person) => person.asks("/swap")],
    ["/swap, other token", /Which token do you want/, (person) => person.asks("/swap KLV")],
    ["/swap, amount", /How much KLV/, (person) => person.asks("/swap KLV KFI")],
    ["/quote", /Which token do you pay with/, (person) => person.asks("/quote")],
    ["/multihop", /\/multihop/, (person) => person.asks("/multihop")],
    ["/lock, token", /want to lock/, (person) => person.asks("/lock")],
    ["/lock, amount", /How much KFI/, (person) => person.asks("/lock KFI")],
    ["/lock, time", /Lock until when/, (person) => person.asks("/lock 5 KFI")],
    ["/unlock", /Which locked token/, (person) => person.asks("/unlock")],
    ["/launch, first token", /first token/, (person) => person.asks("/launch")],
    ["/alert, token", /The price of which token/, (person) => person.asks("/alert")],
    ["/alert, rule", /KFI/, (person) => person.asks("/alert KFI")],
    ["/order", /Which order/, (person) => person.asks("/order")],
    [
      "quick amounts",
      /up to four amounts/,
      async (person) => person.taps(await person.asks("/settings"), "Quick amounts"),
    ],
    ["time zone", /Which city/, async (person) => person.taps(await person.asks("/settings"), "Time zone")],
    ["limit", /limit/i, async (person) => person.taps(await person.asks("/security"), "Set a limit")],
  ];

async function asked(person: SandboxPerson, [, pattern, way]: (typeof questions)[number]): Promise<Message> {
  const shown = await way(person);
  return typeof shown === "object" ? (shown as Message) : person.reads(pattern);
}

it("every question can be cancelled, which ends in its own message and cancels no card", {
  timeout: 60_000,
}, async () => {
  const { desk, alice } = await tradingDesk({ world });
  const card = await alice.asks("/swap 1 KLV KFI");
  for (const question of questions) {
    const [name, pattern] = question;
    const message = await asked(alice, question);
    expect(message.text, name).toMatch(pattern);
    expect(labelsOf(message).at(-1), name).toBe(CANCEL);
    await alice.taps(message, CANCEL);
    await alice.sees(message, /^✖️ Cancelled\. Nothing was sent\.$/);
    expect(labelsOf(now(desk, alice, message)), name).toEqual([]);
    expect((await alice.asks("hm?")).text, name).toBe("I didn't understand that. /help lists what I can do.");
  }
  await alice.confirms(card, /☑️|✅|had expired/);
});

it("a text that reads as a command is answered with what is asked, and with the command", {
  timeout: 60_000,
}, async () => {
  const { alice } = await tradingDesk({ world });
  for (const question of questions) {
    const [name, pattern] = question;
    if (name === "/multihop") continue;
    await asked(alice, question);
    const refused = await alice.asks("sell 1 KFI for KLV please now".slice(0, 10));
    expect(refused.text, name).toMatch(pattern);
    expect(refused.text, name).toMatch(/“sell 1 KFI” doesn't answer this question\. To do it now, tap it/);
    expect(labelsOf(refused)[0], name).toBe("sell 1 KFI");
    expect(labelsOf(refused).at(-1), name).toBe(CANCEL);
    await alice.taps(refused, CANCEL);
    await alice.sees(refused, /^✖️ Cancelled/);
  }
});

describe("a command typed instead of an answer", () => {
  it("is offered where the address is asked, and doesn't count as a wrong address", async () => {
    const desk = await sandboxDesk({ world });
    const alice = desk.person(people.alice);
    await alice.asks("/swap", /wallet address/);
    const refused = await alice.asks("buy 2 KFI");
    expect(refused.text).toMatch(/^Send your klv1… wallet address[^]*“buy 2 KFI” doesn't answer this question/);
    expect(labelsOf(refused)).toEqual(["buy 2 KFI", CANCEL]);
    const wrong = await alice.asks("hello there");
    expect(wrong.text).toMatch(/“hello there” isn't a valid address/);
    expect(labelsOf(wrong)).toEqual([CANCEL]);
    await alice.taps(refused, "buy 2 KFI");
    await alice.reads(/wallet address/);
    const card = await alice.asks(desk.address("Alice"), /KLV → KFI/);
    expect(card.text).toContain("2 KFI");
  });

  it.each([
    ["kfi price", /^KFI/],
    ["100 KLV USDT", /^Quote KLV → USDT/],
    ["alerts", /alert/i],
    ["Portfolio", /KLV/],
    ["1989652f-be77-4179-924e-b71c03a4198a", /^Buy KLV-USDT/],
  ])("“%s” is done by a tap, and the question can be continued", async (typed, done) => {
    const { desk, alice } = await tradingDesk({ world });
    await alice.asks("/swap KLV KFI", /How much KLV/);
    const refused = await alice.asks(typed);
    expect(labelsOf(refused)).toContain(typed);
    await alice.taps(refused, typed);
    await alice.reads(done);
    await hasButtons(desk, alice, refused, "▶️ Continue /swap");
    await alice.taps(refused, "▶️ Continue /swap");
    await alice.reads(/How much KLV/);
    expect((await alice.asks("7")).text).toMatch(/You pay: 7 KLV/);
  });

  it("is read as its language writes numbers, once", async () => {
    const { alice } = await tradingDesk({ world });
    await speaksPortuguese(alice);
    await alice.asks("/lock", /bloquear/);
    const refused = await alice.asks("vender 1,5 KFI");
    expect(labelsOf(refused)[0]).toBe("vender 1,5 KFI");
    await alice.taps(refused, "vender 1,5 KFI");
    expect((await alice.reads(/KFI → KLV/)).text).toMatch(/1,5 KFI/);
  });

  it("that doesn't fit in a button can be sent afterwards", async () => {
    const { alice } = await tradingDesk({ world });
    await alice.asks("/swap", /pay with/);
    const long = `sell 5 KFI for ${"9".repeat(60)} KLV`;
    const refused = await alice.asks(long);
    expect(refused.text).toMatch(/Answer or cancel the question first, then send that again/);
    expect(labelsOf(refused)[0]).not.toMatch(/^sell/);
  });

  it("doesn't hide why an answer that was read is refused", async () => {
    const { alice } = await tradingDesk({ world });
    await alice.asks("/swap KLV", /Which token do you want/);
    expect((await alice.asks("KLV")).text).toMatch(/two different tokens/);
  });
});

describe("a cancel button", () => {
  it("under a wrong answer ends the dialog, and the question loses its buttons", async () => {
    const { desk, alice } = await tradingDesk({ world });
    const question = await alice.asks("/swap KLV KFI");
    const refused = await alice.asks("much");
    await alice.taps(refused, CANCEL);
    await alice.sees(refused, /^✖️ Cancelled\. Nothing was sent\.$/);
    await hasButtons(desk, alice, question);
    expect(now(desk, alice, question).text).toMatch(/How much KLV/);
  });

  it("of a question that something else ended forgets it", async () => {
    const { desk, alice, question } = await launching();
    await alice.asks("/help", /\/history/);
    await hasButtons(desk, alice, question, "▶️ Continue /launch");
    const data = dataOf(now(desk, alice, question), "▶️ Continue");
    press(desk, alice, question, dataOf(question, CANCEL));
    await alice.sees(question, /^✖️ Cancelled/);
    press(desk, alice, question, data);
    expect(labelsOf(await alice.asks("hm?"))).toEqual([]);
    expect(countOf(desk, alice, /want to pair with DVK-34ZH/)).toBe(0);
  });
});

describe("a card without a quote", () => {
  it("isn't called one when it is renewed, or cancelled by a freeze", async () => {
    let ahead = 0;
    const clock = { ...systemClock, now: () => Date.now() + ahead };
    const { alice } = await tradingDesk({ world, clock });
    const lock = await alice.asks("/lock 5 KFI 30d");
    ahead = 3_600_000;
    await alice.taps(lock, "✅ Confirm lock").catch(() => "");
    const renewed = await alice.sees(lock, /had expired/);
    expect(renewed.text).toMatch(/Here it is again:/);
    expect(renewed.text).not.toMatch(/quote/i);
    expect((await alice.asks("/freeze")).text).toMatch(/Open requests cancelled: 1\./);
    expect((await alice.asks("/unfreeze")).text).toMatch(/What was cancelled stays cancelled/);
  });
});
