import type { Clock } from "../../clock.js";
import { pauseAfter } from "../../services/back-off.js";
import { Fault } from "../../fault.js";
import { describeError, isConflict, isTokenRefused, floodSeconds } from "../../services/telegram-errors.js";
import type { Logger } from "pino";

/** The longest delay: people wait no longer than this once Telegram is back. */
const BACK_OFF = { first: 500, longest: 5_000 };
/** Whatever wait Telegram asks for, the bot tries again after this long: a mistaken number must not silence it for years. */
const LONGEST_ASKED_MILLISECONDS = 300_000;

/**
 * How long to wait after a number of failures in a row, in milliseconds: as long as Telegram says, up to five minutes, else longer
 * each time, with some chance in it so that not all come back at once.
 */
function backOffMilliseconds(error: unknown, failures: number, random = Math.random()): number {
  const asked = floodSeconds(error);
  if (asked !== undefined) return Math.min(asked * 1000, LONGEST_ASKED_MILLISECONDS);
  return pauseAfter(failures, BACK_OFF, random);
}

/**
 * Repeats a call to Telegram until it succeeds, however long Telegram is out of reach.
 * @throws Fault `service-unauthorized` when the token is refused, and an AbortError when the signal is aborted.
 */
export async function untilTelegramAnswers<Result>(
  call: () => Promise<Result>,
  { clock, log, signal }: { clock: Clock; log: Pick<Logger, "warn" | "error">; signal: AbortSignal },
): Promise<Result> {
  for (let failures = 1; ; failures++) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      signal.throwIfAborted();
      await waitAfter(error, failures, { clock, log, signal });
    }
  }
}

/** Logs a failed call and waits before the next try. @throws Fault `service-unauthorized`; AbortError. */
export async function waitAfter(
  error: unknown,
  failures: number,
  { clock, log, signal }: { clock: Clock; log: Pick<Logger, "warn" | "error">; signal: AbortSignal },
): Promise<void> {
  const reason = describeError(error);
  if (isTokenRefused(error)) {
    throw new Fault("service-unauthorized", { service: "telegram" }, { cause: new Error(reason) });
  }
  const waitMilliseconds = Math.round(backOffMilliseconds(error, failures));
  if (isConflict(error)) {
    log.error({ reason, waitMilliseconds }, "Another copy of this bot receives its updates; only one may run");
  } else {
    log.warn({ reason, waitMilliseconds }, "Telegram can't be reached");
  }
  await clock.sleep(waitMilliseconds, signal);
}
