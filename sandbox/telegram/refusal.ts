import type { ErrorObject } from "ajv";
import { type ApiError, badRequest, strictly } from "./api-error.js";
import { inlineKeyboard } from "./keyboard.js";
import type { RawParameters } from "./parameters.js";

/** Telegram's texts for missing parameters; the first match counts. */
const missing: readonly (readonly [string, string, RegExp?])[] = [
  ["message_id", "Message identifier is not specified", /^deleteMessage$/],
  ["text", "Message text is empty"],
  ["photo", "There is no photo in the request"],
  ["media", 'Parameter "media" is required'],
  ["document", "There is no document in the request"],
  ["action", "Wrong parameter action in request"],
  ["callback_query_id", "query is too old and response timeout expired or query ID is invalid"],
  ["message_id", "Message to pin not found", /^pinChatMessage$/],
  ["chat_id", "Chat identifier is not specified", /^deleteMessage$/],
  ["chat_id", "chat_id is empty"],
];

/** Telegram's refusal of a request, or our own if Telegram would accept it. */
export function refusal(method: string, errors: readonly ErrorObject[], parameters: RawParameters): ApiError {
  const absent = new Set(
    errors
      .filter(({ keyword, instancePath }) => keyword === "required" && instancePath === "")
      .map(({ params }) => (params as { missingProperty: string }).missingProperty),
  );
  const words = missing.find(([name, , methods]) => absent.has(name) && (methods?.test(method) ?? true));
  if (words !== undefined) return badRequest(words[1]);
  const at = (name: string) => errors.some(({ instancePath }) => instancePath.startsWith(`/${name}`));
  if (at("reply_markup")) {
    try {
      inlineKeyboard(parameters["reply_markup"]);
    } catch (error) {
      return error as ApiError;
    }
  }
  if (at("parse_mode")) return badRequest("Unsupported parse_mode");
  if (at("action")) return badRequest("Wrong parameter action in request");
  return strictly(
    errors
      .filter(({ keyword }) => keyword !== "if")
      .map(described)
      .filter(unique)
      .join("; "),
  );
}

function described({ instancePath, message = "is wrong", params, keyword }: ErrorObject): string {
  const place = instancePath === "" ? "the request" : instancePath.slice(1).replaceAll("/", ".");
  const detail =
    keyword === "additionalProperties" ? ` (${(params as { additionalProperty: string }).additionalProperty})` : "";
  return `${place} ${message}${detail}`;
}

function unique(value: string, index: number, all: readonly string[]): boolean {
  return all.indexOf(value) === index;
}
