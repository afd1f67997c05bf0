import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { type ApiError, badRequest, strictly } from "./api-error.js";
import { inlineKeyboard } from "./keyboard.js";
import type { RawParameters } from "./parameters.js";
import { type JsonSchema, requestSchema } from "./schema-source.js";
import type { Parameters } from "./server.js";

export type RequestCheck = (method: string, raw: RawParameters) => Parameters;

let shared: Promise<RequestCheck> | undefined;

/** The check against the Bot API's types; made once for all servers of a process. */
export function requestCheck(): Promise<RequestCheck> {
  shared ??= requestSchema().then(createRequestCheck);
  return shared;
}

/** Turns a request's texts into the types that the method takes and refuses what the Bot API's types don't allow. */
export function createRequestCheck(schema: JsonSchema): RequestCheck {
  const ajv = new Ajv({ allErrors: true, strict: false, verbose: true });
  ajv.addSchema(schema, "bot-api");
  const definitions = schema["definitions"] as Readonly<Record<string, JsonSchema>>;
  const resolve = (node: JsonSchema): JsonSchema => {
    const reference = node["$ref"];
    return typeof reference === "string" ? resolve(definitions[definitionName(reference)] ?? {}) : node;
  };

  return (method, raw) => {
    const validate = ajv.getSchema(`bot-api#/properties/${method}`) as ValidateFunction | undefined;
    if (validate === undefined) throw new Error(`The schema has no method ${method}.`);
    const properties = (resolve((schema["properties"] as Record<string, JsonSchema>)[method] ?? {})["properties"] ??
      {}) as Record<string, JsonSchema>;
    const parameters = Object.fromEntries(
      Object.entries(raw).map(([name, value]) => {
        const property = properties[name];
        return [name, property === undefined ? value : converted(value, kindsOf(property, resolve), name)];
      }),
    );
    if (!validate(parameters)) throw refusal(method, validate.errors ?? [], parameters);
    return parameters;
  };
}

function definitionName(reference: string): string {
  return decodeURIComponent(reference.slice("#/definitions/".length));
}

/** The JSON types that a schema lets through. */
function kindsOf(node: JsonSchema, resolve: (node: JsonSchema) => JsonSchema): ReadonlySet<string> {
  const { type, anyOf, enum: values, const: value } = resolve(node);
  if (Array.isArray(anyOf)) return new Set(anyOf.flatMap((part: JsonSchema) => [...kindsOf(part, resolve)]));
  if (type !== undefined) return new Set([type].flat() as string[]);
  return new Set([values ?? value].flat().map((each) => typeof each));
}

/** Telegram reads every parameter as text and makes of it what the method wants; so `"5"` is a number where one is wanted. */
function converted(value: unknown, kinds: ReadonlySet<string>, name: string): unknown {
  if (kinds.has("string")) return typeof value === "number" && !kinds.has("number") ? String(value) : value;
  if (typeof value !== "string") return value;
  if (kinds.has("number") && /^-?\d+$/.test(value)) return Number(value);
  if (kinds.has("boolean")) return ["true", "yes", "1"].includes(value.toLowerCase());
  if (kinds.has("object") || kinds.has("array")) return parsed(value, name);
  return value;
}

/** What Telegram calls the JSON in a parameter (tdlib/telegram-bot-api, Client.cpp). */
const jsonNames: Readonly<Record<string, string>> = {
  reply_markup: "reply keyboard markup",
  reply_parameters: "reply parameters",
  link_preview_options: "link preview options",
  menu_button: "menu button",
  reaction: "reaction types",
  scope: "BotCommandScope",
};

function parsed(text: string, name: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw badRequest(`Can't parse ${jsonNames[name] ?? name} JSON object`);
  }
}

/** Telegram's words for a parameter that is missing; the first that is missing counts. */
const missing: readonly (readonly [string, string, RegExp?])[] = [
  ["message_id", "Message identifier is not specified", /^deleteMessage$/],
  ["message_ids", "Message identifiers are not specified"],
  ["text", "Message text is empty"],
  ["document", "There is no document in the request"],
  ["photo", "There is no photo in the request"],
  ["action", "Wrong parameter action in request"],
  ["callback_query_id", "query is too old and response timeout expired or query ID is invalid"],
  ["message_id", "Message to copy not found", /^copyMessage$/],
  ["message_id", "Message to forward not found", /^forwardMessage$/],
  ["message_id", "Message to pin not found", /^pinChatMessage$/],
  ["message_id", "Message to react not found", /^setMessageReaction$/],
  ["chat_id", "Chat identifier is not specified", /^deleteMessages?$/],
  ["chat_id", "chat_id is empty"],
  ["from_chat_id", "chat_id is empty"],
];

/** Telegram's words where it has some for the fault, our own where it would let the fault pass. */
function refusal(method: string, errors: readonly ErrorObject[], parameters: Parameters): ApiError {
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
  return strictly(errors.map(described).filter(unique).join("; "));
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
