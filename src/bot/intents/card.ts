import { paidWithToken, withToken } from "../../cards/amount.js";
import { card, linesBeyond, type Card, type Lines, type View } from "../../cards/card.js";
import { isUnclear, subjectCard } from "../../cards/intent.js";
import { accountLines, type CardOptions, type Subject } from "../../cards/subject.js";
import { seenLines } from "../../cards/balance.js";
import { destinationOf } from "../../encoding/call.js";
import type { Intent } from "../../model/intent.js";
import type { Movement } from "../../model/movement.js";
import type { SigningWords } from "../../services/wallet-gateway/desk.js";
import type { Terms } from "../../model/terms.js";
import type { Answered } from "../../services/intents/outputs.js";
import type { BotSettings } from "../context.js";
import { kinds } from "../kinds.js";

/** The card of an intent of any kind, in the state that it is in. */
export function intentCard(intent: Intent, view: View, options: CardOptions = {}): Card {
  const seen = seenLines(intent, movementOf(intent, view), view);
  const { lookAgain, lookAgainButton } = view.words.intent;
  const needsLook = intent.actsFrom === undefined ? undefined : { sentences: [lookAgain], button: lookAgainButton };
  const { hurdle = needsLook, ...subject } = subjectOf(intent, view);
  return subjectCard(
    intent,
    { ...subject, seen, hurdle: options.isAccepted === true ? undefined : hurdle },
    view,
    options,
  );
}

/**
 * What a person agrees to where their wallet signs it. Of a trade, the figures that decide and its warnings come first; of
 * anything else, all that its card offers.
 */
export function signingLines(intent: Intent, view: View): Pick<SigningWords, "title" | "figures" | "lines" | "more"> {
  const { title, offer, details } = subjectOf(intent, view);
  const { words } = view;
  const isTrade = "slippageBps" in intent.terms;
  const { paid, wanted } = movementOf(intent, view);
  const figures = [
    ...paid.map((amount) => [words.swap.youPay, paidWithToken(amount, words)] as const),
    ...(wanted === undefined ? [] : [[words.swap.atLeast, withToken(wanted, words)] as const]),
  ];
  const account = [accountLines(intent, view), words.launch.caller, words.launch.callerUnknown];
  const offered = textsOf(linesBeyond(account, offer));
  const lines = isTrade ? offered.filter((text) => text.startsWith("⚠️")) : offered;
  const all = [...offered, ...textsOf(linesBeyond(offer, details))];
  return {
    title: card([title]).text,
    figures: isTrade ? figures : [],
    lines,
    more: all.filter((text) => !lines.includes(text)),
  };
}

function textsOf(lines: Lines): readonly string[] {
  return card(lines)
    .text.split("\n")
    .filter((text) => text !== "");
}

/** What an intent of any kind was about, in one line. */
export function summaryOf(intent: Intent, view: View): string {
  return kinds[intent.terms.kind].summary(intent, view);
}

/** Whether its card asks to look what became of its call. */
export function canBeChecked(intent: Intent, view: View): boolean {
  return isUnclear(intent, subjectOf(intent, view));
}

function subjectOf(intent: Intent, view: View): Subject {
  return kinds[intent.terms.kind].subject(intent, view);
}

/**
 * The assets by which the person's own balances can tell what became of a call: what is paid leaves their account only where calls are
 * made in their name, and what is wanted arrives there where that is so, or where the call names them.
 */
export function movedAssets(
  intent: Intent,
  settings: Pick<BotSettings, "callIncludesCaller" | "returnDataEncoding">,
): readonly string[] {
  const { paid, wanted } = movementOf(intent, settings);
  const isCaller = settings.callIncludesCaller;
  const arrives = isCaller || destinationOf(intent.call) === intent.terms.payout;
  const watched = [...(isCaller ? paid : []), ...(wanted !== undefined && arrives ? [wanted] : [])];
  return [...new Set(watched.map(({ token }) => token.id))];
}

/** What an intent moves. */
export function movementOf(
  intent: Answered<Terms>,
  { returnDataEncoding }: Pick<BotSettings, "returnDataEncoding">,
): Movement {
  return kinds[intent.terms.kind].movement(intent, returnDataEncoding);
}
