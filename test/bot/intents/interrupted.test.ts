import { Api } from "grammy";
import { expect, test } from "vitest";
import type { BotSettings } from "../../../src/bot/context.js";
import { tellInterrupted } from "../../../src/bot/intents/interrupted.js";
import { people } from "../../support/documents.js";
import { arrange, chatId, draft, fresh, holds, owner } from "../../services/intent/arrange.js";
import { silent } from "../../services/samples.js";

/** The Bot API as seen from here: what was called, and a refusal for those whom nobody reaches. */
function telegram(unreachable: readonly number[] = []) {
  const api = new Api("1000:test-token-that-opens-nothing");
  const calls: { method: string; payload: Record<string, unknown> }[] = [];
  api.config.use(async (_previous, method, payload) => {
    const call = { method, payload: payload as Record<string, unknown> };
    calls.push(call);
    if (unreachable.includes(Number(call.payload["chat_id"]))) {
      return { ok: false, error_code: 403, description: "Forbidden: bot was blocked by the user" };
    }
    return { ok: true, result: { message_id: 900 + calls.length } as never };
  });
  return { api, calls };
}

/** A process that died with one call in progress. */
async function died(language: "en" | "pt" = "en") {
  const arranged = arrange({ send: () => new Promise(() => undefined) });
  await arranged.changePerson((person) => ({ ...person, chatId, language }));
  const intent = await arranged.open(owner, chatId, draft);
  await arranged.attachMessage(owner, intent.id, 77);
  void arranged.confirm(owner, intent.id, holds);
  await expect.poll(async () => (await arranged.find(owner, intent.id))?.state).toBe("SENT");
  arranged.clock.advance(1000);
  const next = arrange({ store: arranged.store, clock: arranged.clock, prefix: "next" });
  const settings = { returnDataEncoding: "hex", warnImpactBps: 300, maxImpactBps: 1500 } as BotSettings;
  const parts = { intents: next, store: next.store, settings, log: silent, clock: next.clock };
  return { parts, id: intent.id, clock: next.clock, next };
}

test("whoever had a call in progress is told in a message of its own, and the card says the same", async () => {
  const { parts, id } = await died();
  const { api, calls } = telegram();
  await tellInterrupted(parts, api, new AbortController().signal);
  expect(calls.map(({ method }) => method)).toEqual(["sendMessage", "editMessageText"]);
  expect(calls[0]?.payload).toMatchObject({
    chat_id: chatId,
    text: "⚠️ Outcome unknown. The bot was interrupted before it got an answer. It may or may not have gone through. I won't resend it. Check your wallet balance before you do anything else.",
    reply_parameters: { message_id: 77, allow_sending_without_reply: true },
  });
  expect(calls[1]?.payload).toMatchObject({
    message_id: 77,
    text: expect.stringContaining("The bot was interrupted") as string,
  });
  expect(await parts.intents.find(owner, id)).toMatchObject({ state: "UNKNOWN", shownState: "UNKNOWN" });

  calls.length = 0;
  await tellInterrupted(parts, api, new AbortController().signal);
  expect(calls).toEqual([]);
});

test("they are told in their own language", async () => {
  const { parts } = await died("pt");
  const { api, calls } = telegram();
  await tellInterrupted(parts, api, new AbortController().signal);
  expect(calls[0]?.payload["text"]).toMatch(/Resultado desconhecido\. O bot foi interrompido/);
});

test("one who cannot be reached holds up nobody else, and is told at the next start", async () => {
  const { parts, clock, next } = await died();
  const other = owner + 1;
  await next.store.update(people, String(other), (person) => [{ ...person, chatId: other }, undefined]);
  const second = await next.open(other, other, fresh);
  await next.attachMessage(other, second.id, 78);
  await arrange({ store: next.store, clock }).cancel(other, second.id);

  const blocked = telegram([chatId]);
  await tellInterrupted(parts, blocked.api, new AbortController().signal);
  expect(await next.find(other, second.id)).toMatchObject({ shownState: "CANCELED" });
  const later = telegram();
  await tellInterrupted(parts, later.api, new AbortController().signal);
  expect(later.calls.map(({ method }) => method)).toEqual(["sendMessage", "editMessageText"]);
});
