import { GrammyError } from "grammy";

/**
 * What a failed delivery means: the person is `gone` until they write again (blocked the bot, left Telegram, never opened a
 * chat); this message is `refused` and would be again; or it is `passing` and worth another try.
 */
export type DeliveryFailure = "gone" | "refused" | "passing";

const GONE = /bot was blocked by the user|user is deactivated|chat not found|bot can't initiate conversation/;

export function deliveryFailureOf(error: unknown): DeliveryFailure {
  if (!(error instanceof GrammyError)) return "passing";
  if (error.error_code === 403 || GONE.test(error.description)) return "gone";
  return error.error_code === 400 ? "refused" : "passing";
}

/** In words for the log, without the payload and address that Telegram's errors carry. */
export function describeFailure(error: unknown): string {
  if (error instanceof GrammyError) return `${error.error_code} ${error.description}`;
  return error instanceof Error ? `${error.name}: ${error.message}` : "something that is no error was thrown";
}

/** How many seconds Telegram asks to wait, whether its answer 429 was thrown or came as a value. */
export function floodSeconds(outcome: unknown): number | undefined {
  if (typeof outcome !== "object" || outcome === null) return undefined;
  if (!("error_code" in outcome) || outcome.error_code !== 429) return undefined;
  const parameters =
    "parameters" in outcome ? (outcome.parameters as { retry_after?: unknown } | undefined) : undefined;
  return typeof parameters?.retry_after === "number" ? parameters.retry_after : 1;
}
