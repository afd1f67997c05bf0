import { GrammyError, HttpError } from "grammy";
import type { ApiError } from "grammy/types";
import { codeOf, isFault } from "../../fault.js";
import { isConnecting } from "../base/http.js";
import { NotConnected } from "../base/requests.js";

/** For the log. Telegram's errors contain payloads and the token, so nothing else of them may be logged. */
export function describeError(error: unknown): string {
  if (error instanceof GrammyError) return `${error.method}: ${error.error_code} ${error.description}`;
  if (error instanceof HttpError) return `${error.message} ${codeOf(error.error)}`;
  return error instanceof Error ? `${error.name}: ${error.message}` : "something that is no error was thrown";
}

export const isOfTelegram = (error: unknown): error is GrammyError | HttpError =>
  error instanceof GrammyError || error instanceof HttpError;

/** Whether an answer is one of Telegram's: everything else comes from something in between. */
export function isTelegrams(answer: unknown): boolean {
  const { ok, result, error_code, description } = (answer ?? {}) as Record<string, unknown>;
  if (ok === true) return result !== undefined;
  return ok === false && Number.isSafeInteger(error_code) && typeof description === "string" && description !== "";
}

/** Whether something in between answered with a page of its own. What was sent has then most likely not arrived. */
export const isPage = (error: unknown): boolean => error instanceof HttpError && isFault(error.error, "service-status");

/** Whether what failed has certainly not been sent: no connection was made, or Telegram or something in between refused it. */
export function hasNotArrived(error: unknown): boolean {
  if (error instanceof GrammyError) return error.error_code < 500;
  const failure = error instanceof HttpError ? error.error : undefined;
  if (failure instanceof NotConnected || isConnecting(failure)) return true;
  return isFault(failure, "service-status") && failure.parameters.status < 500;
}

/**
 * Whether Telegram says that it doesn't know the token. It answers a malformed one with a bare "Not Found"; a method
 * that it doesn't know has a longer one. @param failure an error or an answer.
 */
export function refusesToken(failure: unknown): boolean {
  const { error_code: code, description } = (failure ?? {}) as Partial<ApiError>;
  return code === 401 || (code === 404 && description === "Not Found");
}

/** All that Telegram says of a user who can't be written to (github.com/tdlib/telegram-bot-api, Client.cpp; tdlib/td). */
const GONE = new RegExp(
  `^(?:${[
    "(?:Forbidden: |Bad Request: )?bot was blocked by the user",
    "Forbidden: user is deactivated",
    "(?:Forbidden|Bad Request): bot can't initiate conversation with a user",
    "Forbidden: (?:the )?bot can't send messages to (?:the bot|bots)",
    "Bad Request: (?:private )?chat not found",
  ].join("|")})$`,
);

/**
 * What Telegram says of a message that it will never take: of its length, text or entities. Not of its buttons: it is
 * sent without them (`refused-buttons.ts`), and what they say counts as told only if it was.
 */
const REFUSED = new RegExp(
  `^Bad Request: (?:${[
    "(?:message|message caption|text) is too long$",
    "(?:message text is empty|text must be non-empty)$",
    ".* must be encoded in UTF-8$",
    "can't parse (?:entities|MessageEntity)",
    "(?:MESSAGE_TOO_LONG|MESSAGE_EMPTY|MEDIA_CAPTION_TOO_LONG)$",
    "(?:ENTITY|ENTITIES)_[A-Z_]+$",
  ].join("|")})`,
);

/**
 * `gone`: until the user writes again. `refused`: for good. `unclear`: Telegram's own refusal, in words that say
 * neither. `passing`: worth a retry soon.
 */
export function deliveryFailureOf(error: unknown): "gone" | "refused" | "unclear" | "passing" {
  if (!(error instanceof GrammyError) || ![400, 403].includes(error.error_code)) return "passing";
  if (GONE.test(error.description)) return "gone";
  return error.error_code === 400 && REFUSED.test(error.description) ? "refused" : "unclear";
}

/** Seconds to wait after a 429 from Telegram. @param outcome an error or an answer. */
export function floodSeconds(outcome: unknown): number | undefined {
  const answer = outcome as Partial<ApiError> | null | undefined;
  if (answer?.error_code !== 429) return undefined;
  const seconds: unknown = answer.parameters?.retry_after;
  return typeof seconds === "number" ? seconds : 1;
}

/** Stands in for a request that Telegram would refuse, because it asked to wait. */
export function tooManyRequests(seconds: number): GrammyError {
  const retryAfter = Math.ceil(seconds);
  const description = `Too Many Requests: retry after ${retryAfter}`;
  const answer: ApiError = { ok: false, error_code: 429, description, parameters: { retry_after: retryAfter } };
  return new GrammyError("Not sent: Telegram asked to wait", answer, "sendMessage", {});
}
