import { afterEach, expect, it, vi } from "vitest";
import { alice, createBench } from "./harness.js";

afterEach(() => vi.useRealTimers());

async function tapped() {
  const bench = createBench();
  const messageId = await bench.sent("Swap", {
    reply_markup: { inline_keyboard: [[{ text: "✅", callback_data: "c" }]] },
  });
  const { callbackQueryId } = bench.telegram.press(alice, messageId, "c");
  const answer = () => bench.refusal("answerCallbackQuery", { callback_query_id: callbackQueryId });
  const isDelivered = async () =>
    ((await bench.call("getUpdates")).result as object[]).some((update) => "callback_query" in update);
  return { ...bench, answer, isDelivered };
}

it("a tap waits in real time, however far the world's clock has gone", async () => {
  const { clock, answer, isDelivered } = await tapped();
  await clock.advance(3_600_000);
  expect(await isDelivered()).toBe(true);
  expect(await answer()).toBe("accepted");
});

it("a tap is not answered after a minute, nor delivered after two and a half", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  const { answer, isDelivered } = await tapped();
  vi.advanceTimersByTime(61_000);
  expect(await answer()).toMatch(/query is too old/);
  expect(await isDelivered()).toBe(true);
  vi.advanceTimersByTime(90_000);
  expect(await isDelivered()).toBe(false);
});
