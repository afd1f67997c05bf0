import type { Logger } from "pino";
import { paidWithToken, withToken } from "../../cards/amount.js";
import { card, type Card, type View } from "../../cards/card.js";
import { linesBeyond, type Lines, textOf } from "../../cards/line.js";
import { isUnclear, subjectCard } from "../../cards/intent.js";
import { accountLines, type CardOptions } from "../../cards/subject.js";
import { seenLines } from "../../cards/wallet.js";
import { type Intent, isUnderWay } from "../../services/intent/intent.js";
import type { SigningWords } from "../../services/wallet/signing.js";
import { movementOf } from "../../services/trade/kinds.js";
import { subjectOf, summaryOf } from "../../cards/kinds.js";
import { findIntent, noteMessage } from "../../services/intent/queries.js";
import { CALL, CARD, cardOf, type CallNews } from "../../services/intent/told.js";
import type { Intents } from "../../services/intent/intents.js";
import type { Outbox } from "../../services/outbox/sender.js";
import type { Topic } from "../../services/outbox/outbox.js";
import { viewOf, type ViewParts } from "../person.js";

/** The card of an intent of any kind, in the state that it is in. */
export function intentCard(intent: Intent, view: View, options: CardOptions = {}): Card {
  const seen = seenLines(intent, movementOf(intent, view.returnDataEncoding), view);
  const { lookAgain, lookAgainButton } = view.words.intent;
  const needsLook = intent.actsFrom === undefined ? undefined : { sentences: [lookAgain], button: lookAgainButton };
  const { acknowledgement = needsLook, ...subject } = subjectOf(intent, view);
  return subjectCard(
    intent,
    { ...subject, seen, acknowledgement: options.isAccepted === true ? undefined : acknowledgement },
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
  const { paid, wanted } = movementOf(intent, view.returnDataEncoding);
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

/** Whether its card asks to look what became of its call. */
export function canBeChecked(intent: Intent, view: View): boolean {
  return isUnclear(intent, subjectOf(intent, view));
}

/** How a card is shown this once. */
export interface Showing extends CardOptions {
  /** An end that could not be written yet. */
  readonly known?: Intent;
}

type TopicParts = Pick<ViewParts, "clock" | "settings">;

/** What becomes of people's cards. */
export function intentTopics(parts: TopicParts): readonly Topic<Card>[] {
  return [cardTopic(parts), callTopic(parts)];
}

/** Makes the chat show an intent as it is: changes the message of its card, or sends one where there is none. */
function cardTopic(parts: TopicParts): Topic<Card> {
  return {
    name: CARD,
    isEdit: true,
    render: async (db, { userId, subject, payload }, person) => {
      const { known, ...options } = (payload ?? {}) as Showing;
      const kept = await findIntent(db, userId, subject);
      if (kept === undefined || kept.replacedBy !== undefined) return undefined;
      const { messageId, times, state } = kept;
      const isOffered = state === "QUOTED" || times.CLAIMED !== undefined;
      // It never reached its chat, and no call was made from it: there is nothing to correct.
      if (messageId === undefined && !isOffered) return undefined;
      const intent = known !== undefined && isUnderWay(state) ? known : kept;
      return {
        message: intentCard(intent, viewOf(person, parts), options),
        edits: messageId,
        told: async (tx, shownIn = messageId) => {
          if (shownIn !== undefined && shownIn !== messageId) await noteMessage(tx, subject, shownIn);
        },
      };
    },
  };
}

/** Shows how a call ended, with what balances say of it, now or later. Never throws. */
export async function showEnd(
  { intents, outbox, log }: { intents: Pick<Intents, "look">; outbox: Pick<Outbox, "flush">; log: Logger },
  intent: Intent,
  isKnown = false,
): Promise<void> {
  try {
    // What became of an unknown one is looked at when its owner asks.
    const known = intent.state === "OK" ? await intents.look(intent) : intent;
    await outbox.flush(cardOf(intent), isKnown ? { known } : undefined);
  } catch (err) {
    log.warn({ intent: intent.id, err }, "Card not shown");
  }
}

/** What became of a call that nobody waited for any more, in a message of its own. */
function callTopic(parts: TopicParts): Topic<Card> {
  return {
    name: CALL,
    render: async (db, { userId, subject, payload }, person) => {
      const intent = await findIntent(db, userId, subject);
      if (intent === undefined) return undefined;
      const view = viewOf(person, parts);
      const { unknown, unknownInterrupted, checkWallet, foundLater } = view.words.intent;
      const text =
        (payload as CallNews) === "found"
          ? foundLater(textOf(summaryOf(intent, view)))
          : `${unknown}. ${unknownInterrupted} ${checkWallet}`;
      return { message: card([text]), under: intent.messageId };
    },
  };
}
