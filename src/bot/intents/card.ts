import type { Logger } from "pino";
import { card, type Card } from "../../cards/card.js";
import { textOf } from "../../cards/line.js";
import { summaryOf, type CardOptions, intentCard } from "../../cards/intent.js";
import { type Intent, isUnderWay } from "../../services/intent/intent.js";
import { findIntent } from "../../services/intent/queries.js";
import { noteMessage } from "../../services/intent/row.js";
import { CALL, CARD, cardOf, type CallNews } from "../../services/intent/change.js";
import type { Intents } from "../../services/intent/intents.js";
import type { Outbox } from "../../services/outbox/sender.js";
import type { Topic } from "../../services/outbox/outbox.js";
import { viewOf, type ViewParts } from "../person.js";

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
