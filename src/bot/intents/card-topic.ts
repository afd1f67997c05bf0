import { intentCard, summaryOf, type CardOptions } from "../../cards/intent.js";
import { card, textOf, type Card } from "../../cards/card.js";
import { CALL, CARD, type CallNews } from "../../services/intent/change.js";
import type { Intent } from "../../services/intent/intent.js";
import { isUnderWay } from "../../services/intent/machine.js";
import { findIntent } from "../../services/intent/queries.js";
import { noteMessage } from "../../services/intent/intent-row.js";
import type { Topic } from "../../services/telegram/outbox.js";
import { viewOf, type ViewSources } from "../context.js";

/** The outbox's topics about cards and their calls. */
export function intentTopics(sources: ViewSources): readonly Topic<Card>[] {
  /** Shows an intent's current state: edits the message of its card, or sends one if there is none. */
  const shown: Topic<Card> = {
    name: CARD,
    render: async (db, { userId, subject, payload }, person) => {
      // Options for this rendering alone; `known` is an ended intent that could not be stored yet.
      const { known, ...options } = (payload ?? {}) as CardOptions & { readonly known?: Intent };
      const kept = await findIntent(db, userId, subject);
      if (kept === undefined || kept.replacedBy !== undefined) return undefined;
      const { messageId, times, state } = kept;
      const isOffered = state === "QUOTED" || times.CLAIMED !== undefined;
      // The card never reached its chat and started no call, so there is nothing to correct.
      if (messageId === undefined && !isOffered) return undefined;
      const intent = known !== undefined && isUnderWay(state) ? known : kept;
      return {
        message: intentCard(intent, viewOf(person, sources), options),
        edits: messageId,
        onSent: async (tx, _now, shownIn = messageId) => {
          if (shownIn !== undefined && shownIn !== messageId) await noteMessage(tx, subject, shownIn);
        },
      };
    },
  };
  /** A separate message about a call that nobody waits for any more: interrupted, or found on the chain later. */
  const told: Topic<Card> = {
    name: CALL,
    render: async (db, { userId, subject, payload }, person) => {
      const intent = await findIntent(db, userId, subject);
      if (intent === undefined) return undefined;
      const view = viewOf(person, sources);
      const { unknown, unknownInterrupted, checkWallet, foundLater } = view.words.intent;
      const found = foundLater(textOf(summaryOf(intent, view)));
      const text = (payload as CallNews) === "found" ? found : `${unknown}. ${unknownInterrupted} ${checkWallet}`;
      return { message: card([text]), under: intent.messageId };
    },
  };
  return [shown, told];
}
