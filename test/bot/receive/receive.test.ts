import pino from "pino";
import { Bot } from "grammy";
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMetrics } from "../../../src/services/operator/metrics.js";
import { startReceiving } from "../../../src/bot/receive/receive.js";
import type { Config } from "../../../src/config.js";
import { systemClock } from "../../../src/clock.js";
import { createTelegramClient } from "../../../src/services/telegram/telegram-client.js";
import { alice, startTelegram, token } from "../../sandbox/telegram/harness.js";
import { temporaryStore } from "../../support/engine.js";
import { freePort, listen } from "../../support/listen.js";
import { until } from "../../support/until.js";
import { testInbox, testLog } from "./updates.js";

const configOf = (port?: number, updates: Config["updates"] = { kind: "polling" }) => ({
  updates,
  port,
  host: "127.0.0.1",
  metricsToken: undefined,
});

async function setUp() {
  const server = await startTelegram();
  const http = createTelegramClient({ apiRoot: server.url, timeoutSeconds: 5, log: pino({ level: "silent" }) });
  const bot = new Bot(token, { client: http.options });
  bot.on("message:text", (ctx) => ctx.reply(`you said ${ctx.msg.text}`));
  const { log } = testLog();
  const metrics = createMetrics();
  const parts = {
    bot,
    inbox: testInbox({ bot, store: await temporaryStore(), metrics, clock: systemClock, log }),
    metrics,
    owns: async () => true,
    isWell: () => true,
    clock: systemClock,
    log,
  };
  onTestFinished(async () => {
    await http.close();
    await server.close();
  });
  return { server, parts };
}

describe("receiving updates", () => {
  it.each(["polling", "webhook"] as const)(
    "works by %s, and serves health checks on the port until it stops",
    async (by) => {
      const { server, parts } = await setUp();
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const webhook = { kind: "webhook", port, webhookUrl: `${url}/updates`, webhookSecret: "a-secret" } as const;
      const config = configOf(port, by === "webhook" ? webhook : undefined);
      const transport = await startReceiving({ ...parts, config });
      server.telegram.sendText(alice, "hello");
      await until(() => server.telegram.chat(alice).some(({ text }) => text === "you said hello"));
      expect((await fetch(`${url}/health`)).status).toBe(200);
      expect((await fetch(`${url}/ready`)).status).toBe(200);
      await transport.stop(1_000);
      await transport.done;
      await expect(fetch(`${url}/health`)).rejects.toThrow();
    },
  );

  it("serves nothing without a port", async () => {
    const { server, parts } = await setUp();
    const transport = await startReceiving({ ...parts, config: configOf() });
    expect(transport.healthy()).toBe(false);
    await until(() => server.telegram.isPolled());
    expect(transport.healthy()).toBe(true);
    await transport.stop(1_000);
    await until(() => !server.telegram.isPolled());
  });

  it("fails with the reason if the port is taken", async () => {
    const { server, parts } = await setUp();
    const taken = createServer();
    const port = await listen(taken);
    onTestFinished(() => void taken.close());
    await expect(startReceiving({ ...parts, config: configOf(port) })).rejects.toThrow("EADDRINUSE");
    expect(server.telegram.isPolled()).toBe(false);
  });
});
