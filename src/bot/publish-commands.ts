import { GrammyError, type Api } from "grammy";
import type { LanguageCode } from "grammy/types";
import { defaultLanguage, languages, messagesIn, type Messages } from "../locales/messages.js";
import { untilTelegramAnswers, type Waiting } from "./receive/receive.js";

/** In each language. A refusal is thrown; while Telegram is unreachable it is retried. */
export async function publishCommands(api: Api, waiting: Waiting): Promise<void> {
  for (const [language, words] of languages) {
    const commands = commandsIn(words);
    const inGroups = commands.map((command) => ({ ...command, is_ephemeral: true }));
    const code = language === defaultLanguage ? {} : { language_code: language as LanguageCode };
    const publish = () =>
      api
        .setMyCommands(commands, code)
        .then(() => api.setMyCommands(inGroups, { scope: { type: "all_group_chats" }, ...code }))
        .catch((error: unknown) => {
          if (error instanceof GrammyError && error.error_code < 429 && error.error_code !== 401) return error;
          throw error;
        });
    const answer = await untilTelegramAnswers(publish, waiting);
    if (answer instanceof GrammyError) throw answer;
  }
}

/** For one private chat, whatever language the client has. */
export async function publishCommandsIn(api: Api, language: string, chatId: number): Promise<void> {
  await api.setMyCommands(commandsIn(messagesIn(language)), { scope: { type: "chat", chat_id: chatId } });
}

function commandsIn({ help }: Messages) {
  return Object.entries(help.commands).map(([command, description]) => ({ command, description }));
}
