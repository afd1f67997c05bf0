import { describe, expect, it, test } from "vitest";
import type { BotContext } from "../../src/bot/context.js";
import { enterDialog, mountDialogs } from "../../src/bot/dialogs.js";
import { systemClock } from "../../src/clock.js";
import { messages } from "../../src/locales/messages.js";
import { people } from "../support/documents.js";
import { swapForm } from "../../src/conversations/swap.js";
import { commandOf } from "../../src/services/terms/terms.js";
import { launchLockForm } from "../../src/conversations/launch.js";
import { replies, replyCard } from "../../src/bot/reply.js";
import { card } from "../../src/cards/card.js";
import { settingQuestion, type settingForm } from "../../src/conversations/settings.js";
import type { LockRequest } from "../../src/services/terms/lock-terms.js";
import { tokenListOf } from "../../src/services/market/token-list.js";
import { alice, tap, testBot, testLog, text } from "../bot/receive/updates.js";
import { kfi, klv } from "../services/samples.js";
import { temporaryStore } from "../support/engine.js";

/** A bot whose only dialog is the swap's; while `refused` has sentences, each swap is refused with the next one. */
async function swapBot(changed: Partial<Parameters<typeof swapForm>[0]> = {}, refused: string[] = []) {
  const store = await temporaryStore();
  const { log } = testLog();
  let messageId = 0;
  const { bot, texts, calls } = testBot<BotContext>(({ method }) => {
    if (method === "editMessageText")
      return { ok: false, error_code: 400, description: "Bad Request: message to edit not found" };
    messageId += 1;
    return { ok: true, result: { message_id: messageId, date: 1, chat: { id: alice, type: "private" } } };
  });
  const submitted: string[] = [];
  const form = swapForm({
    tokens: tokenListOf([klv, kfi]),
    readPerson: async () => ({
      language: "en",
      recentTokens: [],
      hasWallet: true,
      knowsBalances: false,
    }),
    readMarket: async () => ({ untraded: [] }),
    presetsFor: async () => ["10", "100"],
    saveWallet: async () => undefined,
    refuseTrade: async () => undefined,
    submit: async (_, request) => {
      const sentence = refused.shift();
      if (sentence !== undefined) return { ok: false, card: card([sentence]) };
      submitted.push(commandOf(request));
      return { ok: true, card: card(["the card"]) };
    },
    show: async (outer, shown) => void (await replyCard(outer, shown.card)),
    replies,
    ...changed,
  });
  bot.use(mountDialogs({ store, clock: systemClock, log }, [{ forms: [form] }]));
  bot.command("swap", (ctx) => enterDialog(ctx, form, ctx.match));
  bot.on("callback_query", (ctx) => ctx.reply("elsewhere"));
  bot.on("message", (ctx) => ctx.reply("no dialog"));
  let updateId = 0;
  return {
    texts,
    calls,
    submitted,
    kept: async () => (await store.db.selectFrom("dialogs").select("state").executeTakeFirst())?.state ?? "",
    asked: async () => (await store.db.selectFrom("dialogs").select("asked").executeTakeFirst())?.asked ?? "",
    say: (words: string) => bot.handleUpdate(text(++updateId, alice, words)),
    taps: (data: string, under: number) => {
      const update = tap(++updateId, alice, data);
      Object.assign(update.callback_query!.message!, { message_id: under });
      return bot.handleUpdate(update);
    },
    shows: () => {
      const { message, ...update } = text(++updateId, alice, "");
      const { text: _none, ...rest } = message!;
      return bot.handleUpdate({ ...update, message: { ...rest, photo: [] } });
    },
  };
}

