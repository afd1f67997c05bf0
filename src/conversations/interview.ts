import type { Conversation, ConversationData, ConversationFlavor, VersionedState } from "@grammyjs/conversations";
import type { Context } from "grammy";
import { button, buttons, readButton } from "../cards/buttons.js";
import { type Card, card } from "../cards/card.js";
import { plainNumbers } from "../encoding/typed.js";
import { messagesIn } from "../locales/messages.js";
import type { TokenList } from "../services/market/token-list.js";
import { type Made, replyCard, replyQuestion, type CardReply, unlessRefused } from "./reply-card.js";

export type OpenDialog = VersionedState<ConversationData>;

export interface DialogFlavor {
  /** The open dialog's state when the update arrived. */
  dialog?: OpenDialog;
  userId: number;
}

export type Outer = ConversationFlavor<Context & DialogFlavor>;

/** All I/O goes through a dialog's `external`, which runs it once; all other code is replayed on every update. */
export type Dialog = Conversation<Outer>;

/** Plain JSON, like the dialog's state. */
export interface DialogPerson {
  readonly language: string;
  readonly recentTokens: readonly string[];
  readonly hasWallet: boolean;
  /** Whether the bot can read the user's balances, so that they can choose shares of them. */
  readonly knowsBalances: boolean;
}

/** Plain JSON. */
export interface DialogMarket {
  /** Balances by token id, in whole tokens; absent if unknown. */
  readonly held?: Readonly<Record<string, string>>;
  readonly untraded: readonly string[];
}

export interface FormParts {
  readonly supportContact?: string | undefined;
  readonly tokens: TokenList;
  readonly readPerson: (userId: number) => Promise<DialogPerson>;
  readonly readMarket: (userId: number) => Promise<DialogMarket>;
  readonly presetsFor: (userId: number, tokenId: string) => Promise<readonly string[]>;
  readonly saveWallet: (userId: number, address: string) => Promise<unknown>;
  readonly show: (outer: Outer, shown: CardReply) => Promise<void>;
}

export interface FormOf<Filled> extends FormParts {
  readonly submit: (userId: number, filled: Filled) => Promise<CardReply>;
}

export interface Form<Args extends readonly unknown[]> {
  /** Name and version: raise the version if open dialogs couldn't continue with changed steps. */
  readonly id: string;
  readonly run: (dialog: Dialog, ctx: Context, ...args: Args) => Promise<void>;
}

/** Must be pure: a dialog's function is replayed on every update. */
export type AnswerParser<Value> = (text: string) => Made<Value>;

export interface Question<Value> {
  readonly prompt: Card;
  /** Whether a text is meant as an answer; if not, the rest of the bot handles it. */
  readonly isMeant?: (text: string) => boolean;
  /** Id of a message that already asks. */
  readonly shownIn?: number;
  /** Whether to read typed numbers as the user's language writes them. */
  readonly hasNumbers?: true;
  readonly read: AnswerParser<Value>;
}

/** Number of wrong answers after which the bot asks whether to continue. */
const MAX_TRIES = 8;
/** The answer behind the button to continue, which nobody would type. */
const GO_ON = "\u2026";

export type Interview<Filled> = ReturnType<typeof interviewWith<Filled>>;
/** An interview without the methods that end it. */
export type OpenInterview = Omit<Interview<never>, "askAndSubmit" | "submit">;

