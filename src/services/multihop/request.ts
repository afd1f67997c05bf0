import { parseAmount, plainAmount, type Amount } from "../../encoding/amount.js";
import type { Token } from "../../encoding/token.js";
import { Fault } from "../../fault.js";
import { MAX_HOPS } from "../routes/best-route.js";
import { ANY_TOKEN, swappable } from "../swap/request.js";
import type { TokenList } from "../tokens.js";
import { collectFaults, wordsOf, type LineReading } from "../typed-line.js";

/** A token on the way; with `exactly`, its hop must give that much, no more and no less. */
export interface Stop {
  readonly token: Token;
  readonly exactly?: Amount;
}

/** What a person asks of `/multihop`. With one stop the bot looks for the route itself. */
export interface MultihopRequest {
  /** What is paid; with an exact output of a route the bot looks for, what is paid at most. */
  readonly amountIn: Amount;
  /** The same as plain decimal text. */
  readonly amountInText: string;
  /** At least one; the last is what the person wants. */
  readonly stops: readonly Stop[];
  /** As it was typed, to lead to the same card again. */
  readonly typed: string;
}

/**
 * Reads `100 KLV DVK-34ZH KFI` or, with an exact amount somewhere, `100 KLV DVK-34ZH=25 KFI`. Undefined for too few words;
 * otherwise every reason at once when something is wrong.
 */
export function readMultihopRequest(line: string, tokens: TokenList): LineReading<MultihopRequest> | undefined {
  const [amount, first, ...rest] = wordsOf(line);
  if (amount === undefined || first === undefined || rest.length === 0) return undefined;
  const { faults, add, attempt } = collectFaults();
  const tokenIn = attempt(() => swappable(first, tokens));
  const stops = rest.slice(0, MAX_HOPS).map((word) => attempt(() => stopOf(word, tokens)));
  const path = [tokenIn, ...stops.map((stop) => stop?.token)];
  path.forEach((token, index) => {
    if (token !== undefined && token.id === path[index - 1]?.id)
      add(new Fault("tokens-identical", { token: token.id }));
  });
  if (rest.length > MAX_HOPS) add(new Fault("route-too-long", { maximum: MAX_HOPS }));
  const amountIn = attempt(() => parseAmount(amount, tokenIn ?? ANY_TOKEN));
  if (amountIn === undefined || faults.length > 0) return { ok: false, faults };
  const known = stops.filter((stop) => stop !== undefined);
  return {
    ok: true,
    request: { amountIn, amountInText: plainAmount(amount, amountIn.token.id), stops: known, typed: line.trim() },
  };
}

function stopOf(word: string, tokens: TokenList): Stop {
  const [name = "", amount, ...more] = word.split("=");
  const token = swappable(name, tokens);
  if (amount === undefined) return { token };
  if (more.length > 0) throw new Fault("amount-not-a-number", { text: word.slice(0, 40) });
  return { token, exactly: parseAmount(amount, token) };
}
