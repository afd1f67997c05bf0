import { GrammyError } from "grammy";
import { buttons, readButton } from "../cards/buttons.js";
import type { Card } from "../cards/card.js";
import type { Messages } from "../locales/messages.js";
import type { Dialog, DialogContext } from "./dialog.js";
import { replyCard } from "./reply-card.js";

/** One question of a dialog. Reading must be pure: a dialog's function runs again for every update. */
export interface Question<Value> {
  readonly prompt: Card;
  /** Reads what was typed, or what a `v1:pick:…` button of the prompt carries. */
  readonly read: (
    text: string,
  ) => { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly sentence: string };
}

/** Each answer is kept in the dialog's state, so there has to be an end to wrong ones. */
const MAX_TRIES = 8;

/**
 * Asks until the answer can be read, and says each time what is wrong. Updates that are not an answer, such as a tap on an
 * older card, go on to the rest of the bot while the dialog waits.
 */
export async function ask<Value>(
  dialog: Dialog,
  ctx: DialogContext,
  words: Messages,
  question: Question<Value>,
): Promise<Value> {
  const promptId = await replyCard(ctx, question.prompt);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const answer = await dialog.wait();
    const picked = pickedFrom(answer, promptId);
    if (picked === undefined && answer.message === undefined) await dialog.skip({ next: true });
    if (picked !== undefined) await answer.answerCallbackQuery();
    const text = picked ?? answer.message?.text;
    if (text === undefined) {
      await answer.reply(words.common.textOnly);
      continue;
    }
    const reading = question.read(text);
    if (reading.ok) {
      await closePrompt(answer, question.prompt, promptId, picked);
      return reading.value;
    }
    await answer.reply(reading.sentence);
  }
  await ctx.reply(words.common.tooManyTries);
  return dialog.halt();
}

function pickedFrom(answer: DialogContext, promptId: number): string | undefined {
  const query = answer.callbackQuery;
  const button = readButton(query?.data ?? "");
  return button?.verb === buttons.pick.verb && query?.message?.message_id === promptId ? button.text : undefined;
}

/** Takes the buttons off an answered prompt and notes what was picked, so that the chat reads as a conversation. */
async function closePrompt(ctx: DialogContext, prompt: Card, promptId: number, picked?: string): Promise<void> {
  if (prompt.keyboard === undefined || ctx.chatId === undefined) return;
  const text = picked === undefined ? prompt.text : `${prompt.text}\n› ${picked}`;
  try {
    await ctx.api.editMessageText(ctx.chatId, promptId, text, { entities: [...prompt.entities] });
  } catch (error) {
    // The prompt was deleted or is too old to edit: the answer counts all the same.
    if (!(error instanceof GrammyError)) throw error;
  }
}
