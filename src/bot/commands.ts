import type { Api } from "grammy";
import { messages } from "../locales/messages.js";
import type { Language } from "../services/people.js";

/** Tells Telegram the commands, in each language, so that clients can complete them. */
export async function publishCommands(api: Api): Promise<void> {
  const listOf = (language: Language) =>
    Object.entries(messages[language].help.commands).map(([command, description]) => ({ command, description }));
  await api.setMyCommands(listOf("en"));
  await api.setMyCommands(listOf("pt"), { language_code: "pt" });
}
