import { describe, expect, it, onTestFinished } from "vitest";
import { startPolling, startWebhook } from "../../../src/bot/receive/receive.js";
import { temporaryStore } from "../../support/engine.js";
import { createVirtualClock, outstanding } from "../../support/virtual-clock.js";
import { botInfo, testBot, testInbox, testLog } from "./updates.js";

const MINUTE = 60_000;
const refusals = [
  [401, "Unauthorized"],
  [404, "Not Found"],
] as const;
const refusalOf = (error_code: number, description: string) => ({ ok: false, error_code, description });

/** A bot by polling or webhook; `world.refusal` is what Telegram answers to everything while it is set. */
async function start(by: "polling" | "webhook", refusal?: object) {
  const world = { refusal };
  const clock = createVirtualClock();
  const { log, lines } = testLog();
  const { bot } = testBot(({ method }) => world.refusal ?? { ok: true, result: method === "getMe" ? botInfo : true });
  // A poll is held for ten seconds.
  bot.api.config.use(async (previous, method, ...rest) => {
    if (method === "getUpdates" && world.refusal === undefined) {
      await clock.sleep(10_000);
      return { ok: true, result: [] as never };
    }
    return previous(method, ...rest);
  });
  const { db, write } = await temporaryStore();
  const store = { db, write: ((work) => outstanding(write(work))) as typeof write };
  const parts = { bot, inbox: testInbox({ bot, store, clock, log }), clock, log };
  const webhook = { webhookUrl: "https://bot.example.org/x", webhookSecret: "a-secret" };
  const transport = by === "polling" ? startPolling(parts) : startWebhook(parts, webhook);
  let end: unknown;
  transport.done.catch((error: unknown) => (end = error));
  onTestFinished(() => void transport.stop(0));
  await clock.advance(1_000);
  return { world, clock, transport, lines, end: () => end };
}

describe.each(["polling", "webhook"] as const)("with %s, a token that Telegram refuses", (by) => {
  it.each(refusals)("at first (%d %s) is a fault of the configuration", async (code, description) => {
    const { end } = await start(by, refusalOf(code, description));
    expect(end()).toMatchObject({ code: "service-unauthorized", parameters: { service: "telegram" } });
  });

  it.each(refusals)(
    "later (%d %s) is an outage: logged as an error, and over once it is",
    async (code, description) => {
      const { world, clock, transport, lines, end } = await start(by);
      expect(transport.healthy()).toBe(true);
      world.refusal = refusalOf(code, description);
      await clock.advance(58 * MINUTE);
      expect(end()).toBeUndefined();
      if (by === "polling") expect(transport.healthy()).toBe(false);
      const complaint = { level: 50, msg: "Telegram refuses the token that it knew; retrying for an hour" };
      expect(lines).toContainEqual(expect.objectContaining(complaint));
      world.refusal = undefined;
      await clock.advance(2 * MINUTE);
      expect(transport.healthy()).toBe(true);
      await clock.advance(120 * MINUTE);
      expect(end()).toBeUndefined();
    },
  );

  it.each(refusals)(
    "for an hour (%d %s) ends the program, but not as a fault of the configuration",
    async (code, words) => {
      const { world, clock, end } = await start(by);
      world.refusal = refusalOf(code, words);
      await clock.advance(62 * MINUTE);
      expect(end()).toMatchObject({ code: "service-status", parameters: { service: "telegram", status: code } });
    },
  );

  it("is not what other refusals say: the bot waits", async () => {
    const { world, clock, transport, end } = await start(by, refusalOf(400, "Logged out"));
    await clock.advance(120 * MINUTE);
    expect(end()).toBeUndefined();
    expect(transport.healthy()).toBe(false);
    world.refusal = undefined;
    await clock.advance(MINUTE);
    expect(transport.healthy()).toBe(true);
  });
});
