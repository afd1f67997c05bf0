import pino from "pino";
import { Bot, type Context } from "grammy";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../src/clock.js";
import { apiTransformers } from "../../../src/services/telegram/api-transformers.js";
import { userQueue } from "../../../src/bot/middleware/handling.js";
import { startPolling } from "../../../src/bot/receive/receive.js";
import { createTelegramClient } from "../../../src/services/telegram/telegram-client.js";
import type { Store } from "../../../src/store/store.js";
import { alice, bob, startTelegram, token } from "../../sandbox/telegram/harness.js";
import { temporaryStore } from "../../support/engine.js";
import { until } from "../../support/until.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { testBot, testInbox, testLog, text } from "./updates.js";

type Server = Awaited<ReturnType<typeof startTelegram>>;

async function telegramServer(): Promise<Server> {
  const server = await startTelegram();
  onTestFinished(() => server.close());
  return server;
}

/** A bot that polls the sandbox's Telegram over real HTTP. The handlers of texts in `hold` wait for `release`. */
function startBot({ url, store, botToken = token }: { url: string; store: Store; botToken?: string }) {
  const http = createTelegramClient({ apiRoot: url, timeoutSeconds: 5, log: pino({ level: "silent" }) });
  const { log, messages } = testLog();
  const bot = new Bot<Context>(botToken, { client: http.options });
  bot.api.config.use(...apiTransformers(systemClock));
  const begun: string[] = [];
  const held = new Map<string, () => void>();
  const hold = new Set<string>();
  bot.use(userQueue({ clock: systemClock, log }));
  bot.on("message:text", async (ctx) => {
    begun.push(ctx.msg.text);
    if (hold.has(ctx.msg.text)) await new Promise<void>((resolve) => held.set(ctx.msg.text, resolve));
    await ctx.reply(`you said ${ctx.msg.text}`);
  });
  const transport = startPolling({
    bot,
    inbox: testInbox({ bot, store, clock: systemClock, log }),
    clock: systemClock,
    log,
  });
  transport.done.catch(() => undefined);
  let stopped = false;
  const stop = async (deadlineMilliseconds = 1_000) => {
    if (stopped) return;
    stopped = true;
    await transport.stop(deadlineMilliseconds);
    await http.close();
  };
  onTestFinished(() => stop(0));
  return {
    api: bot.api,
    transport,
    begun,
    hold,
    messages,
    stop,
    release: (text: string) => held.get(text)?.(),
  };
}

const repliesTo = (server: Server, userId: number) =>
  server.telegram
    .chat(userId)
    .filter(({ from }) => from === "bot")
    .map(({ text }) => text);

describe("with more updates waiting than Telegram hands out at a time", () => {
  /** Polls a stub with no end of updates, each of another person unless `people` are given, whose handlers wait. */
  async function flooded(people = Number.POSITIVE_INFINITY) {
    const clock = createVirtualClock();
    const { log } = testLog();
    let [updateId, polls, isOver] = [0, 0, false];
    const { bot } = testBot(({ method }) => {
      if (method !== "getUpdates") return { ok: true, result: true };
      polls += 1;
      const lot = isOver
        ? []
        : Array.from({ length: 100 }, () => text((updateId += 1), 1 + (updateId % people), "hello"));
      return { ok: true, result: lot };
    });
    const waiting: (() => void)[] = [];
    bot.use(userQueue({ clock, log }));
    bot.on("message:text", () => new Promise<void>((resolve) => waiting.push(resolve)));
    const inbox = testInbox({ bot, store: await temporaryStore(), clock, log });
    const transport = startPolling({ bot, inbox, clock, log });
    const handle = () => waiting.splice(0).forEach((resolve) => resolve());
    onTestFinished(async () => {
      isOver = true;
      handle();
      const stopped = transport.stop(1_000);
      await clock.advance(1_000);
      await stopped;
    });
    return { clock, inbox, polls: () => polls, begun: () => waiting.length, handle };
  }

  it("a full lot is handled before the next is asked for", async () => {
    const { clock, inbox, polls, begun, handle } = await flooded();
    for (let lot = 1; lot <= 5; lot += 1) {
      await until(() => begun() === 100);
      // Nothing but time could let it ask for more now.
      await clock.advance(0);
      expect([polls(), inbox.underWay()]).toEqual([lot, 100]);
      handle();
    }
  });

  it("slow ones hold up the next by 50 ms", async () => {
    const { clock, inbox, polls } = await flooded();
    await until(() => inbox.underWay() === 100);
    await clock.advance(49);
    expect(polls()).toBe(1);
    await clock.advance(1);
    await until(() => inbox.underWay() === 200);
    expect(polls()).toBe(2);
  });

  /** Lets time pass until it asks for no more. @returns the number of updates in progress then. */
  async function filled({ clock, inbox, polls }: Awaited<ReturnType<typeof flooded>>): Promise<number> {
    for (let lots = 1; ; lots += 1) {
      await until(() => inbox.underWay() === 100 * lots);
      await clock.advance(50);
      if (polls() === lots) return inbox.underWay();
    }
  }

  it("it goes on while they are of fewer than 2,000 people, however many each has", async () => {
    expect(await filled(await flooded())).toBe(2_000);
    // The fifty that each person may have waiting.
    expect(await filled(await flooded(200))).toBe(10_000);
  });
});

