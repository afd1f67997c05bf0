import { GrammyError, type Api, type Transformer } from "grammy";
import type { InlineKeyboardMarkup, InputRichMessage } from "grammy/types";
import type { Logger } from "pino";

/** What a message is to be in place of its text, where the server takes rich messages. */
interface RichForm {
  readonly rich_message: InputRichMessage;
  readonly reply_markup?: InlineKeyboardMarkup;
}

/** What a server answers to which rich messages are new: it lacks the method, and never reads an edit's content. */
const UNKNOWN = /method not found|message text is empty/i;

/** Whether the server knows rich messages. It is asked to send one of nothing to nobody, which is refused in any case. */
export async function knowsRich(api: Api): Promise<boolean> {
  try {
    await api.raw.sendRichMessage({} as never);
  } catch (error) {
    if (!(error instanceof GrammyError) || error.error_code >= 429) throw error;
    return !UNKNOWN.test(error.description);
  }
  return true;
}

/**
 * Sends a message that has a rich form in that form, and as text where the server refuses it: it was not sent then, so it can't
 * come twice. A server that knows no rich messages is not asked again.
 */
export function createRichForm(log: Pick<Logger, "warn">): Transformer {
  let isKnown = true;
  return async (previous, method, payload, signal) => {
    const { rich, ...plain } = payload as Readonly<Record<string, unknown>> & { readonly rich?: RichForm };
    const isProbe = method === "sendRichMessage";
    if (rich === undefined && !isProbe) return previous(method, payload, signal);
    if (isKnown) {
      const { chat_id, message_id } = plain;
      const richly = method === "sendMessage" ? "sendRichMessage" : method;
      const answer = await previous(
        richly as typeof method,
        { chat_id, message_id, ...rich } as typeof payload,
        signal,
      );
      if (answer.ok || (answer.error_code !== 400 && answer.error_code !== 404)) return answer;
      isKnown = !UNKNOWN.test(answer.description);
      if (!isKnown)
        log.warn({ answer: answer.description }, "Bot API server too old for rich messages; sending lists as text");
      if (isProbe) return answer;
      if (isKnown) log.warn({ answer: answer.description }, "Rich message refused; sending it as text");
    }
    return previous(method, plain as typeof payload, signal);
  };
}
