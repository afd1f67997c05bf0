import { card, type Card } from "../cards/card.js";
import { refusal, type Refusal, type Typed } from "../cards/correction.js";
import { type Refused, type Shown, replyCard } from "../conversations/reply-card.js";
import type { Messages } from "../locales/messages.js";
import { isFault } from "../fault.js";
import { type BotContext, type PersonFlavor, ownerOf, type ViewParts } from "./context.js";

export type Opened = { readonly ok: true; readonly card: Card; readonly intentId: string } | Refused;

/**
 * Turns a fault into its sentence with what fixes it; other errors go on to the error boundary. `typed` is what was
 * asked for.
 */
export async function catchUserError<Value>(
  words: Messages,
  attempt: () => Promise<Value> | Value,
  typed?: Typed,
): Promise<{ ok: true; value: Value } | Refused> {
  try {
    return { ok: true, value: await attempt() };
  } catch (error) {
    if (!isFault(error)) throw error;
    const needsWallet = error.code === "wallet-missing" && { needsWallet: true as const };
    return { ok: false, ...refusal([error], words, typed), ...needsWallet };
  }
}

/** @param make gives a card, or what else there is to show. */
export async function shownTo(
  parts: ViewParts,
  userId: number,
  make: (owner: PersonFlavor) => Promise<Shown | Card>,
  typed?: Typed,
): Promise<Shown> {
  const owner = await ownerOf(parts, userId);
  const made = await catchUserError(owner.words, () => make(owner), typed);
  if (!made.ok) return made;
  return "ok" in made.value ? made.value : { ok: true, card: made.value };
}

export async function replyOrError(ctx: BotContext, make: () => Promise<Card>, typed?: Typed): Promise<void> {
  const made = await catchUserError(ctx.words, make, typed);
  if (made.ok) await replyCard(ctx, made.value);
  else await replyRefusal(ctx, made);
}

export async function replyRefusal(ctx: BotContext, { sentence, keyboard }: Refusal): Promise<void> {
  await replyCard(ctx, card([sentence], keyboard));
}
