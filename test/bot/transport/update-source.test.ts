import { getEventListeners } from "node:events";
import { GrammyError, HttpError } from "grammy";
import type { Update } from "grammy/types";
import { describe, expect, it, vi } from "vitest";
import type { Inbox } from "../../../src/bot/transport/inbox.js";
import { createUpdateSource } from "../../../src/bot/transport/update-source.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { alice, bob, testLog, text } from "./updates.js";

/** Telegram's queue, as getUpdates shows it; a request that finds nothing waits until something comes or it is aborted. */
function telegramQueue() {
  let pending: Update[] = [];
  let arrived = () => {};
  const requests: { offset: number; limit: number }[] = [];
  const failures: unknown[] = [];
  const habits = { holdsPolls: true };
  return {
    requests,
    failures,
    habits,
    pending: () => pending.map(({ update_id }) => update_id),
    push: (...updates: Update[]) => {
      pending.push(...updates);
      arrived();
    },
    getUpdates: async (request: { offset: number; limit: number; timeout: number }, signal: AbortSignal) => {
      requests.push(request);
      if (failures.length > 0) throw failures.shift();
      pending = pending.filter(({ update_id }) => update_id >= request.offset);
      if (pending.length === 0 && request.timeout > 0 && habits.holdsPolls) {
        await new Promise<void>((resolve, reject) => {
          arrived = resolve;
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        });
      }
      return pending.slice(0, request.limit);
    },
  };
}

function memoryInbox(left: Update[] = []): Inbox & { kept: Map<number, Update> } {
  const kept = new Map(left.map((update) => [update.update_id, update]));
  return {
    kept,
    keep: async (update) => void kept.set(update.update_id, update),
    forget: async (updateId) => void kept.delete(updateId),
    left: async () => [...kept.values()],
  };
}

function setUp({ inbox = memoryInbox() }: { inbox?: ReturnType<typeof memoryInbox> } = {}) {
  const clock = createVirtualClock();
  const telegram = telegramQueue();
  const { log, messages } = testLog();
  const source = createUpdateSource({ getUpdates: telegram.getUpdates, inbox, clock, log });
  const stopping = new AbortController();
  const given: number[] = [];
  /** Takes updates until it is stopped, as the runner does. */
  const running = (async () => {
    for (;;) given.push(...(await source.next(500, stopping.signal)).map(({ update_id }) => update_id));
  })();
  running.catch(() => undefined);
  return { clock, telegram, inbox, source, stopping, given, running, messages };
}

const refused = (code: number, description: string, parameters = {}) =>
  new GrammyError(
    "Call to 'getUpdates' failed!",
    { ok: false, error_code: code, description, parameters },
    "getUpdates",
    {},
  );

