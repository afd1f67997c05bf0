import type { InlineKeyboardMarkup, Message, MessageEntity } from "./types.js";

/** All chats' messages. As in Telegram, a bot's private chats and groups share one sequence of message ids. */
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
    /** Ephemeral messages are found by their negated `ephemeral_message_id`. */
    find: (chatId: number, messageId: number): Message | undefined => chats.get(chatId)?.get(messageId),
    put(message: Message): Message {
      chatMessages(message.chat.id).set(keyOf(message), message);
      return message;
    },
    remove: (chatId: number, messageId: number): boolean => chats.get(chatId)?.delete(messageId) ?? false,
    /** Oldest first. */
    all: (chatId: number): Message[] =>
      [...(chats.get(chatId)?.values() ?? [])].sort((a, b) => Math.abs(keyOf(a)) - Math.abs(keyOf(b))),
  };
}

function keyOf({ message_id, ephemeral_message_id }: Message): number {
  return ephemeral_message_id === undefined ? message_id : -ephemeral_message_id;
}

/** A button as the tester sees it. Pressing it sends `data` to the bot, opens `url` or copies `copyText`. */
interface ChatButton {
  text: string;
  data?: string;
  url?: string;
  copyText?: string;
  style?: string;
  disabled?: true;
}

/** A message as the tester sees it. `date` and `editedAt` are in Unix seconds; entities count UTF-16 code units. */
export interface ChatMessage {
  /** Negative for an ephemeral message. */
  messageId: number;
  /** The only person who sees an ephemeral message. */
  onlyFor?: number;
  from: "bot" | "person";
  /** The person's id, or the bot's. */
  fromId: number;
  fromName: string;
  date: number;
  text: string;
  entities: MessageEntity[];
  /** Whether the input field opens as a reply to it. */
  forceReply?: true;
  keyboard?: ChatButton[][];
  editedAt?: number;
  /** An attached document's name; `fileId` fetches it. */
  attachment?: string;
  fileId?: string;
  /** Shown above the text, which is then its caption. */
  photo?: { fileId: string; width: number; height: number };
  replyToMessageId?: number;
}

export function chatMessage(message: Message): ChatMessage {
  const attachment = message.document?.file_name;
  const photo = message.photo?.[0];
  return {
    messageId: keyOf(message),
    ...(message.ephemeral_message_id !== undefined && { onlyFor: (message.receiver_user ?? message.from).id }),
    from: message.from.is_bot ? "bot" : "person",
    fromId: message.from.id,
    fromName: message.from.first_name,
    date: message.date,
    text: message.text ?? message.caption ?? "",
    entities: message.entities ?? message.caption_entities ?? [],
    ...(message.reply_markup?.force_reply === true && { forceReply: true }),
    ...(message.reply_markup !== undefined && { keyboard: chatKeyboard(message.reply_markup) }),
    ...(message.edit_date !== undefined && { editedAt: message.edit_date }),
    ...(attachment !== undefined && { attachment }),
    ...(message.document !== undefined && { fileId: message.document.file_id }),
    ...(photo && { photo: { fileId: photo.file_id, width: photo.width, height: photo.height } }),
    ...(message.reply_to_message !== undefined && { replyToMessageId: keyOf(message.reply_to_message) }),
  };
}

function chatKeyboard({ inline_keyboard }: InlineKeyboardMarkup): ChatButton[][] {
  return inline_keyboard.map((row) =>
    row.map(({ text, callback_data, url, copy_text, style, disabled }) => ({
      text,
      ...(callback_data !== undefined && { data: callback_data }),
      ...(url !== undefined && { url }),
      ...(copy_text !== undefined && { copyText: copy_text.text }),
      ...(style !== undefined && { style }),
      ...(disabled !== undefined && { disabled: true }),
    })),
  );
}

/** Drops `reply_to_message`, which a quoted message never has. */
export function withoutReply(message: Message): Message {
  const { reply_to_message: _, ...rest } = message;
  return rest;
}
