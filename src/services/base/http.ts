import { parse } from "lossless-json";
import { Agent } from "undici";
import type * as z from "zod";
import type { Basics } from "../../loop.js";
import { pauseAfter } from "../../clock.js";
import { splitCredentials } from "../../encoding/credentials.js";
import { codeOf, Fault, isFault, type ServiceName } from "../../fault.js";
import { MAX_WAIT_SECONDS } from "./rate.js";
import type { RequestResult } from "./health.js";
import { createRequests, NotConnected } from "./requests.js";

export interface HttpRequest {
  readonly service: ServiceName;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON to POST; the request is a GET without it. */
  readonly body?: string | undefined;
  /** Only for requests that change nothing, so never for a contract call. */
  readonly retry: boolean;
  /** Default 64 KiB; longer answers are refused. */
  readonly maximumBytes?: number;
  /** Whether its connection is closed after the answer. */
  readonly isLast?: boolean;
  /** Whether an answer with an error status says what was asked: not a failure of the service, and not retried. */
  readonly isAnswer?: (answer: HttpAnswer) => boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  readonly receivedAt: number;
}

const MAX_RETRIES = 2;
const BACK_OFF = { first: 200, longest: 5000 };

/** Requests to the services that the bot asks. */
export interface Http {
  /**
   * Resolves with any status, and doesn't follow redirects. The timeout covers connecting, the whole answer and all
   * retries. @throws Fault `service-timeout`, `service-unreachable`, `answer-unreadable` (longer than
   * `maximumBytes`), with a cause that is safe to log.
   */
  readonly request: (request: HttpRequest) => Promise<HttpAnswer>;
  /** Ends its connections. Nothing can be requested afterwards. */
  readonly close: () => Promise<void>;
}

export function createHttp(
  parts: Basics & {
    readonly timeoutSeconds: number;
    readonly random?: () => number;
    readonly onRequestDone?: (asked: RequestResult) => void;
  },
): Http {
  const { clock, log, random = Math.random, onRequestDone } = parts;
  const timeout = Math.ceil(parts.timeoutSeconds * 1000);
  // Half, so that an unreachable host is distinguished, before the timeout, from one that took the request.
  const requests = createRequests((connect) => new Agent({ connect }), Math.ceil(timeout / 2));

  const attempt = async (request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> => {
    const { headers, body, maximumBytes = 64 * 1024, isLast = false } = request;
    const { url, authorization } = splitCredentials(request.url);
    const asked = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: body === undefined ? ("GET" as const) : ("POST" as const),
      headers: { authorization, "content-type": body && "application/json", ...headers },
      body: body ?? null,
      reset: isLast,
      signal,
    };
    return requests.ask(asked, async (response) => {
      const text = await readBounded(response.body, maximumBytes);
      return { status: response.statusCode, headers: response.headers, text, receivedAt: clock.now() };
    });
  };

  /** In milliseconds; infinite if a retry can't help. */
  const pauseBeforeRetry = (result: HttpAnswer | Fault, retries: number): number => {
    // Jitter, so that clients that failed together don't retry together.
    const backOff = pauseAfter(retries + 1, BACK_OFF) * (1 - random() / 2);
    if (result instanceof Fault) return result.code === "service-unreachable" ? backOff : Infinity;
    if (result.status !== 429 && result.status < 500) return Infinity;
    return Math.max(backOff, retryAfterMilliseconds(result.headers["retry-after"], clock.now()) ?? 0);
  };

  return {
    request: async (request: HttpRequest): Promise<HttpAnswer> => {
      const { service } = request;
      const deadline = clock.monotonic() + timeout;
      const signal = AbortSignal.timeout(timeout);
      for (let retries = 0; ; retries += 1) {
        const begunAt = clock.monotonic();
        const result = await attempt(request, signal).catch((error: unknown) => asFault(service, error, signal));
        const seconds = (clock.monotonic() - begunAt) / 1000;
        const isAnswer = !(result instanceof Fault) && request.isAnswer?.(result) === true;
        onRequestDone?.({ service, status: isAnswer ? "not-found" : statusOf(result), seconds });
        const isRetried = request.retry && !isAnswer && retries < MAX_RETRIES;
        const pause = isRetried ? pauseBeforeRetry(result, retries) : Infinity;
        if (clock.monotonic() + pause >= deadline) {
          if (result instanceof Fault) throw result;
          return result;
        }
        const answer = result instanceof Fault ? result.code : result.status;
        log.debug({ service, answer, pause }, "Retrying a request");
        await clock.sleep(pause, signal).catch(() => {
          throw new Fault("service-timeout", { service });
        });
      }
    },
    close: (): Promise<void> => requests.close(timeout),
  };
}

