import type { InlineAnswer } from "./inline-queries.js";
import type { ChatMessage } from "./messages.js";
import type { BotCommand } from "./types.js";

/** What the tester's side is told as it happens. `userId` is the chat's id: the person's, or a group's (negative). */
export type TelegramEvent =
  | { type: "message"; userId: number; message: ChatMessage }
  | { type: "edit"; userId: number; message: ChatMessage }
  | { type: "delete"; userId: number; messageId: number }
  | {
      type: "callback-answer";
      userId: number;
      fromId: number;
      callbackQueryId: string;
      messageId: number;
      text?: string;
      showAlert: boolean;
    }
  | ({ type: "inline-answer"; userId: number; inlineQueryId: string } & InlineAnswer)
  | { type: "typing"; userId: number; action: string }
  | { type: "commands"; userId: undefined; commands: BotCommand[] };

export type Listener = (event: TelegramEvent) => void;

export type Events = ReturnType<typeof createEvents>;

export function createEvents() {
  const listeners = new Set<Listener>();
  return {
    tell(event: TelegramEvent): void {
      for (const listener of [...listeners]) listener(event);
    },
    /** Returns the function that ends the subscription. */
    subscribe: (listener: Listener): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
