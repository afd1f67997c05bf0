import { buttons } from "../cards/buttons.js";
import { button, card, type Lines } from "../cards/card.js";
import { grouped } from "../encoding/decimal-text.js";
import { formatAssetId } from "../encoding/asset.js";
import type { Messages } from "../locales/messages.js";
import { parseUnlockTime } from "../services/chain/epochs.js";
import { readLockedAsset } from "../services/locks/record.js";
import { ANY_TOKEN, incompleteTrade, swapWordsOf } from "../services/swap/request.js";
import type { Question } from "./ask.js";
import { cardDialog, type CardDialogParts, type Collect } from "./card-dialog.js";
import { amountQuestion, reading, readingAmount, readingShareOr, suggesting, tokenQuestion } from "./questions.js";

/** Collects token, amount and unlock time, and ends in a card. */
export function lockDialog(parts: CardDialogParts) {
  return cardDialog(parts, "lock", collectLock, (typed) => incompleteTrade(typed) !== undefined);
}

/** The words of a lock stand as those of a trade do, with its time in the place of the second token. */
const collectLock: Collect = async (interview, open, typed = "") => {
  const { words, tokens, asks, opens, external } = interview;
  const { amount: typedAmount, tokenIn, tokenOut: typedUntil } = swapWordsOf(typed) ?? {};
  const market = await interview.market();
  const token =
    tokenIn === undefined
      ? await asks(tokenQuestion(interview, words.lock.askToken, { market, takesShares: true }))
      : tokens.find(tokenIn);
  const amount =
    typedAmount ?? (await asks(await amountQuestion(interview, token, words.lock.askAmount(token.id), market)));
  const line = (until: string) => `${amount} ${token.id} ${until}`;
  return typedUntil === undefined
    ? opens(untilQuestion(words, words.lock.askUntil), (until) => open(line(until)))
    : external(() => open(line(typedUntil)));
};

/** Lengths of time to choose from, as they can be typed too. */
const TIMES = ["7d", "30d", "90d", "1y"] as const;

/** Asks until when. A suggestion goes before the lengths of time that are always offered. */
export function untilQuestion(words: Messages, lines: string | Lines, suggestion?: string): Question<string> {
  const times = TIMES.map((time) => button(words.lock.times[time], buttons.pick, time));
  return {
    hasNumbers: true,
    prompt: card(typeof lines === "string" ? [lines] : lines, [
      [suggestion === undefined ? undefined : button(suggestion, buttons.pick, suggestion)],
      times,
    ]),
    read: readingUnlockTime(words),
  };
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
  return cardDialog(parts, "unlock", async ({ userId, person, words, asks, opens, external }, open) => {
    const locks = await external(() => parts.locksOf(userId));
    const locked = await asks(lockedQuestion(words, words.lock.askLocked, locks));
    const all = locks.find((lock) => lock.locked === locked)?.amount;
    // Only the form is checked: how many decimals it may have shows when the card is made.
    const read = readingShareOr(words, person.knowsBalances || all !== undefined, readingAmount(words, ANY_TOKEN));
    const question = suggesting([words.lock.askUnlockAmount], all, read, (amount) => words.lock.allOf(grouped(amount)));
    return opens({ ...question, hasNumbers: true }, (amount) => open(`${locked} ${amount}`));
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
