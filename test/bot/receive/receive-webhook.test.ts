import { once } from "node:events";
import { connect } from "node:net";
import type { Update } from "grammy/types";
import { describe, expect, it, onTestFinished } from "vitest";
import { userQueue } from "../../../src/bot/middleware/handling.js";
import { createMetrics } from "../../../src/services/operator/metrics.js";
import { startServer } from "../../../src/bot/receive/server.js";
import { startWebhook } from "../../../src/bot/receive/receive.js";
import { systemClock } from "../../../src/clock.js";
import { temporaryStore } from "../../support/engine.js";
import { until } from "../../support/until.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { alice, bob, botInfo, testBot, testInbox, testLog, text } from "./updates.js";

const secret = "a-secret-that-opens-nothing";
const metricsToken = "another-that-opens-nothing";

async function setUp({ left = [] }: { left?: Update[] } = {}) {
  const clock = createVirtualClock();
  const { log } = testLog();
  const { bot, calls } = testBot(({ method }) => ({ ok: true, result: method === "getMe" ? botInfo : true }));
  const handled: string[] = [];
  const held = new Map<string, () => void>();
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const store = await temporaryStore();
  if (left.length > 0) {
    const rows = left.map((update) => ({ id: update.update_id, body: JSON.stringify(update) }));
    await store.write((tx) =>
      tx
        .insertInto("updates")
        .values(rows.map((row) => ({ ...row, user_id: alice, received_at: 0, starts: 1 })))
        .execute(),
    );
  }
  let arrived = 0;
  bot.use((_ctx, next) => {
    arrived += 1;
    return next();
  });
  bot.use(userQueue({ clock, log }));
  bot.on("message:text", async (ctx) => {
    if (ctx.msg.text === "slow") await new Promise<void>((resolve) => held.set("slow", resolve));
    if (ctx.msg.text === "held") await ended;
    handled.push(ctx.msg.text);
  });
  const metrics = createMetrics();
  const webhook = startWebhook(
    { bot, inbox: testInbox({ bot, store, metrics, clock, log }), clock, log },
    { webhookUrl: "https://bot.example.org/updates/x", webhookSecret: secret },
  );
  const server = await startServer({
    port: 0,
    host: "127.0.0.1",
    metricsToken,
    metrics,
    active: async () => true,
    ready: async () => webhook.healthy(),
    webhook: webhook.route,
    clock: systemClock,
  });
  onTestFinished(async () => {
    end();
    await webhook.stop(0);
    await server.close();
  });
  await until(webhook.healthy);
  const url = `http://127.0.0.1:${server.port}`;
  return {
    clock,
    calls,
    handled,
    url,
    webhook,
    store,
    arrived: () => arrived,
    isHeld: () => held.has("slow"),
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
  it("is set with its secret and the kinds of updates that the bot handles", async () => {
    const { calls } = await setUp();
    expect(calls.find(({ method }) => method === "setWebhook")?.payload).toEqual({
      url: "https://bot.example.org/updates/x",
      secret_token: secret,
      allowed_updates: ["message", "edited_message", "callback_query", "inline_query", "my_chat_member"],
    });
  });

  it("answers 200 as soon as an update is stored, however long its handling takes, and handles it once", async () => {
    const { post, release, handled, isHeld } = await setUp();
    expect(await post(text(1, alice, "slow"))).toBe(200);
    await until(isHeld);
    expect(await post(text(1, alice, "slow"))).toBe(200);
    release();
    await until(() => handled.length === 1);
    expect(handled).toEqual(["slow"]);
  });

  it("refuses requests without its secret or on another path", async () => {
    const { post, handled } = await setUp();
    expect(await post(text(1, alice, "hello"), { "x-telegram-bot-api-secret-token": "wrong" })).toBe(401);
    expect(await post(text(1, alice, "hello"), { "x-telegram-bot-api-secret-token": "" })).toBe(401);
    expect(await post(text(1, alice, "hello"), {}, "/updates/y")).toBe(404);
    expect(handled).toEqual([]);
  });

  it("refuses a body that is not an update or too large", async () => {
    const { post } = await setUp();
    expect(await post("{")).toBe(400);
    expect(await post("[]")).toBe(400);
    expect(await post("x".repeat(1_100_000))).toBe(413);
  });

  it("handles what an earlier run left in the inbox, as Telegram won't redeliver it", async () => {
    const { clock, handled, store } = await setUp({ left: [text(7, alice, "left")] });
    const left = () => store.db.selectFrom("updates").select("id").where("body", "is not", null).execute();
    await until(() => handled.length === 1);
    await clock.advance(20);
    await until(async () => (await left()).length === 0);
    expect(handled).toEqual(["left"]);
  });

  it("takes a stranger's update though people whose chats are held back have hundreds waiting", async () => {
    const { webhook, handled, arrived } = await setUp();
    let updateId = 0;
    const receive = (person: number, words: string) => webhook.route.receive(text((updateId += 1), person, words));
    const flood = Array.from({ length: 500 }, (_, update) => receive(1 + (update % 10), "held"));
    expect(new Set(await Promise.all(flood))).toEqual(new Set([true]));
    await until(() => arrived() === 500);
    expect(await receive(alice, "hello")).toBe(true);
    await until(() => handled.includes("hello"));
  });

  it("refuses what would be of a 501st person, and with 10,000 updates in progress those of people with some", async () => {
    const clock = createVirtualClock();
    const full = { people: 0, updates: 0 };
    const { bot } = testBot(({ method }) => ({ ok: true, result: method === "getMe" ? botInfo : true }));
    const received: Update[] = [];
    const inbox = {
      people: () => full.people,
      underWay: () => full.updates,
      isBusyWith: ({ message }: Update) => message?.from.id === alice,
      receive: (updates: Update[]) => Promise.resolve(received.push(...updates)),
      takeUp: () => Promise.resolve(),
      idle: () => Promise.resolve(),
    } as unknown as ReturnType<typeof testInbox>;
    const webhook = startWebhook(
      { bot, inbox, clock, log: testLog().log },
      { webhookUrl: "https://bot.example.org/updates/x", webhookSecret: secret },
    );
    onTestFinished(() => webhook.stop(0));
    await until(webhook.healthy);
    const takes = async (people: number, updates: number) => {
      Object.assign(full, { people, updates });
      return [await webhook.route.receive(text(1, alice, "a")), await webhook.route.receive(text(2, bob, "b"))];
    };
    expect(await takes(499, 9_999)).toEqual([true, true]);
    expect(await takes(499, 10_000)).toEqual([false, true]);
    expect(await takes(500, 500)).toEqual([false, false]);
    expect(received.map(({ update_id }) => update_id)).toEqual([1, 2, 2]);
  });

  it("takes no more updates once it stops", async () => {
    const { post, webhook } = await setUp();
    await webhook.stop(0);
    await webhook.done;
    expect(await post(text(1, alice, "hello"))).toBe(503);
  });
});

