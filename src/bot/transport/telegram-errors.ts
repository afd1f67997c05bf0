import { BotError, GrammyError, HttpError } from "grammy";

/** An error of any kind in words for the log. Telegram's errors carry payloads and addresses with the token: only these words may be logged. */
export function describeError(error: unknown): string {
  if (error instanceof BotError) return describeError(error.error);
  if (error instanceof GrammyError) return `${error.method}: ${error.error_code} ${error.description}`;
  if (error instanceof HttpError) return `${error.message} ${nameOf(error.error)}`;
  return error instanceof Error ? `${error.name}: ${error.message}` : "something that is no error was thrown";
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/** Whether Telegram refused the token itself; to one that doesn't even look like a token it answers "Not Found". */
export function isTokenRefused(error: unknown): boolean {
  return error instanceof GrammyError && (error.error_code === 401 || error.description === "Not Found");
}

/** Whether another copy of the bot, or a webhook, takes the updates. */
export function isConflict(error: unknown): boolean {
  return error instanceof GrammyError && error.error_code === 409;
}

/** Whether the person has shut the bot out or has left Telegram: nothing can be sent until they write again. */
export function isPersonGone(error: unknown): boolean {
  return (
    error instanceof GrammyError &&
    error.error_code === 403 &&
    /bot was blocked by the user|user is deactivated/.test(error.description)
  );
}

/** The seconds that Telegram asks to wait, when it does. */
export function retryAfterSeconds(error: unknown): number | undefined {
  return error instanceof GrammyError ? error.parameters.retry_after : undefined;
}
