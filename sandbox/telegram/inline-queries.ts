import { badRequest } from "./api-error.js";
import type { Clock } from "./clock.js";
import type { InlineResult } from "./types.js";

/** How long a query waits for its answer; after that the app asks again. Telegram does not publish the figure. */
const lifetimeMilliseconds = 10_000;

/** What a person typed behind the bot's name, and what the bot offers for it. */
export interface InlineAsked {
  readonly id: string;
  readonly userId: number;
  readonly query: string;
  readonly at: number;
  answer?: InlineAnswer;
}

export interface InlineAnswer {
  readonly results: readonly InlineResult[];
  readonly button?: { text: string; start_parameter?: string };
  readonly cacheSeconds: number;
  readonly isPersonal: boolean;
}

export type InlineQueries = ReturnType<typeof createInlineQueries>;

export function createInlineQueries(clock: Clock) {
  const all = new Map<string, InlineAsked>();

  return {
    add(userId: number, query: string): InlineAsked {
      const id = `5${String(userId).padStart(10, "0").slice(-10)}${String(all.size + 1).padStart(8, "0")}`;
      const asked = { id, userId, query, at: clock.now() };
      all.set(id, asked);
      return asked;
    },
    /** Refuses unknown, expired and already answered queries with the one text that Telegram has for them. */
    answer(id: string, answer: InlineAnswer): InlineAsked {
      const asked = all.get(id);
      if (asked === undefined || asked.answer !== undefined || clock.now() > asked.at + lifetimeMilliseconds) {
        throw badRequest("query is too old and response timeout expired or query ID is invalid");
      }
      asked.answer = answer;
      return asked;
    },
    find: (id: string): InlineAsked | undefined => all.get(id),
    all: (): InlineAsked[] => [...all.values()],
  };
}
