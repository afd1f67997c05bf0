import type { Context } from "grammy";
import { card } from "../cards/card.js";
import type { Refusal } from "../cards/correction.js";
import type { Token } from "../encoding/amount.js";
import { messagesIn } from "../locales/messages.js";
import type { TokenList } from "../services/token/list.js";
import { ask, type Dialog, type Outer, type Question } from "./ask.js";
import { replyCard, type Shown } from "./reply-card.js";

/** Plain JSON, as the dialog's state is. */
export interface DialogPerson {
  readonly language: string;
  readonly recentTokens: readonly string[];
  readonly hasWallet: boolean;
  /** Whether the bot can read what the person holds, so that shares of it can be chosen. */
  readonly knowsBalances: boolean;
  readonly supportContact?: string;
}

/** Plain JSON. */
export interface DialogMarket {
  /** By token id, in whole tokens; absent where unknown. */
  readonly held?: Readonly<Record<string, string>>;
  readonly untraded: readonly string[];
}

export interface FormParts {
  readonly tokens: TokenList;
  readonly readPerson: (userId: number) => Promise<DialogPerson>;
  readonly readMarket: (userId: number) => Promise<DialogMarket>;
  readonly presetsFor: (userId: number, tokenId: string) => Promise<readonly string[]>;
  readonly saveWallet: (userId: number, address: string) => Promise<unknown>;
}

export interface FormOf<Filled> extends FormParts {
  readonly submit: (userId: number, filled: Filled) => Promise<Shown>;
}

export interface Form<Args extends readonly unknown[]> {
  /** Name and version: raise the version where open dialogs could not go on with changed steps. */
  readonly id: string;
  readonly run: (dialog: Dialog, ctx: Context, ...args: Args) => Promise<void>;
}

export type Interview<Filled = never> = ReturnType<typeof interviewWith<Filled>>;

function interviewWith<Filled>(dialog: Dialog, userId: number, person: DialogPerson, parts: FormOf<Filled>) {
  const words = messagesIn(person.language, person.supportContact);
  /** Runs once, though the dialog's function runs again for every update. */
  const external = <Value>(task: (outer: Outer) => Promise<Value>): Promise<Value> => dialog.external(task);
  const submit = (filled: () => Filled) => external(async (outer) => outer.show(await parts.submit(userId, filled())));
  const says = ({ sentence, keyboard }: Refusal) => external((outer) => replyCard(outer, card([sentence], keyboard)));
  return {
    userId,
    person,
    words,
    tokens: parts.tokens,
    market: () => external(() => parts.readMarket(userId)),
    presetsFor: (token: Token) => external(() => parts.presetsFor(userId, token.id)),
    asks: <Value>(question: Question<Value>, refuse?: (value: Value) => Promise<Refusal | null>): Promise<Value> =>
      ask(dialog, words, question, async (value) => (refuse === undefined ? null : external(() => refuse(value)))),
    /** A refused answer leaves the question open. */
    submits: async <Value>(question: Question<Value>, fill: (value: Value) => Filled): Promise<void> => {
      await ask(dialog, words, question, (value) => submit(() => fill(value)));
    },
    /** A refusal ends the dialog. */
    ends: async (filled: Filled): Promise<void> => {
      const refused = await submit(() => filled);
      if (refused !== null) await says(refused);
    },
    says,
    external,
  };
}

export function createForm<Filled, Args extends readonly unknown[]>(
  id: string,
  parts: FormOf<Filled>,
  collect: (interview: Interview<Filled>, ...args: Args) => Promise<void>,
): Form<Args> {
  const run = async (dialog: Dialog, { from }: Context, ...args: Args): Promise<void> => {
    if (from === undefined) throw new TypeError("a dialog runs in private chats only, where somebody sends");
    const person = await dialog.external(() => parts.readPerson(from.id));
    await collect(interviewWith(dialog, from.id, person, parts), ...args);
  };
  return { id, run };
}
