import type { Update } from "grammy/types";
import { describe, expect, it, onTestFinished } from "vitest";
import { mountDialogs } from "../../../src/bot/dialogs.js";
import { userQueue } from "../../../src/bot/middleware/handling.js";
import type { BotContext } from "../../../src/bot/context.js";
import { systemClock } from "../../../src/clock.js";
import type { Dialog } from "../../../src/conversations/interview.js";
import type { Database } from "../../../src/store/store.js";
import { people } from "../../support/documents.js";
import { createMemoryDisk, type MemoryDisk } from "../../support/memory-store.js";
import { until } from "../../support/until.js";
import { alice, bob, botInfo, testBot, testInbox, testLog, text } from "./updates.js";

const here = { botId: 1000, apiRoot: "https://api.telegram.org" };
const ownServer = { ...here, apiRoot: "http://127.0.0.1:8081" };
const otherBot = { ...here, botId: 2000 };

/** A dialog with two questions, entered by /begin. */
async function ask(dialog: Dialog): Promise<void> {
  const say = (words: string) => dialog.external(async (outer) => (await outer.reply(words)).message_id);
  await say("first?");
  const first = (await dialog.wait()).message?.text;
  await say("second?");
  await say(`${first} and ${(await dialog.wait()).message?.text}`);
}

/** A run of the program as a bot at a server. Unless it is the last, it never finishes texts that begin with "held". */
function run(disk: MemoryDisk, { botId, apiRoot }: typeof here, isLast = false) {
  const store = disk.open();
  const { log } = testLog();
  const { bot, texts } = testBot<BotContext>();
  bot.botInfo = { ...(botInfo as object), id: botId } as never;
  const begun: string[] = [];
  const shared = { clock: systemClock, log };
  bot.use(userQueue(shared));
  bot.on("message:text", async (ctx, next) => {
    begun.push(ctx.msg.text);
    if (!isLast && ctx.msg.text.startsWith("held")) await new Promise(() => undefined);
    await next();
  });
  bot.use(mountDialogs({ store, ...shared }, [{ forms: [{ id: "dialog.1", run: ask }] }]));
  bot.command("begin", (ctx) => ctx.conversation.enter("dialog.1"));
  bot.on("message:text", (ctx) => ctx.reply("no dialog"));
  onTestFinished(store.kill);
  const inbox = testInbox({ bot, store, apiRoot, ...shared });
  return {
    ...inbox,
    store,
    begun,
    texts,
    /** Receives updates and waits until they are handled. */
    gets: async (...updates: Update[]) => {
      await inbox.receive(updates);
      await inbox.idle();
    },
  };
}

const idsOf = async ({ db }: Pick<Database, "db">) =>
  (await db.selectFrom("updates").select("id").orderBy("id").execute()).map(({ id }) => id);

describe.each([
  ["another Bot API server", ownServer],
  ["another bot", otherBot],
])("after a move to %s whose update ids are lower", (_name, next) => {
  it("dialogs work at once, and no update is taken for one of before", async () => {
    const disk = createMemoryDisk();
    const first = run(disk, here);
    await first.takeUp();
    await first.gets(text(1_001, bob, "hello"));
    await first.gets(text(900_000_000, alice, "/begin"));
    await first.gets(text(900_000_001, alice, "a"));
    expect(first.texts()).toEqual(["no dialog", "first?", "second?"]);
    first.store.kill();
    const second = run(disk, next);
    await second.takeUp();
    await second.gets(text(1_000, alice, "/begin"));
    // An id that the other one had used.
    await second.gets(text(1_001, alice, "c"));
    await second.gets(text(1_002, alice, "d"));
    expect(second.texts()).toEqual(["first?", "second?", "c and d"]);
    // What comes again is still recognised.
    await second.gets(text(1_001, alice, "c"), text(1_002, alice, "d"));
    expect(second.begun).toEqual(["/begin", "c", "d"]);
  });

  it("what was left unhandled is handled once and in order, before what comes with the same ids", async () => {
    const disk = createMemoryDisk();
    const first = run(disk, here);
    await first.takeUp();
    await first.receive([text(10, alice, "held 1"), text(11, alice, "left 2"), text(12, alice, "left 3")]);
    await until(() => first.begun.length === 1);
    first.store.kill();
    const second = run(disk, next);
    await second.takeUp();
    await second.receive([text(10, alice, "new 1"), text(11, bob, "new 2")]);
    await until(() => second.begun.length === 2);
    expect(second.begun).toEqual(["held 1", "new 2"]);
    const handled = second.store.db.selectFrom("updates").select("id").where("body", "is", null);
    await until(async () => (await handled.execute()).length === 1);
    second.store.kill();
    // A second move, with some still left of the first: nothing is taken for something else.
    const third = run(disk, { botId: 3000, apiRoot: "http://127.0.0.1:1" });
    // It waits for the first, which two runs did not survive.
    void third.takeUp();
    await until(() => third.begun.length === 1);
    const bodies = await third.store.db.selectFrom("updates").select(["id", "body"]).orderBy("id").execute();
    const left = bodies.flatMap(({ id, body }) => (body === null ? [] : [{ id, update: JSON.parse(body) as Update }]));
    expect(left.map(({ update }) => update.message?.text)).toEqual(["held 1", "left 2", "left 3", "new 1"]);
    expect(left.every(({ id }) => id < 0)).toBe(true);
    third.store.kill();
  });
});

