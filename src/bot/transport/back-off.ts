import type { Clock } from "../../clock.js";
import { pauseAfter } from "../../services/back-off.js";
import { Fault } from "../../fault.js";
import { describeError, isConflict, isTokenRefused, floodSeconds } from "../../services/telegram-errors.js";
import type { Logger } from "pino";

/** The longest delay: people wait no longer than this once Telegram is back. */
const BACK_OFF = { first: 500, longest: 5_000 };
/** Whatever wait Telegram asks for, the bot tries again after this long: a mistaken number must not silence it for years. */
const LONGEST_ASKED_MILLISECONDS = 300_000;

/** What it takes to wait for Telegram; no longer than until the signal is aborted. */
export interface Waiting {
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn" | "error">;
  readonly signal: AbortSignal;
}

/**
 * Repeats a call to Telegram until it succeeds, however long Telegram is out of reach.
 * @throws Fault `service-unauthorized` when the token is refused, and an AbortError when the signal is aborted.
 */
export async function untilTelegramAnswers<Result>(call: () => Promise<Result>, waiting: Waiting): Promise<Result> {
  for (let failures = 1; ; failures++) {
    waiting.signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      waiting.signal.throwIfAborted();
      await waitAfter(error, failures, waiting);
    }
  }
}

/**
 * Logs a failed call and waits before the next try: as long as Telegram says, up to five minutes, else longer after each of the
 * failures in a row. @throws Fault `service-unauthorized`; AbortError.
 */
export async function waitAfter(error: unknown, failures: number, { clock, log, signal }: Waiting): Promise<void> {
  const reason = describeError(error);
  if (isTokenRefused(error)) {
    throw new Fault("service-unauthorized", { service: "telegram" }, { cause: new Error(reason) });
  }
  const asked = floodSeconds(error);
  const waitMilliseconds =
    asked === undefined ? pauseAfter(failures, BACK_OFF) : Math.min(asked * 1000, LONGEST_ASKED_MILLISECONDS);
  if (isConflict(error)) {
    log.error({ reason, waitMilliseconds }, "Another copy of this bot receives its updates; only one may run");
  } else {
    log.warn({ reason, waitMilliseconds }, "Telegram can't be reached");
  }
  await clock.sleep(waitMilliseconds, signal);
}
