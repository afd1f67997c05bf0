import { formatAmount, type Amount } from "../encoding/amount.js";
import { grouped, shortened } from "../encoding/decimal-text.js";
import { withToken } from "./amount.js";
import { buttons } from "./buttons.js";
import { bold, button, card, code, commandButton, line, type Card, type View } from "./card.js";
import { formatTimeOfDay } from "./time.js";

/** What a person holds of a token, and what that is worth in the native one, where it is another and its price is known. */
export interface HomeLine {
  readonly amount: Amount;
  readonly worth?: Amount | undefined;
}

/** A message has its limits, and a glance has others. */
const MAX_LINES = 8;
const DIGITS = 6;

/**
 * Where a person begins: what they hold and what that is worth, and buttons to all that is done often.
 * @param held undefined where it is not known.
 * @param now milliseconds since 1970.
 */
export function homeCard(
  address: string,
  held: readonly HomeLine[] | undefined,
  total: Amount | undefined,
  now: number,
  view: View,
): Card {
  const { help, balance, common } = view.words;
  const about = (amount: Amount) => `${grouped(shortened(formatAmount(amount), "down", DIGITS))} ${amount.token.id}`;
  return card(
    [
      bold(help.homeTitle),
      code(address),
      "",
      held === undefined && help.homeUnseen,
      held?.length === 0 && balance.nothing,
      held?.slice(0, MAX_LINES).map(({ amount, worth }) => {
        const text = bold(withToken(amount, view.words));
        return worth === undefined ? text : line(text, ` ≈ ${about(worth)}`);
      }),
      held !== undefined && held.length > MAX_LINES && common.andMore(held.length - MAX_LINES),
      total && ["", help.homeTotal(about(total))],
      held !== undefined && help.homeAsOf(formatTimeOfDay(now, view.timeZone)),
    ],
    [
      [button(help.swapButton, buttons.command, "swap"), commandButton(help.ordersButton, "orders")],
      [commandButton(help.locksButton, "locks"), commandButton(help.historyButton, "history")],
      [button(common.refresh, buttons.home, "now")],
    ],
  );
}
