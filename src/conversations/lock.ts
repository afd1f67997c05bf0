import { card } from "../cards/card.js";
import { formatAssetId } from "../encoding/asset.js";
import { parseAmount, plainAmount } from "../encoding/amount.js";
import type { Messages } from "../locales/messages.js";
import { parseUnlockTime } from "../services/chain/epochs.js";
import { readLockedAsset } from "../services/locks/record.js";
import { ANY_TOKEN } from "../services/swap/request.js";
import type { Question } from "./ask.js";
import { cardDialog, type CardDialogParts } from "./card-dialog.js";
import { amountQuestion, reading, tokenQuestion } from "./questions.js";

/** Collects token, amount and unlock time, and ends in a card. */
export function lockDialog(parts: CardDialogParts) {
  return cardDialog(parts, "lock", async ({ person, words, asks }, tokens) => {
    const token = await asks(tokenQuestion(words, tokens, person.recentTokens, words.lock.askToken));
    const amount = await asks(amountQuestion(words, token, person.presets, words.lock.askAmount(token.id)));
    const until = await asks({ prompt: card([words.lock.askUntil]), read: readingUnlockTime(words) });
    return `${amount} ${token.id} ${until}`;
  });
}

/** Collects a locked token and an amount, and ends in a card. */
export function unlockDialog(parts: CardDialogParts) {
  return cardDialog(parts, "unlock", async ({ words, asks }) => {
    const locked = await asks(lockedQuestion(words, words.lock.askLocked));
    const amount = await asks(lockedAmountQuestion(words));
    return `${locked} ${amount}`;
  });
}

/** Only the form is checked: the current epoch is looked up when the card is made. */
export function readingUnlockTime(words: Messages): Question<string>["read"] {
  return reading(words, (text) => {
    parseUnlockTime(text, 0);
    return text.replace(/\s+/g, "");
  });
}

/** Asks for a locked token with its number. */
export function lockedQuestion(words: Messages, prompt: string): Question<string> {
  return {
    prompt: card([prompt]),
    read: reading(words, (text) => formatAssetId(readLockedAsset(text))),
  };
}

/** Only the form is checked: how many decimals it may have shows when the card is made. */
function lockedAmountQuestion(words: Messages): Question<string> {
  return {
    prompt: card([words.lock.askUnlockAmount]),
    read: reading(words, (text) => {
      parseAmount(text, ANY_TOKEN);
      return plainAmount(text, ANY_TOKEN.id);
    }),
  };
}
