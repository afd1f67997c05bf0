import { buttons } from "../cards/buttons.js";
import { button, card } from "../cards/card.js";
import { formatAssetId } from "../encoding/asset.js";
import type { Messages } from "../locales/messages.js";
import { parseUnlockTime } from "../services/chain/epochs.js";
import { readLockedAsset } from "../services/locks/record.js";
import { ANY_TOKEN } from "../services/swap/request.js";
import type { Question } from "./ask.js";
import { cardDialog, type CardDialogParts } from "./card-dialog.js";
import { amountQuestion, reading, readingAmount, suggesting, tokenQuestion } from "./questions.js";

/** Collects token, amount and unlock time, and ends in a card. */
export function lockDialog(parts: CardDialogParts) {
  return cardDialog(parts, "lock", async (interview, open) => {
    const { words, asks, opens } = interview;
    const token = await asks(tokenQuestion(interview, words.lock.askToken));
    const amount = await asks(amountQuestion(interview, token, words.lock.askAmount(token.id)));
    const question = { prompt: card([words.lock.askUntil]), read: readingUnlockTime(words) };
    return opens(question, (until) => open(`${amount} ${token.id} ${until}`));
  });
}

/** A lock that can be chosen: its locked token, how much of it there is as an amount to type, and what was locked. */
export interface LockChoice {
  readonly locked: string;
  readonly amount: string;
  readonly label: string;
}

/** Enough to choose from; the others are typed. */
const MAX_LOCK_BUTTONS = 6;

/** Collects a locked token and an amount, and ends in a card. `locksOf` gives the person's locks, those that unlock first at the front. */
export function unlockDialog(
  parts: CardDialogParts & { readonly locksOf: (userId: number) => Promise<readonly LockChoice[]> },
) {
  return cardDialog(parts, "unlock", async ({ userId, words, asks, opens, external }, open) => {
    const locks = await external(() => parts.locksOf(userId));
    const locked = await asks(lockedQuestion(words, words.lock.askLocked, locks));
    const all = locks.find((lock) => lock.locked === locked)?.amount;
    // Only the form is checked: how many decimals it may have shows when the card is made.
    const read = readingAmount(words, ANY_TOKEN);
    const question = suggesting([words.lock.askUnlockAmount], all, read, words.lock.allOf);
    return opens(question, (amount) => open(`${locked} ${amount}`));
  });
}

/** Only the form is checked: the current epoch is looked up when the card is made. */
export function readingUnlockTime(words: Messages): Question<string>["read"] {
  return reading(words, (text) => {
    parseUnlockTime(text, 0);
    return text.replace(/\s+/g, "");
  });
}

/** Asks for a locked token with its number; the person's own are offered as buttons. */
export function lockedQuestion(words: Messages, prompt: string, locks: readonly LockChoice[] = []): Question<string> {
  const offered = locks.slice(0, MAX_LOCK_BUTTONS);
  return {
    prompt: card(
      [prompt],
      offered.map(({ label, locked }) => [button(label, buttons.pick, locked)]),
    ),
    read: reading(words, (text) => formatAssetId(readLockedAsset(text))),
  };
}
