import { GrammyError, HttpError } from "grammy";
import type { ApiError } from "grammy/types";

/** For the log. Telegram's errors contain payloads and the token, so nothing else of them may be logged. */
export function describeError(error: unknown): string {
  if (error instanceof GrammyError) return `${error.method}: ${error.error_code} ${error.description}`;
  if (error instanceof HttpError) return `${error.message} ${codeOf(error.error)}`;
  return error instanceof Error ? `${error.name}: ${error.message}` : "something that is no error was thrown";
}

/** Returns the error's code, such as ECONNREFUSED, or else its name. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

const GONE = /bot was blocked by the user|user is deactivated|chat not found|bot can't initiate conversation/;

/** `gone`: until the user writes again. `refused`: for good. `passing`: worth a retry. */
export function deliveryFailureOf(error: unknown): "gone" | "refused" | "passing" {
  if (!(error instanceof GrammyError)) return "passing";
  if (error.error_code === 403 || GONE.test(error.description)) return "gone";
  return error.error_code === 400 ? "refused" : "passing";
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
