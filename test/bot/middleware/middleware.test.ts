import { GrammyError, HttpError } from "grammy";
import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import type { Notice } from "../../../src/services/telegram/outbox.js";
import { telegramError } from "../../services/alerts/orders-world.js";
import type { BotContext } from "../../../src/bot/context.js";
import { messages } from "../../../src/locales/messages.js";
import { answerTaps, errorBoundary, typing, userQueue, noteReturn } from "../../../src/bot/middleware/handling.js";
import { privateChatOnly } from "../../../src/bot/middleware/guards.js";
import { editCard } from "../../../src/bot/send.js";
import { apiTransformers } from "../../../src/services/telegram/api-transformers.js";
import { createMetrics } from "../../../src/services/operator/metrics.js";
import { systemClock } from "../../../src/clock.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { alice, bob, tap, testBot, testLog, text } from "../receive/updates.js";

const answerOk = { ok: true, result: true };

describe("the user queue", () => {
  function setUp() {
    const clock = createVirtualClock();
    const { log, messages } = testLog();
    const { bot } = testBot();
    bot.use(userQueue({ clock, log }));
    const events: string[] = [];
    const gates = new Map<string, () => void>();
    bot.on("message:text", async (ctx) => {
      events.push(`${ctx.msg.text} begins`);
      await new Promise<void>((resolve) => gates.set(ctx.msg.text, resolve));
      events.push(`${ctx.msg.text} ends`);
      if (ctx.msg.text.includes("fails")) throw new Error("refused");
    });
    return { bot, clock, events, messages, finish: (name: string) => gates.get(name)?.() };
  }

  it("handles one user's updates one after another, and other users' in the meantime", async () => {
    const { bot, clock, events, finish } = setUp();
    const all = Promise.all([
      bot.handleUpdate(text(1, alice, "a1")),
      bot.handleUpdate(text(2, alice, "a2")),
      bot.handleUpdate(text(3, bob, "b1")),
    ]);
    await clock.advance(0);
    expect(events).toEqual(["a1 begins", "b1 begins"]);
    finish("a1");
    await clock.advance(0);
    expect(events).toEqual(["a1 begins", "b1 begins", "a1 ends", "a2 begins"]);
    finish("a2");
    finish("b1");
    await all;
  });

  it("continues after a failure, which reaches the caller", async () => {
    const { bot, clock, events, finish } = setUp();
    const first = bot.handleUpdate(text(1, alice, "a1 fails"));
    const second = bot.handleUpdate(text(2, alice, "a2"));
    await clock.advance(0);
    finish("a1 fails");
    await expect(first).rejects.toThrow("refused");
    await clock.advance(0);
    expect(events.at(-1)).toBe("a2 begins");
    finish("a2");
    await second;
  });

  it("moves on from an update that never ends, and logs it if it fails later", async () => {
    const { bot, clock, events, finish, messages } = setUp();
    const first = bot.handleUpdate(text(1, alice, "a1 fails"));
    const second = bot.handleUpdate(text(2, alice, "a2"));
    await clock.advance(59_999);
    expect(events).toEqual(["a1 fails begins"]);
    await clock.advance(1);
    await first;
    expect(events.at(-1)).toBe("a2 begins");
    finish("a2");
    await second;
    finish("a1 fails");
    await clock.advance(0);
    expect(messages()).toEqual(["Update timed out; continuing with the next one", "Timed-out update failed"]);
  });
});

describe("a user who sends faster than the bot can answer", () => {
  it("is told once to slow down, delays no other user, and is served again afterwards", async () => {
    const { log } = testLog();
    const { bot, texts } = testBot();
    bot.use(userQueue({ clock: createVirtualClock(), log }));
    let finish = () => {};
    const gate = new Promise<void>((resolve) => (finish = resolve));
    const handled = new Map<number, number>();
    bot.on("message:text", async (ctx) => {
      if (ctx.from.id === alice) await gate;
      handled.set(ctx.from.id, (handled.get(ctx.from.id) ?? 0) + 1);
    });
    let updateId = 0;
    const flood = Array.from({ length: 800 }, () => bot.handleUpdate(text(++updateId, alice, "again")));
    // All but 50 are over at once, so that they don't fill the runner's slots.
    let over = 0;
    for (const handling of flood) void handling.then(() => (over += 1));
    await bot.handleUpdate(text(++updateId, bob, "hello"));
    expect([handled.get(bob), over, texts()]).toEqual([1, 750, [messages.en.common.slowDown]]);
    finish();
    await Promise.all(flood);
    expect(handled.get(alice)).toBe(50);
    await bot.handleUpdate(text(++updateId, alice, "now"));
    expect(handled.get(alice)).toBe(51);
  });
});

