/** The Bot API's objects that the sandbox uses, with the Bot API's own field names. */

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

/** `offset` and `length` count UTF-16 code units. */
export interface MessageEntity {
  type: string;
  offset: number;
  length: number;
  url?: string;
  language?: string;
  custom_emoji_id?: string;
  unix_time?: number;
  date_time_format?: string;
}

export interface InlineKeyboardButton {
  text: string;
  callback_data?: string;
  url?: string;
  style?: string;
  copy_text?: { text: string };
  disabled?: object;
}

export interface InlineKeyboardMarkup {
  inline_keyboard: InlineKeyboardButton[][];
  force_reply?: boolean;
}

export interface StoredFile {
  file_id: string;
  file_unique_id: string;
  file_name?: string;
  mime_type?: string;
  file_size?: number;
}

export interface PhotoSize extends Pick<StoredFile, "file_id" | "file_unique_id" | "file_size"> {
  width: number;
  height: number;
}

export interface Message {
  /** 0 for an ephemeral message, which only one person sees. */
  message_id: number;
  ephemeral_message_id?: number;
  receiver_user?: User;
  from: User;
  chat: Chat;
  date: number;
  edit_date?: number;
  text?: string;
  /** Instead of `text`. */
  entities?: MessageEntity[];
  caption?: string;
  caption_entities?: MessageEntity[];
  document?: StoredFile;
  photo?: PhotoSize[];
  reply_markup?: InlineKeyboardMarkup;
  reply_to_message?: Message;
  /** The bot through which a person sent it. */
  via_bot?: User;
}

interface CallbackQuery {
  id: string;
  from: User;
  message: Message;
  chat_instance: string;
  data: string;
}

interface InlineQuery {
  id: string;
  from: User;
  query: string;
  offset: string;
  chat_type: "sender" | "private" | "group";
}

/** A result that the bot offers for an inline query. */
export interface InlineResult {
  type: string;
  id: string;
  title?: string;
  description?: string;
  input_message_content?: { message_text?: string; entities?: MessageEntity[] };
  reply_markup?: unknown;
}

/** Whether a person lets the bot write to them: `kicked` means blocked. */
interface ChatMemberUpdated {
  chat: Chat;
  from: User;
  date: number;
  old_chat_member: { status: "member" | "kicked"; user: User; until_date?: number };
  new_chat_member: { status: "member" | "kicked"; user: User; until_date?: number };
}

/** An update's content by its field name. */
export interface UpdateContent {
  message: Message;
  edited_message: Message;
  callback_query: CallbackQuery;
  inline_query: InlineQuery;
  my_chat_member: ChatMemberUpdated;
}

export type UpdateKind = keyof UpdateContent;

export type Update = { update_id: number } & Partial<UpdateContent>;

export interface BotCommand {
  command: string;
  description: string;
  is_ephemeral?: boolean;
}
