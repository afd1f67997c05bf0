import { expect, it } from "vitest";
import { catchUserError } from "../../src/bot/user-error.js";
import { Fault } from "../../src/fault.js";
import { messages } from "../../src/locales/messages.js";

const attempt = (error: Error) => catchUserError(messages.en, () => Promise.reject(error));

it("says in words what was refused", async () => {
  expect(await attempt(new Fault("frozen", {}))).toMatchObject({ ok: false, sentence: messages.en.faults.frozen({}) });
});

it("leaves what nobody foresaw to the error boundary", async () => {
  const error = new Error("a mistake");
  await expect(attempt(error)).rejects.toBe(error);
});
