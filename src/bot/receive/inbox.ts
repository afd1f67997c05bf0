import { DAY_MS } from "../../clock.js";
import { inLots } from "../../services/base/lots.js";
import { type Bot, Context } from "grammy";
import type { Message, Update } from "grammy/types";
import { Fault } from "../../fault.js";
import { paddedKeys, type StoreBasics, type Transaction } from "../../store/store.js";
import type { HandledNotes } from "../../services/telegram/handled-notes.js";
import type { Metrics } from "../../services/operator/metrics.js";
import type { Origin } from "./origin.js";
import { secretIn } from "./secret-in.js";

/**
 * Stores each update before acknowledging it to Telegram, and handles it at least once, even after a crash. Duplicates
 * are recognised by id.
 */
export interface Inbox {
  /** Resolves once all updates are stored or, if the disk fails, handled. Never throws. */
  readonly receive: (posted: readonly Update[]) => Promise<void>;
  /**
   * Goes on with what the last run left. Call it once the bot's id is known, before anything is received.
   * @throws Fault `store-…`
   */
  readonly takeUp: () => Promise<void>;
  /** The number of updates in progress. */
  readonly underWay: () => number;
  /** The number of people of whom updates are in progress: one's are handled one after another. */
  readonly people: () => number;
  /** Whether another update of its sender is in progress. */
  readonly isBusyWith: (update: Update) => boolean;
  /** Resolves once all updates now in progress are handled. */
  readonly handled: () => Promise<unknown>;
  /** Resolves once all updates now in progress are handled and recorded. Called at the end, before the store closes. */
  readonly idle: () => Promise<void>;
}

/** An update whose handling has begun this many times may be what crashes the process. */
const MAX_STARTS = 3;
/** Duplicates are recognised for this long; Telegram keeps undelivered updates for a day. */
const KNOWN_MS = 48 * 3_600_000;
const UPDATES_KEPT_MS = 30 * DAY_MS;
const TIDY_EVERY_MS = 3_600_000;
const STARTED_AT_ONCE = 500;

interface InboxParts extends StoreBasics {
  readonly origin: Pick<Origin, "settle">;
  readonly bot: Pick<Bot, "api" | "botInfo" | "handleUpdate">;
  readonly metrics: Pick<Metrics, "updateBegins">;
  readonly handled: HandledNotes;
  readonly noteError: (error: Fault) => void;
  readonly tellOfGivenUp: (updateId: number, userId: number) => Promise<void>;
}

export function createInbox(parts: InboxParts): Inbox {
  const { bot, handled, metrics, clock, log } = parts;
  const underWay = new Map<number, Promise<void>>();
  /** How many updates of each person are in progress. */
  const ofPeople = new Map<number, number>();
  let tidiedAt = Number.NEGATIVE_INFINITY;

  /** Logs only errors that the error boundary could not handle. */
  const run = (update: Update, complaint: string): Promise<void> =>
    bot.handleUpdate(update).catch((err: unknown) => log.error({ updateId: update.update_id, err }, complaint));

  function handle(update: Update): Promise<void> {
    const end = metrics.updateBegins();
    const person = senderOf(parts.bot, update);
    ofPeople.set(person, (ofPeople.get(person) ?? 0) + 1);
    const task = run(update, "Update failed").finally(() => {
      end();
      underWay.delete(update.update_id);
      const left = (ofPeople.get(person) ?? 0) - 1;
      if (left > 0) ofPeople.set(person, left);
      else ofPeople.delete(person);
      handled.end(update.update_id);
    });
    underWay.set(update.update_id, task);
    return task;
  }

  /** @returns the ids that are new. */
  async function keep(updates: readonly Update[]): Promise<Set<number>> {
    const isTidyDue = clock.monotonic() - tidiedAt >= TIDY_EVERY_MS;
    const kept = await handled.write(async (tx) => {
      if (isTidyDue) await forgetOldUpdates(tx, clock.now());
      const rows = updates.map((update) => updateRow(parts, update));
      const insert = tx.insertInto("updates").values(rows).returning("id");
      return insert.onConflict((conflict) => conflict.doNothing()).execute();
    });
    if (isTidyDue) tidiedAt = clock.monotonic();
    return new Set(kept.map(({ id }) => id));
  }

  return {
    receive: async (posted) => {
      const asked = posted.filter(({ inline_query }) => inline_query !== undefined);
      // An answer is of use for seconds only, so these aren't stored: losing them in a crash does no harm.
      for (const update of asked) void run(update, "Inline query could not be handled");
      const updates = posted.filter((update) => !asked.includes(update)).map(arrived);
      if (updates.length === 0) return;
      try {
        const fresh = await keep(updates);
        for (const update of updates) if (fresh.delete(update.update_id)) void handle(update);
      } catch (err) {
        log.error({ err }, "Updates not stored; confirming them once they are handled");
        await Promise.all(updates.map((update) => underWay.get(update.update_id) ?? handle(update)));
      }
    },
    takeUp: () => takeUp(parts, handle),
    underWay: () => underWay.size,
    people: () => ofPeople.size,
    isBusyWith: (update) => ofPeople.has(senderOf(parts.bot, update)),
    handled: () => Promise.allSettled(underWay.values()),
    idle: async () => {
      handled.hurry();
      await Promise.allSettled(underWay.values());
      await handled.noted();
    },
  };
}

