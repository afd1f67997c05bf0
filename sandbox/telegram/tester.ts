import { unixSeconds } from "./clock.js";
import { typed } from "./entities.js";
import { inlineKeyboard } from "./keyboard.js";
import { type ChatMessage, chatMessage, withoutReply } from "./messages.js";
import type { Server } from "./server.js";
import type { Message } from "./types.js";

/** What the tester makes people do. Impossible actions throw plain errors for the tester to read. */
export function createTester(server: Server) {
  const { people, messages, queue, callbacks, events, clock, bot, older } = server;

  /** Whether the bot gets a message: in groups, only its own commands (Bot API, "Privacy mode"). */
  const botHears = ({ chat, text = "", entities = [] }: Message): boolean => {
    if (chat.type === "private") return true;
    const command = entities.find(({ type, offset }) => type === "bot_command" && offset === 0);
    if (command === undefined) return false;
    const addressee = text.slice(0, command.length).split("@")[1];
    return addressee === undefined || addressee.toLowerCase() === bot.username?.toLowerCase();
  };

  const languageOf = (userId: number) => people.person(userId).languageCode ?? "";

  /** Whether a group message is hidden from the others: a command that the bot registered as ephemeral. */
  const isEphemeral = (userId: number, chatId: number, text: string): boolean => {
    const command = /^\/([a-z0-9_]+)/.exec(text)?.[1];
    if (chatId > 0 || command === undefined || older.lacks("ephemeral")) return false;
    const seen = server.commands.seenIn(chatId, languageOf(userId));
    return seen.some((each) => each.command === command && each.is_ephemeral === true);
  };

  const memberChange = (userId: number, blocked: boolean) => {
    const status = (now: boolean) =>
      now ? ({ status: "kicked", user: bot, until_date: 0 } as const) : ({ status: "member", user: bot } as const);
    queue.push("my_chat_member", {
      chat: people.chatOf(userId),
      from: people.user(userId),
      date: unixSeconds(clock),
      old_chat_member: status(!blocked),
      new_chat_member: status(blocked),
    });
  };

  /**
   * A person's tap on a message, whether or not it has such a button: a tap can be late or forged. `chatId` can even be
   * another person's private chat: Telegram would not allow that, but a bot must not rely on it.
   */
  const pressAs = (userId: number, messageId: number, data: string, options: { chatId?: number } = {}) => {
    const { chatId = userId } = options;
    const chat = chatId > 0 ? people.chatOf(chatId) : people.chatOf(userId, chatId);
    const message = messages.find(chat.id, messageId);
    if (message === undefined) throw new Error(`There is no message ${messageId} in chat ${chat.id}.`);
    const tap = callbacks.add({ userId, chatId: chat.id, messageId, data });
    const updateId = queue.push("callback_query", {
      id: tap.id,
      from: people.user(userId),
      message,
      chat_instance: String(chat.id * 1_000_003),
      data,
    });
    return { callbackQueryId: tap.id, updateId };
  };

  return {
    /** A person writes to the bot or a group, perhaps in reply to a message. `updateId` is 0 if the bot gets none. */
    sendText(
      userId: number,
      text: string,
      options: { chatId?: number; replyTo?: number } = {},
    ): { updateId: number; messageId: number } {
      const chat = people.chatOf(userId, options.chatId);
      const { text: tidied, entities } = typed(text);
      if (tidied === "") throw new Error("A message has to have text.");
      if (chat.type === "private") {
        if (people.person(userId).blocked)
          throw new Error(`Person ${userId} blocked the bot and has to unblock it first.`);
        people.change(userId, { started: true });
      }
      const repliedTo = options.replyTo === undefined ? undefined : messages.find(chat.id, options.replyTo);
      const id = messages.nextId();
      const message = messages.put({
        ...(isEphemeral(userId, chat.id, tidied) ? { message_id: 0, ephemeral_message_id: id } : { message_id: id }),
        from: people.user(userId),
        chat,
        date: unixSeconds(clock),
        text: tidied,
        ...(entities.length > 0 && { entities }),
        ...(repliedTo !== undefined && { reply_to_message: withoutReply(repliedTo) }),
      });
      events.tell({ type: "message", userId: chat.id, message: chatMessage(message) });
      return {
        updateId: botHears(message) ? queue.push("message", message) : 0,
        messageId: chatMessage(message).messageId,
      };
    },

    /** A person edits their own message. `updateId` is 0 if the bot gets none. */
    editText(userId: number, messageId: number, text: string, chatId = userId): { updateId: number } {
      const chat = people.chatOf(userId, chatId);
      const before = messages.find(chat.id, messageId);
      if (before === undefined) throw new Error(`There is no message ${messageId} in chat ${chat.id}.`);
      if (before.from.id !== userId) throw new Error("People can only edit their own messages.");
      const { text: tidied, entities } = typed(text);
      if (tidied === "") throw new Error("A message has to have text.");
      if (tidied === before.text) return { updateId: 0 };
      const { entities: _old, ...kept } = before;
      const edited = messages.put({
        ...kept,
        text: tidied,
        ...(entities.length > 0 && { entities }),
        edit_date: unixSeconds(clock),
      });
      events.tell({ type: "edit", userId: chat.id, message: chatMessage(edited) });
      return { updateId: botHears(edited) ? queue.push("edited_message", edited) : 0 };
    },

    /** A person taps a button in their own chat; the answer arrives as an event. */
    press: (userId: number, messageId: number, data: string) => pressAs(userId, messageId, data),
    pressAs,

    /** A person types an inline query; the answer arrives as an event. */
    typeInline(userId: number, query: string): { inlineQueryId: string } {
      const { id } = server.inline.add({ userId, query });
      queue.push("inline_query", { id, from: people.user(userId), query, offset: "", chat_type: "private" });
      return { inlineQueryId: id };
    },
    inlineQueries: server.inline.all,

    /** A person sends an inline result to their own chat with the bot or to a group. */
    chooseInline(userId: number, inlineQueryId: string, resultId: string, chatId = userId): void {
      const found = server.inline.find(inlineQueryId)?.answer?.results.find(({ id }) => id === resultId);
      const { message_text: text, entities = [] } = found?.input_message_content ?? {};
      if (found === undefined || text === undefined) throw new Error(`The bot offers no ${resultId} there.`);
      const keyboard = inlineKeyboard(found.reply_markup);
      const message = messages.put({
        message_id: messages.nextId(),
        from: people.user(userId),
        chat: people.chatOf(userId, chatId),
        date: unixSeconds(clock),
        text,
        ...(entities.length > 0 && { entities }),
        ...(keyboard !== undefined && { reply_markup: keyboard }),
        via_bot: bot,
      });
      events.tell({ type: "message", userId: message.chat.id, message: chatMessage(message) });
    },

    /** A chat's messages, oldest first. `chatId` is a person's id or a group's. */
    chat: (chatId: number): ChatMessage[] => messages.all(chatId).map(chatMessage),

    people: people.all,
    groups: people.groups,

    /** A person blocks or unblocks the bot, which gets an update if they had started it. */
    setBlocked(userId: number, blocked: boolean): void {
      if (people.person(userId).blocked === blocked) return;
      people.change(userId, { blocked });
      if (people.person(userId).started) memberChange(userId, blocked);
    },

    /** Delivers updates again, even if the bot has confirmed them. */
    redeliver: (updateIds: readonly number[]) => queue.repeat(updateIds),

    /** The command list that a person sees in a group or their own chat; without a person, the default one. */
    commands: (userId?: number, chatId = userId) =>
      server.commands.seenIn(chatId, userId === undefined ? "" : languageOf(userId)),

    /** Which of these people tapped last. */
    lastTap: (userIds: readonly number[]) => callbacks.all().findLast(({ userId }) => userIds.includes(userId))?.userId,

    /** Taps that are not answered yet. */
    unansweredCallbacks: () => callbacks.all().filter(({ answer }) => answer === undefined),

    subscribe: events.subscribe,
  };
}
