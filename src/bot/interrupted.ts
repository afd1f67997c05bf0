import type { Api } from "grammy";
import { messages } from "../locales/messages.js";
import { people } from "../services/people.js";
import type { Parts } from "./context.js";
import { presentIntent } from "./present.js";
import { describeError } from "./transport/telegram-errors.js";

/**
 * After a start: cards whose state nobody shows are brought up to date, and whoever had a call under way when the process
 * died is told in a message of its own, since an edited card rings no bell.
 */
export async function tellInterrupted(parts: Parts, api: Api, startedAt: number): Promise<void> {
  for await (const { owner, intent } of parts.intents.recover(startedAt)) {
    try {
      const isInterrupted = intent.outcome?.kind === "unknown" && intent.outcome.code === "interrupted";
      if (isInterrupted) {
        const person = await parts.store.read(people, String(owner));
        const words = messages[person?.language ?? "en"].intent;
        const sentence = `${words.unknown}. ${words.unknownInterrupted} ${words.checkWallet}`;
        await api.sendMessage(intent.chatId, sentence, {
          ...(intent.messageId !== undefined && {
            reply_parameters: { message_id: intent.messageId, allow_sending_without_reply: true },
          }),
        });
      }
      await presentIntent(parts, api, intent);
    } catch (error) {
      // One person who cannot be reached must not keep the others from being told; the next start tries again.
      parts.log.warn({ userId: owner, reason: describeError(error) }, "An interrupted call could not be shown");
    }
  }
}
