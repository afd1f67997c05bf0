import { NATIVE_TOKEN } from "../../encoding/amount.js";
import { isNumeric, isShare } from "../../encoding/typed.js";
import { Fault } from "../../fault.js";
import { WHAT_IT_TAKES } from "../terms/swap-terms.js";
import type { TokenList } from "../market/token-list.js";
import { allWords, eitherAmount } from "./swap-request.js";

/** Words in any of the bot's languages. */
const BUY = /^(?:buy|comprar?|compre|(?:i\s+)?want|(?:eu\s+)?quero)$/i;
const SPOKEN =
  /^(?:(?:(?:i\s+)?want\s+to|(?:eu\s+)?quero)\s+(?=buy|sell|compr|vend))?(buy|comprar?|compre|(?:i\s+)?want|(?:eu\s+)?quero|sell|vender?|venda)(?:\s+(.{1,200}))?$/is;
const WITH = /^(?:for|with|to|in|into|using|by|por|com|para|em|usando|→|[-=]?>)$/i;
const OF = /^(?:of|worth|de|do|da)$/i;
const ARTICLE = /^(?:a|the|my|some|o|os|meus?|minhas?)$/i;

/** Words before what is paid. Others, such as `to`, are also said before what is bought. */
const PAID_WITH = /^(?:for|with|using|by|por|com|usando)$/i;

/**
 * The command that means the same, or why none does; `unsaid` without anything to trade. `other`: a command that could be
 * meant as well, which a card lets people see.
 */
export type SpokenTrade =
  | { readonly command: "swap" | "multihop"; readonly line: string; readonly other?: string }
  | Fault
  | "unsaid";

/** The words after `buy` or `sell`, and which it is; undefined for any other text. */
export function spokenTrade(text: string): { readonly isBuy: boolean; readonly what: string } | undefined {
  const [, verb, what = ""] = SPOKEN.exec(text.trim()) ?? [];
  return verb === undefined ? undefined : { isBuy: BUY.test(verb), what };
}

/**
 * Reads `100 KFI`, `100 KFI with KLV`, `KFI for 100 KLV` and so on. What is bought has an exact amount; what isn't named
 * is the native token. Undefined if the words don't mean a trade.
 * @param recent ids of tokens to offer first.
 */
export function readSpoken(isBuy: boolean, line: string, tokens: TokenList, recent: readonly string[] = []) {
  const words = allWords(line, tokens).filter((word) => !ARTICLE.test(word));
  if (words.length === 0) return "unsaid";
  const kindOf = (word: string) =>
    isNumeric(word) || isShare(word) ? "n" : WITH.test(word) ? "w" : OF.test(word) ? "o" : "t";
  const [amounts, names] = ["n", "t"].map((kind) => words.filter((word) => kindOf(word) === kind));
  const [amount = "", limit = ""] = amounts ?? [];
  const [first = "", second = NATIVE_TOKEN] = names ?? [];
  if (amount === "" && ![first, second].some((name) => name !== NATIVE_TOKEN && tokens.knows(name))) return undefined;

  const swap = (...line: readonly string[]): SpokenTrade => ({ command: "swap", line: line.join(" ") });
  const exact = (pays: string, from: string, to: string, wanted: string): SpokenTrade =>
    isNumeric(wanted) ? { command: "multihop", line: `${pays} ${from} ${to}=${wanted}` } : "unsaid";
  const isNative = first.toUpperCase() === NATIVE_TOKEN;

  switch (words.map(kindOf).join("").replace(/^not/, "nt")) {
    case "nt":
    case "tn":
      // The native token isn't bought or sold for itself.
      if (isBuy) return isNative ? otherTokens(amount, tokens, recent) : exact(WHAT_IT_TAKES, second, first, amount);
      return isNative ? swap(amount, first) : swap(amount, first, second);
    case "ntt":
    case "ntwt":
    case "tnwt":
      if (!isBuy) return swap(amount, first, second);
      // “Buy 100 KLV KFI” is also said by those who mean to spend 100 KLV.
      return alsoMeaning(
        words.some((word) => PAID_WITH.test(word)) ? undefined : `swap ${amount} ${first} ${second}`,
        exact(WHAT_IT_TAKES, second, first, amount),
      );
    case "ntot":
      return isBuy ? swap(amount, first, second) : exact(WHAT_IT_TAKES, second, first, amount);
    case "t":
      return isNative ? "unsaid" : isBuy ? swap(second, first) : swap(first, second);
    case "tt":
    case "twt":
      return isBuy ? swap(second, first) : swap(first, second);
    case "twnt":
      return isBuy ? swap(amount, second, first) : exact(WHAT_IT_TAKES, first, second, amount);
    case "ntwnt":
      return isBuy ? exact(limit, second, first, amount) : eitherMinimum(amount, first, limit, second);
    case "tnt":
      return isBuy ? eitherAmount(amount, second, first) : eitherAmount(amount, first, second);
    default:
      return undefined;
  }
}

function alsoMeaning(other: string | undefined, spoken: SpokenTrade): SpokenTrade {
  return other === undefined || spoken === "unsaid" || spoken instanceof Fault ? spoken : { ...spoken, other };
}

/** “Sell 5 KFI for 500 KLV” may mean all 5, or as many as 500 KLV take. */
function eitherMinimum(amount: string, from: string, wanted: string, to: string): Fault {
  const all = { label: `${amount} ${from} → ${to}`, command: `swap ${amount} ${from} ${to}` };
  const asNeeded = { label: `${from} → ${wanted} ${to}`, command: `multihop ${amount} ${from} ${to}=${wanted}` };
  return new Fault("trade-unclear", { choices: [all, asNeeded] });
}

const MAX_OFFERED = 3;

/** What the native token could be bought with. */
function otherTokens(amount: string, tokens: TokenList, recent: readonly string[]): Fault {
  const fungible = tokens.all.filter(({ kind }) => kind === "fungible").map(({ id }) => id);
  const ids = [...new Set([...recent, ...fungible])].filter((id) => id !== NATIVE_TOKEN);
  const choices = ids.slice(0, MAX_OFFERED).map((id) => ({
    label: `${id} → ${amount} ${NATIVE_TOKEN}`,
    command: `multihop ${WHAT_IT_TAKES} ${id} ${NATIVE_TOKEN}=${amount}`,
  }));
  return new Fault("trade-unclear", { choices });
}
