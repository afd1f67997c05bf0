import { badRequest } from "./api-error.js";
import type { Clock } from "./clock.js";

/** How long a tap waits for its answer. Telegram does not publish the figure; a minute is what clients are said to show the spinner. */
const lifetimeMilliseconds = 60_000;

/** A tap on a button, and the bot's answer to it. */
export interface Tap {
  readonly id: string;
  readonly userId: number;
  readonly chatId: number;
  readonly messageId: number;
  readonly data: string;
  readonly at: number;
  answer?: { text?: string; showAlert: boolean };
}

export type CallbackQueries = ReturnType<typeof createCallbackQueries>;

/** Every tap, and which of them still show a spinner. */
export function createCallbackQueries(clock: Clock) {
  const taps = new Map<string, Tap>();

  return {
    add(tap: { userId: number; chatId: number; messageId: number; data: string }): Tap {
      // Telegram's ids are 64-bit numbers: too long for a JavaScript number, which is why they travel as text.
      const id = `4${String(tap.userId).padStart(10, "0").slice(-10)}${String(taps.size + 1).padStart(8, "0")}`;
      const added = { ...tap, id, at: clock.now() };
      taps.set(id, added);
      return added;
    },

    /** Records the answer; refuses unknown, expired and already answered queries, all with the one text that Telegram has for them. */
    answer(id: string, answer: { text?: string; showAlert: boolean }): Tap {
      const tap = taps.get(id);
      if (tap === undefined || tap.answer !== undefined || clock.now() > tap.at + lifetimeMilliseconds) {
        throw badRequest("query is too old and response timeout expired or query ID is invalid");
      }
      tap.answer = answer;
      return tap;
    },

    find: (id: string): Tap | undefined => taps.get(id),

    /** Who of these people tapped last. */
    lastOf: (userIds: readonly number[]): number | undefined =>
      [...taps.values()].findLast(({ userId }) => userIds.includes(userId))?.userId,

    unanswered: (): Tap[] => [...taps.values()].filter(({ answer }) => answer === undefined),
  };
}
