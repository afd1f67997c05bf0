import type { Context } from "grammy";
import type { Card, CardReply } from "../../cards/card.js";
import { typedBehind, unreadableLine, type Typed } from "../../cards/correction.js";
import { intentCard, usageOf } from "../../cards/intent.js";
import type { DialogFlavor, Form } from "../../conversations/interview.js";
import { plainNumbers } from "../../encoding/typed.js";
import type { PeriodicCheck } from "../../services/chain/checks.js";
import type { Balances } from "../../services/chain/query-gateway.js";
import type { Intents } from "../../services/intent/intent-service.js";
import type { Draft } from "../../services/intent/trade-kind.js";
import { type IntentKind, requestLine, ownRequest, type Request } from "../../services/terms/terms.js";
import { changeLaunch, findLaunch } from "../../services/trade/launch-record.js";
import type { Allowance } from "../../services/base/rate.js";
import type { TradingPause } from "../../services/operator/operator.js";
import type { Outbox } from "../../services/telegram/outbox-sender.js";
import { assertNotFrozen } from "../../services/person/person.js";
import { isParsed, type Parsed } from "../../services/base/typed-line.js";
import type { Kinds } from "../../services/trade/kinds.js";
import type { RightsReader } from "../../services/market/token-rights.js";
import { prepareDraft } from "../../services/trade/prepare-draft.js";
import type { EstimateFee } from "../../services/signing/prepare.js";
import { type BotBase, type BotContext, type PersonFlavor, ownerOf } from "../context.js";
import { enterDialog } from "../dialogs.js";
import { typedCommand } from "../feature.js";
import { catchUserError, replyCard, unlessRefused } from "../reply.js";

interface IntentCardParts {
  readonly base: BotBase;
  readonly balances: Balances;
  readonly rights: RightsReader;
  readonly intents: Intents;
  readonly outbox: Outbox;
  readonly trades: Kinds;
  readonly tradingPause: TradingPause;
  /** Rate limit for what makes the bot query its services: prices, cards and orders. */
  readonly quoteAllowance: Allowance;
  /** Present if wallets sign, as is the next. */
  readonly chainCheck: Pick<PeriodicCheck, "assertNoMismatch"> | undefined;
  readonly estimateFee: EstimateFee | undefined;
}

/** Opens the cards that spend, and replies with them. Whatever keeps a card from opening becomes its refusal. */
export interface IntentCards {
  /** Opens the card for a request. If the request can be typed, a refusal offers corrected commands. */
  readonly open: (whose: number | PersonFlavor, request: Request) => Promise<CardReply>;
  /** Opens the card for a command's parsed arguments, or says what is wrong with them. */
  readonly openRead: (owner: PersonFlavor, kind: IntentKind, line: string, read: Parsed<Request>) => Promise<CardReply>;
  /** Opens the card that takes another one's place. */
  readonly openAgain: (owner: PersonFlavor, request: Request) => Promise<CardReply>;
  /**
   * Replies with a card or a refusal. Stores the message id of a card that can be confirmed, and of a launch's newest
   * checklist, the only one that keeps its buttons.
   */
  readonly reply: (ctx: Context & DialogFlavor, opened: CardReply) => Promise<void>;
  /** Same as `reply`; if the wallet's address is missing, starts the dialog, which asks for it first. */
  readonly replyOrAskWallet: (ctx: BotContext, form: LineForm, line: string, opened: CardReply) => Promise<void>;
  /**
   * Answers a command that opens a card: with a dialog if its arguments are incomplete, otherwise at once. Users without
   * an address are asked for it first, then get their card. `typed`: as {@link typedLine} reads it.
   */
  readonly answerCommand: (ctx: BotContext, form: LineForm, kind: IntentKind, typed: string) => Promise<void>;
  /** Same as `answerCommand`, for a line in plain form. */
  readonly answerLine: (ctx: BotContext, form: LineForm, kind: IntentKind, line: string) => Promise<void>;
}

type LineForm = Form<[line?: string]>;

export function createIntentCards(parts: IntentCardParts): IntentCards {
  const { base, balances, estimateFee, intents, outbox, rights, trades } = parts;
  const { clock, settings, store } = base;

  /**
   * The only way to open a card that spends: refuses frozen users, prepares the draft, stores the intent and builds the
   * card. A fault on the way becomes a refusal.
   * @param asked the request, or a card that says why there is none.
   */
  const openDraft = async (whose: number | PersonFlavor, asked: Request | Card, typed?: Typed): Promise<CardReply> => {
    const owner = await ownerOf(base, whose);
    const { userId, person, words, view } = owner;
    const prepare = async (): Promise<Draft | Card> => {
      assertNotFrozen(person);
      await parts.tradingPause.assertOpen();
      parts.quoteAllowance.take(userId);
      parts.chainCheck?.assertNoMismatch();
      if ("text" in asked) return asked;
      return prepareDraft({ balances, clock, estimateFee, intents, rights, settings, trades }, asked, owner);
    };
    const prepared = await catchUserError(words, prepare, typed);
    if (!prepared.ok) return prepared;
    if ("text" in prepared.value) return { ok: false, card: prepared.value };
    const intent = await intents.open(userId, person.chatId, prepared.value);
    return { ok: true, card: intentCard(intent, view), intentId: intent.id };
  };

  const cards: IntentCards = {
    open: (whose, request) => {
      const own = ownRequest(request);
      return openDraft(whose, request, own && typedBehind(own.kind, requestLine(own)));
    },
    openRead: (owner, kind, line, read) => {
      const { words, view } = owner;
      const typed = typedBehind(kind, line);
      return openDraft(owner, isParsed(read) ? read : unreadableLine(read, words, usageOf(kind, view), typed), typed);
    },
    openAgain: openDraft,
    reply: async (ctx, { card, intentId, launchId }) => {
      const messageId = await replyCard(ctx, card);
      if (intentId !== undefined && (await intents.attachMessage(intentId, messageId))) outbox.wake();
      if (launchId === undefined) return;
      const before = await store.write(async (tx) => {
        const launch = await findLaunch(tx, ctx.userId, launchId);
        if (launch !== undefined)
          await changeLaunch(tx, ctx.userId, launchId, (now) => ({ ...now, shownIn: messageId }));
        return launch?.shownIn;
      });
      if (before === undefined || before === messageId) return;
      // If the old message can't be edited, its steps are refused anyway unless they are due.
      await unlessRefused(ctx.api.editMessageReplyMarkup(ctx.userId, before));
    },
    replyOrAskWallet: (ctx, form, line, opened) =>
      opened.needsWallet === true ? enterDialog(ctx, form, line) : cards.reply(ctx, opened),
    answerCommand: (ctx, form, kind, typed) => cards.answerLine(ctx, form, kind, typedLine(ctx, typed)),
    answerLine: async (ctx, form, kind, line) => {
      const read = await trades.read(kind, line, ctx);
      if (read === "incomplete") return enterDialog(ctx, form, line);
      return cards.replyOrAskWallet(ctx, form, line, await cards.openRead(ctx, kind, line, read));
    },
  };
  return cards;
}

/** A command's arguments with numbers in plain form, which those of buttons and links already have. */
export function typedLine(ctx: BotContext, typed: string): string {
  const isPlain = ctx.callbackQuery !== undefined || typedCommand(ctx)?.command === "start";
  return isPlain ? typed : plainNumbers(typed, ctx.words.decimalMark);
}
