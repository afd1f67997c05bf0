import type { HonoRequest } from "hono";
import { ApiError } from "./api-error.js";
import { readMultipart } from "./multipart.js";

/** A request's unchecked parameters: texts, files, and any JSON value from a JSON body. */
export type RawParameters = Record<string, unknown>;

/** Reads parameters as the Bot API does: from the query string, and from a JSON, urlencoded or multipart body. */
export async function readParameters(request: HonoRequest): Promise<RawParameters> {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  return { ...query, ...(request.method === "POST" ? await readBody(request) : {}) };
}

async function readBody(request: HonoRequest): Promise<RawParameters> {
  const contentType = request.header("content-type") ?? "";
  const kind = contentType.split(";")[0]?.trim().toLowerCase();
  if (kind === "application/json") return readJson(await request.text());
  if (kind === "application/x-www-form-urlencoded") {
    return Object.fromEntries(new URLSearchParams(await request.text()));
  }
  if (kind === "multipart/form-data") {
    return withFiles(readMultipart(Buffer.from(await request.arrayBuffer()), contentType) ?? unreadable());
  }
  return {};
}

function readJson(text: string): RawParameters {
  let value: unknown;
  try {
    value = text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return unreadable();
  return value as RawParameters;
}

function unreadable(): never {
  // Our own wording: the published server has none for this.
  throw new ApiError(400, "Bad Request: can't parse the request's body");
}

/** A form's fields, with `attach://name`, in a field or in the media's JSON, replaced by the file of that name. */
function withFiles(fields: Record<string, string | File>): RawParameters {
  const attached = new Set<string>();
  const sentAs = (value: unknown): string | File | undefined => {
    const name = typeof value === "string" && value.startsWith("attach://") ? value.slice("attach://".length) : "";
    const sent = fields[name];
    if (sent !== undefined) attached.add(name);
    return sent;
  };
  const resolved = Object.entries(fields).map(([name, value]): [string, unknown] => {
    if (name !== "media" || typeof value !== "string") return [name, sentAs(value) ?? value];
    const media = mediumIn(value);
    return media === undefined ? [name, value] : [name, { ...media, media: sentAs(media["media"]) ?? media["media"] }];
  });
  return Object.fromEntries(resolved.filter(([name]) => !attached.has(name)));
}

function mediumIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
