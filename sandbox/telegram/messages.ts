import type { InlineKeyboardMarkup, Message, MessageEntity } from "./types.js";

export type Messages = ReturnType<typeof createMessages>;

/** All chats' messages. As with Telegram, a bot's private chats and groups share one sequence of message ids. */
export function createMessages() {
  const chats = new Map<number, Map<number, Message>>();
  let lastId = 0;

  const chatMessages = (chatId: number) => {
    const found = chats.get(chatId) ?? new Map<number, Message>();
    chats.set(chatId, found);
    return found;
  };

  return {
    keep: () => ({ chats, lastId }),
    restore: (kept: { chats: typeof chats; lastId: number }): void => {
      for (const [chatId, messages] of kept.chats) chats.set(chatId, messages);
      lastId = kept.lastId;
    },
    nextId: (): number => (lastId += 1),
    find: (chatId: number, messageId: number): Message | undefined => chats.get(chatId)?.get(messageId),
    put(message: Message): Message {
      chatMessages(message.chat.id).set(message.message_id, message);
      return message;
    },
    remove: (chatId: number, messageId: number): boolean => chats.get(chatId)?.delete(messageId) ?? false,
    /** Oldest first. */
    all: (chatId: number): Message[] =>
      [...(chats.get(chatId)?.values() ?? [])].sort((a, b) => a.message_id - b.message_id),
  };
}

/** A button as the tester sees it: what pressing it does is `data` (the bot is told), `url` or `copyText`. */
interface ChatButton {
  text: string;
  data?: string;
  url?: string;
  copyText?: string;
  style?: string;
}

/** A message as the tester sees it. `date` and `editedAt` are unix seconds; entities count UTF-16 code units. */
export interface ChatMessage {
  messageId: number;
  from: "bot" | "person";
  /** The person's id, or the bot's. */
  fromId: number;
  fromName: string;
  date: number;
  text: string;
  entities: MessageEntity[];
  keyboard?: ChatButton[][];
  editedAt?: number;
  /** The name of an attached document or photo, and by which a document can be fetched. */
  attachment?: string;
  fileId?: string;
  replyToMessageId?: number;
}

export function chatMessage(message: Message): ChatMessage {
  const attachment = message.document?.file_name ?? (message.photo === undefined ? undefined : "photo");
  return {
    messageId: message.message_id,
    from: message.from.is_bot ? "bot" : "person",
    fromId: message.from.id,
    fromName: message.from.first_name,
    date: message.date,
    text: message.text ?? message.caption ?? "",
    entities: message.entities ?? message.caption_entities ?? [],
    ...(message.reply_markup !== undefined && { keyboard: chatKeyboard(message.reply_markup) }),
    ...(message.edit_date !== undefined && { editedAt: message.edit_date }),
    ...(attachment !== undefined && { attachment }),
    ...(message.document !== undefined && { fileId: message.document.file_id }),
    ...(message.reply_to_message !== undefined && { replyToMessageId: message.reply_to_message.message_id }),
  };
}

function chatKeyboard({ inline_keyboard }: InlineKeyboardMarkup): ChatButton[][] {
  return inline_keyboard.map((row) =>
    row.map(({ text, callback_data, url, copy_text, style }) => ({
      text,
      ...(callback_data !== undefined && { data: callback_data }),
      ...(url !== undefined && { url }),
      ...(copy_text !== undefined && { copyText: copy_text.text }),
      ...(style !== undefined && { style }),
    })),
  );
}

/** A quoted message never carries the message that it quotes itself. */
export function withoutReply(message: Message): Message {
  const { reply_to_message: _, ...rest } = message;
  return rest;
}
