import { GrammyError, type Api } from "grammy";
import type { IntentKind } from "../model/terms.js";
import { card } from "../cards/card.js";
import type { TokenList } from "../services/tokens.js";
import type { Dialog, DialogContext } from "./dialog.js";
import { beginInterview, type Interview, type InterviewParts } from "./interview.js";
import type { Opened, Shown } from "./opened.js";
import { walletQuestion } from "./questions.js";
import { replyCard } from "./reply-card.js";

/** What these dialogs ask of the world. None of it sends anything to the chain. */
export interface CardDialogParts extends InterviewParts {
  readonly tokens: TokenList;
  readonly saveWallet: (userId: number, address: string) => Promise<unknown>;
  /** Opens the card for the words behind a command. */
  readonly open: (command: IntentKind, userId: number, typed: string) => Promise<Opened>;
  readonly attachMessage: (userId: number, intentId: string, messageId: number) => Promise<void>;
  /** For dialogs that end in a launch's checklist. */
  readonly replaceChecklist?: (userId: number, launchId: string, messageId: number) => Promise<number | undefined>;
}

/** Collects what a card needs; `open` opens it for the words behind its command. */
export type Collect = (
  interview: Interview,
  tokens: TokenList,
  open: (line: string) => Promise<Shown>,
) => Promise<Shown>;

/** A dialog that ends in a command's card. */
export function cardDialog(parts: CardDialogParts, command: IntentKind, collect: Collect) {
  return openingDialog(parts, collect, (userId, line) => parts.open(command, userId, line));
}

/**
 * A dialog whose answers open a card: it asks for the payout address where there is none yet, and collects the words behind
 * the command unless they were typed already.
 */
export function openingDialog(
  parts: Omit<CardDialogParts, "open">,
  collect: Collect,
  open: (userId: number, line: string) => Promise<Shown>,
) {
  return async (dialog: Dialog, ctx: DialogContext, typed?: string): Promise<void> => {
    const interview = await beginInterview(parts, dialog, ctx);
    const { userId, words, external } = interview;
    if (!interview.person.hasWallet) {
      const address = await interview.asks(walletQuestion(words));
      await external(() => parts.saveWallet(userId, address));
    }
    const opened =
      typed === undefined
        ? await collect(interview, parts.tokens, (line) => open(userId, line))
        : await external(() => open(userId, typed));
    await showAtEnd(parts, interview, ctx, opened);
  };
}

/** Shows what was opened, and notes the message of a card that can be confirmed, or of the only checklist that keeps its buttons. */
export async function showAtEnd(
  parts: Pick<CardDialogParts, "attachMessage" | "replaceChecklist">,
  { userId, external }: Pick<Interview, "userId" | "external">,
  ctx: DialogContext,
  opened: Shown,
): Promise<void> {
  if (!opened.ok) {
    await replyCard(ctx, card([opened.sentence], opened.keyboard));
    return;
  }
  const messageId = await replyCard(ctx, opened.card);
  const { intentId, launchId } = opened;
  if (intentId !== undefined) await external(() => parts.attachMessage(userId, intentId, messageId));
  if (launchId === undefined) return;
  const before = await external(async () => (await parts.replaceChecklist?.(userId, launchId, messageId)) ?? null);
  if (before !== null) await takeButtons(ctx.api, userId, before);
}

/** Takes the buttons off an older message, unless it was deleted or is too old to change: a tap there is refused anyway. */
async function takeButtons(api: Api, chatId: number, messageId: number): Promise<void> {
  try {
    await api.editMessageReplyMarkup(chatId, messageId);
  } catch (error) {
    if (!(error instanceof GrammyError)) throw error;
  }
}