describe("health and metrics", () => {
  const parts = () => ({
    port: 0,
    host: "127.0.0.1",
    metricsToken: undefined,
    metrics: createMetrics(),
    active: async () => true,
    ready: async () => true,
    webhook: undefined,
    clock: systemClock,
  });
  async function startedServer(changed: Partial<Parameters<typeof startServer>[0]> = {}) {
    const server = await startServer({ ...parts(), ...changed });
    onTestFinished(() => server.close());
    return { server, url: `http://127.0.0.1:${server.port}` };
  }

  it("are served on the webhook's port", async () => {
    const { url, post } = await setUp();
    await post(text(1, alice, "hello"));
    const health = await fetch(`${url}/health`);
    expect([health.status, await health.text()]).toEqual([200, "ok\n"]);
    const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
    expect(await metrics.text()).toContain("swapdesk_updates_handled_total 1\n");
    expect((await fetch(`${url}/updates/x`)).status).toBe(404);
  });

  it("say whether the bot is active, whether all it needs works, and nothing else", async () => {
    const { url } = await startedServer({ ready: async () => false });
    const answer = async (path: string, at = url) => {
      const response = await fetch(at + path);
      return [response.status, await response.text()];
    };
    expect(await answer("/active")).toEqual([200, "ok\n"]);
    expect(await answer("/ready")).toEqual([503, "not ready\n"]);
    const { url: passive } = await startedServer({ active: async () => false });
    expect(await answer("/active", passive)).toEqual([503, "not active\n"]);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect((await fetch(`${url}/updates`, { method: "POST" })).status).toBe(404);
  });

  it("show metrics only to clients with the token, even on the same machine", async () => {
    const statusFor = async (url: string, headers: Record<string, string>) =>
      (await fetch(`${url}/metrics`, { headers })).status;
    const { url } = await setUp();
    expect(await statusFor(url, {})).toBe(404);
    for (const wrong of ["", "wrong", secret]) {
      expect(await statusFor(url, { authorization: `Bearer ${wrong}` })).toBe(404);
    }
    expect(await statusFor(url, { authorization: `Bearer ${metricsToken}` })).toBe(200);
    // If no token is configured, nobody may see them.
    const { url: closed } = await startedServer();
    expect(await statusFor(closed, { authorization: "Bearer undefined" })).toBe(404);
    expect(await statusFor(closed, {})).toBe(404);
  });

  it("fail to start if the port is taken", async () => {
    const { server } = await startedServer();
    await expect(startServer({ ...parts(), port: server.port })).rejects.toThrow("EADDRINUSE");
  });

  it("let no idle connection keep the server from closing", async () => {
    const clock = createVirtualClock();
    const server = await startServer({ ...parts(), clock });
    const idle = connect(server.port, "127.0.0.1");
    await once(idle, "connect");
    const ended = once(idle, "close");
    // Once it has answered another connection, the server knows of the idle one.
    await (await fetch(`http://127.0.0.1:${server.port}/health`)).text();
    const closed = server.close();
    await clock.advance(2_000);
    await closed;
    await ended;
  });

  it("keep at most 200 connections by closing others, so that a new one is always served", async () => {
    const { server, url } = await startedServer();
    const sockets = Array.from({ length: 300 }, () => connect(server.port, "127.0.0.1"));
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    const closed = new Set<number>();
    sockets.forEach((socket, index) => socket.on("error", () => undefined).on("close", () => closed.add(index)));
    await until(() => closed.size === 100);
    // The oldest ones.
    expect(Math.max(...closed)).toBe(99);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  it("close an idle connection", async () => {
    const { server } = await startedServer();
    const idle = connect(server.port, "127.0.0.1");
    idle.resume();
    await once(idle, "close");
  });
});