function interviewWith<Filled>(dialog: Dialog, userId: number, person: DialogPerson, parts: FormOf<Filled>) {
  const words = messagesIn(person.language, parts.supportContact);
  /** Runs a task once, although the dialog's function is replayed on every update. */
  const external = <Value>(task: (outer: Outer) => Promise<Value>): Promise<Value> => dialog.external(task);
  const say = (told: Card) => external((outer) => replyCard(outer, told));
  const answerTap = () => external((outer) => outer.answerCallbackQuery());
  const many = `\n\n${words.common.manyTries(MAX_TRIES)}`;
  const goOn = [[button(words.common.goOn, buttons.pick, GO_ON)]];
  const withGoOn = ({ text, entities }: Card): Card => ({ text: text + many, entities, keyboard: goOn });

  /**
   * Asks until an answer can be read and `refuse` accepts it. Passes other updates, such as a tap on an older card, to
   * the rest of the bot. The dialog's state keeps each answer, so wrong ones beyond {@link MAX_TRIES} are dropped at
   * once.
   */
  async function ask<Value>(
    { prompt, isMeant = () => true, shownIn, hasNumbers, read }: Question<Value>,
    refuse?: (value: Value, outer: Outer) => Promise<Card | null>,
  ): Promise<Value> {
    const beginning = dialog.checkpoint();
    const promptId = shownIn ?? (await external((outer) => replyQuestion(outer, prompt)));
    const asking = [promptId];
    const accepts = async (text: string): Promise<Made<Value>> => {
      const reading = read(text);
      const refused = reading.ok && refuse && (await external((outer) => refuse(reading.value, outer)));
      return refused ? { ok: false, card: refused } : reading;
    };
    for (let tries = 1; ; tries += 1) {
      const before = dialog.checkpoint();
      const answer = await dialog.wait();
      const { message: under, data = "" } = answer.callbackQuery ?? {};
      const tapped = readButton(data);
      if (tapped?.text === GO_ON) {
        await answerTap();
        await dialog.rewind(tries > MAX_TRIES ? beginning : before);
      }
      const isOurs = under !== undefined && asking.includes(under.message_id);
      const picked = isOurs && tapped?.verb === buttons.pick.verb ? tapped.text : undefined;
      const typed = answer.message?.text;
      const text = picked ?? (typed && hasNumbers ? plainNumbers(typed, words.decimalMark) : typed);
      if (text === undefined ? answer.message === undefined : !isMeant(text)) await dialog.skip({ next: true });
      if (picked !== undefined) await answerTap();
      if (text === undefined) {
        await say(card([words.common.textOnly]));
        return dialog.rewind(before);
      }
      const answered = await accepts(text);
      if (answered.ok) {
        if (shownIn === undefined) await external((outer) => closePrompt(outer, prompt, promptId, picked));
        return answered.value;
      }
      asking.push(await say(tries < MAX_TRIES ? answered.card : withGoOn(answered.card)));
      if (tries > MAX_TRIES) await dialog.rewind(before);
    }
  }

  return {
    userId,
    person,
    words,
    tokens: parts.tokens,
    market: () => external(() => parts.readMarket(userId)),
    presetsFor: (tokenId: string) => external(() => parts.presetsFor(userId, tokenId)),
    ask,
    /** If the request is refused, the question stays open. */
    askAndSubmit: async <Value>(question: Question<Value>, fill: (value: Value) => Filled): Promise<void> => {
      await ask(question, async (value, outer) => {
        const shown = await parts.submit(userId, fill(value));
        if (!shown.ok) return shown.card;
        await parts.show(outer, shown);
        return null;
      });
    },
    /** If the request is refused, the dialog ends as well. */
    submit: (filled: Filled) => external(async (outer) => parts.show(outer, await parts.submit(userId, filled))),
    say,
    external,
  };
}

export function createForm<Filled, Args extends readonly unknown[]>(
  id: string,
  parts: FormOf<Filled>,
  collect: (interview: Interview<Filled>, ...args: Args) => Promise<unknown>,
): Form<Args> {
  const run = async (dialog: Dialog, { from }: Context, ...args: Args): Promise<void> => {
    if (from === undefined) throw new TypeError("a dialog runs in private chats only, where somebody sends");
    const person = await dialog.external(() => parts.readPerson(from.id));
    await collect(interviewWith(dialog, from.id, person, parts), ...args);
  };
  return { id, run };
}

async function closePrompt(ctx: Context, prompt: Card, promptId: number, picked?: string): Promise<void> {
  if (prompt.keyboard === undefined || ctx.chatId === undefined) return;
  const text = picked === undefined ? prompt.text : `${prompt.text}\n› ${picked}`;
  // The answer counts even if the prompt can't be edited any more.
  await unlessRefused(ctx.api.editMessageText(ctx.chatId, promptId, text, { entities: [...prompt.entities] }));
}
