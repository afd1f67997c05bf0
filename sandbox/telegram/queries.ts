import { badRequest } from "./api-error.js";
import type { Clock } from "./clock.js";
import type { InlineResult } from "./types.js";

/** A tap on a button. */
interface Tap {
  readonly userId: number;
  readonly chatId: number;
  readonly messageId: number;
  readonly data: string;
}

/** An inline query. */
interface InlineQuestion {
  readonly userId: number;
  readonly query: string;
}

export interface InlineAnswer {
  readonly results: readonly InlineResult[];
  readonly button?: { text: string; start_parameter?: string };
  readonly cacheSeconds: number;
  readonly isPersonal: boolean;
}

type Asked<Question, Answer> = Question & {
  readonly id: string;
  readonly at: number;
  readonly since: number;
  answer?: Answer;
};

/** Telegram publishes neither lifetime. Clients are said to show a tap's spinner for a minute. */
export const createCallbackQueries = (clock: Clock) =>
  createQueries<Tap, { text?: string; showAlert: boolean }>(clock, "4", 60_000);
/** After ten seconds, the app asks again. */
export const createInlineQueries = (clock: Clock) => createQueries<InlineQuestion, InlineAnswer>(clock, "5", 10_000);

/**
 * Queries to the bot, each of which can be answered once, within its lifetime: in real time, since an app waits in that
 * however fast the world's clock runs.
 */
function createQueries<Question extends { readonly userId: number }, Answer>(
  clock: Clock,
  firstDigit: string,
  lifetimeMilliseconds: number,
) {
  const all = new Map<string, Asked<Question, Answer>>();

  return {
    add(question: Question): Asked<Question, Answer> {
      // Telegram's ids are 64-bit numbers, sent as text because they exceed JavaScript's.
      const user = String(question.userId).padStart(10, "0").slice(-10);
      const id = `${firstDigit}${user}${String(all.size + 1).padStart(8, "0")}`;
      const asked: Asked<Question, Answer> = { ...question, id, at: clock.now(), since: performance.now() };
      all.set(id, asked);
      return asked;
    },

    /** Refuses unknown, expired and already answered queries with Telegram's one text for all three. */
    answer(id: string, answer: Answer): Asked<Question, Answer> {
      const asked = all.get(id);
      if (asked === undefined || asked.answer !== undefined || performance.now() > asked.since + lifetimeMilliseconds) {
        throw badRequest("query is too old and response timeout expired or query ID is invalid");
      }
      asked.answer = answer;
      return asked;
    },

    find: (id: string): Asked<Question, Answer> | undefined => all.get(id),
    all: (): Asked<Question, Answer>[] => [...all.values()],
  };
}
