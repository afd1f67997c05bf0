import { richText } from "./rich.js";
import type { InlineKeyboardMarkup, Message, MessageEntity, RichBlock } from "./types.js";

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
    /** An ephemeral message is found by its own id, negative. */
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

/** A button as the tester sees it: what pressing it does is `data` (the bot is told), `url` or `copyText`. */
interface ChatButton {
  text: string;
  data?: string;
  url?: string;
  copyText?: string;
  style?: string;
  disabled?: true;
}

/** A message as the tester sees it. `date` and `editedAt` are unix seconds; entities count UTF-16 code units. */
export interface ChatMessage {
  /** Negative for an ephemeral message. */
  messageId: number;
  /** The one person who sees an ephemeral message. */
  onlyFor?: number;
  from: "bot" | "person";
  /** The person's id, or the bot's. */
  fromId: number;
  fromName: string;
  date: number;
  text: string;
  entities: MessageEntity[];
  /** What is shown in place of the text, which then says it line by line. */
  rich?: RichBlock[];
  /** Whether the field opens as a reply to it. */
  forceReply?: true;
  keyboard?: ChatButton[][];
  editedAt?: number;
  /** The name of an attached document, and by which it can be fetched. */
  attachment?: string;
  fileId?: string;
  /** What is shown above the text, which is its caption then. */
  photo?: { fileId: string; width: number; height: number };
  replyToMessageId?: number;
}

export function chatMessage(message: Message): ChatMessage {
  const attachment = message.document?.file_name;
  const rich = message.rich_message?.blocks;
  const photo = message.photo?.[0];
  return {
    messageId: keyOf(message),
    ...(message.ephemeral_message_id !== undefined && { onlyFor: (message.receiver_user ?? message.from).id }),
    from: message.from.is_bot ? "bot" : "person",
    fromId: message.from.id,
    fromName: message.from.first_name,
    date: message.date,
    text: message.text ?? message.caption ?? richText(rich ?? []),
    entities: message.entities ?? message.caption_entities ?? [],
    ...(rich !== undefined && { rich }),
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

/** A quoted message never carries the message that it quotes itself. */
export function withoutReply(message: Message): Message {
  const { reply_to_message: _, ...rest } = message;
  return rest;
}
