import { describe, expect, it } from "vitest";
import type { BotContext } from "../../src/bot/context.js";
import { enterDialog, mountDialogs } from "../../src/bot/dialogs.js";
import { card } from "../../src/cards/card.js";
import { button, buttons } from "../../src/cards/buttons.js";
import { setAnswers } from "../../src/cards/standing.js";
import { replies, replyCard } from "../../src/bot/reply.js";
import { systemClock } from "../../src/clock.js";
import { dcaForm } from "../../src/conversations/dca.js";
import * as dialogs from "../../src/conversations/standing.js";
import type { SetUp, StandingFilled, StandingFormParts } from "../../src/conversations/standing.js";
import { tokenListOf } from "../../src/services/market/token-list.js";
import { alice, tap, testBot, testLog, text } from "../bot/receive/updates.js";
import { alice as address, kfi, klv } from "../services/samples.js";
import { asRead } from "../support/as-read.js";
import { temporaryStore } from "../support/engine.js";

const dvk = { ...kfi, id: "DVK-34ZH", name: "DVK" };

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
    tokens: tokenListOf([klv, kfi, dvk]),
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
    dca: dcaForm(parts),
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
    /** Taps the last button with this label. */
    taps: async (...labels: readonly string[]) => {
      for (const label of labels) {
        const keysOf = (message: unknown) => ((message as Sent).reply_markup?.inline_keyboard ?? []).flat();
        const found = sent()
          .flatMap(keysOf)
          .findLast((key) => asRead(key.text) === label);
        expect(found, label).toBeDefined();
        const isUnder = ({ method, payload }: (typeof calls)[number]) =>
          method === "sendMessage" && keysOf(payload).some((key) => key === found);
        const under = calls.findLastIndex(isUnder) + 1;
        const update = tap(++updateId, alice, found?.callback_data ?? "");
        Object.assign(update.callback_query!.message!, { message_id: under });
        await bot.handleUpdate(update);
      }
    },
  };
}

describe("a whole line", () => {
  it.each(["/limit 500 KLV KFI at 96 KLV", "/stoploss 5 KFI KLV at 90 KLV"])(
    "%s is shown before it is set, and only its button sets it",
    async (typed) => {
      const bot = await standingBot();
      await bot.says(typed);
      const line = typed.replace(/^\/\w+ /, "");
      expect(bot.last()).toBe(`set up: ${line}`);
      for (const said of ["yes", "ok", setAnswers.set]) {
        await bot.says(said);
        // It is an offer: what is typed is handled as without one.
        expect(bot.last()).toBe("no dialog");
      }
      expect(bot.set).toEqual([]);
      await bot.taps("Set");
      expect(bot.set).toMatchObject([{ line: `${line} exactly` }]);
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
    await bot.says("/limit 500 KLV KFI for 5.2");
    await bot.taps("Set");
    expect(bot.last()).toBe("The price is there by now.");
    expect(bot.set).toEqual([]);
    await bot.taps("Set");
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
    const sure = [[button("Sure", buttons.pick, setAnswers.sure)]];
    const isFar = async (): Promise<SetUp> => ({ card: card(["far"], sure), line: "far", isFar: true });
    const bot = await standingBot({ preview: isFar });
    await bot.says("/limit 500 KLV KFI for 5.2", setAnswers.sure);
    expect(bot.set).toEqual([]);
    await bot.taps("Sure");
    expect(bot.set).toEqual([{ kind: "limit", line: "far", id: undefined, isSure: true }]);
  });
});

describe("the amount and the end of a price order", () => {
  const offer = async (line: string) => {
    const { set, amount, until } = setAnswers;
    const rows = [[button("Set", buttons.pick, set)], [amount, until].map((one) => button(one, buttons.pick, one))];
    return { card: card([`set up: ${line}`], rows), line };
  };

  it.each([
    ["/limit 500 KLV KFI at 96 KLV", ["amount", "100"], "100 KLV KFI at 96 KLV"],
    // At the price that it has, and no less.
    ["/limit 500 KLV KFI for 5.2", ["amount", "100"], "100 KLV KFI for 1.04"],
    ["/limit 3 KLV KFI for 1", ["amount", "10"], "10 KLV KFI for 3.333334"],
    ["/stoploss 3 KFI KLV for 100 7d", ["amount", "10"], "10 KFI KLV for 333.333333 7d"],
    ["/stoploss 5 KFI KLV at 90 KLV 7d", ["until", "90d"], "5 KFI KLV at 90 KLV 90d"],
    ["/limit 500 KLV KFI for 5.2", ["until", "7d", "amount", "100"], "100 KLV KFI for 1.04 7d"],
  ])("of %s can be changed before it is set", async (typed, taps, line) => {
    const bot = await standingBot({
      preview: async (_, asked) => offer(asked.line),
      presetsFor: async () => ["10", "100"],
    });
    await bot.says(typed);
    await bot.taps(...taps);
    expect(bot.last()).toBe(`set up: ${line}`);
    // What else ends the question isn't there in a row of its own.
    expect(bot.labels()).toEqual(["Set", "amount", "until", "✖️ Cancel"]);
    expect(bot.set).toEqual([]);
    await bot.taps("Set");
    expect(bot.set).toMatchObject([{ line }]);
  });

  it("are asked for again if the answer can't be read, and a share counts as what it is now", async () => {
    const bot = await standingBot({
      preview: async (_, asked) => offer(asked.line),
      readPerson: async () => ({ language: "en", recentTokens: [], hasWallet: true, knowsBalances: true }),
    });
    await bot.says("/stoploss 1 KFI KLV for 90");
    await bot.taps("amount");
    await bot.says("many");
    await bot.taps("max");
    expect(bot.last()).toBe("set up: 5 KFI KLV for 450");
    await bot.taps("amount");
    await bot.says("/edit");
    expect(bot.last()).not.toContain("set up");
  });
});

