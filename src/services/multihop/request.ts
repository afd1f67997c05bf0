import { parseAmount } from "../../encoding/typed.js";
import { Fault } from "../../fault.js";
import type { MultihopRequest, Stop } from "../request.js";
import { MAX_HOPS } from "../pool/search.js";
import { readPay, swappable } from "../swap/request.js";
import type { TokenList } from "../token/list.js";
import { collectFaults, wordsOf, type Read } from "../text/line.js";

/** Reads `100 KLV DVK-34ZH KFI`, or with an exact amount `100 KLV DVK-34ZH=25 KFI`. */
export function readMultihop(line: string, tokens: TokenList): Read<MultihopRequest> {
  const [amount, first, ...rest] = wordsOf(line);
  if (amount === undefined || first === undefined || rest.length === 0) return "incomplete";
  const { faults, add, attempt } = collectFaults();
  const from = attempt(() => swappable(first, tokens));
  const stops = rest.slice(0, MAX_HOPS).map((word) => attempt(() => stopOf(word, tokens)));
  const path = [from, ...stops.map((stop) => stop?.token)];
  path.forEach((token, index) => {
    if (token !== undefined && token.id === path[index - 1]?.id)
      add(new Fault("tokens-identical", { token: token.id }));
  });
  if (rest.length > MAX_HOPS) add(new Fault("route-too-long", { maximum: MAX_HOPS }));
  const pay = attempt(() => readPay(amount, from));
  if (from === undefined || pay === undefined || faults.length > 0) return { faults };
  return { kind: "multihop", pay, from, stops: stops.filter((stop) => stop !== undefined) };
}

function stopOf(word: string, tokens: TokenList): Stop {
  const [name = "", amount, ...more] = word.split("=");
  const token = swappable(name, tokens);
  if (amount === undefined) return { token };
  if (more.length > 0) throw new Fault("amount-not-a-number", { text: word.slice(0, 40) });
  return { token, exactly: parseAmount(amount, token) };
}
