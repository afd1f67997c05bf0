import { linkPayload } from "../services/link.js";
import { commandOf } from "../services/request.js";
import type { Order } from "../services/clients/exchange.js";
import { netOf, type SwapQuote } from "../services/swap/swap.js";
import { paidWithToken, rateOf, withToken } from "./amount.js";
import { bold, card, labelled, say, type Card, type View } from "./card.js";
import { fillLines, titleOf } from "./order.js";
import { quoteWarning } from "./swap.js";
import { momentOf } from "./time.js";

/** What a person may send to any chat by way of the bot: what it says, and what leads from it to the bot. */
export interface Shareable {
  readonly title: string;
  readonly description: string;
  readonly card: Card;
  /** Absent where it has no room in a link. */
  readonly payload: string | undefined;
}

/** A price as it is now. It says nothing of who asked. */
export function shareableQuote(quote: SwapQuote, view: View): Shareable {
  const { swap, share } = view.words;
  const [paid, gets] = [paidWithToken(quote.amountIn, view.words), withToken(netOf(quote), view.words)];
  return {
    title: `${paid} → ${gets}`,
    description: share.quoteHint,
    card: card([
      bold(`${paid} → ${quote.quotedOut.token.id}`),
      quoteWarning(quote, view),
      labelled(swap.expected, gets),
      rateOf(quote.amountIn, quote.quotedOut, view.words),
      say(share.priceAt, momentOf(view.now, view, "time"), momentOf(view.now, view, "ticking")),
    ]),
    payload: linkPayload(commandOf(quote.request).replace(/^swap/, "quote")),
  };
}

export function shareableOrder(order: Order, view: View): Shareable {
  const { orders, share } = view.words;
  return {
    title: titleOf(order, view),
    description: orders.named(order.status),
    card: card([
      bold(titleOf(order, view)),
      labelled(orders.statusLabel, orders.named(order.status)),
      fillLines(order, view),
      say(share.seenAt, momentOf(view.now, view, "time"), momentOf(view.now, view, "ticking")),
    ]),
    payload: linkPayload(`order ${order.id}`),
  };
}
