import type { Context } from "grammy";
import type { Card } from "../../cards/card.js";
import { typedBehind, unreadableLine, type Typed } from "../../cards/correction.js";
import { intentCard, usageOf } from "../../cards/intent.js";
import { replyCard, type CardReply, unlessRefused } from "../../conversations/reply-card.js";
import type { DialogFlavor, Form } from "../../conversations/interview.js";
import { plainNumbers } from "../../encoding/typed.js";
import type { PeriodicCheck } from "../../services/chain/checks.js";
import type { Balances } from "../../services/chain/query-gateway.js";
import type { Intent } from "../../services/intent/intent.js";
import type { Intents } from "../../services/intent/intent-service.js";
import type { Draft } from "../../services/intent/trade-kind.js";
import { type IntentKind, requestLine, ownRequest, type Request } from "../../services/terms/terms.js";
import { changeLaunch, findLaunch } from "../../services/trade/launch-record.js";
import type { Allowance } from "../../services/base/rate.js";
import type { TradingPause } from "../../services/operator/operator.js";
import type { Outbox } from "../../services/telegram/outbox-sender.js";
import { assertNotFrozen } from "../../services/person/person.js";
import { isParsed, type Parsed } from "../../services/base/line.js";
import type { Kinds } from "../../services/trade/kinds.js";
import { prepareDraft } from "../../services/trade/prepare-draft.js";
import type { EstimateFee } from "../../services/signing/prepare.js";
import { type BotContext, type PersonFlavor, ownerOf, type ViewParts } from "../context.js";
import { enterDialog } from "../dialogs.js";
import { typedCommand } from "../feature.js";
import { catchUserError } from "../reply.js";

export interface OpenCardParts extends ViewParts {
  readonly balances: Balances;
  readonly intents: Intents;
  readonly outbox: Outbox;
  readonly trades: Kinds;
  readonly tradingPause: TradingPause;
  /** Rate limit for what makes the bot query its services: prices, cards and orders. */
  readonly quoteAllowance: Allowance;
  /** Present if wallets sign, as are the next two. */
  readonly chainCheck: Pick<PeriodicCheck, "assertNoMismatch"> | undefined;
  readonly estimateFee: EstimateFee | undefined;
  /** Whether the chain executed an intent's transaction; undefined if it doesn't know it. @throws Fault */
  readonly lookUp: ((intent: Intent) => Promise<boolean | undefined>) | undefined;
}

/** Opens the card for a request. If the request can be typed, a refusal offers corrected commands. */
export function openCard(parts: OpenCardParts, whose: number | PersonFlavor, request: Request): Promise<CardReply> {
  const own = ownRequest(request);
  return openDraft(parts, whose, request, own && typedBehind(own.kind, requestLine(own)));
}

/** Opens the card for a command's parsed arguments, or says what is wrong with them. */
export function openRead(
  parts: OpenCardParts,
  owner: PersonFlavor,
  kind: IntentKind,
  line: string,
  read: Parsed<Request>,
): Promise<CardReply> {
  const { words, view } = owner;
  const typed = typedBehind(kind, line);
  return openDraft(
    parts,
    owner,
    isParsed(read) ? read : unreadableLine(read, words, usageOf(kind, view), typed),
    typed,
  );
}

/**
 * The only way to open a card that spends: refuses frozen users, prepares the draft, stores the intent and builds the
 * card. A fault on the way becomes a refusal.
 * @param asked the request, or a card that says why there is none.
 */
export async function openDraft(
  parts: OpenCardParts,
  whose: number | PersonFlavor,
  asked: Request | Card,
  typed?: Typed,
) {
  const owner = await ownerOf(parts, whose);
  const { userId, person, words, view } = owner;
  const prepare = async (): Promise<Draft | Card> => {
    assertNotFrozen(person);
    await parts.tradingPause.assertOpen();
    parts.quoteAllowance.take(userId);
    parts.chainCheck?.assertNoMismatch();
    if ("text" in asked) return asked;
    return prepareDraft(parts, asked, owner);
  };
  const prepared = await catchUserError(words, prepare, typed);
  if (!prepared.ok) return prepared;
  if ("text" in prepared.value) return { ok: false, card: prepared.value };
  const intent = await parts.intents.open(userId, person.chatId, prepared.value);
  return { ok: true, card: intentCard(intent, view), intentId: intent.id };
}

type ReplyParts = Pick<OpenCardParts, "intents" | "outbox" | "store">;

/**
 * Replies with a card or a refusal. Stores the message id of a card that can be confirmed, and of a launch's newest
 * checklist, the only one that keeps its buttons.
 */
export async function replyOpened(
  { intents, outbox, store }: ReplyParts,
  ctx: Context & DialogFlavor,
  { card, intentId, launchId }: CardReply,
): Promise<void> {
  const messageId = await replyCard(ctx, card);
  if (intentId !== undefined && (await intents.attachMessage(intentId, messageId))) outbox.wake();
  if (launchId === undefined) return;
  const before = await store.write(async (tx) => {
    const launch = await findLaunch(tx, ctx.userId, launchId);
    if (launch !== undefined) await changeLaunch(tx, ctx.userId, launchId, (now) => ({ ...now, shownIn: messageId }));
    return launch?.shownIn;
  });
  if (before === undefined || before === messageId) return;
  // If the old message can't be edited, its steps are refused anyway unless they are due.
  await unlessRefused(ctx.api.editMessageReplyMarkup(ctx.userId, before));
}

/**
 * Answers a command that opens a card: with a dialog if its arguments are incomplete, otherwise at once. Users without
 * an address are asked for it first, then get their card.
 */
export function answerCommand(
  parts: OpenCardParts,
  ctx: BotContext,
  form: Form<[line?: string]>,
  kind: IntentKind,
  typed: string,
): Promise<unknown> {
  return answerLine(parts, ctx, form, kind, typedLine(ctx, typed));
}

/** Same as {@link answerCommand}, for a line in plain form. */
export async function answerLine(
  parts: OpenCardParts,
  ctx: BotContext,
  form: Form<[line?: string]>,
  kind: IntentKind,
  line: string,
): Promise<unknown> {
  const read = await parts.trades.read(kind, line, ctx);
  if (read !== "incomplete") {
    return replyOrAskWallet(parts, ctx, form, line, await openRead(parts, ctx, kind, line, read));
  }
  return enterDialog(ctx, form, line);
}

/** A command's arguments with numbers in plain form, which those of buttons and links already have. */
export function typedLine(ctx: BotContext, typed: string): string {
  const isPlain = ctx.callbackQuery !== undefined || typedCommand(ctx)?.command === "start";
  return isPlain ? typed : plainNumbers(typed, ctx.words.decimalMark);
}

/** Replies with what a command opened; if the wallet address is missing, starts the dialog, which asks for it first. */
export async function replyOrAskWallet(
  parts: ReplyParts,
  ctx: BotContext,
  form: Form<[line?: string]>,
  line: string,
  opened: CardReply,
): Promise<void> {
  return opened.needsWallet === true ? enterDialog(ctx, form, line) : replyOpened(parts, ctx, opened);
}