describe("polling", () => {
  it("answers other users while one update takes long", async () => {
    const server = await telegramServer();
    const bot = startBot({ url: server.url, store: await temporaryStore() });
    bot.hold.add("slow");
    server.telegram.sendText(alice, "slow");
    await until(() => bot.begun.length === 1);
    server.telegram.sendText(alice, "after");
    server.telegram.sendText(bob, "quick");
    await until(() => repliesTo(server, bob).length === 1);
    expect(bot.begun).toEqual(["slow", "quick"]);
    bot.release("slow");
    await until(() => repliesTo(server, alice).length === 2);
    expect(repliesTo(server, alice)).toEqual(["you said slow", "you said after"]);
  });

  it("handles a redelivered update once", async () => {
    const server = await telegramServer();
    const bot = startBot({ url: server.url, store: await temporaryStore() });
    const { updateId } = server.telegram.sendText(alice, "one");
    await until(() => repliesTo(server, alice).length === 1);
    server.telegram.redeliver([updateId]);
    server.telegram.sendText(alice, "two");
    await until(() => repliesTo(server, alice).length === 2);
    expect(bot.begun).toEqual(["one", "two"]);
  });

  it("finishes what it is handling when it stops, and does not handle it again after a restart", async () => {
    const server = await telegramServer();
    const store = await temporaryStore();
    const bot = startBot({ url: server.url, store });
    bot.hold.add("slow");
    server.telegram.sendText(alice, "slow");
    await until(() => bot.begun.length === 1);
    const stopping = bot.stop(5_000);
    bot.release("slow");
    await stopping;
    await bot.transport.done;
    const next = startBot({ url: server.url, store });
    server.telegram.sendText(alice, "later");
    await until(() => repliesTo(server, alice).includes("you said later"));
    expect(repliesTo(server, alice)).toEqual(["you said slow", "you said later"]);
    await next.stop(5_000);
  });

  it("leaves what did not finish in time to the next process", async () => {
    const server = await telegramServer();
    const store = await temporaryStore();
    const first = startBot({ url: server.url, store });
    first.hold.add("slow");
    server.telegram.sendText(alice, "slow");
    await until(() => first.begun.length === 1 && server.telegram.isPolled());
    await first.stop(0);
    const second = startBot({ url: server.url, store });
    await until(() => repliesTo(server, alice).length === 1);
    expect(second.begun).toEqual(["slow"]);
  });

  it("starts once Telegram is back, and continues after an outage", async () => {
    const server = await telegramServer();
    server.telegram.faultNext("getMe", "502", 1);
    server.telegram.faultNext("deleteWebhook", "drop-before", 1);
    const bot = startBot({ url: server.url, store: await temporaryStore() });
    server.telegram.sendText(alice, "one");
    await until(() => repliesTo(server, alice).length === 1);
    server.telegram.faultNext("getUpdates", "drop-after", 1);
    server.telegram.sendText(alice, "two");
    server.telegram.sendText(alice, "three");
    await until(() => repliesTo(server, alice).length === 3);
    expect(bot.transport.healthy()).toBe(true);
  });

  it("ends with a clear fault if the token is refused", async () => {
    const server = await telegramServer();
    const bot = startBot({ url: server.url, store: await temporaryStore(), botToken: "1000:wrong" });
    await expect(bot.transport.done).rejects.toMatchObject({ code: "service-unauthorized" });
    expect(bot.transport.healthy()).toBe(false);
  });

  it("logs that another copy of the bot is polling", async () => {
    const server = await telegramServer();
    const bot = startBot({ url: server.url, store: await temporaryStore() });
    await until(() => server.telegram.isPolled());
    server.call("getUpdates", { timeout: 1 }).catch(() => undefined);
    await until(() => bot.messages().includes("Another instance receives this bot's updates; retrying"));
  });
});
