import { GrammyError, type Api } from "grammy";
import type { LanguageCode } from "grammy/types";
import { defaultLanguage, languages } from "../locales/messages.js";
import { untilTelegramAnswers } from "./transport/back-off.js";

/**
 * Tells Telegram the commands, in each language, so that clients can complete them. A refusal is thrown on once; while Telegram
 * cannot be reached it is tried again.
 */
export async function publishCommands(api: Api, waiting: Parameters<typeof untilTelegramAnswers>[1]): Promise<void> {
  const refusal = await untilTelegramAnswers(
    () =>
      publish(api).catch((error: unknown) => {
        if (error instanceof GrammyError && error.error_code < 429 && error.error_code !== 401) return error;
        throw error;
      }),
    waiting,
  );
  if (refusal !== undefined) throw refusal;
}

async function publish(api: Api): Promise<undefined> {
  for (const [language, words] of languages) {
    const commands = Object.entries(words.help.commands).map(([command, description]) => ({ command, description }));
    await api.setMyCommands(commands, language === defaultLanguage ? {} : { language_code: language as LanguageCode });
  }
  return undefined;
}
