import type { Context, MiddlewareFn } from "grammy";
import * as cards from "../../cards/admin.js";
import { figure } from "../../cards/amount.js";
import { type AdminPlace, button, buttons } from "../../cards/buttons.js";
import { card, code, type Card } from "../../cards/card.js";
import { firstDayOf, volumeFile, volumePicture } from "../../cards/receipt.js";
import { type Announcement, broadcastTopic, keepDraft, takeDraft } from "../../services/operator/broadcast.js";
import { resetUser, isUnreadable } from "../../services/operator/forget.js";
import type { Operator, TradingPause } from "../../services/operator/operator.js";
import { declineAccess, strangersWaiting } from "../../services/operator/access.js";
import { enterLog, type LogEntry, logPage } from "../../services/operator/operator.js";
import { MAX_ENDED, volumesSince } from "../../services/history/receipt.js";
import { plainText } from "../../services/base/display-text.js";
import type { StandingOrders } from "../../services/standing/standing-orders.js";
import { type BotBase, type BotContext, wordsFor } from "../context.js";
import { answering, typedCommand, type Feature, isTapOn, onCards, type Taps } from "../feature.js";
import { seldom } from "../middleware/guards.js";
import { alertOnTap, editTapped, replyFile, showPicture, replyCard } from "../reply.js";

interface AdminParts {
  readonly base: BotBase;
  readonly operator: Operator;
  readonly tradingPause: TradingPause;
  readonly standingOrders: Pick<StandingOrders, "lookAtHeld">;
}

const MAX_REASON_LENGTH = 200;
const MAX_SHOWN = 40;
/** A message can have 4096 characters, some of which say who sends it. */
const MAX_ANNOUNCEMENT_LENGTH = 4000;
const logged = { let: "approve", decline: "decline", out: "withdraw" } as const;

/** Whether an operator is pausing trading, which must not wait for their earlier updates. */
export function isPausing(ctx: Context, operator: Operator): boolean {
  return operator.isOperator(ctx.from?.id) && isTapOn("pauseNow", ctx);
}

/** Whether an operator is sending a broadcast, which may be as long as Telegram allows. */
export function isBroadcasting(ctx: BotContext, operator: Operator): boolean {
  return operator.isOperator(ctx.from?.id) && typedCommand(ctx)?.command === "broadcast";
}

/** `/admin` and `/broadcast`, for operators only; for everyone else the commands don't exist. */
export function adminFeature(parts: AdminParts): Feature {
  const { base, operator } = parts;
  const { store } = base;
  return {
    isFor: operator.isOperator,
    commands: {
      broadcast: async (ctx, typed) => {
        const { howToBroadcast, broadcastExample, broadcastTooLong } = ctx.words.admin;
        const announcement = announcementIn(ctx, typed);
        const { length } = announcement.text;
        if (length === 0) return replyCard(ctx, card([howToBroadcast, code(broadcastExample)]));
        if (length > MAX_ANNOUNCEMENT_LENGTH) return replyCard(ctx, card([broadcastTooLong(MAX_ANNOUNCEMENT_LENGTH)]));
        const draftId = await store.write((tx) => keepDraft(tx, ctx.userId, { announcement }));
        const people = await operator.broadcast.audience();
        return replyCard(ctx, cards.announcementCard(announcement, people, draftId, ctx.words));
      },
      admin: async (ctx, typed) => {
        const [, reason] = /^pause\b([^]*)$/i.exec(typed) ?? [];
        const userId = buttons.member.read(`let.${typed}`)?.userId;
        if (userId !== undefined) {
          return replyCard(ctx, (await damageCard(parts, ctx, userId)) ?? (await personCard(parts, ctx, userId)));
        }
        if (reason !== undefined) return askToPause(parts, ctx, reason);
        if (typed === "") return replyCard(ctx, await overview(parts, ctx));
        const shown = /^(?:help|ajuda|\?)$/i.test(typed) ? "" : plainText(typed, MAX_SHOWN);
        return replyCard(ctx, cards.operatorCommandsCard(shown, ctx.words));
      },
    },
    buttons: { ...lookTaps(parts), ...actTaps(parts) },
    topics: [onCards(base, broadcastTopic, cards.noticeCard)],
    loops: [operator.run],
  };
}

