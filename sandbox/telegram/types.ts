/** The objects of the Bot API, as far as the sandbox makes them, under the Bot API's own field names. */

export interface User {
  id: number;
  is_bot: boolean;
  first_name: string;
  username?: string;
  language_code?: string;
}

export interface Chat {
  id: number;
  type: "private" | "group";
  title?: string;
  first_name?: string;
  username?: string;
}

/** A stretch of text with a meaning. Offset and length count UTF-16 code units. */
export interface MessageEntity {
  type: string;
  offset: number;
  length: number;
  url?: string;
  language?: string;
  custom_emoji_id?: string;
}

export interface InlineKeyboardButton {
  text: string;
  callback_data?: string;
  url?: string;
  style?: string;
  copy_text?: { text: string };
}

export interface InlineKeyboardMarkup {
  inline_keyboard: InlineKeyboardButton[][];
}

export interface StoredFile {
  file_id: string;
  file_unique_id: string;
  file_name?: string;
  mime_type?: string;
  file_size?: number;
}

export interface Message {
  message_id: number;
  from: User;
  chat: Chat;
  date: number;
  edit_date?: number;
  text?: string;
  entities?: MessageEntity[];
  caption?: string;
  caption_entities?: MessageEntity[];
  photo?: (StoredFile & { width: number; height: number })[];
  document?: StoredFile;
  reply_markup?: InlineKeyboardMarkup;
  reply_to_message?: Message;
  forward_origin?: { type: "user"; date: number; sender_user: User };
}

interface CallbackQuery {
  id: string;
  from: User;
  message: Message;
  chat_instance: string;
  data: string;
}

/** A change of what a person allows the bot: `kicked` when the person blocked it. */
interface ChatMemberUpdated {
  chat: Chat;
  from: User;
  date: number;
  old_chat_member: { status: "member" | "kicked"; user: User; until_date?: number };
  new_chat_member: { status: "member" | "kicked"; user: User; until_date?: number };
}

/** What happened, by the name under which an update carries it. */
export interface UpdateContent {
  message: Message;
  callback_query: CallbackQuery;
  my_chat_member: ChatMemberUpdated;
}

export type UpdateKind = keyof UpdateContent;

export type Update = { update_id: number } & Partial<UpdateContent>;

export interface BotCommand {
  command: string;
  description: string;
}