describe("the questions of a price order", () => {
  it("ask for tokens, amount and price, with buttons for all", async () => {
    const bot = await standingBot();
    await bot.says("/limit");
    await bot.taps("KLV", "KFI");
    await bot.says("500");
    expect(bot.last()).toContain("Now, after the bot fee: 1 KFI = 100 KLV");
    expect(bot.opensReplyField()).toBe(true);
    // To buy, a better price is a lower one.
    expect(bot.labels().slice(0, 3)).toEqual(["−2% · 98 KLV", "−5% · 95 KLV", "−10% · 90 KLV"]);
    await bot.taps("−5% · 95 KLV");
    expect(bot.last()).toBe("set up: 500 KLV KFI at 95 KLV");
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
    await bot.says("/limit 500 KLV KFI", answer);
    expect(bot.last()).toBe(`set up: ${line}`);
  });

  it.each([
    ["/limit KLV KFI at 96 KLV", ["500"], "500 KLV KFI at 96 KLV"],
    ["/limit KLV KFI for 5.2 7d", ["500"], "500 KLV KFI for 5.2 7d"],
    ["/limit 500 KLV @96 KLV 7d", ["KFI"], "500 KLV KFI @ 96 KLV 7d"],
    ["/limit DVK KFI at 96 7d", ["500", "at 96 DVK 7d"], "500 DVK-34ZH KFI at 96 DVK 7d"],
    ["/limit KLV KFI 96 7d", ["500"], "500 KLV KFI at 96 7d"],
    ["/stoploss KFI 90", ["5"], "5 KFI KLV at 90"],
    ["/stoploss", ["KFI", "KLV", "5", "90"], "5 KFI KLV at 90"],
    ["/stoploss KFI KLV at 90 KLV", ["5"], "5 KFI KLV at 90 KLV"],
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
    expect(priced).toBe(typed === "/stoploss" || typed.includes("DVK") ? 1 : 0);
  });

  it("offer both readings of a price that was said without a token", async () => {
    const bot = await standingBot();
    await bot.says("/limit DVK KFI at 96 7d", "500");
    expect(bot.labels().slice(0, 2)).toEqual(["1 KFI = 96 DVK-34ZH", "1 DVK-34ZH = 96 KFI"]);
    await bot.taps("1 KFI = 96 DVK-34ZH");
    expect(bot.last()).toBe("set up: 500 DVK-34ZH KFI at 96 DVK-34ZH 7d");
  });

  it("don't ask for an end that was said", async () => {
    const bot = await standingBot();
    await bot.says("/limit 500 KLV KFI", "at 96 KLV 7d");
    expect(bot.last()).toBe("set up: 500 KLV KFI at 96 KLV 7d");
  });

  it("of a change take a price without a token, too", async () => {
    const bot = await standingBot();
    await bot.says("/edit", "96");
    expect(bot.last()).toBe("set up: 500 KLV KFI at 96");
    await bot.taps("Set");
    expect(bot.set).toMatchObject([{ id: "the-id" }]);
  });

  it("begin with what is to be protected, for a stop", async () => {
    const bot = await standingBot();
    await bot.says("/stoploss");
    expect(bot.last()).toContain("What do you want to protect?");
  });

  it("have no ready choices without a price, and still take a typed one", async () => {
    const bot = await standingBot({ netNow: async () => undefined });
    await bot.says("/limit 500 KLV KFI");
    expect(bot.labels()).toEqual(["✖️ Cancel"]);
    await bot.says("5%");
    expect(bot.labels()).not.toContain("Set");
    await bot.says("at 96 KLV");
    expect(bot.last()).toBe("set up: 500 KLV KFI at 96 KLV");
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

  it("keep what was said of the time, if only how often is missing", async () => {
    const bot = await standingBot({ zoneOf: async () => "UTC" });
    await bot.says("/dca 100 KLV KFI 2026-12-31 09:00 x3");
    // Choices that name a time of their own would contradict it.
    expect(bot.labels()).toEqual(["Every day", "Every week", "Every 2 weeks", "Every month", "✖️ Cancel"]);
    await bot.taps("Every week");
    expect(bot.last()).toBe("set up: 100 KLV KFI weekly 2026-12-31 09:00 x3");
  });

  it("offer amounts, and no shares of what is held each time", async () => {
    const readPerson = async () => ({ language: "en", recentTokens: [], hasWallet: true, knowsBalances: true });
    const bot = await standingBot({ readPerson });
    await bot.says("/dca KLV KFI");
    expect(bot.labels()).toEqual(["10", "100", "✖️ Cancel"]);
    await bot.says("/limit KLV KFI");
    expect(bot.labels()).toEqual(["10", "100", "25%", "50%", "max", "✖️ Cancel"]);
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
