import { subtractAmounts } from "../../encoding/amount.js";
import { unlessFault } from "../../fault.js";
import type { Person } from "../person/person.js";
import type { TradeKind } from "../intent/kind.js";
import { swapBeside } from "../swap/better-way.js";
import type { SwapKindParts } from "../swap/kind.js";
import { amountPaid } from "../swap/pay.js";
import type { Multihop, MultihopDraft } from "./multihop.js";
import { readMultihopOutcome } from "./outcome.js";
import { readMultihop } from "./request.js";

export interface MultihopKindParts
  extends Pick<SwapKindParts, "balances" | "log" | "routerCheck" | "settings" | "swaps" | "tokens"> {
  readonly multihop: Multihop;
}

/** A swap over several pairs by the router. */
export const multihopKind: TradeKind<"multihop", MultihopKindParts> = {
  read: ({ tokens }, line) => readMultihop(line, tokens),
  draft: async (parts, asked, { person }) => {
    const request = { ...asked, pay: await amountPaid(parts, person, asked.pay, asked.from) };
    parts.routerCheck.assertNoMismatch();
    return withSwap(parts, person, await parts.multihop.prepare(person, request));
  },
  recheck: async (parts, intent, person) => {
    await parts.routerCheck.assertMatch();
    return parts.multihop.recheck(person, intent);
  },
  movement: (intent, encoding) => {
    const { terms } = intent;
    const read = readMultihopOutcome(intent, encoding);
    const wanted = terms.minimumOut;
    if (read === undefined) return { paid: [terms.amountIn], wanted };
    const back = read.change.filter(({ token }) => token.id === terms.amountIn.token.id);
    return { paid: [back.reduce(subtractAmounts, terms.amountIn)], wanted, received: read.received };
  },
};

/** Adds the ordinary swap to a route's card. Without a quotation nothing is added. */
async function withSwap(parts: MultihopKindParts, person: Person, draft: MultihopDraft): Promise<MultihopDraft> {
  const { terms } = draft;
  const { expectedOut, request } = terms;
  const { pay, from, stops } = request;
  const wantsExactly = stops.some((stop) => stop.exactly !== undefined);
  if (wantsExactly || from.id === expectedOut.token.id) return draft;
  const swap = await unlessFault(
    () => parts.swaps.quote(person, { kind: "swap", pay, from, to: expectedOut.token }),
    (err) => parts.log.info({ err }, "No swap to compare a route with"),
  );
  if (swap === undefined) return draft;
  return { ...draft, terms: { ...terms, swap: swapBeside(expectedOut, swap, parts.settings.betterRouteBps) } };
}
