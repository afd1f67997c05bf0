import type { InlineKeyboardButton, MessageEntity } from "grammy/types";

/** One message as data: what is sent or edited, and compared in tests. Text is formatted by entities, never by markup. */
export interface Card {
  readonly text: string;
  readonly entities: readonly MessageEntity[];
  /** Rows of buttons; absent for none. */
  readonly keyboard?: readonly (readonly InlineKeyboardButton[])[];
}
