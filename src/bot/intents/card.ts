import { intentCard, summaryOf, type CardOptions } from "../../cards/intent.js";
import { card, textOf, type Card, type View, type Line } from "../../cards/card.js";
import { CALL, CARD, cardKey, type CallNews } from "../../services/intent/change.js";
import { isProven, isSigned, isUnderWay, type Intent } from "../../services/intent/intent.js";
import { isOfTelegram } from "../../services/telegram/telegram-errors.js";
import { findIntent } from "../../services/intent/queries.js";
import { noteMessage } from "../../services/intent/intent-row.js";
import type { Topic } from "../../services/telegram/outbox.js";
import { viewOf, type ViewParts } from "../context.js";
import type { OpenCardParts } from "./open.js";

/** The outbox's topics about cards and their calls. */
export function intentTopics(parts: Pick<ViewParts, "clock" | "settings" | "tokens">): readonly Topic<Card>[] {
  /** Shows an intent's current state: edits the message of its card, or sends one if there is none. */
  const shown: Topic<Card> = {
    name: CARD,
    isEdit: true,
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
        message: intentCard(intent, viewOf(person, parts), options),
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
      const view = viewOf(person, parts);
      const { unknown, unknownInterrupted, checkWallet, foundLater } = view.words.intent;
      const found = foundLater(textOf(summaryOf(intent, view)));
      const text = (payload as CallNews) === "found" ? found : `${unknown}. ${unknownInterrupted} ${checkWallet}`;
      return { message: card([text]), under: intent.messageId };
    },
  };
  return [shown, told];
}

type ShowParts = Pick<OpenCardParts, "log" | "outbox">;

/** Shows a card's current state, if it is due or has options. What Telegram doesn't take now is shown later. */
export async function showCard({ log, outbox }: ShowParts, intent: Intent, options?: CardOptions): Promise<void> {
  try {
    await outbox.flush(cardKey(intent), options);
  } catch (err) {
    if (!isOfTelegram(err)) throw err;
    log.warn({ intent: intent.id, err }, "Card not shown yet");
  }
}

/** Shows a card that was tapped although its message should offer nothing like it: the message may be outdated. */
export async function showAgain(parts: ShowParts & Pick<OpenCardParts, "intents">, tapped: Intent): Promise<void> {
  const { owner, messageId, replacedBy } = tapped;
  const current = replacedBy === undefined ? tapped : messageId && (await parts.intents.inMessage(owner, messageId));
  if (!current) return;
  // The message of an open card has explained it, and may be explaining a newer one.
  const isOver = current.state !== "QUOTED" && !isUnderWay(current.state);
  return showCard(parts, current, isOver ? {} : undefined);
}

/** Shows a call's state on its card, and what balances and views say about it if it ended OK. Never throws. */
export async function showEnd(
  { clock, intents, log, outbox }: Pick<OpenCardParts, "clock" | "intents" | "log" | "outbox">,
  intent: Intent,
  isKnown = false,
): Promise<void> {
  try {
    let known = intent;
    // For an unknown outcome, they are read when the owner asks.
    if (intent.state === "OK") {
      known = await intents.look(intent);
      const found = isProven(known) ? undefined : await intents.findOut(known);
      if (found?.finding === "arrived") known = await intents.markChecked(known, { at: clock.now(), ...found });
    }
    await outbox.flush(cardKey(intent), isKnown ? { known } : undefined);
  } catch (err) {
    log.warn({ intent: intent.id, err }, "Card not shown");
  }
}

/**
 * Closes a user's open cards and groups them by what became of them: some had expired already, a request for a
 * signature is `closing` until it is certain that the wallet did not send it, and a sent call can't be stopped.
 */
export async function closeOpenCards({ intents }: Pick<OpenCardParts, "intents">, userId: number) {
  const closed: Intent[] = [];
  for (const { id } of await intents.listOpen(userId)) {
    const now = await intents.cancel(userId, id);
    if (now !== undefined) closed.push(now);
  }
  return {
    cancelled: closed.filter(({ state }) => state === "CANCELED"),
    expired: closed.filter(({ state }) => state === "EXPIRED"),
    closing: closed.filter(({ state, transaction }) => state === "SIGNING" && transaction?.closing !== undefined),
    /** Signed by a wallet; what the network does with it is not known yet. */
    given: closed.filter((intent) => intent.state === "SENT" && isSigned(intent)),
    sent: closed.filter((intent) => intent.state === "SENT" && !isSigned(intent)),
  };
}

/** Shows in the chat that cards were closed. A request for a signature is shown once it has ended. */
export async function showClosed(
  parts: ShowParts,
  { cancelled, expired }: Awaited<ReturnType<typeof closeOpenCards>>,
): Promise<void> {
  for (const intent of [...cancelled, ...expired]) await showCard(parts, intent);
}

/** Maximum number of cards to list one by one. */
const MAX_NAMED = 5;

/** A headline and one line for each card; empty without cards. */
export function cardList(headline: string, intents: readonly Intent[], view: View): Line[] {
  if (intents.length === 0) return [];
  const lines = intents.slice(0, MAX_NAMED).map((intent) => summaryOf(intent, view));
  const more = intents.length > MAX_NAMED ? [view.words.common.andMore(intents.length - MAX_NAMED)] : [];
  return [headline, ...lines, ...more];
}
