import { describe, expect, test } from "vitest";
import type { View } from "../../src/cards/card.js";
import { intentCard } from "../../src/cards/intent.js";
import { setUpCard } from "../../src/cards/standing.js";
import { amountOf } from "../../src/encoding/amount.js";
import type { Intent } from "../../src/services/intent/intent.js";
import type { MultihopTerms, SwapTerms } from "../../src/services/terms/swap-terms.js";
import { klv } from "../services/samples.js";
import { openLines } from "../support/phone.js";
import { en, intent, pt, routeTerms, swapTerms } from "./arrange.js";
import { gallery } from "./card-samples.js";
import { bought, exactly, sale } from "./rights-samples.js";
import { limitOfRoyalty } from "./standing-samples.js";

const withRoute = (terms: SwapTerms): SwapTerms => {
  const amount = amountOf(terms.quotedOut.token, terms.quotedOut.units + 1_000n);
  return {
    ...terms,
    pools: { ...terms.pools!, best: amount, path: ["KLV", "DVK-34ZH", "KFI"] },
    route: { amount, isBetter: true },
  };
};
const signed = { rights: sale.rights!.map((sign) => ({ ...sign, powers: ["destroy", "pause"] as const })) };
/** By how many of a royalty, a likely cost and a route each has. */
const trades: readonly (readonly [
  name: string,
  terms: SwapTerms | MultihopTerms,
  own: number,
  mode: "not-signed" | "signed",
])[] = [
  ["a swap", swapTerms, 0, "signed"],
  ["a swap with a better route", withRoute(swapTerms), 1, "signed"],
  ["a route to an exact amount", routeTerms, 1, "signed"],
  ["a sale with a royalty", { ...sale, ...signed }, 1, "not-signed"],
  ["a sale with a royalty and a better route", withRoute({ ...sale, ...signed }), 2, "not-signed"],
  ["a purchase of what has a royalty", bought, 1, "signed"],
  ["a purchase of what has a royalty, with a better route", withRoute(bought), 2, "signed"],
  ["an exact output of a payment with a royalty", { ...exactly, ...signed }, 2, "not-signed"],
];
const signing = (view: View): View => ({ ...view, publicUrl: "https://bot.example" });
const estimate: Pick<Intent, "estimatedFee"> = { estimatedFee: { amount: amountOf(klv, 6_210_000n), shareBps: 621n } };

/** What takes more than its one line there: many hops, a warning with its reason, and what is said only once. */
const saysMore = new Set([
  "of very many hops",
  "network fee large for the payment, which can't be compared",
  "a limit order's swap, while the node is away",
  "the first stop order's swap in quiet hours",
]);

/** With the phrase that proves whose messages they are, and all that an issuer can do. */
describe.each([
  ["en", en],
  ["pt", pt],
])("a card to confirm on a phone (%s)", (_, plain) => {
  const view = { ...plain, phrase: "blue bicycle" };
  test.each(trades)("has 12 lines above its fold, or 13 with two lines of its own: %s", (_name, terms, own, mode) => {
    const about = intent(terms);
    const cards = [intentCard(about, view, { isAccepted: true })];
    if (mode === "signed")
      for (const shown of [about, { ...about, ...estimate }])
        cards.push(intentCard(shown, signing(view), { isAccepted: true }));
    for (const card of cards) expect(openLines(card), card.text).toBeLessThanOrEqual(own === 2 ? 13 : 12);
  });

  test("leaves room for the button of an order to set, where wallets sign what has a royalty", () => {
    const card = setUpCard(limitOfRoyalty, false, signing(plain));
    expect(openLines(card), card.text).toBeLessThanOrEqual(13);
  });

  test("is as short with an order, and in every sample of a trade that can be confirmed", () => {
    const spends = ["swap", "route", "standing", "rights"].flatMap((group) => gallery[group] ?? []);
    const tooLong = spends.flatMap(({ name, draw }) => {
      const card = draw(plain);
      const canSpend = (card.keyboard ?? []).flat().some((button) => "style" in button && button.style === "success");
      const lines = openLines(card);
      return canSpend && !saysMore.has(name) && lines > (name.includes("exact output") ? 13 : 12)
        ? [`${name}: ${lines}`]
        : [];
    });
    expect(tooLong).toEqual([]);
  });
});
