/** A refusal in the Bot API's form: `{"ok":false,"error_code":…,"description":…,"parameters":…}`. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly code: number,
    readonly description: string,
    readonly parameters?: { retry_after: number },
  ) {
    super(`${code} ${description}`);
  }
}

/**
 * A 400. Like the server, puts the first letter in lower case unless the text is a server-side code
 * such as `BUTTON_DATA_INVALID` (tdlib/telegram-bot-api, Client::fail_query_with_error).
 */
export function badRequest(text: string): ApiError {
  const isCode = /^.[_A-Z]/.test(text);
  return new ApiError(400, `Bad Request: ${isCode ? text : text.charAt(0).toLowerCase() + text.slice(1)}`);
}

export function forbidden(text: string): ApiError {
  return new ApiError(403, `Forbidden: ${text}`);
}

export function conflict(text: string): ApiError {
  return new ApiError(409, `Conflict: ${text}`);
}

/** A 429 that tells the bot to wait `seconds`. */
export function tooManyRequests(seconds: number): ApiError {
  return new ApiError(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
}

/**
 * A refusal that Telegram would not make, or would word differently: it ignores unknown parameters, for example.
 * Ignoring them here would hide typos, so the sandbox refuses in its own name.
 */
export function strictly(text: string): ApiError {
  return new ApiError(400, `Bad Request: the sandbox refuses this: ${text}`);
}
