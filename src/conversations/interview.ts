import type { Context } from "grammy";
import { card } from "../cards/card.js";
import type { Refusal } from "../cards/mends.js";
import type { Token } from "../encoding/token.js";
import { messagesIn, type Messages } from "../locales/messages.js";
import type { TokenList } from "../services/token/list.js";
import { ask, type Question } from "./ask.js";
import type { Dialog, Outer, Shown } from "./dialog.js";
import { replyCard } from "./reply-card.js";

/** What a dialog knows about the person: little, and plain JSON. */
export interface DialogPerson {
  readonly language: string;
  readonly recentTokens: readonly string[];
  readonly hasWallet: boolean;
  /** Whether the bot can read what the person holds, so that shares of it can be chosen. */
  readonly knowsBalances: boolean;
}

/** What the questions of a dialog can be asked with. Plain JSON. */
export interface DialogMarket {
  /** What the person holds by token id, in whole tokens; absent where that is not known. */
  readonly held?: Readonly<Record<string, string>>;
  /** Shares in pools, of which no pool holds any. */
  readonly untraded: readonly string[];
}

/** What every form asks of the world. */
export interface FormParts {
  readonly tokens: TokenList;
  readonly readPerson: (userId: number) => Promise<DialogPerson>;
  readonly readMarket: (userId: number) => Promise<DialogMarket>;
  /** Amounts of a token to offer, as they could be typed. */
  readonly presetsFor: (userId: number, tokenId: string) => Promise<readonly string[]>;
  readonly saveWallet: (userId: number, address: string) => Promise<unknown>;
}

/** What a form asks with, and what is done once it is filled. */
export interface FormOf<Filled> extends FormParts {
  readonly submit: (userId: number, filled: Filled) => Promise<Shown>;
}

/** A dialog that asks what it has to know, and submits it. */
export interface Form<Args extends readonly unknown[]> {
  /** Its name, and the version of its steps: to be raised where an open dialog could not go on with them as they are now. */
  readonly id: string;
  readonly run: (dialog: Dialog, ctx: Context, ...args: Args) => Promise<void>;
}

/** A dialog with one person. */
export interface Interview<Filled = never> {
  readonly userId: number;
  readonly person: DialogPerson;
  readonly words: Messages;
  readonly tokens: TokenList;
  readonly market: () => Promise<DialogMarket>;
  readonly presetsFor: (token: Token) => Promise<readonly string[]>;
  /** Asks until an answer can be read, and `refuse` finds nothing wrong with it. */
  readonly asks: <Value>(
    question: Question<Value>,
    refuse?: (value: Value) => Promise<Refusal | null>,
  ) => Promise<Value>;
  /** Asks until an answer fills the form: one that is refused leaves the question open for a better one. */
  readonly submits: <Value>(question: Question<Value>, fill: (value: Value) => Filled) => Promise<void>;
  /** Submits what needs no further answer; a refusal ends the dialog. */
  readonly ends: (filled: Filled) => Promise<void>;
  readonly says: (refusal: Refusal) => Promise<unknown>;
  /** Does something once, though the dialog's function runs again for every update. */
  readonly external: <Value>(task: (outer: Outer) => Promise<Value>) => Promise<Value>;
}

export function createForm<Filled, Args extends readonly unknown[]>(
  id: string,
  parts: FormOf<Filled>,
  collect: (interview: Interview<Filled>, ...args: Args) => Promise<void>,
): Form<Args> {
  const run = async (dialog: Dialog, { from }: Context, ...args: Args): Promise<void> => {
    if (from === undefined) throw new TypeError("a dialog runs in private chats only, where somebody sends");
    const userId = from.id;
    const external: Interview["external"] = (task) => dialog.external(task);
    const person = await external(() => parts.readPerson(userId));
    const words = messagesIn(person.language);
    const submit = (filled: () => Filled) =>
      external(async (outer) => outer.show(await parts.submit(userId, filled())));
    const says = ({ sentence, keyboard }: Refusal) => external((outer) => replyCard(outer, card([sentence], keyboard)));
    const asks: Interview["asks"] = (question, refuse) =>
      ask(dialog, words, question, async (value) => (refuse === undefined ? null : external(() => refuse(value))));
    await collect(
      {
        userId,
        person,
        words,
        tokens: parts.tokens,
        market: () => external(() => parts.readMarket(userId)),
        presetsFor: (token) => external(() => parts.presetsFor(userId, token.id)),
        asks,
        submits: async (question, fill) => {
          await ask(dialog, words, question, (value) => submit(() => fill(value)));
        },
        ends: async (filled) => {
          const refused = await submit(() => filled);
          if (refused !== null) await says(refused);
        },
        says,
        external,
      },
      ...args,
    );
  };
  return { id, run };
}
