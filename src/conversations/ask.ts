import type { Conversation, ConversationData, ConversationFlavor, VersionedState } from "@grammyjs/conversations";
import { type Context, GrammyError } from "grammy";
import { button, buttons, readButton } from "../cards/buttons.js";
import { type Card, card } from "../cards/card.js";
import type { Refusal } from "../cards/correction.js";
import { plainNumbers } from "../encoding/typed.js";
import type { Messages } from "../locales/messages.js";
import { replyCard, replyQuestion, type Shown } from "./reply-card.js";

export type OpenDialog = VersionedState<ConversationData>;

export interface DialogFlavor {
  /** As it was when the update arrived. */
  dialog?: OpenDialog;
  /** A refusal is returned, since the form says it. */
  show(shown: Shown): Promise<Refusal | null>;
}

export type Outer = ConversationFlavor<Context & DialogFlavor>;

/** Whatever a dialog asks or tells goes through its `external`, once: all else runs again at every update. */
export type Dialog = Conversation<Outer>;

/** Reading must be pure: a dialog's function runs again for every update. */
export interface Question<Value> {
  readonly prompt: Card;
  /** Texts for which this is false go on to the rest of the bot. */
  readonly isMeant?: (text: string) => boolean;
  /** The message that already asks. */
  readonly shownIn?: number;
  /** Typed numbers are read as the user's language writes them. */
  readonly hasNumbers?: true;
  readonly read: (text: string) => { readonly ok: true; readonly value: Value } | ({ readonly ok: false } & Refusal);
}

/** After so many wrong answers the person is asked whether to go on. */
const MAX_TRIES = 8;
/** What the button carries that says so: nothing that anybody types. */
const GO_ON = "\u2026";

/**
 * Asks until an answer can be read and `refuse` accepts it. Other updates, such as a tap on an older card, go on to
 * the rest of the bot. Each answer stays in the dialog's state, so wrong ones beyond {@link MAX_TRIES} are forgotten
 * at once.
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
