import type { Conversation, ConversationData, ConversationFlavor, VersionedState } from "@grammyjs/conversations";
import type { Context } from "grammy";
import { buttons, readButton } from "../cards/buttons.js";
import { type Card, card, type Made, type CardReply } from "../cards/card.js";
import { plainNumbers } from "../encoding/typed.js";
import { type Messages, messagesIn } from "../locales/messages.js";
import type { TokenList } from "../services/market/token-list.js";
import { answeredQuestion } from "./answered-question.js";
import { GO_ON, MAX_TRIES, questionCards } from "./question-cards.js";

export type OpenDialog = VersionedState<ConversationData>;

/** Answers by the names of their questions. */
type Answers = Readonly<Record<string, string>>;

/** A question of a dialog, with all that it takes to start the dialog over and ask it again. Plain JSON. */
export interface AskedQuestion {
  readonly formId: string;
  readonly args: readonly unknown[];
  readonly answers: Answers;
  /** Ids of the messages that ask it: the first, and one for each wrong answer. */
  readonly messages: readonly number[];
}

/** `at`: when something else ended it, in milliseconds since 1970. */
export type EndedQuestion = AskedQuestion & { readonly at: number };

export interface DialogFlavor {
  /** The open dialog's state when the update arrived. */
  dialog?: OpenDialog;
  /** What the open dialog asks, unless another card asks it. */
  asked?: AskedQuestion | undefined;
  /** The last question that something else ended, while it can be continued. */
  ended?: EndedQuestion | undefined;
  /** The answers of the dialog that is being continued. */
  given?: Answers;
  /** What a text asks for outside of a dialog, as for a button with a command; undefined if it is no command. */
  meant?: (text: string) => string | undefined;
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
  /** Why the user can't trade now, if they can't. */
  readonly refuseTrade: (userId: number) => Promise<Card | undefined>;
  readonly show: (outer: Outer, shown: CardReply) => Promise<void>;
  readonly replies: Replies;
}

/** What a dialog sends to the chat of an update. */
export interface Replies {
  /** @returns the message's id, as does `replyQuestion`. */
  readonly reply: (outer: Outer, said: Card) => Promise<number>;
  /** Opens the reply field as well. An edit can't open or close that field, so a question is always a new message. */
  readonly replyQuestion: (outer: Outer, question: Card) => Promise<number>;
  /** Writes the answer under its question, if that can still be edited, and takes its buttons away. */
  readonly closeQuestion: (outer: Outer, messageId: number, answered: Card) => Promise<void>;
}

export interface FormOf<Filled> extends FormParts {
  readonly submit: (userId: number, filled: Filled) => Promise<CardReply>;
}

export interface Form<Args extends readonly unknown[]> {
  /**
   * The command that it belongs to, further words, and a version: raise that if open dialogs couldn't continue with
   * changed steps.
   */
  readonly id: string;
  /** Why the dialog can't begin now, if its result would be refused anyway. */
  readonly refuses?: ((userId: number) => Promise<Card | undefined>) | undefined;
  /** Args are plain JSON. */
  readonly run: (dialog: Dialog, ctx: Context, ...args: Args) => Promise<void>;
}

/** Must be pure: a dialog's function is replayed on every update. */
export type AnswerParser<Value> = (text: string) => Made<Value>;

export interface Question<Value> {
  readonly prompt: Card;
  /** Name of the answer for when the dialog is continued after something else; without one, it is asked again. */
  readonly name?: string;
  /** Whether a text is meant as an answer; if not, the rest of the bot handles it. */
  readonly isMeant?: (text: string) => boolean;
  /** Id of a message that already asks. */
  readonly shownIn?: number;
  /** Whether to read typed numbers as the user's language writes them. */
  readonly hasNumbers?: true;
  /** Whether it is answered by its buttons alone: the rest of the bot handles what is sent, as without a question. */
  readonly isTapped?: true;
  readonly read: AnswerParser<Value>;
}

export type Interview<Filled> = ReturnType<typeof interviewWith<Filled>>;
/** An interview without the methods that end it. */
export type OpenInterview = Omit<Interview<never>, "askAndSubmit" | "submit">;

type External = <Value>(task: (outer: Outer) => Promise<Value>) => Promise<Value>;

interface Beginning {
  readonly formId: string;
  readonly args: readonly unknown[];
  readonly given: Answers;
}

