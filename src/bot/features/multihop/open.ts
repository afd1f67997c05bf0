import type { Opened } from "../../../conversations/opened.js";
import { isFault } from "../../../fault.js";
import { sentenceOf } from "../../../locales/sentence.js";
import { betterSwapThan } from "../../../services/swap/better-way.js";
import type { Draft } from "../../../services/intents/draft.js";
import { readMultihopRequest, type MultihopRequest } from "../../../services/multihop/request.js";
import type { Person } from "../../../model/person.js";
import type { Parts } from "../../context.js";
import { openCard } from "../../intents/open.js";

/** Finds the route that a person typed and opens a card for it, or gives every reason why not. */
export function openMultihop(parts: Parts, userId: number, typed: string): Promise<Opened> {
  return openCard(parts, userId, async (person, words) => {
    const read = readMultihopRequest(typed, parts.tokens);
    if (read === undefined) return { sentence: `${words.multihop.askPath} ${words.multihop.exactHint}` };
    if (!read.ok) return { sentence: read.faults.map((fault) => sentenceOf(fault, words)).join("\n") };
    parts.routerCheck.assertNoMismatch();
    const draft = await parts.multihop.prepare(person, read.request);
    return { draft: await withBetterSwap(parts, person, read.request, draft) };
  });
}

/** Adds the ordinary swap to a route's card where that nets more. A quotation that cannot be had adds nothing. */
async function withBetterSwap(parts: Parts, person: Person, request: MultihopRequest, draft: Draft): Promise<Draft> {
  const { terms } = draft;
  const wantsExactly = request.stops.some((stop) => stop.exactly !== undefined);
  if (terms.kind !== "multihop" || wantsExactly || terms.amountIn.token.id === terms.expectedOut.token.id) return draft;
  try {
    const swap = await parts.swaps.quote({
      person,
      amountIn: terms.amountIn,
      amountInText: request.typed.split(/\s+/)[0] ?? "",
      tokenOut: terms.expectedOut.token,
    });
    const betterSwap = betterSwapThan(terms.expectedOut, swap, parts.settings.betterRouteBps);
    return betterSwap === undefined ? draft : { ...draft, terms: { ...terms, betterSwap } };
  } catch (error) {
    if (!isFault(error)) throw error;
    parts.log.info({ err: error }, "No swap to compare a route with");
    return draft;
  }
}
