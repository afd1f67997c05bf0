import { expect, it } from "vitest";
import { adminFeature } from "../../../src/bot/features/admin.js";
import type { BotContext } from "../../../src/bot/context.js";
import { buttons } from "../../../src/cards/buttons.js";

it("a message to everybody stops also while Telegram takes no answer to the tap", async () => {
  const done: string[] = [];
  const operator = {
    isOperator: () => true,
    broadcast: { halt: () => Promise.resolve(done.push("halted")) },
  };
  const store = { write: () => Promise.resolve() };
  const { buttons: taps = [] } = adminFeature({ operator, store } as never);
  const ctx = { answerCallbackQuery: () => Promise.reject(new Error("429: Too Many Requests")) };
  const tap = taps.find(({ verb }) => verb === buttons.haltBroadcast.verb)!;
  await expect(tap.handle(ctx as unknown as BotContext, "now", () => Promise.resolve())).rejects.toThrow("429");
  expect(done).toEqual(["halted"]);
});