describe("what was asked before the move", () => {
  async function asked(next: typeof here): Promise<readonly unknown[]> {
    const disk = createMemoryDisk();
    const first = run(disk, here);
    await first.takeUp();
    await first.gets(text(900_000_000, alice, "/begin"));
    first.store.kill();
    const second = run(disk, next);
    await second.takeUp();
    await second.gets(text(1, alice, "a"));
    return second.texts();
  }

  it("can be answered at another server, where the chat is the same", async () => {
    expect(await asked(ownServer)).toEqual(["second?"]);
  });

  it("can't be answered to another bot, in whose chat it isn't", async () => {
    expect(await asked(otherBot)).toEqual(["no dialog"]);
  });
});

describe("message ids", () => {
  const homeOf = async (disk: MemoryDisk) => (await disk.open().read(people, "1001"))?.homeMessage;
  async function pinned() {
    const disk = createMemoryDisk();
    const first = run(disk, here);
    await first.takeUp();
    for (let id = 1001; id < 1251; id += 1)
      await first.store.update(people, `${id}`, (person) => [{ ...person, homeMessage: 7 }, undefined]);
    // Unreadable: it is left alone, and stops nothing.
    const damaged = `{"homeMessage":"seven"}`;
    await first.store.write((tx) =>
      tx.updateTable("users").set({ preferences: damaged }).where("id", "=", 1100).execute(),
    );
    return disk;
  }

  it("stay with the bot at another server", async () => {
    const disk = await pinned();
    await run(disk, ownServer).takeUp();
    expect(await homeOf(disk)).toBe(7);
  });

  it("of another bot are forgotten, since they name other messages in this one's chats", async () => {
    const disk = await pinned();
    const second = run(disk, otherBot);
    await second.takeUp();
    const left = await second.store.db
      .selectFrom("users")
      .select("id")
      .where("preferences", "like", "%homeM%")
      .execute();
    expect(left).toEqual([{ id: 1100 }]);
    expect(await homeOf(disk)).toBeUndefined();
  });
});

it("nothing changes for the same bot at the same server", async () => {
  const disk = createMemoryDisk();
  const first = run(disk, here);
  await first.takeUp();
  await first.gets(text(7, alice, "hello"));
  const second = run(disk, here);
  await second.takeUp();
  expect(await idsOf(second.store)).toEqual([7]);
  await second.gets(text(7, alice, "hello"));
  expect(second.begun).toEqual([]);
});

it("the API root is not stored, as it may have a password", async () => {
  const disk = createMemoryDisk();
  const { store, takeUp } = run(disk, { ...here, apiRoot: "https://user:planted@example.org" });
  await takeUp();
  const settings = await store.db.selectFrom("settings").selectAll().execute();
  expect(settings.map(({ name }) => name)).toContain("origin");
  expect(JSON.stringify(settings)).not.toMatch(/planted|example/);
});

it("a kill at any write of the move loses no update, and mixes up none", async () => {
  for (let killAt = 1; ; killAt += 1) {
    const disk = createMemoryDisk();
    const first = run(disk, here);
    await first.takeUp();
    await first.gets(text(1, bob, "one"), text(2, bob, "two"));
    await first.receive([text(3, alice, "held 3"), text(4, alice, "left 4")]);
    await until(() => first.begun.length === 3);
    first.store.kill();

    const second = run(disk, otherBot);
    let writes = 0;
    second.store.beforeWrite = () => {
      if ((writes += 1) === killAt) throw new Error("killed");
    };
    const isKilled = await second.takeUp().then(
      () => false,
      () => true,
    );
    second.store.kill();
    const third = run(disk, otherBot, true);
    await third.takeUp();
    await third.gets(text(3, bob, "new 3"), text(4, bob, "new 4"));
    expect(third.begun.toSorted(), `killed at write ${killAt}`).toEqual(["held 3", "left 4", "new 3", "new 4"]);
    expect(third.begun.indexOf("held 3")).toBeLessThan(third.begun.indexOf("left 4"));
    expect(third.begun.indexOf("new 3")).toBeLessThan(third.begun.indexOf("new 4"));
    const left = third.store.db.selectFrom("updates").select("id").where("body", "is not", null);
    expect(await left.execute()).toEqual([]);
    third.store.kill();
    if (!isKilled) {
      // Forgetting what was handled (twice: the second finds none), cards, ids, and the start of what was left.
      expect(killAt).toBeGreaterThan(4);
      return;
    }
  }
});
