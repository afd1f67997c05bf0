import { describe, expect, it } from "vitest";
import type { BotContext } from "../../src/bot/context.js";
import { enterDialog, mountDialogs } from "../../src/bot/dialogs.js";
import { card } from "../../src/cards/card.js";
import { button, buttons } from "../../src/cards/buttons.js";
import { setAnswers } from "../../src/cards/standing.js";
import { replies, replyCard } from "../../src/bot/reply.js";
import { systemClock } from "../../src/clock.js";
import * as dialogs from "../../src/conversations/standing.js";
import type { SetUp, StandingFilled, StandingFormParts } from "../../src/conversations/standing.js";
import { tokenListOf } from "../../src/services/market/token-list.js";
import { alice, tap, testBot, testLog, text } from "../bot/receive/updates.js";
import { alice as address, kfi, klv } from "../services/samples.js";
import { asRead } from "../support/as-read.js";
import { temporaryStore } from "../support/engine.js";

/** A bot with the dialogs of standing orders. What is set up is shown as its line; 500 KLV bring 5 KFI now. */
async function standingBot(changed: Partial<StandingFormParts> = {}, refused: string[] = []) {
  const store = await temporaryStore();
  const { log } = testLog();
  let messageId = 0;
  const { bot, calls } = testBot<BotContext>(() => {
    messageId += 1;
    return { ok: true, result: { message_id: messageId, date: 1, chat: { id: alice, type: "private" } } };
  });
  const set: StandingFilled[] = [];
  const zones: string[] = [];
  const parts: StandingFormParts = {
    tokens: tokenListOf([klv, kfi]),
    readPerson: async () => ({ language: "en", recentTokens: [], hasWallet: true, knowsBalances: false }),
    readMarket: async () => ({ untraded: [] }),
    presetsFor: async () => ["10", "100"],
    saveWallet: async () => undefined,
    refuseTrade: async () => undefined,
    replies,
    show: async (outer, shown) => void (await replyCard(outer, shown.card)),
    preview: async (_, { line }): Promise<SetUp> => ({
      card: card([`set up: ${line}`], [[button("Set", buttons.pick, setAnswers.set)]]),
      line: `${line} exactly`,
    }),
    netNow: async (_, pair) =>
      pair.startsWith("500 KLV") ? { pay: "500000000", net: "5000000" } : { pay: "5000000", net: "500000000" },
    zoneOf: async () => zones.at(-1),
    saveZone: async (_, zone) => void zones.push(zone),
    submit: async (_, filled) => {
      const sentence = refused.shift();
      if (sentence !== undefined) return { ok: false, card: card([sentence]) };
      set.push(filled);
      return { ok: true, card: card(["the order"]) };
    },
    ...changed,
  };
  const forms = {
    limit: dialogs.priceOrderForm("limit", parts),
    stoploss: dialogs.priceOrderForm("stop", parts),
    dca: dialogs.dcaForm(parts),
  };
  bot.use(mountDialogs({ store, clock: systemClock, log }, [{ forms: Object.values(forms) }]));
  for (const command of ["limit", "stoploss", "dca"] as const)
    bot.command(command, (ctx) => enterDialog(ctx, forms[command], ctx.match));
  bot.command("edit", (ctx) => enterDialog(ctx, forms.limit, "500 KLV KFI", "the-id"));
  bot.on("message", (ctx) => ctx.reply("no dialog"));
  let updateId = 0;
  type Sent = {
    text?: string;
    reply_markup?: { force_reply?: true; inline_keyboard: { text: string; callback_data?: string }[][] };
  };
  const sent = () => calls.filter(({ method }) => method === "sendMessage").map(({ payload }) => payload as Sent);
  const last = () => sent().at(-1);
  return {
    set,
    zones,
    last: () => asRead(last()?.text ?? ""),
    opensReplyField: () => last()?.reply_markup?.force_reply === true,
    labels: () => (last()?.reply_markup?.inline_keyboard ?? []).flat().map((each) => asRead(each.text)),
    says: async (...all: readonly string[]) => {
      for (const words of all) await bot.handleUpdate(text(++updateId, alice, words));
    },
    /** Taps the last message's button with this label. */
    taps: async (...labels: readonly string[]) => {
      for (const label of labels) {
        const keys = (last()?.reply_markup?.inline_keyboard ?? []).flat();
        const found = keys.find((key) => asRead(key.text) === label);
        expect(keys.map((key) => asRead(key.text))).toContain(label);
        const under = messageIdOfLast();
        const update = tap(++updateId, alice, found?.callback_data ?? "");
        Object.assign(update.callback_query!.message!, { message_id: under });
        await bot.handleUpdate(update);
      }
    },
  };
  function messageIdOfLast(): number {
    const at = calls.map(({ method }) => method).lastIndexOf("sendMessage");
    return at + 1;
  }
}