describe("a question", () => {
  it("is answered by a tap or a text, and continues even if its message was deleted", async () => {
    const bot = await swapBot();
    await bot.say("/swap");
    await bot.taps("v1:pick:KLV", 1);
    await bot.say("kfi");
    await bot.say(" 12.5 ");
    expect(bot.submitted).toEqual(["swap 12.5 KLV KFI"]);
    expect(bot.texts()).toContain("the card");
  });

  it("says that a picture is not an answer, and keeps waiting", async () => {
    const bot = await swapBot();
    await bot.say("/swap");
    await bot.shows();
    expect(bot.texts().at(-1)).toBe(messages.en.common.textOnly);
    await bot.say("KLV");
    expect(bot.texts().at(-1)).toMatch(/Which token do you want/);
  });

  it("leaves taps on other messages to the rest of the bot", async () => {
    const bot = await swapBot();
    await bot.say("/swap");
    await bot.taps("v1:pick:KLV", 99);
    await bot.taps("v1:c:AAAA", 1);
    expect(bot.texts().slice(-2)).toEqual(["elsewhere", "elsewhere"]);
    await bot.say("KLV");
    expect(bot.texts().at(-1)).toMatch(/Which token do you want/);
  });

  it("stays open after any number of wrong answers, asks whether to continue, and keeps what was chosen", async () => {
    const bot = await swapBot();
    await bot.say("/swap");
    await bot.say("KLV");
    for (let times = 0; times < 7; times += 1) await bot.say("nonsense");
    expect(bot.texts().at(-1)).not.toMatch(/continue/);
    await bot.say("nonsense");
    expect(bot.texts().at(-1)).toMatch(/don't know the token “nonsense”[^]*8 of your answers[^]*continue/);
    const kept = await bot.kept();
    for (let times = 0; times < 200; times += 1) await bot.say("nonsense");
    // Further wrong answers are forgotten at once, so that neither the stored state nor the replay grows.
    expect((await bot.kept()).length).toBeLessThan(1.5 * kept.length);
    expect(bot.texts().at(-1)).toMatch(/continue/);
    await bot.taps("v1:pick:\u2026", 1);
    expect(bot.texts().at(-1)).toMatch(/You pay with KLV\. Which token do you want/);
    await bot.say("KFI");
    await bot.say("12.5");
    expect(bot.submitted).toEqual(["swap 12.5 KLV KFI"]);
  });

  it("can be cancelled under any wrong answer, and is noted in few messages however many there were", async () => {
    const bot = await swapBot();
    await bot.say("/swap KLV KFI");
    for (let times = 0; times < 30; times += 1) await bot.say("nonsense");
    const { messages: asked } = JSON.parse(await bot.asked()) as { messages: readonly number[] };
    expect(asked.length).toBeLessThanOrEqual(10);
    await bot.taps("v1:leave:now", asked.at(-1)!);
    expect(bot.texts().at(-1)).toBe(messages.en.common.dialogLeft);
    await bot.say("5");
    expect(bot.texts().at(-1)).toBe("no dialog");
    expect(bot.submitted).toEqual([]);
  });

  it("takes the right answer after eight wrong ones without asking again", async () => {
    const bot = await swapBot();
    await bot.say("/swap KLV KFI");
    for (let times = 0; times < 12; times += 1) await bot.say("nonsense");
    await bot.say("1k");
    expect(bot.submitted).toEqual(["swap 1000 KLV KFI"]);
  });
});

describe("a dialog that ends in a card", () => {
  it("doesn't ask for what was typed already", async () => {
    const bot = await swapBot();
    await bot.say("/swap 5 KLV KFI");
    expect(bot.submitted).toEqual(["swap 5 KLV KFI"]);
  });

  it("saves the address before it continues", async () => {
    const saved: string[] = [];
    const bot = await swapBot({
      readPerson: async () => ({
        language: "pt",
        recentTokens: [],
        hasWallet: false,
        knowsBalances: false,
      }),
      saveWallet: async (_, address) => void saved.push(address),
    });
    await bot.say("/swap 5 KLV KFI");
    expect(bot.submitted).toEqual([]);
    await bot.say("klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy");
    expect(saved).toHaveLength(1);
    expect(bot.submitted).toHaveLength(1);
  });

  it("says why there is no card", async () => {
    const bot = await swapBot({}, ["not now"]);
    await bot.say("/swap 5 KLV KFI");
    expect(bot.texts()).toEqual(["not now"]);
  });
});

describe("a continued dialog", () => {
  const lp = { id: "LPDVKKFI-1A2B", name: "LP", precision: 6, kind: "fungible" } as const;

  /** A lock in a launch, interrupted at its last question. `list` is the token list when it is continued. */
  async function continuedLock(before: Parameters<typeof tokenListOf>[0], list: typeof before) {
    const store = await temporaryStore();
    let messageId = 0;
    const { bot, texts } = testBot<BotContext>(() => ({
      ok: true,
      result: { message_id: ++messageId, date: 1, chat: { id: alice, type: "private" } },
    }));
    const tokens = tokenListOf(before);
    const submitted: LockRequest[] = [];
    const form = launchLockForm({
      tokens,
      readPerson: async () => ({ language: "en", recentTokens: [], hasWallet: true, knowsBalances: false }),
      readMarket: async () => ({ untraded: [] }),
      presetsFor: async () => [],
      saveWallet: async () => undefined,
      refuseTrade: async () => undefined,
      matchingDeposit: async () => null,
      refusePair: async () => null,
      adviseLock: async () => ({}),
      lacksForLock: async () => null,
      submit: async (_, request) => {
        submitted.push(request);
        return { ok: true, card: card(["the card"]) };
      },
      show: async (outer, shown) => void (await replyCard(outer, shown.card)),
      replies,
    });
    bot.use(mountDialogs({ store, clock: systemClock, log: testLog().log }, [{ forms: [form] }]));
    bot.command("begin", (ctx) => enterDialog(ctx, form, "launch-1"));
    bot.command("help", (ctx) => ctx.reply("help"));
    let updateId = 0;
    const say = (words: string) => bot.handleUpdate(text(++updateId, alice, words));
    for (const words of ["/begin", lp.id, "1000"]) await say(words);
    expect(texts().at(-1)).toMatch(/Lock until when/);
    await say("/help");
    tokens.replace(list);
    const [row] = await store.db.selectFrom("dialogs").select("ended").execute();
    const { messages: asked } = JSON.parse(row?.ended ?? "") as { messages: number[] };
    await bot.handleUpdate(tap(++updateId, alice, `v1:resume:${asked[0]}`));
    return { texts, say, submitted };
  }

  it("has the answers that were given before its question", async () => {
    const bot = await continuedLock([klv, kfi, lp], [klv, kfi, lp]);
    expect(bot.texts().at(-1)).toMatch(/Lock until when/);
    await bot.say("30d");
    expect(bot.submitted).toMatchObject([
      { pay: { units: 1_000_000_000n }, token: { id: lp.id }, launchId: "launch-1" },
    ]);
  });

  it("asks for an amount again if its token has other units by now", async () => {
    const bot = await continuedLock([klv, kfi], [klv, kfi, lp]);
    expect(bot.texts().at(-1)).toMatch(/How much LPDVKKFI-1A2B do you want to lock\? Choose/);
    await bot.say("0.001");
    await bot.say("30d");
    expect(bot.submitted).toMatchObject([{ pay: { units: 1000n } }]);
  });
});

describe("a typed setting", () => {
  const read = (kind: "slippage" | "presets" | "timezone", typed: string) =>
    settingQuestion(kind, messages.en, { maxSlippageBps: 300, tokens: tokenListOf([klv, kfi]) }).read(typed);

  it("is read in the form in which it is stored", () => {
    const before = people.create("1");
    const kept = (...typed: Parameters<typeof read>) => {
      const reading = read(...typed);
      return reading.ok && reading.value(before, 7);
    };
    expect(kept("slippage", "0.5 %")).toEqual({ ...before, slippageBps: 50 });
    expect(kept("slippage", "3")).toEqual({ ...before, slippageBps: 300 });
    expect(kept("presets", " 1 2.5  1000 ")).toEqual({ ...before, presets: ["1", "2.5", "1000"] });
    expect(kept("timezone", " Europe/Lisbon ")).toEqual({ ...before, timeZone: "Europe/Lisbon", timeZoneSince: 7 });
  });

  it("is asked about if several countries have the town, with a button for each time zone", () => {
    const asked = read("timezone", "San Juan");
    if (asked.ok) throw new Error("one was chosen");
    const buttons = (asked.card.keyboard ?? []).flat().map((one) => ("callback_data" in one ? one.callback_data : ""));
    const zones = buttons.map((data) => data.replace("v1:pick:", ""));
    expect(zones.sort()).toEqual(["America/Argentina/San_Juan", "America/Puerto_Rico"]);
    for (const zone of zones) {
      const chosen = read("timezone", zone);
      expect(chosen.ok && chosen.value(people.create("1"), 7)).toMatchObject({ timeZone: zone });
    }
  });

  it("is not set before its warning is read: a slippage of zero, or one that bots can use", () => {
    const limits = { maxSlippageBps: 1500, tokens: tokenListOf([klv, kfi]) };
    const { read } = settingQuestion("slippage", messages.en, limits);
    for (const [typed, warning] of [
      ["0", /almost every swap fails/],
      ["12.5 %", /up to 12\.5% less than quoted/],
    ] as const) {
      const asked = read(typed);
      if (asked.ok) throw new Error(`${typed} was set without a question`);
      expect(asked.card.text).toMatch(warning);
      const [[sure] = []] = asked.card.keyboard ?? [];
      const data = sure !== undefined && "callback_data" in sure ? sure.callback_data : "";
      const agreed = read(data.replace("v1:pick:", ""));
      expect(agreed.ok && agreed.value(people.create("1"), 7)).toMatchObject({
        slippageBps: typed === "0" ? 0 : 1250,
      });
    }
    expect(read("5")).toMatchObject({ ok: true });
    expect(read("! 15.01")).toMatchObject({ ok: false });
  });

  it.each([
    ["slippage", "3.01"],
    ["slippage", "-1"],
    ["presets", ""],
    ["presets", "0"],
    ["presets", "0.000"],
    ["presets", "1 2 3 4 5"],
    ["presets", "1e3"],
    ["timezone", "Mars"],
  ] as const)("%s %j is refused", (kind, typed) => {
    expect(read(kind, typed)).toMatchObject({ ok: false });
  });
});

test("entering a dialog with a wrong argument does not compile", () => {
  const wrong = (ctx: BotContext, lock: ReturnType<typeof launchLockForm>, setting: ReturnType<typeof settingForm>) => [
    // @ts-expect-error The form is about a launch.
    enterDialog(ctx, lock),
    // @ts-expect-error There is no such setting.
    enterDialog(ctx, setting, "colour"),
  ];
  expect(wrong).toBeTypeOf("function");
});
