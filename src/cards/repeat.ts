import { formatAmount } from "../encoding/amount.js";
import { grouped } from "../encoding/decimal-text.js";
import type { Messages } from "../locales/messages.js";
import { isDone, type Intent } from "../model/intent.js";
import { buttons } from "./buttons.js";
import { bold, button, card, commandButton, type Card } from "./card.js";
import { swapWords } from "./swap.js";

/** How many trades are offered: enough for what somebody does regularly. */
const MAX_TRADES = 5;

/** The last trades among these intents as buttons, each of which opens a new card. */
export function repeatCard(intents: readonly Intent[], words: Messages): Card {
  const trades = new Map(intents.map(tradeOf).filter((trade) => trade !== undefined));
  const rows = [...trades].slice(0, MAX_TRADES).flatMap(([line, label]) => {
    const again = commandButton(label, line);
    return again === undefined ? [] : [[again]];
  });
  return rows.length === 0
    ? card([words.help.nothingToRepeat], [[button(words.help.swapButton, buttons.command, "swap")]])
    : card([bold(words.help.repeatTitle)], rows);
}

/** The command that repeats a trade, and the trade in short; undefined for anything that was not a trade, or was not carried out. */
function tradeOf(intent: Intent): [line: string, label: string] | undefined {
  const { terms } = intent;
  if (!isDone(intent) || (terms.kind !== "swap" && terms.kind !== "multihop")) return undefined;
  const { amountIn } = terms;
  const out = terms.kind === "swap" ? terms.quotedOut : terms.expectedOut;
  const typed = terms.kind === "swap" ? swapWords(terms) : terms.typed;
  return [`${terms.kind} ${typed}`, `${grouped(formatAmount(amountIn))} ${amountIn.token.id} → ${out.token.id}`];
}
