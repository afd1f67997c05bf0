import { describe, expect, it } from "vitest";
import { alice, bob, createBench, type Answer } from "./harness.js";

const ids = ({ result }: Answer): number[] => (result as { update_id: number }[]).map(({ update_id }) => update_id);

describe("getUpdates", () => {
  it("repeats what was not confirmed and forgets what was", async () => {
    const { call, telegram, clock } = createBench();
    telegram.sendText(alice, "one");
    const first = ids(await call("getUpdates"));
    expect(first).toHaveLength(2);
    expect(first[1]).toBe(first[0]! + 1);
    await clock.advance(5000);
    expect(ids(await call("getUpdates"))).toEqual(first);
    expect(ids(await call("getUpdates", { offset: first[0]! + 1 }))).toEqual([first[1]]);
    expect(ids(await call("getUpdates", { offset: 0 }))).toEqual([first[1]]);
  });

  it("delivers at most the limit, clamped to 1 to 100", async () => {
    const { call, telegram, clock } = createBench();
    for (let count = 0; count < 150; count += 1) telegram.sendText(alice, `${count}`);
    expect(ids(await call("getUpdates", { limit: 3 }))).toHaveLength(3);
    await clock.advance(5000);
    expect(ids(await call("getUpdates", { limit: 1000 }))).toHaveLength(100);
    await clock.advance(5000);
    expect(ids(await call("getUpdates", { limit: 0 }))).toHaveLength(1);
  });

  it("keeps only the newest for a negative offset", async () => {
    const { call, telegram } = createBench();
    for (let count = 0; count < 5; count += 1) telegram.sendText(alice, `${count}`);
    const newest = ids(await call("getUpdates", { offset: -2 }));
    expect(newest).toHaveLength(2);
    expect(ids(await call("getUpdates", { offset: 1 }))).toEqual(newest);
  });

  it("takes an offset in the far future for a mistake", async () => {
    const { call } = createBench();
    const [id] = ids(await call("getUpdates"));
    expect(ids(await call("getUpdates", { offset: id! + 1000 }))).toEqual([id]);
  });

  it("waits for an update as long as it is asked to", async () => {
    const { call, telegram, clock } = createBench();
    const [last] = ids(await call("getUpdates"));
    const offset = last! + 1;
    const early = call("getUpdates", { offset, timeout: 30 });
    await clock.advance(29_000);
    const { updateId } = telegram.sendText(alice, "now");
    expect(ids(await early)).toEqual([updateId]);
    const late = call("getUpdates", { offset: offset + 1, timeout: 30 });
    await clock.advance(30_000);
    expect(await late).toEqual({ ok: true, result: [] });
  });

  it("slows down a bot that asks the same again and again", async () => {
    const { call, telegram, clock } = createBench();
    telegram.sendText(alice, "two");
    const [last] = ids(await call("getUpdates", { offset: -1 }));
    const offset = last! + 1;
    expect(ids(await call("getUpdates", { offset }))).toEqual([]);
    let isAnswered = false;
    const again = call("getUpdates", { offset }).then(() => (isAnswered = true));
    await clock.advance(2900);
    expect(isAnswered).toBe(false);
    await clock.advance(100);
    await again;
  });

  it("gives one update at a time to a bot that asks the same within half a second", async () => {
    const { call, telegram } = createBench();
    telegram.sendText(alice, "two");
    expect(ids(await call("getUpdates"))).toHaveLength(2);
    expect(ids(await call("getUpdates"))).toHaveLength(1);
  });

  it("ends the first of two polls with a conflict, and the second conflict comes three seconds late", async () => {
    const { call, clock } = createBench();
    const [last] = ids(await call("getUpdates"));
    const poll = (shift: number) => call("getUpdates", { offset: last! + shift, timeout: 50 });
    const conflict = {
      ok: false,
      error_code: 409,
      description: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    };
    const first = poll(1);
    await clock.advance(0);
    const second = poll(2);
    expect(await first).toEqual(conflict);
    let late: Answer | undefined;
    void second.then((answer) => (late = answer));
    const third = poll(3);
    await clock.advance(2900);
    expect(late).toBeUndefined();
    await clock.advance(100);
    expect(late).toEqual(conflict);
    await clock.advance(50_000);
    expect((await third).ok).toBe(true);
  });

  it("stops waiting when the caller goes away", async () => {
    const { call, clock, telegram } = createBench();
    const [last] = ids(await call("getUpdates"));
    const caller = new AbortController();
    const gone = call("getUpdates", { offset: last! + 1, timeout: 50 }, caller.signal);
    await clock.advance(0);
    expect(telegram.isPolled()).toBe(true);
    caller.abort();
    await gone;
    expect(telegram.isPolled()).toBe(false);
    const { updateId } = telegram.sendText(alice, "later");
    expect(ids(await call("getUpdates", { offset: last! + 1 }))).toEqual([updateId]);
  });

  it("is refused while a webhook is set, and setting one ends a waiting poll", async () => {
    const { call, clock, refusal } = createBench();
    const [last] = ids(await call("getUpdates"));
    const waiting = refusal("getUpdates", { offset: last! + 1, timeout: 50 });
    await clock.advance(0);
    expect(await refusal("setWebhook", { url: "https://127.0.0.1:1/" })).toBe("accepted");
    expect(await waiting).toBe("Conflict: terminated by setWebhook request");
    await clock.advance(3000);
    expect(await refusal("getUpdates")).toBe(
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    );
    await call("deleteWebhook");
    expect(await refusal("getUpdates")).toBe("accepted");
  });

  it("remembers which kinds of updates the bot wants", async () => {
    const { call, telegram } = createBench();
    const [last] = ids(await call("getUpdates", { allowed_updates: ["callback_query"] }));
    expect(telegram.sendText(alice, "unwanted").updateId).toBe(0);
    expect(ids(await call("getUpdates", { offset: last! + 1 }))).toEqual([]);
    await call("getUpdates", { offset: last! + 2, allowed_updates: [] });
    expect(telegram.sendText(alice, "wanted").updateId).toBeGreaterThan(0);
  });

  it("delivers an update again, confirmed or not", async () => {
    const { call, telegram, clock } = createBench();
    const [last] = ids(await call("getUpdates"));
    const waiting = call("getUpdates", { offset: last! + 1, timeout: 50 });
    await clock.advance(0);
    telegram.redeliver([last!]);
    expect(ids(await waiting)).toEqual([last]);
    await clock.advance(5000);
    const { updateId } = telegram.sendText(alice, "next");
    telegram.redeliver([last!, last!]);
    expect(ids(await call("getUpdates", { offset: last! + 1 }))).toEqual([last, last, updateId]);
    expect(() => telegram.redeliver([1])).toThrow("There was no update 1.");
  });

  it("delivers no update again before an older one that nobody has seen yet", async () => {
    const { call, telegram } = createBench();
    const [first] = ids(await call("getUpdates"));
    const { updateId } = telegram.sendText(alice, "later");
    telegram.redeliver([updateId]);
    // The offset is the same as before, so there is only one.
    expect(ids(await call("getUpdates"))).toEqual([first]);
    expect(ids(await call("getUpdates", { offset: updateId }))).toEqual([updateId, updateId]);
  });

  it("loses messages after a day and taps after two and a half minutes", async () => {
    const { call, telegram, clock, sent } = createBench();
    const messageId = await sent();
    telegram.press(alice, messageId, "x");
    telegram.sendText(bob, "hi");
    await clock.advance(149_000);
    expect(ids(await call("getUpdates"))).toHaveLength(3);
    await clock.advance(1000);
    expect(ids(await call("getUpdates", { limit: 50 }))).toHaveLength(2);
    await clock.advance(24 * 60 * 60 * 1000);
    expect(ids(await call("getUpdates"))).toEqual([]);
  });
});
