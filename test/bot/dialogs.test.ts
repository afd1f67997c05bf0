import type { Context } from "grammy";
import { describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../../src/clock.js";
import type { BotContext } from "../../src/bot/context.js";
import { apiTransformers } from "../../src/services/telegram/api-transformers.js";
import { mountDialogs, dialogOf } from "../../src/bot/dialogs.js";
import { userQueue } from "../../src/bot/middleware/handling.js";
import type { Dialog } from "../../src/conversations/interview.js";
import { messages } from "../../src/locales/messages.js";
import type { Database } from "../../src/store/store.js";
import { temporaryStore } from "../support/engine.js";
import { until } from "../support/until.js";
import { createVirtualClock } from "../support/virtual-clock.js";
import { alice, bob, type Call, tap, testBot, testLog, text } from "./receive/updates.js";

// Each letter is a known trap of @grammyjs/conversations 2.1.1; its test shows that our set-up avoids it.

type Builder = (dialog: Dialog, ctx: Context) => Promise<void>;

const accepted = { ok: true, result: { message_id: 1, date: 1, chat: { id: alice, type: "private" } } };

/** How long an update may take before the queue moves on. */
const LIMIT_MS = 60_000;

/** A bot set up like the real one, with one dialog, entered by /begin. A second one on its store is its restart. */
async function dialogBot({
  store: given,
  dialog = twoQuestions,
  id = "dialog.1",
  answer = () => accepted,
  clock = systemClock,
}: {
  store?: Database;
  dialog?: Builder;
  id?: string;
  answer?: (call: Call) => object;
  clock?: Clock;
} = {}) {
  const store = given ?? (await temporaryStore());
  const { bot, texts, calls } = testBot<BotContext>(answer);
  const { log, messages } = testLog();
  bot.api.config.use(...apiTransformers(systemClock));
  bot.use(userQueue({ clock, log }));
  bot.callbackQuery("card", (ctx) => ctx.reply("card handled"));
  bot.use(mountDialogs({ store, clock, log }, [{ forms: [{ id, run: dialog }] }]));
  bot.command("begin", (ctx) => ctx.conversation.enter(id));
  bot.command("help", (ctx) => ctx.reply("help"));
  bot.on("message", (ctx) => ctx.reply("no dialog"));
  let updateId = 0;
  return {
    store,
    texts,
    calls,
    messages,
    handle: (update: ReturnType<typeof text>) => bot.handleUpdate(update),
    say: (words: string, userId = alice) => bot.handleUpdate(text(++updateId, userId, words)),
  };
}

const say = (dialog: Dialog, words: string) => dialog.external(async (outer) => (await outer.reply(words)).message_id);

const twoQuestions: Builder = async (dialog) => {
  await say(dialog, "amount?");
  const amount = await dialog.waitFor("message:text");
  await say(dialog, "token?");
  const token = await dialog.waitFor("message:text");
  await say(dialog, `${amount.msg.text} ${token.msg.text}`);
};

const dialogKept = async (store: Database, clock = systemClock) => {
  return (await dialogOf(store.db, alice, clock.now()))?.dialogs;
};

describe("a dialog", () => {
  it("survives a restart halfway through, and leaves nothing in the store when it ends", async () => {
    const store = await temporaryStore();
    const before = await dialogBot({ store });
    await before.say("/begin");
    const after = await dialogBot({ store });
    await after.handle(text(101, alice, "100"));
    await after.handle(text(102, alice, "KFI"));
    expect(after.texts()).toEqual(["token?", "100 KFI"]);
    expect(await dialogKept(store)).toBeUndefined();
  });

  it("takes a redelivered update once, even after a crash right after its state was written", async () => {
    const store = await temporaryStore();
    const before = await dialogBot({ store });
    await before.handle(text(1, alice, "/begin"));
    let isWritten = false;
    const crashing: Database = {
      ...store,
      write: async (work) => {
        await store.write(work);
        isWritten = true;
        return new Promise(() => undefined);
      },
    };
    const crashed = await dialogBot({ store: crashing });
    void crashed.handle(text(2, alice, "100"));
    await until(() => isWritten);
    const after = await dialogBot({ store });
    await after.handle(text(2, alice, "100"));
    await after.handle(text(3, alice, "KFI"));
    expect(after.texts()).toEqual(["100 KFI"]);
  });

  it("passes redelivered answers older than its last one on to the rest of the bot", async () => {
    const store = await temporaryStore();
    const before = await dialogBot({ store });
    const walk = [text(1, alice, "/begin"), text(2, alice, "5"), text(3, alice, "/begin"), text(4, alice, "100")];
    for (const update of walk) await before.handle(update);
    const after = await dialogBot({ store });
    for (const update of [...walk, text(5, alice, "KFI")]) await after.handle(update);
    // The redelivered commands ask again, but the dialogs they enter are not kept.
    expect(after.texts()).toEqual(["amount?", "no dialog", "amount?", "100 KFI"]);
  });

  it("ignores its last answer when it is redelivered after the end", async () => {
    const store = await temporaryStore();
    const walk = [text(1, alice, "/begin"), text(2, alice, "100"), text(3, alice, "KFI")];
    const before = await dialogBot({ store });
    for (const update of walk) await before.handle(update);
    const after = await dialogBot({ store });
    await after.handle(walk[2]!);
    expect(after.texts()).toEqual([]);
  });

  it("is not overwritten by an update that timed out and finishes late", async () => {
    const clock = createVirtualClock();
    const finishes: (() => void)[] = [];
    const slow: Builder = async (dialog) => {
      await dialog.external(() => new Promise<void>((resolve) => finishes.push(resolve)));
      await say(dialog, "late");
      await dialog.wait();
    };
    const { store, ...bot } = await dialogBot({ dialog: slow, clock });
    for (const begun of [1, 2]) {
      const said = bot.say("/begin");
      await until(() => finishes.length === begun);
      await clock.advance(LIMIT_MS);
      await said;
    }
    const [late, finish] = finishes;
    finish!();
    await until(async () => (await dialogKept(store, clock)) !== undefined);
    const kept = await dialogKept(store, clock);
    late!();
    await until(() => bot.messages().includes("Dialog change dropped: its update came late"));
    expect(await dialogKept(store, clock)).toEqual(kept);
  });

  it("has its calls retried after 429 like all others, but not repeated by every replay", async () => {
    let refusals = 1;
    const tooMany = {
      ok: false,
      error_code: 429,
      description: "Too Many Requests: retry after 0",
      parameters: { retry_after: 0 },
    };
    const bot = await dialogBot({ answer: () => (refusals-- > 0 ? tooMany : accepted) });
    await bot.say("/begin");
    await bot.say("100");
    await bot.say("KFI");
    expect(bot.texts()).toEqual(["amount?", "amount?", "token?", "100 KFI"]);
  });
});

describe("traps A and J: an open dialog swallows commands", () => {
  it("a command ends the dialog and runs", async () => {
    const bot = await dialogBot();
    await bot.say("/begin");
    await bot.say("/help");
    await bot.say("100");
    expect(bot.texts()).toEqual(["amount?", "help", "no dialog"]);
  });

  it("a card's button works while the dialog stays open", async () => {
    const bot = await dialogBot();
    await bot.say("/begin");
    await bot.handle(tap(50, alice, "card"));
    await bot.say("100");
    expect(bot.texts()).toEqual(["amount?", "card handled", "token?"]);
  });

  it("a tap under a message that begins with a command counts as an answer", async () => {
    const bot = await dialogBot({
      dialog: async (dialog) => {
        await dialog.waitForCallbackQuery("yes");
        await say(dialog, "taken");
      },
    });
    await bot.say("/begin");
    const update = tap(50, alice, "yes");
    Object.assign(update.callback_query!.message!, {
      text: "/swap 1 KLV KFI",
      entities: [{ type: "bot_command", offset: 0, length: 5 }],
    });
    await bot.handle(update);
    expect(bot.texts()).toEqual(["taken"]);
  });

  it("a text with a command in the middle counts as an answer", async () => {
    const bot = await dialogBot();
    await bot.say("/begin");
    const update = text(50, alice, "see /help");
    update.message!.entities = [{ type: "bot_command", offset: 4, length: 5 }];
    await bot.handle(update);
    expect(bot.texts()).toEqual(["amount?", "token?"]);
  });
});

describe("traps B and C: values change when they cross the border of a dialog", () => {
  it("a union of plain data is the same on the first run and on replay", async () => {
    const seen: unknown[] = [];
    const bot = await dialogBot({
      dialog: async (dialog) => {
        const quote = await dialog.external(() => ({ ok: false, code: "quote-zero", amount: "12345678901234567890" }));
        seen.push(quote);
        await dialog.wait();
      },
    });
    await bot.say("/begin");
    await bot.say("go on");
    expect(seen).toHaveLength(2);
    expect(seen[1]).toEqual(seen[0]);
  });
});

describe("trap D: changed code can't replay an old state", () => {
  it("a dialog stored by another version of its form is dropped, and the user is told once", async () => {
    const store = await temporaryStore();
    const before = await dialogBot({ store });
    await before.say("/begin");
    const after = await dialogBot({
      store,
      id: "dialog.2",
      dialog: async (dialog) => {
        await dialog.external(() => "a new first step");
        await dialog.wait();
      },
    });
    await after.handle(text(101, alice, "100"));
    await after.handle(text(102, alice, "100"));
    expect(after.texts()).toEqual([messages.en.common.dialogOutdated, "no dialog", "no dialog"]);
  });

  it("the user is told nothing if a command enters a new dialog anyway", async () => {
    const store = await temporaryStore();
    const before = await dialogBot({ store });
    await before.say("/begin");
    const after = await dialogBot({ store, id: "dialog.2" });
    await after.handle(text(101, alice, "/begin"));
    await after.handle(text(102, alice, "100"));
    expect(after.texts()).toEqual(["amount?", "token?"]);
  });
});

describe("a dialog that nobody answers", () => {
  it("expires after six days, and is deleted with the next change to any user's dialog", async () => {
    const clock = createVirtualClock();
    const { store, ...bot } = await dialogBot({ clock });
    await bot.say("/begin");
    await clock.advance(6 * 24 * 3_600_000 + 1);
    await bot.say("100");
    expect(bot.texts()).toEqual(["amount?", "no dialog"]);
    await bot.say("/begin", bob);
    const kept = await store.db.selectFrom("dialogs").select("user_id").execute();
    expect(kept).toEqual([{ user_id: bob }]);
  });

  it("does not block lower update ids, which Telegram may choose after a week without updates", async () => {
    const clock = createVirtualClock();
    const bot = await dialogBot({ clock });
    await bot.handle(text(900, alice, "/begin"));
    await clock.advance(7 * 24 * 3_600_000);
    await bot.handle(text(5, alice, "/begin"));
    await bot.handle(text(6, alice, "100"));
    expect(bot.texts()).toEqual(["amount?", "amount?", "token?"]);
  });
});

describe("trap E: an update that never finishes", () => {
  it("a call through the context outside the dialog is refused, and the update ends", async () => {
    const bot = await dialogBot({ dialog: async (_, ctx) => void (await ctx.reply("past all rules")) });
    await expect(bot.say("/begin")).rejects.toThrow("through the context outside of it");
    await bot.say("hello");
    expect(bot.texts()).toEqual(["no dialog"]);
  });

  it("a dialog that hangs delays no other users, and its own user only until its update times out", async () => {
    const clock = createVirtualClock();
    const bot = await dialogBot({ dialog: () => new Promise<void>(() => undefined), clock });
    const hanging = bot.handle(text(1, alice, "/begin"));
    const own = bot.handle(text(2, alice, "/help"));
    await bot.handle(text(3, bob, "hello"));
    expect(bot.texts()).toEqual(["no dialog"]);
    await clock.advance(LIMIT_MS);
    await Promise.all([hanging, own]);
    expect(bot.texts()).toEqual(["no dialog", "help"]);
    expect(bot.messages()).toEqual(["Update timed out; continuing with the next one"]);
  });
});

describe("trap H: updates without a chat share one state", () => {
  it("each user has their own dialog, and an update without a user has none", async () => {
    const { store, ...bot } = await dialogBot();
    await bot.say("/begin", alice);
    await bot.say("/begin", bob);
    await bot.say("100", bob);
    await bot.handle({ update_id: 90, poll: { id: "1" } } as never);
    await bot.handle({ update_id: 91, channel_post: text(91, alice, "hello", -5).message } as never);
    const kept = await store.db.selectFrom("dialogs").select("user_id").orderBy("user_id").execute();
    expect(kept.map(({ user_id }) => user_id)).toEqual([alice, bob]);
    expect(bot.texts()).toEqual(["amount?", "amount?", "token?"]);
  });
});

describe("trap I: entering at the wrong time", () => {
  it("a command may enter a dialog while another one is open", async () => {
    const bot = await dialogBot();
    await bot.say("/begin");
    await bot.say("100");
    await bot.say("/begin");
    await bot.say("5");
    expect(bot.texts()).toEqual(["amount?", "token?", "amount?", "token?"]);
  });
});

describe("trap K: a crash before the state is written runs a step again", () => {
  it("what is opened under an id drawn in an earlier update is opened once", async () => {
    const store = await temporaryStore();
    const opened: string[] = [];
    let runs = 0;
    const dialog: Builder = async (dialog) => {
      const id = await dialog.external(() => crypto.randomUUID());
      await say(dialog, "sure?");
      await dialog.wait();
      await dialog.external(() => {
        runs++;
        if (!opened.includes(id)) opened.push(id);
        return null;
      });
      await say(dialog, "opened");
    };
    const before = await dialogBot({ store, dialog });
    await before.handle(text(1, alice, "/begin"));
    // The process dies before the dialog's new state is written.
    const crashing: Database = { ...store, write: () => new Promise(() => undefined) };
    const crashed = await dialogBot({ store: crashing, dialog });
    void crashed.handle(text(2, alice, "yes"));
    await until(() => crashed.texts().includes("opened"));
    // Telegram delivers the update again to the next process.
    const after = await dialogBot({ store, dialog });
    await after.handle(text(2, alice, "yes"));
    expect(runs).toBe(2);
    expect(opened).toHaveLength(1);
    expect(await dialogKept(store)).toBeUndefined();
  });
});