function statusOf(result: HttpAnswer | Fault): RequestResult["status"] {
  if (!(result instanceof Fault)) return result.status;
  if (isFault(result, "service-timeout")) return "timeout";
  return isFault(result, "service-unreachable") ? "unreachable" : "unreadable";
}

export function isSuccess({ status }: Pick<HttpAnswer, "status">): boolean {
  return status >= 200 && status < 300;
}

/** @throws Fault `service-…` for any status but 2xx. */
export function expectSuccess(service: ServiceName, { status, headers, receivedAt }: HttpAnswer): void {
  if (isSuccess({ status })) return;
  if (status === 429) {
    const wait = retryAfterMilliseconds(headers["retry-after"], receivedAt) ?? 0;
    const retryAfterSeconds = Math.min(Math.max(1, Math.ceil(wait / 1000)), MAX_WAIT_SECONDS);
    throw new Fault("service-rate-limited", { service, retryAfterSeconds });
  }
  if (status === 401 || status === 403) throw new Fault("service-unauthorized", { service });
  throw new Fault("service-status", { service, status });
}

export function isNeverSent(fault: Fault): boolean {
  return fault.cause instanceof NotConnected;
}

/** Seconds, or an HTTP date (RFC 9110, 10.2.3). */
export function retryAfterMilliseconds(header: HttpAnswer["headers"][string], now: number): number | undefined {
  const text = (typeof header === "string" ? header : header?.[0])?.trim();
  if (text === undefined) return undefined;
  // oxlint-disable-next-line money/no-floating-point -- a count of seconds, not money
  if (/^[0-9]{1,9}$/.test(text)) return Number(text) * 1000;
  const date = /^[A-Za-z]{3,9}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

async function readBounded(body: AsyncIterable<Buffer>, maximum: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maximum) throw new Fault("answer-unreadable", { reason: `an answer beyond ${maximum} bytes` });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function asFault(service: ServiceName, error: unknown, signal: AbortSignal): Fault {
  if (isFault(error)) return error;
  if (error instanceof NotConnected) return new Fault("service-unreachable", { service }, { cause: error });
  const code = codeOf(error);
  if (isConnecting(error)) return new Fault("service-unreachable", { service }, { cause: new NotConnected(code) });
  const isLate = signal.aborted || code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT";
  return new Fault(isLate ? "service-timeout" : "service-unreachable", { service }, { cause: new Error(code) });
}

/** Whether no connection was made, so that nothing was sent. */
export function isConnecting(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isConnecting);
  const syscall = error instanceof Error && "syscall" in error ? error.syscall : undefined;
  return syscall === "connect" || syscall === "getaddrinfo";
}

/** Converts the digits of a number; `String` loses none. */
type ReadNumber = (digits: string) => unknown;

/**
 * @param readNumber for answers whose numbers must be exact. It costs up to a hundred times `JSON.parse`, so only short
 * answers are read with it; it also refuses an object that states two values for one name.
 * @throws Fault `answer-unreadable`.
 */
export function parseJson(text: string, readNumber?: ReadNumber): unknown {
  try {
    return readNumber === undefined ? JSON.parse(text) : parse(text, null, readNumber);
  } catch (cause) {
    throw new Fault("answer-unreadable", { reason: "an answer that is not JSON" }, { cause });
  }
}

/** @param otherwise describes an invalid answer in the fault. @throws Fault `answer-unreadable`. */
export function parseAs<Value>(
  schema: z.ZodType<Value>,
  text: string,
  readNumber: ReadNumber | undefined,
  otherwise: string,
) {
  const read = schema.safeParse(parseJson(text, readNumber));
  if (!read.success) throw new Fault("answer-unreadable", { reason: otherwise }, { cause: read.error });
  return read.data;
}

/** A {@link ReadNumber}: numbers on the chain exceed 2^53. */
export function wholeOrText(digits: string): bigint | string {
  return /^-?[0-9]+$/.test(digits) ? BigInt(digits) : digits;
}
