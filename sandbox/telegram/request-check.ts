import { Ajv, type ValidateFunction } from "ajv";
import { badRequest } from "./api-error.js";
import type { RawParameters } from "./parameters.js";
import { refusal } from "./refusal.js";
import { type JsonSchema, requestSchema } from "./schema-source.js";

export type RequestCheck = (method: string, raw: RawParameters) => RawParameters;

let shared: Promise<RequestCheck> | undefined;

/** The check against the Bot API's types, created once per process. */
export function requestCheck(): Promise<RequestCheck> {
  shared ??= requestSchema().then(createRequestCheck);
  return shared;
}

/** Converts a request's texts to the types that the method expects; refuses what the Bot API's types don't allow. */
function createRequestCheck(schema: JsonSchema): RequestCheck {
  // Each method's code runs a few hundred times, so optimizing it would take longer than it saves.
  const ajv = new Ajv({ allErrors: true, strict: false, code: { optimize: false } });
  const definitions = schema["definitions"] as Readonly<Record<string, JsonSchema>>;
  ajv.addSchema({ ...schema, definitions: mapValues(definitions, narrowMarkup) }, "bot-api");
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

/** Reports errors in an inline keyboard as such, instead of as a mismatch with all four kinds of markup. */
function narrowMarkup(definition: JsonSchema): JsonSchema {
  const properties = definition["properties"] as Readonly<Record<string, JsonSchema>> | undefined;
  const markup = properties?.["reply_markup"];
  if (markup?.["anyOf"] === undefined) return definition;
  const narrowed = {
    if: { type: "object", required: ["inline_keyboard"] },
    then: { $ref: "#/definitions/TelegramInlineKeyboardMarkup" },
    else: markup,
  };
  return { ...definition, properties: { ...properties, reply_markup: narrowed } };
}

function mapValues<Value>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

function definitionName(reference: string): string {
  return decodeURIComponent(reference.slice("#/definitions/".length));
}

/** The JSON types that a schema allows. */
function kindsOf(node: JsonSchema, resolve: (node: JsonSchema) => JsonSchema): ReadonlySet<string> {
  const { type, anyOf, enum: values, const: value } = resolve(node);
  if (Array.isArray(anyOf)) return new Set(anyOf.flatMap((part: JsonSchema) => [...kindsOf(part, resolve)]));
  if (type !== undefined) return new Set([type].flat() as string[]);
  return new Set([values ?? value].flat().map((each) => typeof each));
}

/** Telegram reads each parameter as text and converts it to what the method expects, so `"5"` can be a number. */
function converted(value: unknown, kinds: ReadonlySet<string>, name: string): unknown {
  if (kinds.has("string")) return typeof value === "number" && !kinds.has("number") ? String(value) : value;
  if (typeof value !== "string") return value;
  if (kinds.has("number") && /^-?\d+$/.test(value)) return Number(value);
  if (kinds.has("boolean")) return ["true", "yes", "1"].includes(value.toLowerCase());
  if (kinds.has("object") || kinds.has("array")) return parsed(value, name);
  return value;
}

/** Telegram's names for JSON parameters in its errors (tdlib/telegram-bot-api, Client.cpp). */
const jsonNames: Readonly<Record<string, string>> = {
  reply_markup: "reply keyboard markup",
  reply_parameters: "reply parameters",
  link_preview_options: "link preview options",
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
