/**
 * Presses of inline buttons that the bot has not answered yet. As in Telegram, a button spins until its callback query is
 * answered, and the answer's text appears as a toast or, when the bot asks for it, as an alert.
 */

/**
 * @param {{
 *   model: import("./model.js").ChatModel,
 *   refresh: (message: import("./model.js").Message) => void,
 *   toast: (text: string) => void,
 *   alert: (text: string) => void,
 * }} parts
 */
export function createPresses({ model, refresh, toast, alert }) {
  /** @type {Map<string, { message: import("./model.js").Message, callbackQueryId?: string }>} */
  const waiting = new Map();
  /** Answers that came before the sandbox told us the id of the press. @type {Set<string>} */
  const early = new Set();

  /** @param {import("./model.js").Message} message @param {import("./model.js").Button} button */
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
    /** @param {import("./model.js").Message} message @param {import("./model.js").Button} button */
    isWaiting: (message, button) => waiting.has(keyOf(message, button)),

    /** @param {import("./model.js").Message} message @param {import("./model.js").Button} button */
    press: async (message, button) => {
      const key = keyOf(message, button);
      waiting.set(key, { message });
      refresh(message);
      try {
        const { callbackQueryId } = await model.press(message.messageId, button.data ?? "");
        if (early.delete(callbackQueryId)) settle(key);
        else if (waiting.has(key)) waiting.set(key, { message, callbackQueryId });
      } catch (error) {
        settle(key);
        toast(error instanceof Error ? error.message : String(error));
      }
    },
  };
}
