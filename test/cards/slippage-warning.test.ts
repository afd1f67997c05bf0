import { expect, test } from "vitest";
import { slippageWarning } from "../../src/cards/settings.js";
import { intentCard } from "../../src/bot/intents/card.js";
import { en, intent, swapTerms } from "./arrange.js";

test("a slippage of nothing, or of more than 5%, is warned about in the settings and on the card", () => {
  const warned = [0, 1, 500, 501].map((bps) => slippageWarning(bps, en.words)?.slice(0, 10));
  expect(warned).toEqual(["⚠️ With 0%", undefined, undefined, "⚠️ With 5."]);
  const textAt = (slippageBps: number) =>
    intentCard(intent({ ...swapTerms, slippageBps }), en).text.replace(/\s/g, " ");
  expect(textAt(0)).toContain("With 0% slippage almost every swap fails");
  expect(textAt(600)).toContain("With 6% slippage you could get up to 6% less");
  expect(textAt(100)).not.toContain("⚠️ At");
});
