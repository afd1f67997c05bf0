/**
 * Button presses that the bot has not answered yet. As in Telegram, a button spins until its callback query is
 * answered, and the answer's text appears as a toast or, if the bot asks for it, as an alert.
 *
 * @import { Button, ChatModel, Message } from "./model.js"
 */
import { alert, orToast, toast } from "../base/notices.js";

/** @param {ChatModel} model @param {(message: Message) => void} refresh */
export function createPresses(model, refresh) {
  /** @type {Map<string, { message: Message, callbackQueryId?: string }>} */
  const waiting = new Map();
  /** Answers that arrived before the id of their press. @type {Set<string>} */
  const early = new Set();

  /** @param {Message} message @param {Button} button */
  const keyOf = (message, button) => `${model.me()}/${model.room()}/${message.messageId}/${button.data}`;

  /** @param {string} key */
  const settle = (key) => {
    const press = waiting.get(key);
    waiting.delete(key);
    if (press) refresh(press.message);
  };

  model.onAnswer.listen(({ callbackQueryId, text, showAlert }) => {
    const key = [...waiting].find(([, press]) => press.callbackQueryId === callbackQueryId)?.[0];
    if (key) settle(key);
    else early.add(callbackQueryId);
    if (text) (showAlert ? alert : toast)(text);
  });

  return {
    /** @param {Message} message @param {Button} button */
    isWaiting: (message, button) => waiting.has(keyOf(message, button)),

    /** @param {Message} message @param {Button} button */
    press: async (message, button) => {
      const key = keyOf(message, button);
      waiting.set(key, { message });
      refresh(message);
      const pressed = await orToast(model.press(message.messageId, button.data ?? ""));
      if (pressed === undefined || early.delete(pressed.callbackQueryId)) settle(key);
      else if (waiting.has(key)) waiting.set(key, { message, callbackQueryId: pressed.callbackQueryId });
    },
  };
}
