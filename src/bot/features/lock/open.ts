import type { Opened } from "../../../conversations/opened.js";
import { wordsOf } from "../../../services/typed-line.js";
import type { Parts } from "../../context.js";
import { openCard } from "../../intents/open.js";

/** Opens a card that locks: `5 LPKLVKFI-3I0N 5500`, the last word an epoch, a date or a duration. */
export function openLock(parts: Parts, userId: number, typed: string): Promise<Opened> {
  return openCard(parts, userId, async (person, words) => {
    const [amount, token, until, ...rest] = wordsOf(typed);
    if (amount === undefined || token === undefined || until === undefined || rest.length > 0) {
      return { sentence: words.lock.usage };
    }
    return { draft: await parts.locking.prepareLock(person, { amount, token, until }) };
  });
}

/** Opens a card that unlocks: `LKTOK-1A2B/7 5`, or without the amount for all of it. */
export function openUnlock(parts: Parts, userId: number, typed: string): Promise<Opened> {
  return openCard(parts, userId, async (person, words) => {
    const [locked, amount, ...rest] = wordsOf(typed);
    if (locked === undefined || rest.length > 0) return { sentence: words.lock.unlockUsage };
    return {
      draft: await parts.locking.prepareUnlock(person, { locked, ...(amount !== undefined && { amount }) }),
    };
  });
}
