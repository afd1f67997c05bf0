import { button, buttons, commandButton } from "../cards/buttons.js";
import { type Card, card, keyboardOf } from "../cards/card.js";
import type { Messages } from "../locales/messages.js";
import { plainText } from "../services/base/display-text.js";

/** Number of wrong answers after which the bot asks whether to continue. */
export const MAX_TRIES = 8;
/** The answer behind the button to continue, which nobody would type. */
export const GO_ON = "\u2026";
/** As much of a typed command as is quoted. */
const MAX_QUOTED = 60;

/** The buttons and sentences that a question has besides its own. */
export function questionCards({ common }: Messages) {
  const many = `\n\n${common.manyTries(MAX_TRIES)}`;
  const goOn = [[button(common.goOn, buttons.pick, GO_ON)]];
  const cancel = button(common.cancel, buttons.leave, "now");
  return {
    withGoOn: ({ text, entities }: Card): Card => ({ text: text + many, entities, keyboard: goOn }),
    /** Beside what an offer's last row has, so that it takes no row of its own. */
    withCancel: (asked: Card, isOffer: boolean): Card => {
      const rows = asked.keyboard ?? [];
      const last = isOffer && rows.length > 1 ? rows.slice(-1) : [];
      return { ...asked, keyboard: [...rows.slice(0, rows.length - last.length), [...last.flat(), cancel]] };
    },
    /** Asks again, and offers what was typed instead of an answer. @param line see `DialogFlavor.meant`. */
    insteadOf: ({ text, entities, keyboard = [] }: Card, typed: string, line: string): Card => {
      const label = plainText(typed, MAX_QUOTED);
      const instead = commandButton(label, line);
      const sentence = `${common.notAnswer(label)} ${instead === undefined ? common.doLater : common.doInstead}`;
      return { text: `${text}\n\n${card([sentence]).text}`, entities, keyboard: keyboardOf([[instead], ...keyboard]) };
    },
  };
}
