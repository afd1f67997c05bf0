import type { Line, View } from "../../cards/card.js";
import { summaryOf, type CardOptions } from "../../cards/intent.js";
import type { Basics } from "../../loop.js";
import { cardKey, type IntentChange } from "../../services/intent/change.js";
import { isProven, isSigned, type Intent } from "../../services/intent/intent.js";
import { isIn, isUnderWay } from "../../services/intent/machine.js";
import type { Intents } from "../../services/intent/intent-service.js";
import type { Outbox } from "../../services/telegram/outbox-sender.js";
import { standingIn } from "../../services/terms/terms.js";
import { isOfTelegram } from "../../services/telegram/telegram-errors.js";

interface ShownCardParts extends Basics {
  readonly intents: Intents;
  readonly outbox: Outbox;
}

/** A user's cards that were open, by what became of them. */
export interface ClosedCards {
  readonly cancelled: readonly Intent[];
  readonly expired: readonly Intent[];
  /** Requests for a signature, until it is certain that the wallet did not send it. */
  readonly closing: readonly Intent[];
  /** Signed by a wallet; what the network does with it is not known yet. */
  readonly given: readonly Intent[];
  /** Sent calls can't be stopped. */
  readonly sent: readonly Intent[];
  /** Still open: nobody was asked to close them. */
  readonly kept: readonly Intent[];
}

/** Keeps the cards in the chat as their intents are. */
export interface ShownCards {
  /** Shows a card's current state, if it is due or has options. What Telegram doesn't take now is shown later. */
  readonly show: (intent: Intent, options?: CardOptions) => Promise<void>;
  /** Shows a card that was tapped although its message should offer nothing like it: the message may be outdated. */
  readonly showAgain: (tapped: Intent) => Promise<void>;
  /**
   * Shows a call's state on its card, and what balances and views say about it if it ended OK. Never throws.
   * `isKnown`: the intent is an end that could not be stored yet.
   */
  readonly showEnd: (intent: Intent, isKnown?: boolean) => Promise<void>;
  /** Call it after an intent has changed. Shows a claim on its card, which neither delays nor stops its call. */
  readonly showClaim: (change: IntentChange) => void;
  /** Closes a user's open cards. @param keepsOrders whether those of orders that can still be taken stay. */
  readonly closeOpen: (userId: number, keepsOrders?: boolean) => Promise<ClosedCards>;
  /** Shows in the chat that cards were closed. A request for a signature is shown once it has ended. */
  readonly showClosed: (closed: ClosedCards) => Promise<void>;
}

export function createShownCards({ clock, intents, log, outbox }: ShownCardParts): ShownCards {
  const show: ShownCards["show"] = async (intent, options) => {
    try {
      await outbox.flush(cardKey(intent), options);
    } catch (err) {
      if (!isOfTelegram(err)) throw err;
      log.warn({ intent: intent.id, err }, "Card not shown yet");
    }
  };

  /** The intent with what balances say, as far as that can be read and written. */
  const withBalances = async (intent: Intent): Promise<Intent> => {
    let known = intent;
    try {
      known = await intents.look(intent);
      const found = isProven(known) ? undefined : await intents.findOut(known);
      if (found?.finding === "arrived") known = await intents.markChecked(known, { at: clock.now(), ...found });
    } catch (err) {
      log.warn({ intent: intent.id, err }, "What balances say of a call isn't noted");
    }
    return known;
  };

  const cards: ShownCards = {
    show,
    showAgain: async (tapped) => {
      const { owner, messageId, replacedBy } = tapped;
      const current = replacedBy === undefined ? tapped : messageId && (await intents.inMessage(owner, messageId));
      if (!current) return;
      // The message of an open card has explained it, and may be explaining a newer one.
      const isOver = current.state !== "QUOTED" && !isUnderWay(current.state);
      return show(current, isOver ? {} : undefined);
    },
    showEnd: async (intent, isKnown = false) => {
      try {
        // For an unknown outcome, they are read when the owner asks.
        const known = intent.state === "OK" ? await withBalances(intent) : intent;
        await outbox.flush(cardKey(intent), isKnown ? { known } : undefined);
      } catch (err) {
        log.warn({ intent: intent.id, err }, "Card not shown");
      }
    },
    showClaim: ({ after }) => {
      if (after.state === "CLAIMED") void cards.showEnd(after);
    },
    closeOpen: async (userId, keepsOrders = false) => {
      const open = await intents.listOpen(userId);
      const kept = keepsOrders ? open.filter((intent) => isOrderToTake(intent, clock.now())) : [];
      const closed: Intent[] = [];
      for (const intent of open.filter((one) => !kept.includes(one))) {
        const now = await intents.cancel(userId, intent.id);
        if (now !== undefined) closed.push(now);
      }
      return {
        cancelled: closed.filter(({ state }) => state === "CANCELED"),
        // Some had expired already.
        expired: closed.filter(({ state }) => state === "EXPIRED"),
        closing: closed.filter((intent) => intent.state === "SIGNING" && isIn(intent, "withdrawn")),
        given: closed.filter((intent) => intent.state === "SENT" && isSigned(intent)),
        sent: closed.filter((intent) => intent.state === "SENT" && !isSigned(intent)),
        kept,
      };
    },
    showClosed: async ({ cancelled, expired }) => {
      for (const intent of [...cancelled, ...expired]) await show(intent);
    },
  };
  return cards;
}

/** Whether a card of an order can still be confirmed or signed. */
function isOrderToTake(intent: Intent, now: number): boolean {
  if (standingIn(intent.terms.request) === undefined) return false;
  return intent.state === "QUOTED" ? intent.expiresAt > now : isIn(intent, "to-sign");
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
