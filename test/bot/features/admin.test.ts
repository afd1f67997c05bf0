import { expect, it } from "vitest";
import { adminFeature } from "../../../src/bot/features/admin.js";
import type { BotContext } from "../../../src/bot/context.js";

it("stops a broadcast even if Telegram refuses the answer to the tap", async () => {
  const done: string[] = [];
  const operator = {
    isOperator: () => true,
    broadcast: { halt: () => Promise.resolve(done.push("halted")) },
  };
  const store = { write: () => Promise.resolve() };
  const { buttons = {} } = adminFeature({ base: { store }, operator } as never);
  const ctx = { answerCallbackQuery: () => Promise.reject(new Error("429: Too Many Requests")) };
  await expect(buttons.haltBroadcast?.(ctx as unknown as BotContext, "now")).rejects.toThrow("429");
  expect(done).toEqual(["halted"]);
});
