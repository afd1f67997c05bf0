import type { Transformer } from "grammy";
import type { Pacer } from "../../services/alerts/pacer.js";

/**
 * Sends new messages through the pacer, which lets them go first and makes alerts wait for them. Edits and answers to taps are
 * not messages and pass by.
 */
export function pacedReplies(pacer: Pick<Pacer, "reply">): Transformer {
  return (previous, method, payload, signal) => {
    const chatId = method === "sendMessage" && "chat_id" in payload ? payload.chat_id : undefined;
    const send = () => previous(method, payload, signal);
    return typeof chatId === "number" ? pacer.reply(chatId, send) : send();
  };
}
