import type { ApiClientOptions, Transformer } from "grammy";
import { type Dispatcher, Pool } from "undici";
import type { Logger } from "pino";
import { Fault, isFault, unlessFaultSync } from "../../fault.js";
import type { RequestResult } from "../base/health.js";
import { parseJson } from "../base/http.js";
import { createRequests } from "../base/requests.js";
import { createOlderServer } from "./older-server.js";
import { createRefusedButtons, type RefusedButtons } from "./refused-buttons.js";
import { isTelegrams, refusesToken } from "./telegram-errors.js";

/** How long Telegram may hold a getUpdates call, in seconds. */
export const LONG_POLL_SECONDS = 10;
/** In milliseconds. */
const UPLOAD_MS = 120_000;
/** Alerts wait this many times longer for an answer: without one they are resent, and could arrive twice. */
const ALERT_TIMEOUTS = 6;
const REPLY_CONNECTIONS = 64;
/** A hundred updates with the longest messages take a few megabytes. */
const MAX_ANSWER_BYTES = 16_000_000;

type Init = Required<Pick<Dispatcher.DispatchOptions, "headers" | "body">> & { readonly signal: AbortSignal };

/** The log tells it by its code. */
class Unanswered extends Error {
  readonly code = "NOT_ANSWERED_IN_TIME";
}

/** How grammY reaches the Bot API server. Requests reject with grammY's errors. */
export interface TelegramClient {
  /** For replies and everything else. */
  readonly options: ApiClientOptions;
  /** Shared by every `Api` that sends messages. */
  readonly olderServer: Transformer[];
  readonly refusedButtons: RefusedButtons["checks"];
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
  /** Called with the time that an answer says, in milliseconds since 1970. */
  readonly onDate?: (at: number) => void;
  readonly links?: Parameters<typeof createRefusedButtons>[0];
  readonly log: Pick<Logger, "warn">;
}): TelegramClient {
  const { apiRoot, timeoutSeconds, onRequestDone = () => undefined, onDate = () => undefined } = parts;
  const timeout = timeoutSeconds * 1000;
  const longPoll = (LONG_POLL_SECONDS + Math.min(timeoutSeconds, LONG_POLL_SECONDS / 2)) * 1000;
  const { origin } = new URL(apiRoot);
  const requestsOver = (connections: number) => {
    const options = { connections, keepAliveTimeout: 30_000, maxResponseSize: MAX_ANSWER_BYTES };
    return createRequests((connect) => new Pool(origin, { ...options, connect }), timeout);
  };
  // Replies that hang hold back no poll: what it brings may be a /freeze.
  const polls = requestsOver(1);
  const others = requestsOver(REPLY_CONNECTIONS);

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
      const limit = isUpload ? UPLOAD_MS : isLongPoll ? longPoll : timeout;
      const path = new URL(url).pathname;
      const ended = new AbortController();
      const end = () => ended.abort();
      const overdue = setTimeout(() => ended.abort(new Unanswered()), limit);
      signal.addEventListener("abort", end);
      // undici's own limits, which are of parts of a request, are off.
      const options = { origin, path, method: "POST", headers, body, headersTimeout: 0, bodyTimeout: 0 } as const;
      try {
        if (signal.aborted) end();
        const [status, page, date] = await (isLongPoll ? polls : others).ask(
          { ...options, signal: ended.signal },
          async ({ statusCode, body, headers }) =>
            [statusCode, await body.text(), Date.parse(String(headers.date))] as const,
        );
        // A gateway's page is no JSON.
        const answer = unlessFaultSync(() => parseJson(page));
        if (!isTelegrams(answer)) throw new Fault("service-status", { service: "telegram", status });
        if (!Number.isNaN(date)) onDate(date);
        asked(refusesToken(answer) ? "unauthorized" : status);
        return { json: () => answer };
      } catch (error) {
        // An aborted poll, as on every shutdown, says nothing about Telegram.
        if (!signal.aborted) asked(isFault(error) ? "unreadable" : "unreachable");
        throw error;
      } finally {
        clearTimeout(overdue);
        signal.removeEventListener("abort", end);
      }
    };
    // Longer than any request may take, so that its own limit, which is more specific, ends it first.
    const timeoutSeconds = (2 * (UPLOAD_MS + timeout)) / 1000;
    // grammY's type is that of node-fetch, but it uses only `json()` of the response.
    return { apiRoot, timeoutSeconds, fetch: fetch as never };
  };
  const buttons = createRefusedButtons(parts.links ?? {}, parts.log);
  return {
    options: optionsFor(timeout),
    olderServer: [createOlderServer(parts.log), buttons.transformer],
    refusedButtons: buttons.checks,
    optionsForAlerts: optionsFor(timeout * ALERT_TIMEOUTS),
    close: async (): Promise<void> => {
      await Promise.all([polls.close(timeout), others.close(timeout)]);
    },
  };
}