describe("guards", () => {
  function privateBot() {
    const clock = createVirtualClock();
    const { bot, texts } = testBot<BotContext>();
    const features = [{ commands: { swap: () => undefined } }];
    bot.use(privateChatOnly({ clock, features, operator: { isIn: () => true } }));
    return { bot, texts, clock };
  }

  it("let only private chats pass, and say so elsewhere", async () => {
    const { bot, texts } = privateBot();
    bot.use((ctx) => ctx.reply("welcome"));
    await bot.handleUpdate(text(1, alice, "/swap", -4001));
    await bot.handleUpdate(text(2, alice, "/swap"));
    await bot.handleUpdate({ update_id: 3, poll: { id: "1" } } as never);
    expect(texts()).toEqual([messages.en.common.privateOnly, "welcome"]);
  });

  it("ignore other bots' commands in a group, and answer this bot's once an hour per group", async () => {
    const { bot, texts, clock } = privateBot();
    let updateId = 0;
    const say = (words: string, chatId: number) => bot.handleUpdate(text(++updateId, alice, words, chatId));
    for (const words of ["/ban", "/swap@other_bot 1 KLV KFI", "/swapper", "let's /swap", "hello"]) await say(words, -1);
    expect(texts()).toEqual([]);
    await say("/swap@Swapdesk_Test_Bot 1 KLV KFI", -1);
    for (let count = 0; count < 50; count++) await say("/swap", -1);
    expect(texts()).toHaveLength(1);
    await say("/swap 1 KLV KFI", -2);
    expect(texts()).toHaveLength(2);
    await clock.advance(3_600_000);
    await say("/swap", -1);
    expect(texts()).toHaveLength(3);
  });
});

