import { amountOf, formatAmount } from "../encoding/amount.js";
import { grouped } from "../encoding/decimal-text.js";
import { unlistedToken } from "../encoding/token.js";
import { isProven, type Intent } from "../model/intent.js";
import type { Movement } from "../model/movement.js";
import { exactWithToken } from "./amount.js";
import { bold, type Lines, type View } from "./card.js";
import { formatTimeOfDay } from "./time.js";

/** What was found out about a call's end besides its answer: what the account held before and holds now, and what that says. */
export function seenLines(intent: Intent, movement: Movement, view: View): Lines {
  const words = view.words.balance;
  const { state, check } = intent;
  const figures = holdingLines(intent, movement, view);
  // A look that told nothing is over once the balances tell it.
  const isOver = check === undefined || (isProven(intent) && check.finding !== "arrived");
  if (isOver) return state === "OK" ? figures : [];
  const time = formatTimeOfDay(check.at, view.timeZone);
  switch (check.finding) {
    case "arrived":
      return [bold(check.by === "chain" ? words.onChain : words.arrived(time)), figures];
    case "not-arrived":
      return [bold(check.by === "chain" ? words.refusedOnChain : words.notArrived(time)), figures];
    case "unclear":
      return [bold(words.unclear(time)), words.why[check.why ?? "other"], figures];
  }
}

function holdingLines({ balances }: Intent, { paid, wanted, received }: Movement, view: View): readonly string[] {
  if (balances?.after === undefined) return [];
  const { before: held, after } = balances;
  const tokens = [...paid, wanted, received].flatMap((amount) => (amount === undefined ? [] : [amount.token]));
  return Object.keys(held).flatMap((asset) => {
    const token = tokens.find(({ id }) => id === asset) ?? unlistedToken(asset);
    const [was, is] = [held[asset], after[asset]];
    if (was === undefined || is === undefined) return [];
    const before = grouped(formatAmount(amountOf(token, was)));
    return [view.words.balance.beforeAfter(before, exactWithToken(amountOf(token, is), view.words))];
  });
}
