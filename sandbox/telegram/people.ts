import { badRequest, forbidden } from "./api-error.js";
import type { Chat, User } from "./types.js";

/** A person of the sandbox, as the tester names them. */
export interface PersonSetup {
  readonly id: number;
  readonly firstName: string;
  readonly username?: string;
  readonly languageCode?: string;
}

export interface Person extends PersonSetup {
  /** Whether the person blocked the bot. */
  readonly blocked: boolean;
  /** Whether the person pressed start or wrote to the bot: before that, the bot can't write to them. */
  readonly started: boolean;
}

/** A group chat in which the bot is a member. Its id is negative. */
export interface GroupSetup {
  readonly id: number;
  readonly title: string;
  readonly memberIds: readonly number[];
}

export type People = ReturnType<typeof createPeople>;

/** Who is there, who started or blocked the bot, and which chats the bot may write to. */
export function createPeople(setups: readonly PersonSetup[], groups: readonly GroupSetup[]) {
  const people = new Map<number, Person>(
    setups.map((setup) => [setup.id, { ...setup, blocked: false, started: false }]),
  );

  /** The person of that id; an error for the tester when there is none. */
  const person = (userId: number): Person => {
    const found = people.get(userId);
    if (found === undefined) throw new Error(`There is no person ${userId} in this sandbox.`);
    return found;
  };

  const group = (chatId: number) => groups.find((candidate) => candidate.id === chatId);

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
    groups: (): readonly GroupSetup[] => groups,
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

    /** The chat in which a person acts: their private chat, or a group of theirs. An error for the tester when it isn't theirs. */
    chatOf(userId: number, chatId: number = userId): Chat {
      if (chatId === userId) return privateChat(person(userId));
      const found = group(chatId);
      if (found === undefined) throw new Error(`There is no group ${chatId} in this sandbox.`);
      if (!found.memberIds.includes(userId)) throw new Error(`Person ${userId} is not in group ${chatId}.`);
      return { id: found.id, type: "group", title: found.title };
    },

    /** The chat that the bot names, when the bot knows it. */
    chatKnownToBot(chatId: number | string): Chat {
      if (chatId === "") throw badRequest("chat_id is empty");
      const id = /^-?\d{1,15}$/.test(String(chatId)) ? Number(chatId) : undefined;
      const found = id === undefined ? undefined : group(id);
      if (found !== undefined) return { id: found.id, type: "group", title: found.title };
      const known = id === undefined ? undefined : people.get(id);
      if (known?.started !== true) throw badRequest("chat not found");
      return privateChat(known);
    },

    /**
     * The chat that the bot writes into: known to the bot, and not of a person who blocked it. Edits are refused like messages,
     * on the strict side: the published server leaves that to Telegram's own.
     */
    chatToWrite(chatId: number | string): Chat {
      const chat = this.chatKnownToBot(chatId);
      if (chat.type === "private" && person(chat.id).blocked) throw forbidden("bot was blocked by the user");
      return chat;
    },
  };
}
