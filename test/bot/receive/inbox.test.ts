import type { Update } from "grammy/types";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openStore } from "../../../src/store/sqlite.js";
import type { Database } from "../../../src/store/store.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { until } from "../../support/until.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { alice, bob, testBot, testInbox, testLog, text } from "./updates.js";

const HOUR = 3_600_000;

/** Runs of the program, one after another, on the same folder. */
async function setUp() {
  const directory = await temporaryFolder();
  const clock = createVirtualClock();
  const { log, messages, lines } = testLog();
  const run = () => {
    const store = openStore({ directory });
    const { bot } = testBot();
    const begun: string[] = [];
    const handled: string[] = [];
    const held = new Map<string, () => void>();
    bot.on("message:text", async (ctx) => {
      begun.push(ctx.msg.text);
      if (ctx.msg.text.startsWith("held")) await new Promise<void>((resolve) => held.set(ctx.msg.text, resolve));
      if (ctx.msg.text === "fails") throw new Error("refused");
      handled.push(ctx.msg.text);
    });
    const inbox = testInbox({ bot, store, clock, log });
    const close = () => store.close();
    onTestFinished(close);
    return { inbox, store, begun, handled, close, release: (words: string) => held.get(words)?.() };
  };
  return { run, clock, messages, lines };
}

const rowsOf = ({ db }: Database) => db.selectFrom("updates").selectAll().orderBy("id").execute();

