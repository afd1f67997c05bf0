import { withToken } from "../../../cards/amount.js";
import { multihopSubject, multihopSummary } from "../../../cards/multihop.js";
import { subtractAmounts } from "../../../encoding/amount.js";
import { unlessFault } from "../../../fault.js";
import type { Person } from "../../../model/person.js";
import type { MultihopDraft } from "../../../services/multihop/multihop.js";
import { readMultihopOutcome } from "../../../services/multihop/outcome.js";
import { readMultihop } from "../../../services/multihop/request.js";
import { amountPaid } from "../../../services/swap/pay.js";
import { swapBeside } from "../../../services/swap/better-way.js";
import { defineKind, type KindParts } from "../../kind.js";

/** A swap over several pairs by the router. */
export const multihopKind = defineKind("multihop", {
  read: (line, { tokens }) => readMultihop(line, tokens),
  usage: ({ multihop }) => `${multihop.askPath} ${multihop.exactHint}`,
  draft: async (parts, { person }, asked) => {
    const request = { ...asked, pay: await amountPaid(parts, person, asked.pay, asked.from) };
    parts.routerCheck.assertNoMismatch();
    return withSwap(parts, person, await parts.multihop.prepare(person, request));
  },
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

/** Adds the ordinary swap to a route's card. Without a quotation nothing is added. */
async function withSwap(parts: KindParts, person: Person, draft: MultihopDraft): Promise<MultihopDraft> {
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
