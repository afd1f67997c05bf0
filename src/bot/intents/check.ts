import { isOpenQuestion, type Intent, type OutcomeCheck } from "../../services/intent/intent.js";
import { unlessFault } from "../../fault.js";
import type { BotContext } from "../context.js";
import { sayOnTap } from "../tap.js";
import { replyCard } from "../../conversations/reply-card.js";
import { canBeChecked, intentCard } from "./card.js";
import { cardOf } from "../../services/intent/told.js";
import type { Intents } from "../../services/intent/intents.js";
import type { Outbox } from "../../services/outbox/sender.js";
import type { Clock } from "../../clock.js";

export interface CheckParts {
  readonly intents: Pick<Intents, "look" | "markChecked">;
  readonly outbox: Pick<Outbox, "flush">;
  readonly clock: Clock;
  /** Whether the chain carried an intent's transaction out; undefined where it knows none. Absent where nothing is signed. @throws Fault */
  readonly lookUp: ((intent: Intent) => Promise<boolean | undefined>) | undefined;
}

/** Finds out what became of a call of which nobody can say it, and shows it on its card. Sends nothing. */
export async function checkOutcome(parts: CheckParts, ctx: BotContext, intent: Intent): Promise<void> {
  if (!canBeChecked(intent, ctx.view)) return sayOnTap(ctx, ctx.words.common.oldButton);
  await ctx.answerCallbackQuery();
  const looked = await parts.intents.look(intent);
  const check = { at: parts.clock.now(), ...((await onChain(parts, looked)) ?? byBalances(looked)) };
  const checked = await parts.intents.markChecked(looked, check);
  await parts.outbox.flush(cardOf(checked));
  if (ctx.callbackQuery?.message?.message_id === intent.messageId) return;
  // Asked in a list: the card may be far above, so the answer stands below.
  const { text, entities } = intentCard(checked, ctx.view);
  await replyCard(ctx, { text, entities });
}

/** Keeps that its owner says that a call of unknown outcome never happened. */
export async function fileAsNotDone(parts: CheckParts, ctx: BotContext, intent: Intent): Promise<void> {
  if (!isOpenQuestion(intent)) return sayOnTap(ctx, ctx.words.common.oldButton);
  await ctx.answerCallbackQuery();
  const check = { at: parts.clock.now(), by: "owner", finding: "not-arrived" } as const;
  await parts.outbox.flush(cardOf(await parts.intents.markChecked(intent, check)));
}

type Found = Omit<OutcomeCheck, "at">;

/** What the chain says of a transaction; undefined where there is none, or the chain says nothing. */
async function onChain({ lookUp }: CheckParts, intent: Intent): Promise<Found | undefined> {
  const isOk = lookUp && (await unlessFault(() => lookUp(intent)));
  return isOk === undefined ? undefined : { by: "chain", finding: isOk ? "arrived" : "not-arrived" };
}

function byBalances({ balances }: Intent): Found {
  const unclear = (why: OutcomeCheck["why"]): Found => ({ by: "balances", finding: "unclear", why });
  if (balances === undefined) return unclear("unknown-before");
  if (balances.after === undefined) return unclear("unknown-now");
  if (balances.finding === undefined) return unclear("other-calls");
  return balances.finding === "unclear" ? unclear("other") : { by: "balances", finding: balances.finding };
}
