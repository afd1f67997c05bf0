import type { Opened, Shown } from "../../conversations/opened.js";
import { card } from "../../cards/card.js";
import { refusal, typedBehind, type Refusal, type Typed } from "../../cards/mends.js";
import { Fault } from "../../fault.js";
import { messagesIn } from "../../locales/messages.js";
import type { IntentKind } from "../../model/intent.js";
import type { BotContext, Parts } from "../context.js";
import type { Owner, Prepared } from "../kind.js";
import { kinds, type KindParts } from "../kinds.js";
import { intentCard } from "./card.js";
import { orSentence } from "../or-sentence.js";
import { viewOf } from "../person.js";
import { personOf } from "../../services/people.js";
import { sendCard } from "../send.js";

type OpenPreparedParts = Pick<Parts, "chainCheck" | "intents" | "quoteAllowance" | "settings" | "store" | "trading">;
export type OpenCardParts = OpenPreparedParts & KindParts;

/** Opens a card for the words behind a command. */
export function openCard(parts: OpenCardParts, kind: IntentKind, userId: number, typed: string): Promise<Opened> {
  return openPrepared(parts, userId, (owner) => kinds[kind].prepare(parts, owner, typed), typedBehind(kind, typed));
}

/**
 * The one way in which cards that spend are opened: refuses the frozen, prepares, keeps the intent, draws the card. A fault
 * of the preparation becomes its sentence.
 */
export async function openPrepared(
  parts: OpenPreparedParts,
  userId: number,
  prepare: (owner: Owner) => Promise<Prepared>,
  typed?: Typed,
): Promise<Opened> {
  const person = await personOf(parts.store, userId);
  const words = messagesIn(person.language);
  if (person.frozenSince !== undefined) return { ok: false, ...refusal([new Fault("frozen", {})], words) };
  const prepared = await orSentence(
    words,
    async () => {
      await parts.trading.assertOpen();
      parts.quoteAllowance.take(userId);
      parts.chainCheck?.assertNoMismatch();
      return prepare({ userId, person, words });
    },
    typed,
  );
  if (!prepared.ok) return prepared;
  if ("faults" in prepared.value) return { ok: false, ...refusal(prepared.value.faults, words, typed) };
  if ("sentence" in prepared.value) return { ok: false, sentence: prepared.value.sentence };
  const intent = await parts.intents.open(userId, person.chatId, prepared.value.draft);
  return { ok: true, card: intentCard(intent, viewOf(person, parts)), intentId: intent.id };
}

/** Says why something was refused, with the buttons that mend it. */
export async function replyRefusal(ctx: BotContext, { sentence, keyboard }: Refusal): Promise<void> {
  await sendCard(ctx, card([sentence], keyboard));
}

/** Shows a card as a new message, and notes which where it can be confirmed; or says why there is none. */
export async function replyOpened(parts: Pick<Parts, "intents">, ctx: BotContext, opened: Shown): Promise<void> {
  if (!opened.ok) {
    await replyRefusal(ctx, opened);
    return;
  }
  const messageId = await sendCard(ctx, opened.card);
  if (opened.intentId !== undefined) await parts.intents.attachMessage(ctx.userId, opened.intentId, messageId);
}
