import { expect, it } from "vitest";
import { systemClock } from "../../src/clock.js";
import { testDesk } from "../support/desk.js";
import { tradingDesk } from "../support/sandbox-desk.js";
import { until } from "../support/until.js";

it("a tap on a card that is no longer stored says what to do, and removes the buttons", async () => {
  const desk = await testDesk();
  const person = await desk.trader();
  const card = await person.asks("/swap 100 KLV KFI", /You pay: 100 KLV/);
  const refresh = card.buttons.find(({ text }) => text === "🔄 Refresh")!.data;
  // Like a card from a month ago that was never sent, which is no longer stored.
  person.forges(card, refresh.replace(/[\w-]{22}$/, "A".repeat(22)));
  await expect.poll(() => person.tapAnswers().at(-1)).toMatch(/too old.*\/swap.*\/history/);
  await until(() => card.buttons.length === 0);
  expect(desk.services.calls()).toHaveLength(0);
});

it("an unconfirmed card shows that it has expired without a tap, and offers a new quote", async () => {
  const desk = await testDesk({ QUOTE_TTL_SECONDS: "1" });
  const person = await desk.trader();
  const card = await person.asks("/swap 100 KLV KFI", /You pay: 100 KLV/);
  await person.sees(card, /Expired\./);
  expect(card.buttons.map(({ text }) => text)).toEqual(["Expired", "🔄 New quote"]);
  expect(desk.services.calls()).toHaveLength(0);
});

it("a confirm after the expiry renews the quote, and sends nothing before another confirm", async () => {
  let ahead = 0;
  const { desk, alice } = await tradingDesk({ clock: { ...systemClock, now: () => Date.now() + ahead } });
  const card = await alice.asks("/swap 100 KLV KFI");
  ahead = 31_000;
  // At 390 px the line above the figures can be out of sight.
  expect(await alice.taps(card, "✅ Confirm")).toMatch(/^⌛ It had expired\. Nothing was sent/);
  const renewed = await alice.sees(card, /had expired\. Nothing was sent[^]*You pay: 100 KLV/);
  expect(renewed.messageId).toBe(card.messageId);
  expect(desk.callsSent()).toHaveLength(0);
  // The second of two quick taps was meant for the old quote.
  expect(await alice.taps(card, "✅ Confirm")).toMatch(/quote is new/);
  expect(desk.callsSent()).toHaveLength(0);
  ahead += 2_000;
  await alice.confirms(card, /Accepted, not yet confirmed|Swap completed/);
  expect(desk.callsSent()).toHaveLength(1);
});
