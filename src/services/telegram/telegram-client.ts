import type { ApiClientOptions, Transformer } from "grammy";
import { type Dispatcher, Pool } from "undici";
import type { Logger } from "pino";
import { Fault, isFault } from "../../fault.js";
import type { RequestResult } from "../base/health.js";
import { createOlderServer, createRichForm } from "./older-server.js";
import { isTelegrams, refusesToken } from "./telegram-errors.js";

/** How long Telegram may hold a getUpdates call, in seconds. */
export const LONG_POLL_SECONDS = 10;
/** In milliseconds. */
const UPLOAD_MS = 120_000;
/** Alerts wait this many times longer for an answer: without one they are resent, and could arrive twice. */
const ALERT_TIMEOUTS = 6;
/** A hundred updates with the longest messages take a few megabytes. */
const MAX_ANSWER_BYTES = 16_000_000;

type Init = Required<Pick<Dispatcher.DispatchOptions, "headers" | "body">> & { readonly signal: AbortSignal };

/** How grammY reaches the Bot API server. Requests reject with grammY's errors. */
export interface TelegramClient {
  /** For replies and everything else. */
  readonly options: ApiClientOptions;
  /** Shared by every `Api` that sends messages. */
  readonly olderServer: Transformer[];
  /** With a longer wait for the answer: an alert without one is sent again. */
  readonly optionsForAlerts: ApiClientOptions;
  /** Ends its connections. */
  readonly close: () => Promise<void>;
}

/** Sends grammY's requests through undici. */
export function createTelegramClient(parts: {
  readonly apiRoot: string;
  readonly timeoutSeconds: number;
  readonly onRequestDone?: (asked: RequestResult) => void;
  readonly log: Pick<Logger, "warn">;
}): TelegramClient {
  const { apiRoot, timeoutSeconds, onRequestDone = () => undefined } = parts;
  const timeout = timeoutSeconds * 1000;
  const longPoll = (LONG_POLL_SECONDS + Math.min(timeoutSeconds, LONG_POLL_SECONDS / 2)) * 1000;
  // Not an agent: once that is closing, `destroy` ends none of its requests.
  const pool = new Pool(new URL(apiRoot).origin, {
    connections: 64,
    keepAliveTimeout: 30_000,
    connect: { timeout },
    maxResponseSize: MAX_ANSWER_BYTES,
  });

  const optionsFor = (timeout: number): ApiClientOptions => {
    const fetch = async (url: string, { headers, body, signal }: Init) => {
      const method = url.slice(url.lastIndexOf("/") + 1);
      const isLongPoll = method === "getUpdates";
      const isUpload = typeof body !== "string";
      const begunAt = performance.now();
      const asked = (status: RequestResult["status"]) => {
        const seconds = (performance.now() - begunAt) / 1000;
        onRequestDone({ service: "telegram", method, status, ...(!isLongPoll && { seconds }) });
      };
      const headersTimeout = isUpload ? UPLOAD_MS : isLongPoll ? longPoll : timeout;
      const path = new URL(url).pathname;
      const options = { headers, body, signal, headersTimeout, bodyTimeout: timeout };
      try {
        const { statusCode: status, body: page } = await pool.request({ path, method: "POST", ...options });
        const answer = readJson(await page.text());
        if (!isTelegrams(answer)) throw new Fault("service-status", { service: "telegram", status });
        asked(refusesToken(answer) ? "unauthorized" : status);
        return { json: () => answer };
      } catch (error) {
        // An aborted poll, as on every shutdown, says nothing about Telegram.
        if (!signal.aborted) asked(isFault(error) ? "unreadable" : "unreachable");
        throw error;
      }
    };
    // Longer than any request may take, so that undici's own timeouts, which are more specific, fire first.
    const timeoutSeconds = (2 * (UPLOAD_MS + timeout)) / 1000;
    // grammY's type is that of node-fetch, but it uses only `json()` of the response.
    return { apiRoot, timeoutSeconds, fetch: fetch as never };
  };
  return {
    options: optionsFor(timeout),
    olderServer: [createOlderServer(parts.log), createRichForm(parts.log)],
    optionsForAlerts: optionsFor(timeout * ALERT_TIMEOUTS),
    close: async (): Promise<void> => {
      const overdue = setTimeout(() => void pool.destroy(), timeout);
      await pool.close();
      clearTimeout(overdue);
    },
  };
}

/** @returns undefined for text that is no JSON, such as the page of a gateway. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
