import { parseAmount, type Amount } from "../../encoding/amount.js";
import type { Token } from "../../encoding/token.js";
import { Fault, isFault } from "../../fault.js";
import type { TokenList } from "../tokens.js";

/** A token on the way; with `exactly`, so much of it has to come out of its hop, no more and no less. */
export interface Stop {
  readonly token: Token;
  readonly exactly?: Amount;
}

/** What a person asks of `/multihop`. With one stop the bot looks for the route itself. */
export interface MultihopRequest {
  /** What is paid; with an exact output of a route the bot looks for, what is paid at most. */
  readonly amountIn: Amount;
  /** At least one; the last is what the person wants. */
  readonly stops: readonly Stop[];
  /** As it was typed, to lead to the same card again. */
  readonly typed: string;
}

/** The most hops that a typed path can have: as many as the bot looks for itself. */
const MAX_STOPS = 4;

/**
 * Reads `100 KLV DVK-34ZH KFI` or, with an exact amount somewhere, `100 KLV DVK-34ZH=25 KFI`. Undefined for too few words;
 * otherwise every reason at once when something is wrong.
 */
export function readMultihopRequest(
  text: string,
  tokens: TokenList,
): { ok: true; request: MultihopRequest } | { ok: false; faults: readonly Fault[] } | undefined {
  const [amount, first, ...rest] = text.split(/\s+/).filter((word) => word !== "");
  if (amount === undefined || first === undefined || rest.length === 0) return undefined;
  const faults: Fault[] = [];
  const attempt = <Value>(read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (error) {
      if (!isFault(error)) throw error;
      faults.push(error);
      return undefined;
    }
  };
  const tokenIn = attempt(() => tokenOf(first, tokens));
  const amountIn = tokenIn && attempt(() => parseAmount(amount, tokenIn));
  const stops = rest.map((word) => attempt(() => stopOf(word, tokens))).filter((stop) => stop !== undefined);
  const path = [tokenIn, ...stops.map(({ token }) => token)];
  path.forEach((token, index) => {
    if (index > 0 && token !== undefined && token.id === path[index - 1]?.id) {
      faults.push(new Fault("tokens-identical", { token: token.id }));
    }
  });
  if (rest.length > MAX_STOPS) faults.push(new Fault("route-too-long", { maximum: MAX_STOPS }));
  if (amountIn === undefined || faults.length > 0) return { ok: false, faults };
  return { ok: true, request: { amountIn, stops, typed: text.trim() } };
}

function stopOf(word: string, tokens: TokenList): Stop {
  const [name = "", amount, ...more] = word.split("=");
  const token = tokenOf(name, tokens);
  if (amount === undefined) return { token };
  if (more.length > 0) throw new Fault("amount-not-a-number", { text: word.slice(0, 40) });
  return { token, exactly: parseAmount(amount, token) };
}

function tokenOf(text: string, tokens: TokenList): Token {
  const token = tokens.find(text);
  if (token.kind !== "fungible") throw new Fault("token-not-swappable", { token: token.id });
  return token;
}