/**
 * Called once the bot's id is known, before anything is received. Updates that two runs did not survive are handled
 * first, one at a time, so that only one that crashes the process is given up.
 */
async function takeUp(parts: InboxParts, handle: (update: Update) => Promise<void>): Promise<void> {
  const { bot, origin, store, log, noteError, tellOfGivenUp } = parts;
  await origin.settle(bot.botInfo.id);
  const startAgain = (ids: readonly number[]) =>
    store.write((tx) => {
      const update = tx.updateTable("updates").set((row) => ({ starts: row("starts", "+", 1) }));
      return update.where("id", "in", paddedKeys(ids)).execute();
    });
  const waiting = store.db.selectFrom("updates").selectAll().where("body", "is not", null).orderBy("id");
  for (const { id, user_id: userId } of await waiting.where("starts", "=", MAX_STARTS).execute()) {
    log.error({ updateId: id, userId }, "Update dropped: handling it ended the process three times");
    await tellOfGivenUp(id, userId);
    // Another start marks the update as reported to operators.
    await startAgain([id]);
  }
  const left = await waiting.where("starts", "<", MAX_STARTS).execute();
  const read = left.flatMap(({ id, user_id, body, starts }) => {
    try {
      return {
        id,
        isSuspect: starts + 1 === MAX_STARTS,
        update: { ...(JSON.parse(body ?? "") as Update), update_id: id },
      };
    } catch (cause) {
      noteError(new Fault("store-unreadable", { document: `updates/${user_id}/${id}` }, { cause }));
      return [];
    }
  });
  for (const { id, update } of read.filter(({ isSuspect }) => isSuspect)) {
    await startAgain([id]);
    await handle(update);
  }
  const others = read.filter(({ isSuspect }) => !isSuspect);
  const ids = others.map(({ id }) => id);
  for (const lot of inLots(ids, STARTED_AT_ONCE)) await startAgain(lot);
  for (const { update } of others) void handle(update);
}

/** 0 if it is of nobody. */
function senderOf(bot: InboxParts["bot"], update: Update): number {
  return new Context(update, bot.api, bot.botInfo).from?.id ?? 0;
}

function updateRow(parts: InboxParts, update: Update) {
  const [id, user_id, received_at] = [update.update_id, senderOf(parts.bot, update), parts.clock.now()];
  return { id, user_id, body: JSON.stringify(update), received_at, starts: 1 };
}

async function forgetOldUpdates(tx: Transaction, now: number): Promise<void> {
  const olderThan = (milliseconds: number) => tx.deleteFrom("updates").where("received_at", "<", now - milliseconds);
  await olderThan(KNOWN_MS).where("body", "is", null).execute();
  await olderThan(UPDATES_KEPT_MS).execute();
}

/**
 * Called before anything is written. Reduces a message that may hold a seed phrase, a private key or a file with one
 * to what deleting it takes, drops any other edit, and in groups keeps only commands, without the message they reply to.
 */
export function arrived(update: Update): Update {
  const { update_id, message, edited_message: edited } = update;
  const written = message ?? edited;
  const held_secret = written && secretIn(written);
  if (written !== undefined && held_secret !== undefined) {
    const { message_id, date, chat, from } = written;
    const held: Partial<Message> & WithheldMessage = { message_id, date, chat, from, held_secret };
    return { update_id, message: held as Message & Update.NonChannel };
  }
  if (edited !== undefined) return { update_id };
  // Telegram's types guarantee a chat, but an update without one must not block those behind it.
  const chat: { readonly type?: string } | undefined = message?.chat;
  if (message === undefined || (chat?.type !== "group" && chat?.type !== "supergroup")) return update;
  const { reply_to_message: _others, ...command } = message;
  const isCommand = message.entities?.some(({ type, offset }) => type === "bot_command" && offset === 0) === true;
  return { update_id, ...(isCommand && { message: command }) };
}

/** A message of which only this was kept: in what it seemed to hold a secret. */
interface WithheldMessage {
  readonly held_secret: "text" | "file";
}

export function heldSecret(message: object | undefined): WithheldMessage["held_secret"] | undefined {
  return message !== undefined && "held_secret" in message ? (message as WithheldMessage).held_secret : undefined;
}
