import type { BotCommand } from "./types.js";

export interface CommandScope {
  type: string;
  chat_id?: number | string;
  user_id?: number;
}

/** The command lists that the bot registered, by scope and language. */
export function createBotCommands() {
  const lists = new Map<string, BotCommand[]>();

  const key = (scope: CommandScope, language: string) =>
    [scope.type, scope.chat_id ?? "", scope.user_id ?? "", language].join(" ");

  return {
    set(scope: CommandScope, language: string, commands: BotCommand[]): void {
      if (commands.length === 0) lists.delete(key(scope, language));
      else lists.set(key(scope, language), commands);
    },

    /** A chat's list: narrowest scope first, own language before none (Bot API, "Determining list of commands"). */
    seenIn(chatId: number | undefined, language: string): BotCommand[] {
      const isGroup = chatId !== undefined && chatId < 0;
      const scopes: CommandScope[] = [
        ...(chatId === undefined ? [] : [{ type: "chat", chat_id: chatId }]),
        { type: isGroup ? "all_group_chats" : "all_private_chats" },
        { type: "default" },
      ];
      for (const scope of scopes) {
        for (const spoken of [language, ""]) {
          const list = lists.get(key(scope, spoken));
          if (list !== undefined) return list;
        }
      }
      return [];
    },
  };
}