describe("a whole line", () => {
  it.each(["/limit 500 KLV KFI at 96 KLV", "/stoploss 5 KFI KLV at 90 KLV"])(
    "%s is shown before it is set, and only its button sets it",
    async (typed) => {
      const bot = await standingBot();
      await bot.says(typed);
      const line = typed.replace(/^\/\w+ /, "");
      expect(bot.last()).toBe(`set up: ${line}`);
      await bot.says("yes", "ok");
      expect(bot.last()).toBe("Nothing is set yet. Tap the button to set it, or cancel.");
      expect(bot.set).toEqual([]);
    },
  );

  it("is set as it was shown, once", async () => {
    const bot = await standingBot();
    await bot.says("/limit 500 KLV KFI for 5.2");
    await bot.taps("Set");
    expect(bot.set).toEqual([{ kind: "limit", line: "500 KLV KFI for 5.2 exactly", id: undefined, isSure: false }]);
    await bot.says("set");
    expect(bot.last()).toBe("no dialog");
    expect(bot.set).toHaveLength(1);
  });

  it("that is refused in the end leaves its set-up open", async () => {
    const bot = await standingBot({}, ["The price is there by now."]);
    await bot.says("/limit 500 KLV KFI for 5.2", "set");
    expect(bot.last()).toBe("The price is there by now.");
    expect(bot.set).toEqual([]);
    await bot.says("set");
    expect(bot.set).toHaveLength(1);
  });

  it("with nothing to set ends, and says why", async () => {
    const bot = await standingBot({ preview: async () => ({ card: card(["It is there already."]) }) });
    await bot.says("/limit 500 KLV KFI for 5.2");
    expect(bot.last()).toBe("It is there already.");
    await bot.says("set");
    expect(bot.last()).toBe("no dialog");
    expect(bot.set).toEqual([]);
  });

  it("far from the price now is set only by the button that says so", async () => {
    const isFar = async (): Promise<SetUp> => ({ card: card(["far"]), line: "far", isFar: true });
    const bot = await standingBot({ preview: isFar });
    await bot.says("/limit 500 KLV KFI for 5.2", setAnswers.set);
    expect(bot.set).toEqual([]);
    await bot.says(setAnswers.sure);
    expect(bot.set).toEqual([{ kind: "limit", line: "far", id: undefined, isSure: true }]);
  });
});