describe("the error boundary", () => {
  async function failWith(error: unknown, answer?: () => object) {
    const { bot, texts } = testBot(answer);
    const { log, lines } = testLog();
    const metrics = createMetrics();
    const damage: unknown[] = [];
    const operator = { noteError: (err: unknown) => damage.push(err) };
    const later: unknown[] = [];
    const outbox = { notify: async (userId: number, notice: Notice) => void later.push([userId, notice.what]) };
    const clock = createVirtualClock();
    const parts = { base: { clock, log, settings: {} }, metrics, operator, outbox } as unknown as Parameters<
      typeof errorBoundary
    >[0];
    bot.use(errorBoundary(parts));
    bot.use(() => {
      throw error;
    });
    await bot.handleUpdate(text(1, alice, "hello"));
    return { texts: texts(), lines, logged: JSON.stringify(lines), metrics: await metrics.text(), damage, later };
  }
  const unanswered = [alice, { kind: "unanswered", at: 1_000_000 }];

  it("sends the user one sentence, passes the error on to the operators, and logs it", async () => {
    const { texts, lines, metrics, damage } = await failWith(new Error("boom"));
    expect(damage).toEqual([new Error("boom")]);
    expect(metrics).toContain("swapdesk_updates_failed_total 1\n");
    expect(texts).toEqual([messages.en.common.somethingWentWrong]);
    expect(lines).toMatchObject([{ level: 50, updateId: 1, userId: alice, err: { type: "Error", message: "boom" } }]);
  });

  it("never logs the URL or payload of a Telegram error", async () => {
    const url = "https://api.telegram.org/bot1000:secret/sendMessage";
    const network = await failWith(
      new HttpError("Network request failed!", Object.assign(new Error(url), { url, code: "ECONNRESET" })),
    );
    expect(network.logged).not.toContain("secret");
    expect(network.lines).toMatchObject([{ err: { message: "Network request failed! ECONNRESET" } }]);
    const refusal = await failWith(
      new GrammyError(
        "Call failed!",
        { ok: false, error_code: 400, description: "Bad Request: chat not found" },
        "sendMessage",
        { text: "secret" },
      ),
    );
    expect(refusal.logged).not.toContain("secret");
    expect(refusal.lines).toMatchObject([{ err: { message: "sendMessage: 400 Bad Request: chat not found" } }]);
  });

  it("only logs a note if the user blocked the bot", async () => {
    const { texts, lines, later } = await failWith(
      new GrammyError(
        "Call failed!",
        { ok: false, error_code: 403, description: "Forbidden: bot was blocked by the user" },
        "sendMessage",
        {},
      ),
    );
    expect(texts).toEqual([]);
    expect(lines).toMatchObject([{ level: 30, msg: "User unreachable" }]);
    // The outbox finds out whether that is so.
    expect(later).toEqual([unanswered]);
  });

  it.each([
    ["a gateway's page", new HttpError("", new Fault("service-status", { service: "telegram", status: 403 }))],
    ["no answer", new HttpError("", new Error("ECONNRESET"))],
    ["words that are not known", telegramError(400, "Logged out")],
    ["a token that is refused", telegramError(401, "Unauthorized")],
  ])("leaves it to the outbox to say that an answer is missing, after %s", async (_name, error) => {
    const { texts, later } = await failWith(error);
    expect(texts).toEqual([]);
    expect(later).toEqual([unanswered]);
  });

  it("says at once what is wrong if Telegram refuses just this message", async () => {
    const { texts, later } = await failWith(telegramError(400, "Bad Request: message is too long"));
    expect(texts).toEqual([messages.en.common.somethingWentWrong]);
    expect(later).toEqual([]);
  });

  it("survives if the user can't be told", async () => {
    const { lines, later } = await failWith(new Error("boom"), () => {
      throw new Error("gone");
    });
    expect(later).toEqual([unanswered]);
    expect(lines).toMatchObject([{ err: { message: "boom" } }, { err: { message: "gone" } }]);
  });
});

describe("a message", () => {
  it("of a user who can be reached again is told to the features, once that is stored", async () => {
    const { bot } = testBot<BotContext>();
    const events: string[] = [];
    let isResting = true;
    const onUserReturned = () => (isResting ? Promise.resolve(void events.push("noted")) : undefined);
    const waking = (loop: string) => ({ onUserReturned: () => void events.push(loop) });
    const parts = { outbox: { onUserReturned }, features: [waking("orders"), {}, waking("price alerts")] };
    bot.use(noteReturn(parts));
    bot.on("message:text", (ctx) => void events.push(ctx.msg.text));
    await bot.handleUpdate(text(1, alice, "first"));
    isResting = false;
    await bot.handleUpdate(text(2, alice, "second"));
    expect(events).toEqual(["noted", "orders", "price alerts", "first", "second"]);
  });
});

describe("taps", () => {
  it("are answered if no handler answered them, even after an error", async () => {
    const { bot, calls } = testBot(() => answerOk);
    bot.use(answerTaps);
    bot.callbackQuery("answered", (ctx) => ctx.answerCallbackQuery("done"));
    bot.callbackQuery("fails", () => {
      throw new Error("boom");
    });
    await bot.handleUpdate(tap(1, alice, "answered"));
    await bot.handleUpdate(tap(2, alice, "unknown"));
    await expect(bot.handleUpdate(tap(3, alice, "fails"))).rejects.toThrow("boom");
    expect(calls.map(({ payload }) => payload["callback_query_id"])).toEqual(["tap-1", "tap-2", "tap-3"]);
  });
});

