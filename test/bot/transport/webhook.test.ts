import type { Update } from "grammy/types";
import { describe, expect, it, onTestFinished } from "vitest";
import { createConsumer } from "../../../src/bot/transport/consume.js";
import { handledOnce } from "../../../src/bot/middleware/handled-once.js";
import { inOrder } from "../../../src/bot/middleware/in-order.js";
import { createMetrics } from "../../../src/bot/transport/metrics.js";
import { startServer } from "../../../src/bot/transport/server.js";
import { startWebhook } from "../../../src/bot/transport/webhook.js";
import { temporaryStore } from "../../support/store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { alice, botInfo, testBot, testLog, text } from "./updates.js";

const secret = "a-secret-that-opens-nothing";

async function setUp() {
  const clock = createVirtualClock();
  const { log } = testLog();
  const { bot, calls } = testBot(({ method }) => ({ ok: true, result: method === "getMe" ? botInfo : true }));
  const handled: string[] = [];
  const held = new Map<string, () => void>();
  bot.use(inOrder({ clock, log, tellToSlowDown: (ctx) => ctx.reply("slow down") }));
  bot.use(handledOnce({ store: await temporaryStore() }));
  bot.on("message:text", async (ctx) => {
    if (ctx.msg.text === "slow") await new Promise<void>((resolve) => held.set("slow", resolve));
    handled.push(ctx.msg.text);
  });
  const metrics = createMetrics();
  const webhook = startWebhook({
    bot,
    consumer: createConsumer({ bot, metrics, log }),
    url: "https://bot.example.org/updates/x",
    secret,
    clock,
    log,
  });
  const server = await startServer({
    port: 0,
    host: "127.0.0.1",
    metrics,
    healthy: webhook.healthy,
    webhook: webhook.route,
  });
  onTestFinished(async () => {
    await webhook.stop(0);
    await server.close();
  });
  await clock.advance(0);
  const url = `http://127.0.0.1:${server.port}`;
  return {
    clock,
    calls,
    handled,
    url,
    webhook,
    release: () => held.get("slow")?.(),
    post: async (update: Update | string, headers: Record<string, string> = {}, path = "/updates/x") => {
      const response = await fetch(url + path, {
        method: "POST",
        headers: { "x-telegram-bot-api-secret-token": secret, ...headers },
        body: typeof update === "string" ? update : JSON.stringify(update),
      });
      await response.text();
      return response.status;
    },
  };
}

describe("the webhook", () => {
  it("is set with its secret and the updates that are wanted", async () => {
    const { calls } = await setUp();
    expect(calls.find(({ method }) => method === "setWebhook")?.payload).toEqual({
      url: "https://bot.example.org/updates/x",
      secret_token: secret,
      allowed_updates: ["message", "callback_query", "my_chat_member"],
    });
  });

  it("answers 200 when the update was handled, and handles a repeated one once", async () => {
    const { post, handled } = await setUp();
    expect(await post(text(1, alice, "hello"))).toBe(200);
    expect(await post(text(1, alice, "hello"))).toBe(200);
    expect(handled).toEqual(["hello"]);
  });

  it("lets Telegram repeat what takes longer than ten seconds, and handles it once", async () => {
    const { post, clock, release, handled } = await setUp();
    const first = post(text(1, alice, "slow"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await clock.advance(10_000);
    expect(await first).toBe(503);
    const again = post(text(1, alice, "slow"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    release();
    expect(await again).toBe(200);
    expect(handled).toEqual(["slow"]);
  });

  it("takes nothing from others", async () => {
    const { post, handled } = await setUp();
    expect(await post(text(1, alice, "hello"), { "x-telegram-bot-api-secret-token": "wrong" })).toBe(401);
    expect(await post(text(1, alice, "hello"), { "x-telegram-bot-api-secret-token": "" })).toBe(401);
    expect(await post(text(1, alice, "hello"), {}, "/updates/y")).toBe(404);
    expect(handled).toEqual([]);
  });

  it("refuses what is no update, or too large", async () => {
    const { post } = await setUp();
    expect(await post("{")).toBe(400);
    expect(await post("[]")).toBe(400);
    expect(await post("x".repeat(1_100_000))).toBe(413);
  });

  it("takes no more when it stops", async () => {
    const { post, webhook } = await setUp();
    await webhook.stop(0);
    await webhook.done;
    expect(await post(text(1, alice, "hello"))).toBe(503);
  });
});

describe("health and metrics", () => {
  it("are served beside the webhook", async () => {
    const { url, post } = await setUp();
    await post(text(1, alice, "hello"));
    const health = await fetch(`${url}/health`);
    expect([health.status, await health.text()]).toEqual([200, "ok\n"]);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain("swapdesk_updates_handled_total 1\n");
    expect((await fetch(`${url}/updates/x`)).status).toBe(404);
  });

  it("tell when Telegram is out of reach", async () => {
    const server = await startServer({ port: 0, host: "127.0.0.1", metrics: createMetrics(), healthy: () => false });
    onTestFinished(() => server.close());
    expect((await fetch(`http://127.0.0.1:${server.port}/health`)).status).toBe(503);
    expect((await fetch(`http://127.0.0.1:${server.port}/updates`, { method: "POST" })).status).toBe(404);
  });

  it("fail to start on a port that is taken", async () => {
    const parts = { host: "127.0.0.1", metrics: createMetrics(), healthy: () => true };
    const server = await startServer({ port: 0, ...parts });
    onTestFinished(() => server.close());
    await expect(startServer({ port: server.port, ...parts })).rejects.toThrow("EADDRINUSE");
  });
});
