import { withToken } from "../../../cards/amount.js";
import { multihopSubject, multihopSummary } from "../../../cards/multihop.js";
import { formatAmount, plainAmount, subtractAmounts } from "../../../encoding/amount.js";
import { unlessFault } from "../../../fault.js";
import type { Person } from "../../../model/person.js";
import type { MultihopDraft } from "../../../services/multihop/multihop.js";
import { readMultihopOutcome } from "../../../services/multihop/outcome.js";
import { readMultihopRequest, type MultihopRequest } from "../../../services/multihop/request.js";
import { swapBeside } from "../../../services/swap/better-way.js";
import { wordsOf } from "../../../services/typed-line.js";
import type { PersonFlavor } from "../../context.js";
import { defineKind, type KindParts, type Prepared } from "../../kind.js";

/** A swap over several pairs by the router. */
export const multihopKind = defineKind("multihop", {
  prepare,
  isIncomplete: (typed) => wordsOf(typed).length < 3,
  reopen: (parts, owner, { typed }) => prepare(parts, owner, typed),
  withAmount: ({ amountIn: { token }, typed }, amount) =>
    [plainAmount(amount, token.id), ...wordsOf(typed).slice(1)].join(" "),
  otherWay: ({ amountIn, expectedOut }) => ({
    kind: "swap",
    line: `${formatAmount(amountIn)} ${amountIn.token.id} ${expectedOut.token.id}`,
  }),
  recheck: async (parts, person, intent) => {
    await parts.routerCheck.assertMatch();
    return parts.multihop.recheck(person, intent);
  },
  subject: multihopSubject,
  movement: (intent, encoding) => {
    const { terms } = intent;
    const read = readMultihopOutcome(intent, encoding);
    const wanted = terms.minimumOut;
    if (read === undefined) return { paid: [terms.amountIn], wanted };
    const back = read.change.filter(({ token }) => token.id === terms.amountIn.token.id);
    return { paid: [back.reduce(subtractAmounts, terms.amountIn)], wanted, received: read.received };
  },
  summary: multihopSummary,
  moved: (before, now, words) =>
    words.intent.worse(withToken(before.minimumOut, words), withToken(now.expectedOut, words)),
});

/** Finds the route that a person typed, or gives every reason why it can't. */
async function prepare(parts: KindParts, { person, words }: PersonFlavor, typed: string): Promise<Prepared> {
  const read = readMultihopRequest(typed, parts.tokens);
  if (read === undefined) return { sentence: `${words.multihop.askPath} ${words.multihop.exactHint}` };
  if (!read.ok) return { faults: read.faults };
  parts.routerCheck.assertNoMismatch();
  const draft = await parts.multihop.prepare(person, read.request);
  return { draft: await withSwap(parts, person, read.request, draft) };
}

/** Adds the ordinary swap to a route's card. Without a quotation nothing is added. */
async function withSwap(
  parts: KindParts,
  person: Person,
  request: MultihopRequest,
  draft: MultihopDraft,
): Promise<MultihopDraft> {
  const { terms } = draft;
  const wantsExactly = request.stops.some((stop) => stop.exactly !== undefined);
  if (wantsExactly || terms.amountIn.token.id === terms.expectedOut.token.id) return draft;
  const { amountIn, expectedOut } = terms;
  const { amountInText } = request;
  const swap = await unlessFault(
    () => parts.swaps.quote({ person, amountIn, amountInText, tokenOut: expectedOut.token }),
    (err) => parts.log.info({ err }, "No swap to compare a route with"),
  );
  if (swap === undefined) return draft;
  return { ...draft, terms: { ...terms, swap: swapBeside(expectedOut, swap, parts.settings.betterRouteBps) } };
}