describe("the questions of a price order", () => {
  it("ask for tokens, amount, price and end, with buttons for all", async () => {
    const bot = await standingBot();
    await bot.says("/limit");
    await bot.taps("KLV", "KFI");
    await bot.says("500");
    expect(bot.last()).toContain("Now, after the bot fee: 1 KFI = 100 KLV");
    expect(bot.opensReplyField()).toBe(true);
    // To buy, a better price is a lower one.
    expect(bot.labels().slice(0, 3)).toEqual(["−2% · 98 KLV", "−5% · 95 KLV", "−10% · 90 KLV"]);
    await bot.taps("−5% · 95 KLV");
    await bot.taps("30d");
    expect(bot.last()).toBe("set up: 500 KLV KFI at 95 KLV 30d");
    // Nothing is typed now.
    expect(bot.opensReplyField()).toBe(false);
  });

  it("offer higher prices to sell at, and lower ones to be asked at", async () => {
    const selling = await standingBot();
    await selling.says("/limit 5 KFI KLV");
    expect(selling.labels().slice(0, 3)).toEqual(["+2% · 102 KLV", "+5% · 105 KLV", "+10% · 110 KLV"]);
    const stop = await standingBot();
    await stop.says("/stoploss 5 KFI KLV");
    expect(stop.labels().slice(0, 3)).toEqual(["−5% · 95 KLV", "−10% · 90 KLV", "−20% · 80 KLV"]);
  });

  it.each([
    ["for 5.2", "500 KLV KFI for 5.2"],
    ["at 96 KLV", "500 KLV KFI at 96 KLV"],
    ["96 KLV", "500 KLV KFI at 96 KLV"],
    ["5%", "500 KLV KFI at 95 KLV"],
    ["+5%", "500 KLV KFI at 105 KLV"],
    ["-2.5 %", "500 KLV KFI at 97.5 KLV"],
  ])("read the price %s", async (answer, line) => {
    const bot = await standingBot();
    await bot.says("/limit 500 KLV KFI", answer, "30d");
    expect(bot.last()).toBe(`set up: ${line} 30d`);
  });

  it.each([
    ["/limit KLV KFI at 96 KLV", ["500", "30d"], "500 KLV KFI at 96 KLV 30d"],
    ["/limit KLV KFI for 5.2 7d", ["500"], "500 KLV KFI for 5.2 7d"],
    ["/limit 500 KLV @96 KLV 7d", ["KFI"], "500 KLV KFI @ 96 KLV 7d"],
    ["/limit KLV KFI at 96 7d", ["500", "at 96 KLV 7d"], "500 KLV KFI at 96 KLV 7d"],
    ["/stoploss KFI KLV at 90 KLV", ["5", "30d"], "5 KFI KLV at 90 KLV 30d"],
    ["/dca KLV KFI monday 09:00 x12", ["100"], "100 KLV KFI monday 09:00 x12"],
    ["/dca 100 KLV KFI monday 09:00", ["12"], "100 KLV KFI monday 09:00 x12"],
    ["/dca 100 KLV KFI monday x12", ["09:00"], "100 KLV KFI monday x12 09:00"],
    ["/dca KLV KFI weekly x12", ["100", "monday", "9"], "100 KLV KFI weekly x12 monday 9:00"],
  ])("after %s, ask only for what wasn't said", async (typed, answers, line) => {
    let priced = 0;
    const netNow = async () => void (priced += 1);
    const bot = await standingBot({ zoneOf: async () => "Europe/Lisbon", netNow });
    await bot.says(typed, ...answers);
    expect(bot.last()).toBe(`set up: ${line}`);
    expect(priced).toBe(typed.includes("at 96 7d") ? 1 : 0);
  });

  it("offer both readings of a price that was said without a token", async () => {
    const bot = await standingBot();
    await bot.says("/limit KLV KFI at 96 7d", "500");
    expect(bot.labels().slice(0, 2)).toEqual(["1 KFI = 96 KLV", "1 KLV = 96 KFI"]);
    await bot.taps("1 KFI = 96 KLV");
    expect(bot.last()).toBe("set up: 500 KLV KFI at 96 KLV 7d");
  });

  it("don't ask for an end that was said", async () => {
    const bot = await standingBot();
    await bot.says("/limit 500 KLV KFI", "at 96 KLV 7d");
    expect(bot.last()).toBe("set up: 500 KLV KFI at 96 KLV 7d");
  });

  it("offer both readings of a price without a token, and stay in the dialog", async () => {
    const bot = await standingBot();
    await bot.says("/edit", "96");
    expect(bot.labels().slice(0, 2)).toEqual(["1 KFI = 96 KLV", "1 KLV = 96 KFI"]);
    await bot.taps("1 KFI = 96 KLV");
    expect(bot.last()).toBe("set up: 500 KLV KFI at 96 KLV");
    await bot.taps("Set");
    expect(bot.set).toMatchObject([{ id: "the-id" }]);
  });

  it("have no ready choices without a price, and still take a typed one", async () => {
    const bot = await standingBot({ netNow: async () => undefined });
    await bot.says("/limit 500 KLV KFI");
    expect(bot.labels()).toEqual(["✖️ Cancel"]);
    await bot.says("5%");
    expect(bot.labels()).not.toContain("Set");
    await bot.says("at 96 KLV", "30d");
    expect(bot.last()).toBe("set up: 500 KLV KFI at 96 KLV 30d");
  });

  it("begin with the address, if there is none", async () => {
    let hasWallet = false;
    const bot = await standingBot({
      readPerson: async () => ({ language: "en", recentTokens: [], hasWallet, knowsBalances: false }),
      saveWallet: async () => void (hasWallet = true),
    });
    await bot.says("/limit 500 KLV KFI for 5.2", address);
    expect(hasWallet).toBe(true);
    expect(bot.last()).toBe("set up: 500 KLV KFI for 5.2");
  });
});

