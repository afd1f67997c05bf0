import { intentCard } from "../../cards/intent.js";
import type { Opened } from "../../conversations/opened.js";
import { isFault } from "../../fault.js";
import { messages, type Messages } from "../../locales/messages.js";
import type { Draft } from "../../services/intents/draft.js";
import type { Person } from "../../model/person.js";
import type { BotContext, Parts } from "../context.js";
import { sentenceOf } from "../../locales/sentence.js";
import { viewOf } from "../person.js";
import { personOf } from "../../services/people.js";
import { sendCard } from "../send.js";

/** Why a card cannot be prepared, in words, or the draft of one. */
export type Prepared = { readonly draft: Draft } | { readonly sentence: string };

/**
 * The one way in which cards that spend are opened: refuses the frozen, prepares, keeps the intent, draws the card. A fault
 * of the preparation becomes its sentence.
 */
export async function openCard(
  parts: Parts,
  userId: number,
  prepare: (person: Person, words: Messages) => Promise<Prepared>,
): Promise<Opened> {
  const person = await personOf(parts.store, userId);
  const words = messages[person.language];
  if (person.frozenSince !== undefined) return { ok: false, sentence: words.common.frozen };
  let prepared: Prepared;
  try {
    prepared = await prepare(person, words);
  } catch (error) {
    if (!isFault(error)) throw error;
    const needsWallet = error.code === "wallet-missing" && { needsWallet: true as const };
    return { ok: false, sentence: sentenceOf(error, words), ...needsWallet };
  }
  if ("sentence" in prepared) return { ok: false, sentence: prepared.sentence };
  const intent = await parts.intents.open(userId, person.chatId, prepared.draft);
  return { ok: true, card: intentCard(intent, viewOf(person, parts)), intentId: intent.id };
}

/** Shows an opened card as a new message and notes which, or says why there is none. */
export async function replyOpened(parts: Parts, ctx: BotContext, opened: Opened): Promise<void> {
  if (!opened.ok) {
    await ctx.reply(opened.sentence);
    return;
  }
  const messageId = await sendCard(ctx, opened.card);
  await parts.intents.attachMessage(ctx.from?.id ?? 0, opened.intentId, messageId);
}
