import { ApiError, badRequest, tooManyRequests } from "./api-error.js";
import { createLimits } from "./limits.js";
import { methodName, methods } from "./methods/table.js";
import type { RawParameters } from "./parameters.js";
import { requestCheck } from "./request-check.js";
import type { Server } from "./server.js";

interface ApiRequest {
  /** As in the request, in any letter case. */
  readonly method: string;
  readonly read: () => Promise<RawParameters>;
  /** Aborted when the caller disconnects. */
  readonly signal?: AbortSignal;
}

/** An answer, or a connection that is cut (`drop`) or never answered (`hang`). */
export type ApiAnswer = { status: number; body: unknown } | "drop" | "hang";

/**
 * What can go wrong with a call: a refusal by the server, no answer (`hang`), or a connection cut before the call takes
 * effect (`drop-before`) or after it, so that only the answer is lost (`drop-after`).
 */
type MethodFault = "400" | "429" | "500" | "502" | "hang" | "drop-before" | "drop-after";

/** A request to the Bot API and its answer, without the token. */
interface Call {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** 0 if the connection was cut or never answered. */
  status: number;
  answer?: unknown;
  fault?: string;
}

const mostCallsKept = 10_000;

/** Answers requests to the Bot API: first requested faults, then the checks, then the method. */
export function createBotApi(server: Server, limitsOn: boolean) {
  const limits = createLimits(server.clock, limitsOn);
  const ordered: { method: string; fault: MethodFault; left: number }[] = [];
  const calls: Call[] = [];

  /** Takes the fault for a call that has just arrived. */
  const takeFault = (method: string): MethodFault | undefined => {
    const name = method.toLowerCase();
    const found = ordered.find((each) => each.method === name || (each.method === "*" && name !== "getupdates"));
    if (found === undefined) return undefined;
    found.left -= 1;
    if (found.left <= 0) ordered.splice(ordered.indexOf(found), 1);
    return found.fault;
  };

  const carryOut = async (name: string | undefined, raw: RawParameters, signal?: AbortSignal): Promise<unknown> => {
    if (name === undefined) throw new ApiError(404, "Not Found: method not found");
    const check = await requestCheck();
    const parameters = server.older.read(check(name, raw));
    limits.check(name, parameters["chat_id"]);
    // The check against the method's schema guarantees the types that the method declares.
    return methods[name]?.(server, parameters as never, signal);
  };

  return {
    async answer({ method, read, signal }: ApiRequest): Promise<ApiAnswer> {
      const name = methodName(method);
      const parameters = await read().catch(refusedOrThrown);
      const isReadable = !(parameters instanceof ApiError);
      const fault = takeFault(method);
      const call: Call = {
        at: server.clock.now(),
        method: name ?? method,
        parameters: isReadable ? parameters : {},
        status: 0,
        ...(fault !== undefined && { fault }),
      };
      calls.push(call);
      if (calls.length > mostCallsKept) calls.shift();
      const respond = async () => {
        if (!isReadable) return refused(parameters);
        const result = await carryOut(name, parameters, signal).catch(refusedOrThrown);
        return result instanceof ApiError ? refused(result) : { status: 200, body: { ok: true, result } };
      };
      const finish = (answer: { status: number; body: unknown }) => {
        call.status = answer.status;
        call.answer = answer.body;
        return answer;
      };
      switch (fault) {
        case "hang":
          return "hang";
        case "drop-before":
          return "drop";
        case "drop-after":
          call.answer = (await respond()).body;
          return "drop";
        case "400":
          return finish(refused(badRequest("Message can't be edited")));
        case "429":
          return finish(refused(tooManyRequests(1)));
        case "500":
          return finish(refused(new ApiError(500, "Internal Server Error")));
        case "502":
          // Answered by a proxy in front of Telegram's server, and not in JSON.
          return finish({ status: 502, body: "<html><body><h1>502 Bad Gateway</h1></body></html>" });
        case undefined:
          return finish(await respond());
      }
    },

    /** Makes the next calls of a method fail (`*`: of every method but getUpdates). */
    faultNext(method: string, fault: MethodFault, times = 1): void {
      ordered.push({ method: method.toLowerCase(), fault, left: times });
    },
    /** Cancels the faults of `faultNext`. */
    clearFaults(): void {
      ordered.length = 0;
    },
    /** Turns the message limits on or off. */
    setLimits: limits.switch,
    /** The newest requests to the Bot API, oldest first. */
    calls: (): Call[] => [...calls],
  };
}

function refusedOrThrown(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

function refused({ code, description, parameters }: ApiError) {
  return {
    status: code,
    body: { ok: false, error_code: code, description, ...(parameters !== undefined && { parameters }) },
  };
}