describe("the update source", () => {
  it("asks a server that holds no poll 20 times per second, not thousands", async () => {
    const { telegram, clock, given } = setUp();
    telegram.push(text(1, alice, "a"));
    telegram.habits.holdsPolls = false;
    for (let millisecond = 0; millisecond < 1000; millisecond += 10) await clock.advance(10);
    expect(given).toEqual([1]);
    expect(telegram.requests.length).toBeGreaterThan(10);
    expect(telegram.requests.length).toBeLessThanOrEqual(21);
  });

  it("confirms an update only when it and all before it were handled", async () => {
    const { telegram, source, clock, given } = setUp();
    telegram.push(text(1, alice, "a"), text(2, bob, "b"));
    await clock.advance(0);
    expect(given).toEqual([1, 2]);
    await source.handled(2);
    await clock.advance(100);
    expect(telegram.pending()).toEqual([1, 2]);
    await source.handled(1);
    await clock.advance(100);
    expect(telegram.pending()).toEqual([]);
    expect(given).toEqual([1, 2]);
  });

  it("keeps a slow update in the inbox and goes on to those behind it", async () => {
    const { telegram, source, clock, given, inbox } = setUp();
    telegram.push(text(1, alice, "slow"));
    await clock.advance(300);
    expect([...inbox.kept.keys()]).toEqual([1]);
    telegram.push(text(2, bob, "quick"));
    await clock.advance(0);
    expect(given).toEqual([1, 2]);
    await source.handled(1);
    expect(inbox.kept.size).toBe(0);
  });

  it("goes on behind a hundred slow updates, which is all that Telegram shows at once", async () => {
    const { telegram, clock, given, inbox } = setUp();
    telegram.push(...Array.from({ length: 150 }, (_, index) => text(index + 1, alice, "slow")));
    await clock.advance(900);
    expect([given.length, inbox.kept.size]).toEqual([100, 0]);
    await clock.advance(500);
    expect(given).toHaveLength(150);
  });

  it("asks for more as soon as half of a hundred updates were handled, so that nobody waits for the last of them", async () => {
    const { telegram, source, clock, given } = setUp();
    telegram.push(...Array.from({ length: 250 }, (_, index) => text(index + 1, alice, "a")));
    await clock.advance(0);
    for (let id = 1; id <= 50; id += 1) await source.handled(id);
    await clock.advance(0);
    expect(given).toHaveLength(150);
    expect(telegram.pending()[0]).toBe(51);
    for (let id = 51; id <= 250; id += 1) {
      await source.handled(id);
      await clock.advance(0);
    }
    expect(given).toHaveLength(250);
    expect(telegram.requests.length).toBeLessThanOrEqual(6);
  });

  it("asks no more than twenty times a second while updates are under way", async () => {
    const { telegram, source, clock, given } = setUp();
    let handled = 0;
    for (let id = 1; id <= 100; id++) {
      telegram.push(text(id, alice, "a"));
      await clock.advance(10);
      while (given.length - handled > 2) await source.handled(given[handled++]!);
    }
    expect(telegram.requests.length).toBeGreaterThan(5);
    expect(telegram.requests.length).toBeLessThanOrEqual(21);
  });

  it("never repeats an offset within half a second when the inbox fails, and tells so", async () => {
    const inbox = memoryInbox();
    const { telegram, clock, given, messages } = setUp({
      inbox: { ...inbox, keep: () => Promise.reject(new Error("disk full")) },
    });
    telegram.push(text(1, alice, "slow"));
    await clock.advance(2_000);
    expect(telegram.requests.length).toBeLessThanOrEqual(6);
    expect(messages()).toContain("A slow update could not be kept; it holds up those behind it");
    telegram.push(text(2, bob, "quick"));
    await clock.advance(600);
    expect(given).toEqual([1, 2]);
    expect(telegram.pending()).toEqual([1, 2]);
  });

  it("gives out first what an earlier run left in the inbox", async () => {
    const { clock, given, inbox, source } = setUp({ inbox: memoryInbox([text(5, alice, "left")]) });
    await clock.advance(0);
    expect(given).toEqual([5]);
    await source.handled(5);
    expect(inbox.kept.size).toBe(0);
  });

  it("tries again after 5xx and broken connections, ever later", async () => {
    const { telegram, clock, given } = setUp();
    telegram.failures.push(
      refused(502, "Bad Gateway"),
      new HttpError("Network request for 'getUpdates' failed!", new Error("secret url")),
      refused(500, "Internal Server Error"),
    );
    telegram.push(text(1, alice, "a"));
    await clock.advance(0);
    expect(telegram.requests).toHaveLength(1);
    await clock.advance(5_000);
    expect(given).toEqual([1]);
  });

  it("sees what came within five seconds of Telegram's return, however long it was gone", async () => {
    const { clock, telegram, given } = setUp();
    telegram.failures.push(...Array.from({ length: 40 }, () => new HttpError("gone", new Error("ECONNREFUSED"))));
    while (telegram.failures.length > 1) await clock.advance(500);
    telegram.failures.length = 0;
    telegram.push(text(1, alice, "a"));
    await clock.advance(5_000);
    expect(given).toEqual([1]);
  });

  it("waits as long as Telegram asks", async () => {
    const { telegram, clock, given } = setUp();
    telegram.failures.push(refused(429, "Too Many Requests: retry after 7", { retry_after: 7 }));
    telegram.push(text(1, alice, "a"));
    await clock.advance(6_999);
    expect(given).toEqual([]);
    await clock.advance(2);
    expect(given).toEqual([1]);
  });

  it("waits no longer than five minutes, whatever Telegram asks", async () => {
    const { telegram, clock, given } = setUp();
    telegram.failures.push(refused(429, "Too Many Requests", { retry_after: 999_999_999 }));
    telegram.push(text(1, alice, "a"));
    await clock.advance(300_001);
    expect(given).toEqual([1]);
  });

  it("goes on at its pace when the clock is set back", async () => {
    const { telegram, source, clock, given } = setUp();
    telegram.push(text(1, alice, "a"));
    await clock.advance(100);
    clock.step(-3_600_000);
    telegram.push(text(2, bob, "b"));
    await clock.advance(1_000);
    expect(given).toEqual([1, 2]);
    await source.handled(1);
    await source.handled(2);
    await clock.advance(100);
    expect(telegram.pending()).toEqual([]);
  });

  it("says that another copy is polling, and goes on when it has ended", async () => {
    const { telegram, clock, given, messages } = setUp();
    telegram.failures.push(refused(409, "Conflict: terminated by other getUpdates request"));
    telegram.push(text(1, alice, "a"));
    await clock.advance(1_000);
    expect(messages()).toEqual(["Another copy of this bot receives its updates; only one may run"]);
    expect(given).toEqual([1]);
  });

  it("ends when the token is refused", async () => {
    const { telegram, clock, running } = setUp();
    telegram.failures.push(refused(401, "Unauthorized"));
    telegram.push(text(1, alice, "a"));
    await clock.advance(0);
    await expect(running).rejects.toMatchObject({ code: "service-unauthorized", parameters: { service: "telegram" } });
  });

  it("ends at once when it is stopped, and confirms what was handled", async () => {
    const { telegram, clock, running, source, stopping } = setUp();
    telegram.push(text(1, alice, "a"));
    await clock.advance(0);
    stopping.abort(new Error("stopped"));
    await source.handled(1);
    await expect(running).rejects.toThrow("stopped");
    await source.confirm();
    expect(telegram.pending()).toEqual([]);
  });

  it("leaves nothing on the signal, which lives as long as the program", async () => {
    const derive = vi.spyOn(AbortSignal, "any");
    const { telegram, clock, stopping } = setUp();
    telegram.push(text(1, alice, "a"));
    await clock.advance(1_000);
    expect(getEventListeners(stopping.signal, "abort").length).toBeLessThan(2);
    // Node 20 keeps a note of every signal that was derived so.
    expect(derive).not.toHaveBeenCalled();
    derive.mockRestore();
  });
});
