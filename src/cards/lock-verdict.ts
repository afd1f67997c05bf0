import { compareAmounts } from "../encoding/amount.js";
import { isEnough } from "../services/launch/thresholds.js";
import type { LockVerdict } from "../model/launch.js";
import { withToken } from "./amount.js";
import { labelled, line, type Lines } from "./card.js";
import type { View } from "./view.js";

/** Whether a lock meets the router's conditions for enabling swaps, in a line. */
export function verdictLine(verdict: LockVerdict, { words: { launch } }: View): string {
  return isEnough(verdict) ? launch.isEnough : launch.isNotEnough;
}

/** How a lock stands against the router's conditions for enabling swaps, and why the bot waits where it does. */
export function verdictLines(verdict: LockVerdict, view: View): Lines {
  const words = view.words.launch;
  const { value, minimumValue, period, minimumPeriod } = verdict;
  const row = (label: string, text: string, isAbove: boolean, minimum: string | bigint) =>
    line(isAbove ? "✅ " : "❌ ", labelled(label, text), ` (${words.mustExceed(minimum)})`);
  return [
    row(
      words.lockedValue,
      withToken(value, view.words),
      compareAmounts(value, minimumValue) > 0,
      withToken(minimumValue, view.words),
    ),
    row(words.lockedFor, words.epochs(period), period > minimumPeriod, minimumPeriod),
    isEnough(verdict) ? words.isEnough : [words.isNotEnough, words.strictly],
  ];
}
