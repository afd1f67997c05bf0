import { autoRetry } from "@grammyjs/auto-retry";
import type { Transformer } from "grammy";
import type { Pacer } from "../../services/outbox/pacer.js";

/**
 * Refusals that change nothing: the message already looks as it should, or the callback expired. They count as
 * success; if thrown, a callback delivered late would be lost.
 */
const harmless = [/message is not modified/, /query is too old and response timeout expired or query ID is invalid/];

const acceptHarmlessRefusals: Transformer = (previous, method, payload, signal) =>
  previous(method, payload, signal).then((answer) => {
    if (answer.ok || answer.error_code !== 400 || !harmless.some((text) => text.test(answer.description)))
      return answer;
    // The result's type depends on the method, which is not known here; `true` is one that each of them has.
    return { ok: true, result: true as never };
  });

/** Repeated for as long as it takes by those who call them (clock.ts). */
const ownPace: ReadonlySet<string> = new Set(["getMe", "getUpdates", "setWebhook", "deleteWebhook"]);

/**
 * Retries a 429 twice at most, within seconds. A broken connection or a 5xx is never retried: the call may have been
 * executed.
 */
function retryRefused(): Transformer {
  const rethrow = { rethrowHttpErrors: true, rethrowInternalServerErrors: true };
  const retry = autoRetry({ maxRetryAttempts: 2, maxDelaySeconds: 5, ...rethrow });
  return (previous, method, payload, signal) =>
    ownPace.has(method) ? previous(method, payload, signal) : retry(previous, method, payload, signal);
}

/** For dialogs too, which call through the outer context. */
export function apiTransformers(): readonly Transformer[] {
  return [retryRefused(), acceptHarmlessRefusals];
}

/** Sends and edits through the pacer. What has no chat, such as the answer to a tap, passes by. */
export function paced(pacer: Pick<Pacer, "reply" | "edit">): Transformer {
  return (previous, method, payload, signal) => {
    const chatId = "chat_id" in payload ? payload.chat_id : undefined;
    const send = () => previous(method, payload, signal);
    if (typeof chatId !== "number") return send();
    return method.startsWith("send") ? pacer.reply(chatId, send) : pacer.edit(chatId, send);
  };
}
