import { amountOf } from "../encoding/amount.js";
import type { Arrived } from "../services/history/arrivals-topic.js";
import { exactWithToken } from "./amount.js";
import { button, buttons, commandButton } from "./buttons.js";
import { bold, type ButtonRows, card, type Card, momentOf, say, type View } from "./card.js";

/** The button to be told when something arrives, or no more. */
export function arrivalRows(isOn: boolean, { words }: Pick<View, "words">): ButtonRows {
  const choice = isOn ? "off" : "on";
  return [[button(words.arrivals.choose[choice], buttons.arrivals, choice)]];
}

/** Names tokens by their IDs alone, which are theirs, whatever their issuers call them. */
export function arrivedCard({ amounts, more, small, nextAt }: Arrived, view: View): Card {
  const { arrivals: words, common, help } = view.words;
  const lines = [
    bold(words.title),
    amounts.map(([id, units]) => bold(`+${exactWithToken(amountOf(view.tokenOf(id), units), view.words)}`)),
    more > 0 && common.andMore(more),
    small > 0 && words.small(small),
    "",
    words.explain,
    nextAt !== undefined && say(words.nextAt, momentOf(nextAt, view, "time")),
  ];
  return card(lines, [[commandButton(help.commands.balance, "balance")], ...arrivalRows(true, view)]);
}
