import { inLots } from "../services/base/lots.js";
import { figure } from "../cards/amount.js";
import { button, buttons } from "../cards/buttons.js";
import { card, code, type Lines, type Made } from "../cards/card.js";
import { refusal, typedAnswer, unreadableLine } from "../cards/correction.js";
import { type Address, parseAccountAddress } from "../encoding/address.js";
import type { Token } from "../encoding/amount.js";
import { Decimal, shortened } from "../encoding/decimal.js";
import { Fault, isFault } from "../fault.js";
import type { Messages } from "../locales/messages.js";
import type { Pay } from "../services/terms/swap-terms.js";
import { readPay, swappable, tradeWords } from "../services/trade/swap-request.js";
import { isParsed, type Parsed } from "../services/base/typed-line.js";
import type { TokenList } from "../services/market/token-list.js";
import type { OpenInterview, DialogMarket, Form, FormOf, FormParts } from "./interview.js";
import type { Interview, Question, AnswerParser } from "./interview.js";
import { createForm } from "./interview.js";

const MAX_TOKEN_BUTTONS = 10;
const TOKENS_PER_ROW = 2;

/**
 * Offers what the user holds first, then the list in its order, and accepts any other token by name or id. `other` is
 * the token already chosen. LP tokens that no pool trades are offered only if `takesShares`.
 */
export function tokenQuestion(
  { words, tokens, person: { recentTokens } }: OpenInterview,
  prompt: string,
  { market, other, takesShares = false }: { market: DialogMarket; other?: Token; takesShares?: boolean },
): Question<Token> {
  const held = (token: Token) => market.held?.[token.id] ?? "0";
  const fungible = tokens.all.filter(
    ({ id, kind }) => kind === "fungible" && id !== other?.id && (takesShares || !market.untraded.includes(id)),
  );
  const rank = (token: Token) => (held(token) !== "0" ? 0 : recentTokens.includes(token.id) ? 1 : 2);
  const nearest = sorted(fungible, rank).slice(0, MAX_TOKEN_BUTTONS);
  // Among those, only a balance changes a button's place.
  const inOrder = fungible.filter((token) => nearest.includes(token));
  const offered = sorted(inOrder, (token) => (held(token) === "0" ? 1 : 0));
  // Label by id: names can be imitated, and don't fit next to a balance.
  const label = (token: Token) =>
    held(token) === "0" ? token.id : `${token.id} · ${figure(shortened(held(token), "down", DIGITS_ON_BUTTON), words)}`;
  const picks = offered.map((token) => pick(token.id, label(token)));
  return {
    name: other === undefined ? "token" : "other",
    prompt: card([prompt], inLots(picks, TOKENS_PER_ROW)),
    read: reading(words, (text) => {
      const token = swappable(text, tokens);
      if (token.id === other?.id) throw new Fault("tokens-identical", { token: token.id });
      return token;
    }),
  };
}

/** Number of digits that fit next to a token's id on half a row of a phone. */
const DIGITS_ON_BUTTON = 5;
const SHARES = ["25%", "50%", "max"];

export async function amountQuestion(
  { words, person: { knowsBalances }, presetsFor }: OpenInterview,
  token: Token,
  prompt: string,
  { held }: Pick<DialogMarket, "held">,
  { suggestion, hasShares = true }: { readonly suggestion?: string; readonly hasShares?: boolean } = {},
): Promise<Question<Pay>> {
  const balance = held?.[token.id];
  const hasNone = balance === "0";
  const presets = suggestion === undefined ? await presetsFor(token.id) : [suggestion];
  const affordable = presets.filter((preset) => balance === undefined || hasNone || new Decimal(preset).lte(balance));
  const { youHave, youHaveNone } = words.common;
  const has = balance !== undefined && (hasNone ? youHaveNone(token.id) : youHave(figure(balance, words), token.id));
  const amounts = affordable.map((preset) => pick(preset, figure(preset, words)));
  const shares = hasShares && knowsBalances && !hasNone ? SHARES.map((share) => pick(share)) : [];
  const ask = card([prompt, has], [amounts, shares]);
  return { name: amountName(token), hasNumbers: true, prompt: ask, read: readingPay(words, token, knowsBalances) };
}

