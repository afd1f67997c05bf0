import { HttpError, type Transformer } from "grammy";
import { Pool, type Dispatcher } from "undici";
import type { Asked } from "./health.js";
import { multipartOf } from "./multipart.js";

/** How long Telegram may hold a getUpdates call, in seconds. Should it hang, the bot is deaf for little longer. */
export const LONG_POLL_SECONDS = 10;
/** How long a file may take to leave and to be answered, in milliseconds. */
const UPLOAD_MILLISECONDS = 120_000;
/**
 * An alert that got no answer is sent again, so the answer to it is waited for so many times as long as others: Telegram may take a
 * message late, and it would come twice.
 */
const ALERT_PATIENCE = 6;
/** A hundred updates of the longest messages are a few megabytes. */
const MAX_ANSWER_BYTES = 16_000_000;

/**
 * HTTP to the Bot API by undici's `dispatch`: the least that a call can cost, since grammY's client would make a time-out, an abort
 * signal and a race of promises for each. A request may take `timeoutSeconds` until its answer begins, a long poll that much
 * longer, but at most half of it again.
 */
export function createTelegramHttp(parts: {
  readonly token: string;
  readonly apiRoot: string;
  readonly timeoutSeconds: number;
  /** Hears of every request. */
  readonly onAsked?: (asked: Asked) => void;
}) {
  const { timeoutSeconds, onAsked = () => undefined } = parts;
  const { origin, pathname } = new URL(`${parts.apiRoot}/bot${parts.token}/`);
  const timeout = timeoutSeconds * 1000;
  const longPoll = (LONG_POLL_SECONDS + Math.min(timeoutSeconds, LONG_POLL_SECONDS / 2)) * 1000;
  const pool = new Pool(origin, {
    connections: 64,
    keepAliveTimeout: 30_000,
    connect: { timeout },
    maxResponseSize: MAX_ANSWER_BYTES,
  });

  /**
   * The first transformer of an API: it carries out the calls itself, in the place of grammY's own client. Bodies are JSON, and
   * multipart where there is a file.
   * @throws HttpError with what undici throws; the URL, which holds the token, is never in it.
   */
  const callWithin =
    (timeout: number): Transformer =>
    async (_previous, method, payload, signal) => {
      const isLongPoll = method === "getUpdates";
      const upload = multipartOf(payload);
      const begunAt = performance.now();
      const asked = (status: Asked["status"]) => {
        const seconds = (performance.now() - begunAt) / 1000;
        onAsked({ service: "telegram", method, status, ...(!isLongPoll && { seconds }) });
      };
      try {
        const request = {
          method: "POST",
          path: pathname + method,
          headers: { "content-type": upload?.contentType ?? "application/json" },
          body: upload?.body ?? JSON.stringify(payload),
          headersTimeout: upload !== undefined ? UPLOAD_MILLISECONDS : isLongPoll ? longPoll : timeout,
          bodyTimeout: timeout,
        } as const;
        const { status, text } = await dispatch(pool, request, signal);
        asked(status);
        return readAnswer(status, text) as never;
      } catch (error) {
        // A poll that is called off, as at every stop, says nothing about Telegram.
        if (signal?.aborted !== true) asked("unreachable");
        throw new HttpError(`Network request for '${method}' failed!`, error);
      }
    };

  return {
    call: callWithin(timeout),
    callForAlerts: callWithin(timeout * ALERT_PATIENCE),
    /** Waits for requests under way, an ordinary time-out long, and closes the connections. */
    close: async (): Promise<void> => {
      const overdue = setTimeout(() => void pool.destroy(), timeout);
      await pool.close();
      clearTimeout(overdue);
    },
  };
}

/** A request's answer, without the streams and resources that undici's `request` makes for each: they cost more than the rest. */
function dispatch(pool: Pool, request: Dispatcher.DispatchOptions, signal: Parameters<Transformer>[3]) {
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    let status = 0;
    const chunks: Buffer[] = [];
    let forgetSignal = () => {};
    pool.dispatch(request, {
      onRequestStart: (controller) => {
        if (signal === undefined) return;
        const abort = () => controller.abort(new Error("called off"));
        // One signal may serve for all polls of a run.
        forgetSignal = () => signal.removeEventListener("abort", abort);
        signal.addEventListener("abort", abort);
        if (signal.aborted) abort();
      },
      onResponseStart: (_controller, statusCode) => {
        status = statusCode;
      },
      onResponseData: (_controller, chunk) => {
        chunks.push(chunk);
      },
      onResponseEnd: () => {
        forgetSignal();
        resolve({ status, text: Buffer.concat(chunks).toString("utf8") });
      },
      onResponseError: (_controller, error) => {
        forgetSignal();
        reject(error);
      },
    });
  });
}

/** The Bot API's answer. A gateway's error page becomes the error that Telegram itself would have answered with this status. */
function readAnswer(status: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (status < 400) throw error;
    return { ok: false, error_code: status, description: "The answer was not JSON" };
  }
}
