import { amountOf } from "../encoding/amount.js";
import type { Arrived } from "../services/alerts/arrivals.js";
import { exactWithToken } from "./amount.js";
import { button, buttons, commandButton } from "./buttons.js";
import { bold, type ButtonRows, card, type Card, type View } from "./card.js";

/** The button to be told when something arrives, or no more. */
export function arrivalRows(isOn: boolean, { words }: Pick<View, "words">): ButtonRows {
  const choice = isOn ? "off" : "on";
  return [[button(words.arrivals.choose[choice], buttons.arrivals, choice)]];
}

const MAX_ARRIVED = 5;

/** Names tokens by their IDs alone, which are theirs, whatever their issuers call them. */
export function arrivedCard({ amounts, hash }: Arrived, view: View): Card {
  const { arrivals: words, common, help, intent } = view.words;
  const { explorerUrl } = view;
  const more = amounts.length - MAX_ARRIVED;
  const lines = [
    bold(words.title),
    amounts
      .slice(0, MAX_ARRIVED)
      .map(([id, units]) => bold(`+${exactWithToken(amountOf(view.tokenOf(id), units), view.words)}`)),
    more > 0 && common.andMore(more),
    "",
    words.explain,
  ];
  const link = explorerUrl !== undefined &&
    hash !== undefined && [{ text: intent.explorer, url: `${explorerUrl}/transaction/${hash}` }];
  return card(lines, [link || [], [commandButton(help.commands.balance, "balance")], ...arrivalRows(true, view)]);
}
