import { GrammyError } from "grammy";
import { card } from "../cards/card.js";
import type { Refusal } from "../cards/mends.js";
import { messagesIn, type Messages } from "../locales/messages.js";
import type { Token } from "../encoding/token.js";
import type { TokenList } from "../services/tokens.js";
import { ask, type Question } from "./ask.js";
import type { Dialog, DialogContext } from "./dialog.js";
import type { Shown, ShownCard } from "./opened.js";
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

/** Where it is kept which message shows what. */
export interface MessageNotes {
  readonly attachMessage: (userId: number, intentId: string, messageId: number) => Promise<void>;
  /** Notes the message of a launch's newest checklist, and gives that of the one before. */
  readonly replaceChecklist: (userId: number, launchId: string, messageId: number) => Promise<number | undefined>;
}

/** What every dialog asks of the world. */
export interface DialogParts extends MessageNotes {
  readonly tokens: TokenList;
  readonly readPerson: (userId: number) => Promise<DialogPerson>;
  readonly readMarket: (userId: number) => Promise<DialogMarket>;
  /** Amounts of a token to offer, as they could be typed. */
  readonly presetsFor: (userId: number, tokenId: string) => Promise<readonly string[]>;
}

type Refuse<Value> = (value: Value) => Promise<Refusal | undefined>;

/** A dialog with one person. */
export interface Interview {
  readonly userId: number;
  readonly person: DialogPerson;
  readonly words: Messages;
  readonly tokens: TokenList;
  readonly market: () => Promise<DialogMarket>;
  readonly presetsFor: (token: Token) => Promise<readonly string[]>;
  /** Asks until an answer can be read, and `refuse` finds nothing wrong with it. */
  readonly asks: <Value>(question: Question<Value>, refuse?: Refuse<Value>) => Promise<Value>;
  /** Asks until an answer opens what the dialog is for: one that is refused leaves the question open for a better one. */
  readonly opens: <Value>(question: Question<Value>, open: (value: Value) => Promise<Shown>) => Promise<ShownCard>;
  /** Does something once, though the dialog's function runs again for every update. */
  readonly external: <Value>(task: () => Promise<Value>) => Promise<Value>;
}

/** A dialog that asks what it has to know, and shows what that leads to. */
export function createDialog<Args extends readonly unknown[]>(
  parts: DialogParts,
  collect: (interview: Interview, ...args: Args) => Promise<Shown>,
) {
  return async (dialog: Dialog, ctx: DialogContext, ...args: Args): Promise<void> => {
    if (ctx.from === undefined) throw new TypeError("a dialog runs in private chats only, where somebody sends");
    const userId = ctx.from.id;
    const external: Interview["external"] = (task) => dialog.external(task);
    const person = await external(() => parts.readPerson(userId));
    const words = messagesIn(person.language);
    const interview: Interview = {
      userId,
      person,
      words,
      tokens: parts.tokens,
      market: () => external(() => parts.readMarket(userId)),
      presetsFor: (token) => external(() => parts.presetsFor(userId, token.id)),
      asks: async <Value>(question: Question<Value>, refuse?: Refuse<Value>) => {
        const take = async (value: Value) => {
          const refused = refuse && (await external(async () => (await refuse(value)) ?? null));
          return refused ? { ok: false as const, ...refused } : { ok: true as const, value };
        };
        return (await ask<Value, { readonly ok: true; readonly value: Value }>(dialog, ctx, words, question, take))
          .value;
      },
      opens: <Value>(question: Question<Value>, open: (value: Value) => Promise<Shown>) =>
        ask<Value, ShownCard>(dialog, ctx, words, question, (value) => external(() => open(value))),
      external,
    };
    await showAtEnd(parts, userId, external, ctx, await collect(interview, ...args));
  };
}

/** Shows what was opened, and notes the message of a card that can be confirmed, or of the only checklist that keeps its buttons. */
export async function showAtEnd(
  notes: MessageNotes,
  userId: number,
  external: Interview["external"],
  ctx: DialogContext,
  opened: Shown,
): Promise<void> {
  const messageId = await replyCard(ctx, opened.ok ? opened.card : card([opened.sentence], opened.keyboard));
  if (!opened.ok) return;
  const { intentId, launchId } = opened;
  if (intentId !== undefined) await external(() => notes.attachMessage(userId, intentId, messageId));
  if (launchId === undefined) return;
  const before = await external(async () => (await notes.replaceChecklist(userId, launchId, messageId)) ?? null);
  if (before === null) return;
  await ctx.api.editMessageReplyMarkup(userId, before).catch((error: unknown) => {
    // It was deleted or is too old to change: a tap there is refused anyway.
    if (!(error instanceof GrammyError)) throw error;
  });
}