function askIn(dialog: Dialog, external: External, words: Messages, replies: Replies, beginning: Beginning) {
  const { formId, args, given } = beginning;
  const { reply, replyQuestion, closeQuestion } = replies;
  const { insteadOf, withCancel, withGoOn } = questionCards(words);
  const answerTap = () => external((outer) => outer.answerCallbackQuery());
  const answers = new Map<string, string>();
  const left = new Map(Object.entries(given));

  /**
   * Asks until an answer can be read and `refuse` accepts it. Passes other updates, such as a tap on an older card, to
   * the rest of the bot. The dialog's state keeps each answer, so wrong ones beyond {@link MAX_TRIES} are dropped at
   * once. A continued dialog has its earlier answers, which count if they are still accepted.
   */
  return async function ask<Value>(
    question: Question<Value>,
    refuse?: (value: Value, outer: Outer) => Promise<Card | null>,
  ): Promise<Value> {
    const { prompt, name = "", shownIn, hasNumbers, isTapped, read } = question;
    const start = dialog.checkpoint();
    const accepts = async (text: string): Promise<Made<Value> & { readonly isRead: boolean }> => {
      const reading = read(text);
      const refused = reading.ok && refuse && (await external((outer) => refuse(reading.value, outer)));
      return refused ? { ok: false, card: refused, isRead: true } : { ...reading, isRead: reading.ok };
    };
    const keep = (text: string) => void (name !== "" && answers.set(name, text));
    const known = left.get(name);
    left.delete(name);
    const still = known === undefined ? undefined : await accepts(known);
    if (known !== undefined && still?.ok === true) {
      keep(known);
      return still.value;
    }

    const asking: number[] = [];
    /** Sends the question or a refusal, and notes it as what is asked now, unless another card asks. */
    const puts = (shownBy: (outer: Outer) => Card, send = reply) =>
      external(async (outer) => {
        const shown = shownBy(outer);
        if (shownIn !== undefined) return send(outer, shown);
        const id = await send(outer, withCancel(shown, isTapped === true));
        outer.asked = { formId, args, answers: Object.fromEntries(answers), messages: [...asking, id] };
        return id;
      });
    const promptId = shownIn ?? (await puts(() => prompt, isTapped ? reply : replyQuestion));
    asking.push(promptId);
    for (let tries = 1; ; tries += 1) {
      const before = dialog.checkpoint();
      const answer = await dialog.wait();
      const { message: under, data = "" } = answer.callbackQuery ?? {};
      const tapped = readButton(data);
      if (tapped?.text === GO_ON) {
        await answerTap();
        await dialog.rewind(tries > MAX_TRIES ? start : before);
      }
      const isOurs = under !== undefined && asking.includes(under.message_id);
      const picked = isOurs && tapped?.verb === buttons.pick.verb ? tapped.text : undefined;
      const typed = answer.message?.text;
      const text = picked ?? (typed && hasNumbers ? plainNumbers(typed, words.decimalMark) : typed);
      if (isForOthers(question, answer, text, picked)) await dialog.skip({ next: true });
      if (picked !== undefined) await answerTap();
      if (text === undefined) {
        await external((outer) => reply(outer, card([words.common.textOnly])));
        return dialog.rewind(before);
      }
      const answered = await accepts(text);
      if (answered.ok) {
        keep(text);
        if (shownIn === undefined)
          await external((outer) => closeQuestion(outer, promptId, answeredQuestion(prompt, picked)));
        return answered.value;
      }
      const toldOf = (outer: Outer): Card => {
        const line = answered.isRead || typed === undefined ? undefined : outer.meant?.(typed);
        return line === undefined ? answered.card : insteadOf(prompt, typed ?? line, line);
      };
      asking.push(await puts((outer) => (tries < MAX_TRIES ? toldOf(outer) : withGoOn(toldOf(outer)))));
      if (tries > MAX_TRIES) await dialog.rewind(before);
    }
  };
}

/** Whether an update is no answer to a question, so that the rest of the bot handles it. */
function isForOthers(
  { isTapped, isMeant = () => true }: Pick<Question<never>, "isMeant" | "isTapped">,
  { message }: Pick<Context, "message">,
  text?: string,
  picked?: string,
): boolean {
  if (isTapped) return picked === undefined;
  return text === undefined ? message === undefined : !isMeant(text);
}

function interviewWith<Filled>(
  dialog: Dialog,
  userId: number,
  person: DialogPerson,
  parts: FormOf<Filled>,
  beginning: Beginning,
) {
  const words = messagesIn(person.language, parts.supportContact);
  /** Runs a task once, although the dialog's function is replayed on every update. */
  const external: External = (task) => dialog.external(task);
  const ask = askIn(dialog, external, words, parts.replies, beginning);

  return {
    userId,
    person,
    words,
    tokens: parts.tokens,
    market: () => external(() => parts.readMarket(userId)),
    presetsFor: (tokenId: string) => external(() => parts.presetsFor(userId, tokenId)),
    ask,
    /** If the request is refused, the question stays open. An answer that fills nothing in is only returned. */
    askAndSubmit: async <Value>(
      question: Question<Value>,
      fill: (value: Value) => Filled | undefined,
    ): Promise<Value> => {
      return ask(question, async (value, outer) => {
        const filled = fill(value);
        if (filled === undefined) return null;
        const shown = await parts.submit(userId, filled);
        if (!shown.ok) return shown.card;
        await parts.show(outer, shown);
        return null;
      });
    },
    /** If the request is refused, the dialog ends as well. */
    submit: (filled: Filled) => external(async (outer) => parts.show(outer, await parts.submit(userId, filled))),
    say: (told: Card) => external((outer) => parts.replies.reply(outer, told)),
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
    const { given = {}, ...person } = await dialog.external(async ({ given }) => ({
      ...(await parts.readPerson(from.id)),
      ...(given && { given }),
    }));
    await collect(interviewWith(dialog, from.id, person, parts, { formId: id, args, given }), ...args);
  };
  return { id, run };
}