/** An amount is kept for this token, in these units, and no other. */
export function amountName({ id, precision }: Token): string {
  return `amount of ${id}, ${precision ?? "base units"}`;
}

export function readingPay(words: Messages, token: Token, knowsBalances: boolean): AnswerParser<Pay> {
  return reading(words, (text) => {
    const pay = readPay(text, token);
    if (!("units" in pay) && !knowsBalances) throw new Fault("balances-untold", {});
    return pay;
  });
}

/** Reads the words after a command to trade or, with `isLock`, to lock, asking for the token if they don't name it. */
export async function typedAlready(interview: OpenInterview, line: string, prompt: string, isLock = false) {
  const { words, tokens, person, ask, say } = interview;
  const { amount, tokenIn, tokenOut: rest } = tradeWords(line, tokens, isLock) ?? {};
  const market = await interview.market();
  const question = tokenQuestion(interview, prompt, { market, takesShares: isLock });
  const token = tokenIn === undefined ? await ask(question) : tokens.find(tokenIn);
  const typed = amount === undefined ? undefined : readingPay(words, token, person.knowsBalances)(amount);
  if (typed?.ok === false) await say(typed.card);
  return { market, token, pay: typed?.ok === true ? typed.value : undefined, rest };
}

export function suggesting<Value>(
  lines: Lines,
  suggestion: string | undefined,
  read: AnswerParser<Value>,
  label?: string,
) {
  return { prompt: card(lines, [[suggestion !== undefined && pick(suggestion, label)]]), read };
}

export function walletQuestion(words: Messages): Question<Address> {
  return { prompt: card([words.wallet.ask]), read: reading(words, parseAccountAddress) };
}

/** Turns faults of `read` into refusals. */
export function reading<Value>(words: Messages, read: (text: string) => Value): AnswerParser<Value> {
  return (text) => {
    try {
      return { ok: true, value: read(text) };
    } catch (error) {
      if (!isFault(error)) throw error;
      return { ok: false, card: refusal([error], words, typedAnswer(text)) };
    }
  };
}

/** Same as {@link reading}, for words that are read together; `usage` says how to type them. */
export function readingLine<Asked extends object>(
  words: Messages,
  usage: string,
  read: (text: string) => Parsed<Asked>,
) {
  return (text: string): Made<Asked> => {
    const found = read(text);
    if (isParsed(found)) return { ok: true, value: found };
    return { ok: false, card: unreadableLine(found, words, usage, typedAnswer(text)) };
  };
}

/** Button for a suggested answer. */
export function pick(answer: string, label = answer) {
  return button(label, buttons.pick, answer);
}

function sorted<Item>(items: readonly Item[], rank: (item: Item) => number): Item[] {
  return items.toSorted((left, right) => rank(left) - rank(right));
}

/** Asks for the wallet address if there is none. @returns the interview, which then knows that there is one. */
export async function withWallet<Filled>(interview: Interview<Filled>, parts: FormParts): Promise<Interview<Filled>> {
  const { userId, person, words, ask, say, external } = interview;
  if (person.hasWallet) return interview;
  const address = await ask(walletQuestion(words));
  await external(() => parts.saveWallet(userId, address));
  await say(card([words.wallet.savedAs, code(address)]));
  return { ...interview, person: await external(() => parts.readPerson(userId)) };
}

/**
 * Asks for the wallet address first if there is none. If `reads` finds a whole request in the typed line, nothing else
 * is asked.
 */
export function createPayingForm<Filled extends object>(
  id: string,
  parts: FormOf<Filled>,
  reads: (line: string, tokens: TokenList) => Parsed<Filled>,
  collect: (interview: Interview<Filled>, line: string) => Promise<unknown>,
): Form<[line?: string]> {
  const form = createForm(id, parts, async (begun, line: string = "") => {
    const interview = await withWallet(begun, parts);
    const read = reads(line, interview.tokens);
    return isParsed(read) ? interview.submit(read) : collect(interview, line);
  });
  return { ...form, refuses: parts.refuseTrade };
}
