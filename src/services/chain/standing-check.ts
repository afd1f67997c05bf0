import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import { Fault, unlessFault } from "../../fault.js";

export type CheckAnswer = "match" | "mismatch" | "unknown";

/** When the question is asked again: what was answered can change. */
const ASK_AGAIN_MILLISECONDS: Record<CheckAnswer, number> = { unknown: 60_000, match: 900_000, mismatch: 60_000 };

/** Whether what the bot is set up for is what the chain says, asked at once and again through the day. */
export type StandingCheck = ReturnType<typeof createStandingCheck>;

export interface CheckParts {
  readonly clock: Clock;
  readonly log: Logger;
  /** Hears of each answer. */
  readonly onAnswer?: (answer: CheckAnswer) => void;
}

/**
 * Asks at once, and again whenever somebody needs the answer and it is too old. Only a mismatch stops trading, until a match.
 * @param parts.ask throws a Fault where there is no answer now; `unread` says so in the log.
 */
export function createStandingCheck(
  parts: CheckParts & {
    readonly ask: () => Promise<CheckAnswer>;
    readonly unread: string;
    readonly mismatch: "chain-mismatch" | "router-mismatch";
  },
) {
  const { clock, log } = parts;
  let isMismatch = false;
  let askAgainAfter = Number.POSITIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;

  const ask = async (): Promise<void> => {
    askedAt = clock.monotonic();
    const answer = (await unlessFault(parts.ask, (err) => log.warn({ err }, parts.unread))) ?? "unknown";
    parts.onAnswer?.(answer);
    askAgainAfter = ASK_AGAIN_MILLISECONDS[answer];
    if (answer !== "unknown") isMismatch = answer === "mismatch";
  };
  const assertAnswer = () => {
    if (isMismatch) throw new Fault(parts.mismatch, {});
  };

  let asked = ask();
  const askWhenOld = (): Promise<void> => {
    if (clock.monotonic() - askedAt >= askAgainAfter) asked = ask();
    return asked;
  };
  return {
    /** For what sends nothing yet: does not wait. @throws the check's Fault when it is known that it is not so. */
    assertNoMismatch: (): void => {
      void askWhenOld();
      assertAnswer();
    },
    /**
     * For what is about to send: waits for the answer if it is not there yet. No answer stops nobody; the question
     * is put again later.
     * @throws the check's Fault.
     */
    assertMatch: async (): Promise<void> => {
      await asked;
      await askWhenOld();
      assertAnswer();
    },
  };
}