async function overview({ operator }: AdminParts, { view }: BotContext): Promise<Card> {
  return cards.overviewCard(await operator.overview(), view);
}

async function personCard({ operator }: AdminParts, { words }: BotContext, userId: number): Promise<Card> {
  if (operator.isOpen) return cards.memberCard(userId, "open", words);
  const isIn = operator.isIn(userId);
  return cards.memberCard(userId, isIn === true ? "fixed" : (await isIn) ? "in" : "out", words);
}

/** Undefined if everything stored about the user can be read. */
async function damageCard(
  { base: { store } }: AdminParts,
  { words }: BotContext,
  userId: number,
): Promise<Card | undefined> {
  return (await isUnreadable(store.db, userId)) ? cards.unreadableCard(userId, words) : undefined;
}

async function askToPause({ base: { store } }: AdminParts, ctx: BotContext, typed: string): Promise<unknown> {
  const { admin } = ctx.words;
  const reason = plainText(typed, MAX_REASON_LENGTH + 1);
  if (reason === "") return replyCard(ctx, card([admin.howToPause, code(admin.pauseExample)]));
  if (reason.length > MAX_REASON_LENGTH) return replyCard(ctx, card([admin.reasonTooLong(MAX_REASON_LENGTH)]));
  const draftId = await store.write((tx) => keepDraft(tx, ctx.userId, { reason }));
  return replyCard(ctx, cards.pauseCard(reason, draftId, ctx.words));
}

function lookTaps(parts: AdminParts): Taps {
  const { base, operator } = parts;
  const { log, store, tokens } = base;
  const placeCards: Record<AdminPlace["section"], (ctx: BotContext, page: number) => Promise<Card>> = {
    overview: (ctx) => overview(parts, ctx),
    unknown: async ({ view }, page) => cards.unknownCard(await operator.unknown(), page, view),
    fees: async ({ view }) => cards.adminFeesCard(await operator.sums(), view),
    requests: async ({ view }, page) => cards.requestsCard(await strangersWaiting(store.db), page, view),
    audit: async ({ view }, page) => cards.auditCard(await logPage(store.db, page, cards.AUDIT_PAGE_SIZE), view),
  };
  const volumes = ({ view }: BotContext) => volumesSince(store.db, firstDayOf(view.now));
  return {
    admin: answering(async (ctx, { section, page }) => editTapped(ctx, await placeCards[section](ctx, page))),
    volume: answering(async (ctx, asked) => {
      const drawn = volumePicture(await volumes(ctx), tokens.named, asked, ctx.view);
      return showPicture(ctx, drawn ?? ctx.words.history.nothingHere, log);
    }),
    volumeFile: answering(async (ctx) => {
      const { volumeName, volumeCaption } = ctx.words.admin;
      const caption = volumeCaption(figure(String(MAX_ENDED), ctx.words));
      return replyFile(ctx, volumeFile(await volumes(ctx), tokens.named), volumeName, caption);
    }),
  };
}

