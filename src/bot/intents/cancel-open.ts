import type { View } from "../../cards/card.js";
import type { Line } from "../../cards/line.js";
import { isSigned, type Intent } from "../../services/intent/intent.js";
import { summaryOf } from "../../cards/intent.js";
import { cardOf } from "../../services/intent/change.js";
import type { Intents } from "../../services/intent/intents.js";
import type { Outbox } from "../../services/outbox/sender.js";

/** What cards are closed with, and shown. */
export interface ClosingParts {
  readonly intents: Pick<Intents, "cancel" | "listOpen">;
  readonly outbox: Pick<Outbox, "flush">;
}

type Closed = Awaited<ReturnType<typeof closeOpenCards>>;

/**
 * Closes every open card of a person, and gives what became of them: some had expired already, a request for a signature is
 * closing until it is certain that the wallet did not send it, and what was sent can't be stopped.
 */
export async function closeOpenCards(parts: Pick<ClosingParts, "intents">, userId: number) {
  const closed: Intent[] = [];
  for (const intent of await parts.intents.listOpen(userId)) {
    const now = await parts.intents.cancel(userId, intent.id);
    if (now !== undefined) closed.push(now);
  }
  return {
    cancelled: closed.filter(({ state }) => state === "CANCELED"),
    expired: closed.filter(({ state }) => state === "EXPIRED"),
    closing: closed.filter(({ state, transaction }) => state === "SIGNING" && transaction?.closing !== undefined),
    /** Signed by a wallet. What the network does with it is not known yet. */
    given: closed.filter((intent) => intent.state === "SENT" && isSigned(intent)),
    sent: closed.filter((intent) => intent.state === "SENT" && !isSigned(intent)),
  };
}

/** Makes the chat show that cards were closed. A request for a signature is shown once it ended. */
export async function showClosed(
  { outbox }: Pick<ClosingParts, "outbox">,
  { cancelled, expired }: Closed,
): Promise<void> {
  for (const intent of [...cancelled, ...expired]) await outbox.flush(cardOf(intent));
}

/** Cards that are named one by one. */
const MAX_NAMED = 5;

/** A headline above what cards were about, one line each; nothing where there are none. */
export function named(headline: string, intents: readonly Intent[], view: View): Line[] {
  if (intents.length === 0) return [];
  const lines = intents.slice(0, MAX_NAMED).map((intent) => summaryOf(intent, view));
  const more = intents.length > MAX_NAMED ? [view.words.common.andMore(intents.length - MAX_NAMED)] : [];
  return [headline, ...lines, ...more];
}
