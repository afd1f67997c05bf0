import { type Context, GrammyError } from "grammy";
import { buttons, readButton } from "../cards/buttons.js";
import { button, card, type Card } from "../cards/card.js";
import { plainNumbers } from "../encoding/typed.js";
import type { Refusal } from "../cards/mends.js";
import type { Messages } from "../locales/messages.js";
import type { Dialog } from "./dialog.js";
import { replyCard, replyQuestion } from "./reply-card.js";

/** One question of a dialog. Reading must be pure: a dialog's function runs again for every update. */
export interface Question<Value> {
  readonly prompt: Card;
  /** Whether a text can be meant as an answer; one that can't goes on to the rest of the bot. Absent: every text. */
  readonly isMeant?: (text: string) => boolean;
  /** The message that asks already, in the place of the prompt. */
  readonly shownIn?: number;
  /** Whether numbers are typed as is usual in the person's language; a button always carries plain ones. */
  readonly hasNumbers?: true;
  /** Reads what was typed, or what a `v1:pick:…` button carries. */
  readonly read: (text: string) => { readonly ok: true; readonly value: Value } | ({ readonly ok: false } & Refusal);
}

/** After so many wrong answers the person is asked whether to go on. */
const MAX_TRIES = 8;
/** What the button carries that says so: nothing that anybody types. */
const GO_ON = "\u2026";

/**
 * Asks until an answer can be read and `refuse` finds nothing wrong with it, and says each time what is wrong: the question stays open for the
 * better answer. Updates that are not an answer, such as a tap on an older card, go on to the rest of the bot while the dialog
 * waits. Each answer is kept in the dialog's state, so beyond {@link MAX_TRIES} wrong ones are forgotten at once.
 */
export async function ask<Value>(
  dialog: Dialog,
  words: Messages,
  question: Question<Value>,
  refuse: (value: Value) => Promise<Refusal | null>,
): Promise<Value> {
  const tell = (told: Card) => dialog.external((outer) => replyCard(outer, told));
  const answerTap = () => dialog.external((outer) => outer.answerCallbackQuery());
  const beginning = dialog.checkpoint();
  const promptId = question.shownIn ?? (await dialog.external((outer) => replyQuestion(outer, question.prompt)));
  const asking = [promptId];
  const goOn = button(words.common.goOn, buttons.pick, GO_ON);
  for (let tries = 1; ; tries += 1) {
    const before = dialog.checkpoint();
    const answer = await dialog.wait();
    if (readButton(answer.callbackQuery?.data ?? "")?.text === GO_ON) {
      await answerTap();
      if (tries > MAX_TRIES) await dialog.rewind(beginning);
      await dialog.rewind(before);
    }
    const picked = pickedFrom(answer, asking);
    const typed = answer.message?.text;
    const text = picked ?? (typed && question.hasNumbers ? plainNumbers(typed, words.decimalMark) : typed);
    const isMeant = text === undefined ? answer.message !== undefined : (question.isMeant?.(text) ?? true);
    if (!isMeant) await dialog.skip({ next: true });
    if (picked !== undefined) await answerTap();
    if (text === undefined) {
      await tell(card([words.common.textOnly]));
      await dialog.rewind(before);
      continue;
    }
    const reading = question.read(text);
    const refused = reading.ok ? await refuse(reading.value) : reading;
    if (reading.ok && refused === null) {
      if (question.shownIn === undefined)
        await dialog.external((outer) => closePrompt(outer, question.prompt, promptId, picked));
      return reading.value;
    }
    const isTooMany = tries >= MAX_TRIES;
    const lines = [refused?.sentence, isTooMany && ["", words.common.manyTries(MAX_TRIES)]];
    asking.push(await tell(card(lines, isTooMany ? [[goOn]] : refused?.keyboard)));
    if (tries > MAX_TRIES) await dialog.rewind(before);
  }
}

function pickedFrom(answer: Context, asking: readonly number[]): string | undefined {
  const query = answer.callbackQuery;
  const button = readButton(query?.data ?? "");
  const isOurs = query?.message !== undefined && asking.includes(query.message.message_id);
  return isOurs && button?.verb === buttons.pick.verb ? button.text : undefined;
}

/** Takes the buttons off an answered prompt and notes what was picked, so that the chat reads as a conversation. */
async function closePrompt(ctx: Context, prompt: Card, promptId: number, picked?: string): Promise<void> {
  if (prompt.keyboard === undefined || ctx.chatId === undefined) return;
  const text = picked === undefined ? prompt.text : `${prompt.text}\n› ${picked}`;
  try {
    await ctx.api.editMessageText(ctx.chatId, promptId, text, { entities: [...prompt.entities] });
  } catch (error) {
    // The prompt was deleted or is too old to edit: the answer still counts.
    if (!(error instanceof GrammyError)) throw error;
  }
}
