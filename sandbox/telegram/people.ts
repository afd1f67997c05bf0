import { badRequest, forbidden } from "./api-error.js";
import type { Chat, User } from "./types.js";

/** A person of the sandbox, as the tester defines them. */
export interface PersonSetup {
  readonly id: number;
  readonly firstName: string;
  readonly username?: string;
  readonly languageCode?: string;
}

export interface Person extends PersonSetup {
  /** Whether the person blocked the bot. */
  readonly blocked: boolean;
  /** Whether the person started or wrote to the bot: before that, the bot can't write to them. */
  readonly started: boolean;
}

/** The group of all people and the bot. Its id is negative. */
const commonGroup = { id: -4001, title: "Traders" };

/** The people, who of them started or blocked the bot, and which chats it may write to. */
export function createPeople(setups: readonly PersonSetup[]) {
  const people = new Map<number, Person>(
    setups.map((setup) => [setup.id, { ...setup, blocked: false, started: false }]),
  );

  /** @throws Error for the tester if there is no such person. */
  const person = (userId: number): Person => {
    const found = people.get(userId);
    if (found === undefined) throw new Error(`There is no person ${userId} in this sandbox.`);
    return found;
  };

  const groupChat: Chat = { ...commonGroup, type: "group" };
  const privateChat = ({ id, firstName, username }: Person): Chat => ({
    id,
    type: "private",
    first_name: firstName,
    ...(username !== undefined && { username }),
  });

  return {
    keep: () => people,
    restore: (kept: ReadonlyMap<number, Person>): void => {
      for (const [userId, { blocked, started }] of kept) {
        const known = people.get(userId);
        if (known !== undefined) people.set(userId, { ...known, blocked, started });
      }
    },

    all: (): Person[] => [...people.values()],
    groups: () => [{ ...commonGroup, memberIds: setups.map(({ id }) => id) }],
    person,

    change(userId: number, change: { blocked?: boolean; started?: boolean }): Person {
      const changed = { ...person(userId), ...change };
      people.set(userId, changed);
      return changed;
    },

    user(userId: number): User {
      const { id, firstName, username, languageCode } = person(userId);
      return {
        id,
        is_bot: false,
        first_name: firstName,
        ...(username !== undefined && { username }),
        ...(languageCode !== undefined && { language_code: languageCode }),
      };
    },

    /** The chat in which a person acts: their private chat or the group. @throws Error for the tester for any other. */
    chatOf(userId: number, chatId: number = userId): Chat {
      if (chatId === userId) return privateChat(person(userId));
      if (chatId !== commonGroup.id) throw new Error(`There is no group ${chatId} in this sandbox.`);
      person(userId);
      return groupChat;
    },

    /** The chat that a request names. @throws ApiError if the bot doesn't know it. */
    chatKnownToBot(chatId: number | string): Chat {
      if (chatId === "") throw badRequest("chat_id is empty");
      const id = /^-?\d{1,15}$/.test(String(chatId)) ? Number(chatId) : undefined;
      if (id === commonGroup.id) return groupChat;
      const known = id === undefined ? undefined : people.get(id);
      if (known?.started !== true) throw badRequest("chat not found");
      return privateChat(known);
    },

    /**
     * The chat that the bot writes to. @throws ApiError if the bot doesn't know it or was blocked. To be strict, edits
     * are refused like messages; the published server leaves this to Telegram's own.
     */
    chatToWrite(chatId: number | string): Chat {
      const chat = this.chatKnownToBot(chatId);
      if (chat.type === "private" && person(chat.id).blocked) throw forbidden("bot was blocked by the user");
      return chat;
    },
  };
}