describe("the questions of a regular purchase", () => {
  it("ask how often, where, on which day, when and how many times", async () => {
    const bot = await standingBot();
    await bot.says("/dca 100 KLV KFI");
    await bot.taps("Every week");
    expect(bot.last()).toContain("time zone");
    await bot.says("Lisbon");
    expect(bot.zones).toEqual(["Europe/Lisbon"]);
    await bot.taps("Monday");
    expect(bot.last()).toContain("(Europe/Lisbon)");
    await bot.taps("09:00", "12×");
    expect(bot.last()).toBe("set up: 100 KLV KFI weekly monday 09:00 x12");
    await bot.taps("Set");
    expect(bot.set).toHaveLength(1);
  });

  it.each([
    [["monthly", "31", "9", "12"], "100 KLV KFI monthly 31 9:00 x12"],
    [["daily", "07:30", "30d"], "100 KLV KFI daily 07:30 30d"],
    [["every 3 days", "18:00", "2026-12-31"], "100 KLV KFI every 3 days 18:00 until 2026-12-31"],
    [["monday 09:00", "x4"], "100 KLV KFI monday 09:00 x4"],
    [["every 2w", "friday", "21:00", "26"], "100 KLV KFI every 2w friday 21:00 x26"],
    [["monday 09:00 x12"], "100 KLV KFI monday 09:00 x12"],
  ])("read %j", async (answers, line) => {
    const bot = await standingBot({ zoneOf: async () => "Europe/Lisbon" });
    await bot.says("/dca 100 KLV KFI", ...answers);
    expect(bot.last()).toBe(`set up: ${line}`);
    expect(bot.zones).toEqual([]);
  });

  it.each(["sometimes", "25:00", "x0", "x400"])("refuse %j, and ask on", async (answer) => {
    const bot = await standingBot({ zoneOf: async () => "UTC" });
    await bot.says("/dca 100 KLV KFI", answer);
    expect(bot.last()).not.toContain("set up");
    await bot.says("daily 09:00 x2");
    expect(bot.last()).toBe("set up: 100 KLV KFI daily 09:00 x2");
  });

  it("ask for the time zone of a whole line, unless it names one", async () => {
    const bot = await standingBot();
    await bot.says("/dca 100 KLV KFI daily 09:00 x2 Europe/Berlin");
    expect(bot.last()).toContain("set up");
    await bot.says("/dca 100 KLV KFI daily 09:00 x2", "Lisbon");
    expect(bot.last()).toBe("set up: 100 KLV KFI daily 09:00 x2");
    expect(bot.zones).toEqual(["Europe/Lisbon"]);
  });
});