describe("an update", () => {
  it("is stored before `receive` resolves, and only its id stays once it is handled", async () => {
    const { run } = await setUp();
    const { inbox, store, begun, release } = run();
    await inbox.receive([text(1, alice, "held"), text(2, bob, "hello")]);
    await until(() => begun.length === 2);
    const [slow, quick] = await rowsOf(store);
    expect(slow).toMatchObject({ id: 1, user_id: alice, starts: 1 });
    expect(JSON.parse(slow?.body ?? "")).toEqual(text(1, alice, "held"));
    release("held");
    await inbox.idle();
    expect((await rowsOf(store)).map(({ id, user_id, body }) => [id, user_id, body])).toEqual([
      [1, 0, null],
      [2, 0, null],
    ]);
    expect(quick?.id).toBe(2);
  });

  it("is handled once, however often it arrives: in one batch or several, during its handling or after", async () => {
    const { run } = await setUp();
    const { inbox, begun, release } = run();
    const held = text(1, alice, "held");
    await Promise.all([inbox.receive([held, held]), inbox.receive([held])]);
    await inbox.receive([held]);
    await until(() => begun.length > 0);
    release("held");
    await inbox.idle();
    await inbox.receive([held]);
    await inbox.idle();
    expect(begun).toEqual(["held"]);
  });

  it("counts as handled if its handler fails", async () => {
    const { run, messages } = await setUp();
    const { inbox, store } = run();
    await inbox.receive([text(1, alice, "fails")]);
    await inbox.idle();
    expect(messages()).toEqual(["Update failed"]);
    expect((await rowsOf(store))[0]?.body).toBeNull();
  });

  it("left unfinished by one run is handled by the next one, in order", async () => {
    const { run, clock } = await setUp();
    const first = run();
    await first.inbox.receive([text(1, alice, "held 1"), text(2, alice, "held 2"), text(3, bob, "hello")]);
    await until(() => first.handled.includes("hello"));
    // The time after which it is noted that some were handled.
    await clock.advance(20);
    await first.close();
    const second = run();
    await second.inbox.takeUp();
    await until(() => second.begun.length === 2);
    expect(second.begun).toEqual(["held 1", "held 2"]);
    // Updates that Telegram redelivers after that are recognised.
    await second.inbox.receive([text(1, alice, "held 1"), text(3, bob, "hello")]);
    expect(second.begun).toHaveLength(2);
  });

  it("is noted as handled with the next that are stored, in the same commit", async () => {
    const { run, clock } = await setUp();
    const { inbox, store, handled, release } = run();
    const write = vi.spyOn(store, "write");
    await inbox.receive([text(1, alice, "hello")]);
    await until(() => handled.length === 1);
    await inbox.receive([text(2, bob, "held")]);
    expect((await rowsOf(store)).map(({ id, body }) => [id, body === null])).toEqual([
      [1, true],
      [2, false],
    ]);
    expect(write).toHaveBeenCalledTimes(2);
    // Its own time comes, with nothing left to note.
    await clock.advance(20);
    expect(write).toHaveBeenCalledTimes(2);
    release("held");
    await until(() => handled.length === 2);
    await clock.advance(20);
    await until(async () => (await rowsOf(store)).every(({ body }) => body === null));
  });

  it("is noted as handled after 20 ms if no other comes, together with others", async () => {
    const { run, clock } = await setUp();
    const { inbox, store, handled } = run();
    await inbox.receive([text(1, alice, "hello"), text(2, bob, "hello")]);
    await until(() => handled.length === 2);
    const write = vi.spyOn(store, "write");
    await clock.advance(19);
    expect((await rowsOf(store)).filter(({ body }) => body === null)).toEqual([]);
    await clock.advance(1);
    await until(async () => (await rowsOf(store)).every(({ body }) => body === null));
    expect(write).toHaveBeenCalledTimes(1);
  });

  it("is handled once more after a crash before that is noted", async () => {
    const { run } = await setUp();
    const first = run();
    await first.inbox.receive([text(1, alice, "hello"), text(2, bob, "held")]);
    await until(() => first.handled.includes("hello"));
    await first.close();
    const second = run();
    await second.inbox.takeUp();
    await until(() => second.begun.length === 2);
    expect(second.begun).toEqual(["hello", "held"]);
  });

  it("that ends the program three times is given up but kept, and the others are handled", async () => {
    const { run, lines, clock } = await setUp();
    const first = run();
    await first.inbox.receive([text(1, alice, "held killer"), text(2, bob, "held too")]);
    await until(() => first.begun.length === 2);
    await first.close();
    const second = run();
    await second.inbox.takeUp();
    await until(() => second.begun.length === 2);
    await second.close();
    // This run takes them one at a time, before it receives any other: the first ends this run as well.
    const third = run();
    void third.inbox.takeUp();
    await until(() => third.begun.length === 1);
    expect(third.begun).toEqual(["held killer"]);
    await third.close();
    const fourth = run();
    const takenUp = fourth.inbox.takeUp();
    await until(() => fourth.begun.length === 1);
    expect(fourth.begun).toEqual(["held too"]);
    fourth.release("held too");
    await takenUp;
    await fourth.inbox.idle();
    expect(lines).toContainEqual(expect.objectContaining({ updateId: 1, userId: alice }));
    expect((await rowsOf(fourth.store)).map(({ id, body }) => [id, body === null])).toEqual([
      [1, false],
      [2, true],
    ]);
    await clock.advance(29 * 24 * HOUR);
    await fourth.inbox.receive([text(3, bob, "hello")]);
    expect((await rowsOf(fourth.store)).map(({ id }) => id)).toEqual([1, 3]);
    await fourth.inbox.idle();
    await clock.advance((2 * 24 + 1) * HOUR);
    await fourth.inbox.receive([text(4, bob, "hello")]);
    expect((await rowsOf(fourth.store)).map(({ id }) => id)).toEqual([4]);
  });

  it("is remembered for two days, then forgotten", async () => {
    const { run, clock } = await setUp();
    const { inbox, store } = run();
    await inbox.receive([text(1, alice, "hello")]);
    await inbox.idle();
    await clock.advance(47 * HOUR);
    await inbox.receive([text(2, alice, "hello")]);
    expect((await rowsOf(store)).map(({ id }) => id)).toEqual([1, 2]);
    await clock.advance(2 * HOUR);
    await inbox.receive([text(3, alice, "hello")]);
    expect((await rowsOf(store)).map(({ id }) => id)).toEqual([2, 3]);
  });

  it("is stored without the secret in its text", async () => {
    const { run } = await setUp();
    const { inbox, store } = run();
    const words = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";
    await inbox.receive([text(1, alice, words)]);
    const [row] = await store.db.selectFrom("updates").select("received_at").execute();
    expect(row).toBeDefined();
    expect(JSON.stringify(await rowsOf(store))).not.toContain("abandon");
  });
});

describe("an inbox on a full disk", () => {
  it("still handles updates, and resolves `receive` only afterwards", async () => {
    const { run } = await setUp();
    const { store, begun, handled } = run();
    const broken: Database = {
      db: store.db,
      write: () => Promise.reject(new Error("disk full")),
    };
    const { bot } = testBot();
    bot.on("message:text", async (ctx) => {
      begun.push(ctx.msg.text);
      if (ctx.msg.text === "held") await new Promise<void>((resolve) => (finish = resolve));
      handled.push(ctx.msg.text);
    });
    let finish: () => void = () => undefined;
    const { log, messages } = testLog();
    const clock = createVirtualClock();
    const inbox = testInbox({ bot, store: broken, clock, log });
    const held: Update = text(1, alice, "held");
    let isReceived = false;
    const receiving = inbox.receive([held, text(2, bob, "hello")]).then(() => (isReceived = true));
    await until(() => handled.includes("hello"));
    // A redelivery in the meantime is not handled again.
    const again = inbox.receive([held]);
    expect(isReceived).toBe(false);
    finish();
    await Promise.all([receiving, again]);
    expect(begun).toEqual(["held", "hello"]);
    await clock.advance(20);
    const said = [
      "Updates not stored; confirming them once they are handled",
      "Handled updates not recorded yet; retrying",
    ];
    expect(new Set(messages())).toEqual(new Set(said));
  });
});
