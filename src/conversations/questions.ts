import { grouped } from "../encoding/decimal-text.js";
import { buttons } from "../cards/buttons.js";
import { button, card, type Card, type Lines } from "../cards/card.js";
import { refusal, typedAnswer } from "../cards/mends.js";
import { parseAccountAddress, type Address } from "../encoding/address.js";
import { parseAmount, plainAmount } from "../encoding/amount.js";
import { parseShare } from "../encoding/share.js";
import type { Token } from "../encoding/token.js";
import { Fault, isFault } from "../fault.js";
import type { Messages } from "../locales/messages.js";
import { swappable } from "../services/swap/request.js";
import type { Question } from "./ask.js";
import type { Interview } from "./interview.js";

/** Tokens offered as buttons: enough to choose from, few enough to see at once on a phone. */
const MAX_TOKEN_BUTTONS = 9;
const PER_ROW = 3;

/** Asks for a token: the last used ones first as buttons, any other by name or id. `other` is the token already chosen. */
export function tokenQuestion(
  { words, tokens, person: { recentTokens } }: Pick<Interview, "words" | "tokens" | "person">,
  prompt: string,
  other?: Token,
): Question<Token> {
  const fungible = tokens.all.filter((token) => token.kind === "fungible" && token.id !== other?.id);
  const rank = (token: Token) => {
    const position = recentTokens.indexOf(token.id);
    return position === -1 ? recentTokens.length : position;
  };
  const offered = [...fungible].sort((left, right) => rank(left) - rank(right)).slice(0, MAX_TOKEN_BUTTONS);
  return {
    prompt: choices(
      prompt,
      offered.map((token) => [tokenLabel(token), token.id]),
    ),
    read: reading(words, (text) => {
      const token = swappable(text, tokens);
      if (token.id === other?.id) throw new Fault("tokens-identical", { token: token.id });
      return token;
    }),
  };
}

/** Shares of what a person holds, as they can be typed too. */
const SHARES = [
  ["25 %", "25%"],
  ["50 %", "50%"],
  ["max", "max"],
] as const;

/**
 * Asks for an amount in whole tokens, the person's presets as buttons, and where their balance is known a share of it. The answer is
 * the text as the person gave it.
 */
export function amountQuestion(
  { words, person: { presets, knowsBalances } }: Pick<Interview, "words" | "person">,
  token: Token,
  prompt: string,
): Question<string> {
  const amounts = presets.map((preset) => [`${grouped(preset)} ${token.id}`, preset] as const);
  const read = readingAmount(words, token);
  return {
    prompt: choices(prompt, [...amounts, ...(knowsBalances ? SHARES : [])]),
    read: (text) => {
      const isShare = knowsBalances && parseShare(text) !== undefined;
      return isShare ? { ok: true, value: text.replace(/\s+/g, "") } : read(text);
    },
  };
}

/** Reads an amount in whole tokens, and gives it as the person typed it. */
export function readingAmount(words: Messages, token: Token): Question<string>["read"] {
  return reading(words, (text) => {
    parseAmount(text, token);
    return plainAmount(text, token.id);
  });
}

/** A question whose likely answer, where there is one, is offered as a button. */
export function suggesting<Value>(
  lines: Lines,
  suggestion: string | undefined,
  read: Question<Value>["read"],
  labelOf = (suggested: string) => suggested,
): Question<Value> {
  const pick = suggestion === undefined ? undefined : button(labelOf(suggestion), buttons.pick, suggestion);
  return { prompt: card(lines, [[pick]]), read };
}

/** Asks for the address of a person's own wallet. */
export function walletQuestion(words: Messages): Question<Address> {
  return { prompt: card([words.wallet.ask]), read: reading(words, parseAccountAddress) };
}

/** Turns a reader that throws faults into one that answers with a sentence. */
export function reading<Value>(words: Messages, read: (text: string) => Value): Question<Value>["read"] {
  return (text) => {
    try {
      return { ok: true, value: read(text) };
    } catch (error) {
      if (!isFault(error)) throw error;
      return { ok: false, ...refusal([error], words, typedAnswer(text)) };
    }
  };
}

function choices(prompt: string, options: readonly (readonly [label: string, value: string])[]): Card {
  const picks = options.map(([label, value]) => button(label, buttons.pick, value));
  const rows = Math.ceil(picks.length / PER_ROW);
  return card(
    [prompt],
    Array.from({ length: rows }, (_, row) => picks.slice(row * PER_ROW, (row + 1) * PER_ROW)),
  );
}

function tokenLabel(token: Token): string {
  return token.name.toUpperCase() === token.id ? token.id : `${token.name} · ${token.id}`;
}