describe("calls to Telegram", () => {
  const refuse = (error_code: number, description: string) => ({ ok: false, error_code, description });

  it.each([
    ["Bad Request: message is not modified: specified new message content and reply markup are exactly the same"],
    ["Bad Request: query is too old and response timeout expired or query ID is invalid"],
  ])("count %s as success", async (description) => {
    const { bot } = testBot(() => refuse(400, description));
    bot.api.config.use(...apiTransformers(systemClock));
    expect(await bot.api.answerCallbackQuery("1")).toBe(true);
  });

  it("pass any other refusal on", async () => {
    const { bot } = testBot(() => refuse(400, "Bad Request: chat not found"));
    bot.api.config.use(...apiTransformers(systemClock));
    await expect(bot.api.sendMessage(1, "hello")).rejects.toThrow("chat not found");
  });

  it("are retried after 429, but never after a broken connection", async () => {
    let tries = 0;
    const { bot } = testBot(() => {
      if (++tries === 1) return { ...refuse(429, "Too Many Requests: retry after 0"), parameters: { retry_after: 0 } };
      return answerOk;
    });
    bot.api.config.use(...apiTransformers(systemClock));
    expect(await bot.api.sendChatAction(1, "typing")).toBe(true);
    expect(tries).toBe(2);

    const broken = testBot(() => {
      throw new HttpError("broken", new Error("reset"));
    });
    broken.bot.api.config.use(...apiTransformers(systemClock));
    await expect(broken.bot.api.sendMessage(1, "hello")).rejects.toThrow("broken");
    expect(broken.calls).toHaveLength(1);
  });

  it("are not retried for getUpdates, as the update source sets the pace of polling", async () => {
    const { bot, calls } = testBot(() => ({ ...refuse(429, "Too Many Requests"), parameters: { retry_after: 0 } }));
    bot.api.config.use(...apiTransformers(systemClock));
    await expect(bot.api.getUpdates()).rejects.toThrow("Too Many Requests");
    expect(calls).toHaveLength(1);
  });
});

describe("typing", () => {
  it("is shown if the answer takes more than a second, and stops with the answer", async () => {
    const clock = createVirtualClock();
    const { bot, calls } = testBot();
    const shown = () => calls.filter(({ method }) => method === "sendChatAction").length;
    let answer: () => void = () => undefined;
    bot.use(typing(clock));
    bot.on("message", () => new Promise<void>((resolve) => (answer = resolve)));
    const handled = bot.handleUpdate(text(1, alice, "hello"));
    await clock.advance(999);
    expect(shown()).toBe(0);
    await clock.advance(1);
    expect(shown()).toBe(1);
    await clock.advance(4500);
    expect(shown()).toBe(2);
    answer();
    await handled;
    await clock.advance(60_000);
    expect(shown()).toBe(2);
  });
});

describe("an edit", () => {
  const edited = async (...answers: (() => unknown)[]) => {
    const { bot, calls } = testBot(
      () => (answers.shift() ?? (() => ({ ok: true, result: { message_id: 8 } })))() as never,
    );
    const shown = await editCard(bot.api, alice, 7, { text: "card", entities: [] });
    return [shown, ...calls.map(({ method }) => method)];
  };
  const cut = () => {
    throw new HttpError("cut", new Error("cut"));
  };
  const refused = (description: string) => () => ({ ok: false, error_code: 400, description });

  it("is repeated after a broken connection, and keeps its message if Telegram had made it after all", async () => {
    const same = refused("Bad Request: message is not modified");
    expect(await edited(cut, same)).toEqual([7, "editMessageText", "editMessageText"]);
  });

  it("becomes a new message only if Telegram says that it can't be made", async () => {
    expect(await edited(refused("Bad Request: message can't be edited"))).toEqual([
      8,
      "editMessageText",
      "sendMessage",
    ]);
  });

  it("is left to the outbox while Telegram gives no answer that says so: the old message may have live buttons", async () => {
    await expect(edited(cut, cut, cut)).rejects.toThrow("cut");
    for (const code of [500, 502, 403, 429]) {
      const later = () => ({ ok: false, error_code: code, description: "not now", parameters: { retry_after: 60 } });
      const { bot, calls } = testBot(() => later() as never);
      await expect(editCard(bot.api, alice, 7, { text: "card", entities: [] })).rejects.toThrow();
      expect(calls.map(({ method }) => method)).toEqual(["editMessageText"]);
    }
  });
});
