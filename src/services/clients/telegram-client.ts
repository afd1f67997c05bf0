import type { ApiClientOptions } from "grammy";
import { Agent, request, type Dispatcher } from "undici";
import type { Logger } from "pino";
import type { RequestResult } from "./health.js";
import { createOlderServer, createRichForm } from "./older-server.js";

/** How long Telegram may hold a getUpdates call, in seconds. */
export const LONG_POLL_SECONDS = 10;
/** In milliseconds. */
const UPLOAD_MS = 120_000;
/** Alerts wait this many times longer for an answer: without one they are resent, and could arrive twice. */
const ALERT_TIMEOUTS = 6;
/** A hundred updates with the longest messages take a few megabytes. */
const MAX_ANSWER_BYTES = 16_000_000;

type Init = Required<Pick<Dispatcher.DispatchOptions, "headers" | "body">> & { readonly signal: AbortSignal };

/** Sends grammY's requests through undici. */
export function createTelegramClient(parts: {
  readonly apiRoot: string;
  readonly timeoutSeconds: number;
  readonly onRequestDone?: (asked: RequestResult) => void;
  readonly log: Pick<Logger, "warn">;
}) {
  const { apiRoot, timeoutSeconds, onRequestDone = () => undefined } = parts;
  const timeout = timeoutSeconds * 1000;
  const longPoll = (LONG_POLL_SECONDS + Math.min(timeoutSeconds, LONG_POLL_SECONDS / 2)) * 1000;
  const dispatcher = new Agent({
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
      const options = { headers, body, signal, dispatcher, headersTimeout, bodyTimeout: timeout };
      try {
        const answer = await request(url, { method: "POST", ...options });
        const text = await answer.body.text();
        asked(answer.statusCode);
        return { json: () => readAnswer(answer.statusCode, text) };
      } catch (error) {
        // An aborted poll, as on every shutdown, says nothing about Telegram.
        if (!signal.aborted) asked("unreachable");
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
    /** Shared by every `Api` that sends messages. */
    olderServer: [createOlderServer(parts.log), createRichForm(parts.log)],
    optionsForAlerts: optionsFor(timeout * ALERT_TIMEOUTS),
    close: async (): Promise<void> => {
      const overdue = setTimeout(() => void dispatcher.destroy(), timeout);
      await dispatcher.close();
      clearTimeout(overdue);
    },
  };
}

/** Converts a gateway's error page to the error that Telegram would have sent with this status. */
function readAnswer(status: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (status < 400) throw error;
    return { ok: false, error_code: status, description: "The answer was not JSON" };
  }
}
