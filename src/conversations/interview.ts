import type { Conversation, ConversationData, ConversationFlavor, VersionedState } from "@grammyjs/conversations";
import type { Context } from "grammy";
import { button, buttons, readButton } from "../cards/buttons.js";
import { type Card, card } from "../cards/card.js";
import { plainNumbers } from "../encoding/typed.js";
import { messagesIn } from "../locales/messages.js";
import type { TokenList } from "../services/token/list.js";
import { type Made, replyCard, replyQuestion, type Shown, unlessRefused } from "./reply-card.js";

export type OpenDialog = VersionedState<ConversationData>;

export interface DialogFlavor {
  /** As it was when the update arrived. */
  dialog?: OpenDialog;
  userId: number;
}

export type Outer = ConversationFlavor<Context & DialogFlavor>;

/** Whatever a dialog asks or tells goes through its `external`, once: all else runs again at every update. */
export type Dialog = Conversation<Outer>;

/** Plain JSON, as the dialog's state is. */
export interface DialogPerson {
  readonly language: string;
  readonly recentTokens: readonly string[];
  readonly hasWallet: boolean;
  /** Whether the bot can read what the person holds, so that shares of it can be chosen. */
  readonly knowsBalances: boolean;
}

/** Plain JSON. */
export interface DialogMarket {
  /** By token id, in whole tokens; absent where unknown. */
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
  readonly show: (outer: Outer, shown: Shown) => Promise<void>;
}

export interface FormOf<Filled> extends FormParts {
  readonly submit: (userId: number, filled: Filled) => Promise<Shown>;
}

export interface Form<Args extends readonly unknown[]> {
  /** Name and version: raise the version where open dialogs could not go on with changed steps. */
  readonly id: string;
  readonly run: (dialog: Dialog, ctx: Context, ...args: Args) => Promise<void>;
}

/** It must be pure: a dialog's function runs again for every update. */
export type Reading<Value> = (text: string) => Made<Value>;

export interface Question<Value> {
  readonly prompt: Card;
  /** Texts for which this is false go on to the rest of the bot. */
  readonly isMeant?: (text: string) => boolean;
  /** The message that already asks. */
  readonly shownIn?: number;
  /** Typed numbers are read as the user's language writes them. */
  readonly hasNumbers?: true;
  readonly read: Reading<Value>;
}

/** After so many wrong answers the person is asked whether to go on. */
const MAX_TRIES = 8;
/** What the button carries that says so: nothing that anybody types. */
const GO_ON = "\u2026";

export type Interview<Filled> = ReturnType<typeof interviewWith<Filled>>;
/** All but what it ends with. */
export type Asking = Omit<Interview<never>, "ends" | "submits">;

function interviewWith<Filled>(dialog: Dialog, userId: number, person: DialogPerson, parts: FormOf<Filled>) {
  const words = messagesIn(person.language, parts.supportContact);
  /** Runs once, though the dialog's function runs again for every update. */
  const external = <Value>(task: (outer: Outer) => Promise<Value>): Promise<Value> => dialog.external(task);
  const says = (told: Card) => external((outer) => replyCard(outer, told));
  const answerTap = () => external((outer) => outer.answerCallbackQuery());
  const many = `\n\n${words.common.manyTries(MAX_TRIES)}`;
  const goOn = [[button(words.common.goOn, buttons.pick, GO_ON)]];
  const withGoOn = ({ text, entities }: Card): Card => ({ text: text + many, entities, keyboard: goOn });

  /**
   * Asks until an answer can be read and `refuse` accepts it. Other updates, such as a tap on an older card, go on to
   * the rest of the bot. Each answer stays in the dialog's state, so wrong ones beyond {@link MAX_TRIES} are forgotten
   * at once.
   */
  async function asks<Value>(
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
        await says(card([words.common.textOnly]));
        return dialog.rewind(before);
      }
      const answered = await accepts(text);
      if (answered.ok) {
        if (shownIn === undefined) await external((outer) => closePrompt(outer, prompt, promptId, picked));
        return answered.value;
      }
      asking.push(await says(tries < MAX_TRIES ? answered.card : withGoOn(answered.card)));
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
    asks,
    /** A refused answer leaves the question open. */
    submits: async <Value>(question: Question<Value>, fill: (value: Value) => Filled): Promise<void> => {
      await asks(question, async (value, outer) => {
        const shown = await parts.submit(userId, fill(value));
        if (!shown.ok) return shown.card;
        await parts.show(outer, shown);
        return null;
      });
    },
    /** A refusal ends the dialog. */
    ends: (filled: Filled) => external(async (outer) => parts.show(outer, await parts.submit(userId, filled))),
    says,
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
  // Where the prompt can't be edited any more, the answer still counts.
  await unlessRefused(ctx.api.editMessageText(ctx.chatId, promptId, text, { entities: [...prompt.entities] }));
}