function actTaps(parts: AdminParts): Taps {
  const { base, operator, tradingPause } = parts;
  const { clock, store } = base;
  /** Called before the action, so that no action is missing from the log. */
  const log = (ctx: BotContext, action: LogEntry["action"], about = "") =>
    store.write((tx) => enterLog(tx, { at: clock.now(), operator: ctx.userId, action, about }));
  return {
    tradingPause: async (ctx, step) => {
      if (step === "resume-now") {
        await log(ctx, "resume");
        await tradingPause.resume();
        await parts.standingOrders.lookAtHeld();
        await ctx.answerCallbackQuery(ctx.words.admin.resumed);
        return editTapped(ctx, await overview(parts, ctx));
      }
      await ctx.answerCallbackQuery();
      return step === "pause" ? askToPause(parts, ctx, "") : editTapped(ctx, cards.resumeCard(ctx.words));
    },
    member: async (ctx, { action, userId }) => {
      await log(ctx, logged[action], String(userId));
      if (action !== "decline") await operator.setMember(userId, action === "let");
      const isLate = action === "decline" && !(await store.write((tx) => declineAccess(tx, userId)));
      await ctx.answerCallbackQuery(isLate ? { text: ctx.words.admin.answeredBefore } : {});
      await editTapped(ctx, await personCard(parts, ctx, userId));
    },
    broadcast: async (ctx, draftId) => {
      const { announcement } = await store.write((tx) => takeDraft(tx, ctx.userId, draftId));
      if (announcement === undefined) return ctx.answerCallbackQuery(ctx.words.common.oldButton);
      await log(ctx, "broadcast", announcement.text);
      const isBegun = await operator.broadcast.send(announcement);
      await ctx.answerCallbackQuery();
      return replyCard(ctx, isBegun ? cards.announcingCard(ctx.words) : card([ctx.words.admin.broadcastBusy]));
    },
    unreadable: answering(async (ctx, { action, userId }) => {
      const { wasReset, readable } = ctx.words.admin;
      if (action === "look") {
        return editTapped(ctx, (await damageCard(parts, ctx, userId)) ?? card([readable(userId)]));
      }
      await log(ctx, "anew", String(userId));
      const isReset = await store.write((tx) => resetUser(tx, userId, clock.now()));
      return editTapped(ctx, card([(isReset ? wasReset : readable)(userId)]));
    }),
    settled: async (ctx, id) => {
      await log(ctx, "settle", id);
      await operator.putAway(id);
      await ctx.answerCallbackQuery();
      await editTapped(ctx, cards.unknownCard(await operator.unknown(), 0, ctx.view));
    },
    haltBroadcast: async (ctx) => {
      await log(ctx, "halt");
      await operator.broadcast.halt();
      // Only now: Telegram is busy with the broadcast and may not answer before.
      await ctx.answerCallbackQuery();
      await editTapped(ctx, card([ctx.words.admin.halted]));
    },
    pauseNow: async (ctx, draftId) => {
      const { reason } = await store.write((tx) => takeDraft(tx, ctx.userId, draftId));
      if (reason === undefined) return ctx.answerCallbackQuery(ctx.words.common.oldButton);
      await log(ctx, "pause", reason);
      await tradingPause.pause(reason);
      await alertOnTap(ctx, ctx.words.admin.paused);
      return editTapped(ctx, await overview(parts, ctx));
    },
  };
}

/** The formatting to keep. Links, mentions and the like need no entity: Telegram detects them again. */
const FORMATS =
  /^(bold|italic|underline|strikethrough|spoiler|blockquote|expandable_blockquote|code|pre|text_link|custom_emoji)$/;

function announcementIn({ message }: BotContext, text: string): Announcement {
  const begin = (message?.text ?? "").trimEnd().length - text.length;
  const entities = (message?.entities ?? [])
    .filter(({ type, offset }) => FORMATS.test(type) && offset >= begin)
    .map((entity) => ({ ...entity, offset: entity.offset - begin }));
  return { text, entities };
}

/** Keeps replies to strangers from using up the sending rate. */
const REPLY_EVERY_MS = 60_000;

/** Passes users with access. Others get their own id, at most once a minute, and can request access. */
export function requireAccess({ clock, settings }: BotBase, operator: Operator): MiddlewareFn<BotContext> {
  const isDue = seldom(clock, REPLY_EVERY_MS);
  return async function onlyThoseLetIn(ctx, next) {
    const userId = ctx.from?.id;
    if (userId === undefined) return;
    if (await operator.isIn(userId)) return next();
    const { common } = wordsFor(ctx, settings.supportContact);
    if (isTapOn("askIn", ctx) && operator.canBeAsked) {
      const outcome = await operator.requestAccess(userId, nameOf(ctx));
      await alertOnTap(ctx, common.askIn[outcome]);
    } else if (ctx.callbackQuery !== undefined) {
      await alertOnTap(ctx, common.notAllowed(userId));
    } else if (ctx.message !== undefined && isDue(userId)) {
      const ask = operator.canBeAsked ? [[button(common.askInButton, buttons.askIn, "now")]] : undefined;
      await replyCard(ctx, card([common.notAllowed(userId)], ask));
    }
  };
}

/** Users choose their own names, so a name proves nothing. */
function nameOf({ from }: Context): string {
  const { first_name: first = "", last_name: last, username } = from ?? {};
  return [first, last, username && `@${username}`].filter((part) => part !== undefined).join(" ");
}
