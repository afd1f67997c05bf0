import type { DialogId } from "../../conversations/dialogs.js";
import type { Opened, Shown } from "../../conversations/opened.js";
import { refusal, typedBehind, type Typed } from "../../cards/mends.js";
import { amountOf, compareAmounts, formatAmount } from "../../encoding/amount.js";
import { plainNumbers } from "../../encoding/typed-number.js";
import { Fault } from "../../fault.js";
import { showAtEnd, type MessageNotes } from "../../conversations/interview.js";
import { people } from "../../model/person.js";
import { findLaunch, withLaunch } from "../../services/launch/launch.js";
import type { IntentKind } from "../../model/terms.js";
import type { BotContext, Parts, PersonFlavor } from "../context.js";
import type { KindParts, Prepared } from "../kind.js";
import { kinds } from "../kinds.js";
import { intentCard, movementOf } from "./card.js";
import { enterDialog } from "../dialogs/mount.js";
import { orSentence, replyRefusal } from "../or-sentence.js";
import { ownerOf } from "../person.js";
import type { Draft } from "../../services/intents/draft.js";
import { beyondLimit } from "../../services/intents/within-limits.js";
import { assertNotFrozen } from "../../services/people.js";

type OpenPreparedParts = Pick<
  Parts,
  "balances" | "clock" | "chainCheck" | "estimateFee" | "intents" | "quoteAllowance" | "settings" | "store" | "trading"
>;
export type OpenCardParts = OpenPreparedParts & KindParts;

/** Opens a card for the words behind a command. */
export function openCard(parts: OpenCardParts, kind: IntentKind, userId: number, typed: string): Promise<Opened> {
  return openPrepared(
    parts,
    userId,
    async (owner) => kinds[kind].prepare(parts, owner, await kinds[kind].withOwn(parts, owner.person, typed)),
    typedBehind(kind, typed),
  );
}

/**
 * The one way in which cards that spend are opened: refuses the frozen, prepares, keeps the intent, draws the card. A fault
 * of the preparation becomes its sentence.
 */
export async function openPrepared(
  parts: OpenPreparedParts,
  userId: number,
  prepare: (owner: PersonFlavor) => Promise<Prepared>,
  typed?: Typed,
): Promise<Opened> {
  const owner = await ownerOf(parts, userId);
  const { person, words, view } = owner;
  const prepared = await orSentence(
    words,
    async () => {
      assertNotFrozen(person);
      await parts.trading.assertOpen();
      parts.quoteAllowance.take(userId);
      parts.chainCheck?.assertNoMismatch();
      const prepared = await prepare(owner);
      if (!("draft" in prepared)) return prepared;
      const { draft } = prepared;
      const beyond = beyondLimit(person, draft.terms, parts.clock.now());
      if (beyond !== undefined) throw beyond;
      await assertAffordable(parts, draft);
      const { paid } = movementOf(draft, parts.settings);
      const estimatedFee = await parts.estimateFee?.(draft.call, draft.terms.payout, paid);
      return { draft: { ...draft, ...(estimatedFee && { estimatedFee }) } };
    },
    typed,
  );
  if (!prepared.ok) return prepared;
  if ("faults" in prepared.value) return { ok: false, ...refusal(prepared.value.faults, words, typed) };
  if ("sentence" in prepared.value) return { ok: false, sentence: prepared.value.sentence };
  const intent = await parts.intents.open(userId, person.chatId, prepared.value.draft);
  return { ok: true, card: intentCard(intent, view), intentId: intent.id };
}

/**
 * Where the person's own account pays, and the node tells what it holds, it has to hold enough before there is a card.
 * @throws Fault `balance-too-small`.
 */
async function assertAffordable({ balances, settings }: OpenPreparedParts, draft: Draft): Promise<void> {
  if (!settings.callIncludesCaller) return;
  const { paid } = movementOf(draft, settings);
  const holdings = await balances.known(
    draft.terms.payout,
    paid.map(({ token }) => token.id),
  );
  for (const amount of paid) {
    const units = holdings?.[amount.token.id];
    if (units === undefined) continue;
    const held = amountOf(amount.token, units);
    if (compareAmounts(held, amount) >= 0) continue;
    const figures = { held: formatAmount(held), needed: formatAmount(amount) };
    throw new Fault("balance-too-small", { ...figures, token: amount.token.id });
  }
}

/** Shows a card as a new message, and notes which where it can be confirmed; or says why there is none. */
export async function replyOpened(
  parts: Pick<Parts, "intents" | "store">,
  ctx: BotContext,
  opened: Shown,
): Promise<void> {
  await showAtEnd(messageNotes(parts), ctx.userId, (task) => task(), ctx, opened);
}

/** Keeps with its intent or launch which message shows a card. */
export function messageNotes({ intents, store }: Pick<Parts, "intents" | "store">): MessageNotes {
  return {
    attachMessage: intents.attachMessage,
    replaceChecklist: (userId, launchId, messageId) =>
      store.update(people, String(userId), (person) => {
        const launch = findLaunch(person, launchId);
        if (launch === undefined) return [person, undefined];
        const before = launch.shownIn === messageId ? undefined : launch.shownIn;
        return [withLaunch(person, { ...launch, shownIn: messageId }), before];
      }),
  };
}

/**
 * Answers a command that opens a card: with a dialog where nothing follows it, else at once. Whoever has no payout
 * address yet is asked for it first, and then gets the card that they asked for.
 */
export async function answerCommand(
  parts: OpenCardParts,
  ctx: BotContext & { readonly match: string },
  command: IntentKind & DialogId,
): Promise<void> {
  const typed = typedBehindCommand(ctx);
  const read = await orSentence(
    ctx.words,
    () => kinds[command].isIncomplete(typed, parts.tokens),
    typedBehind(command, typed),
  );
  if (!read.ok) return replyRefusal(ctx, read);
  if (read.value) {
    // Nobody is asked for what would then be refused.
    const open = await orSentence(ctx.words, () => {
      assertNotFrozen(ctx.person);
      return parts.trading.assertOpen();
    });
    if (!open.ok) return replyRefusal(ctx, open);
    return typed === "" ? enterDialog(ctx, command) : enterDialog(ctx, command, typed);
  }
  return replyOrAskWallet(parts, ctx, command, typed, await openCard(parts, command, ctx.userId, typed));
}

/** What was typed behind a command, its numbers in plain form; a button carries them so. */
export function typedBehindCommand(ctx: BotContext & { readonly match: string }): string {
  const typed = ctx.match.trim();
  return ctx.callbackQuery === undefined ? plainNumbers(typed, ctx.words.decimalMark) : typed;
}

/** Shows what a command opened; where only the payout address is missing, its dialog asks for that first. */
export async function replyOrAskWallet(
  parts: Pick<Parts, "intents" | "store">,
  ctx: BotContext,
  command: IntentKind & DialogId,
  typed: string,
  opened: Shown,
): Promise<void> {
  const needsWallet = !opened.ok && opened.needsWallet === true;
  return needsWallet ? enterDialog(ctx, command, typed) : replyOpened(parts, ctx, opened);
}
