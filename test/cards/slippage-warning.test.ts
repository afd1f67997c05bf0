import { expect, test } from "vitest";
import { slippageWarning } from "../../src/cards/settings.js";
import { intentCard } from "../../src/bot/intents/card.js";
import { en, intent, swapTerms } from "./arrange.js";

test("a slippage of nothing, or of more than 5%, is warned about in the settings and on the card", () => {
  const warned = [0, 1, 500, 501].map((bps) => slippageWarning(bps, en.words)?.slice(0, 8));
  expect(warned).toEqual(["⚠️ At 0%", undefined, undefined, "⚠️ At 5."]);
  const textAt = (slippageBps: number) =>
    intentCard(intent({ ...swapTerms, slippageBps }), en).text.replace(/\s/g, " ");
  expect(textAt(0)).toContain("At 0% almost every swap fails");
  expect(textAt(600)).toContain("At 6% you may get that much less");
  expect(textAt(100)).not.toContain("⚠️ At");
});
