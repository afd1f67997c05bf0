import { readButton } from "../cards/buttons.js";
import type { Card, Keyboard } from "../cards/card.js";

/** A number as its button writes it, and a word that its button translates; other labels say more than the answer. */
function labelOfAnswer(picked: string, keyboard: Keyboard = []): string {
  const isTapped = (key: Keyboard[number][number]) =>
    "callback_data" in key && readButton(key.callback_data)?.text === picked;
  const label = keyboard.flat().find(isTapped)?.text;
  return label !== undefined && (/^[0-9.]+$/.test(picked) || !label.includes(picked)) ? label : picked;
}

/** A question as it stays in the chat. @param picked what was tapped instead of typed. */
export function answeredQuestion({ text, entities, keyboard }: Card, picked?: string): Card {
  return { text: picked === undefined ? text : `${text}\n› ${labelOfAnswer(picked, keyboard)}`, entities };
}
