import { ApiError, tooManyRequests } from "./api-error.js";
import type { CallLog } from "./call-log.js";
import type { Limits } from "./limits.js";
import type { MethodFaults } from "./method-faults.js";
import { methodName, methods } from "./methods/table.js";
import type { RawParameters } from "./parameters.js";
import { requestCheck } from "./request-check.js";
import type { Server } from "./server.js";

export interface ApiRequest {
  /** As asked for, in any case. */
  readonly method: string;
  readonly read: () => Promise<RawParameters>;
  /** Aborted when the caller went away. */
  readonly signal?: AbortSignal;
}

/** An answer; or nothing at all, after the connection was cut (`drop`) or left without an answer for good (`hang`). */
export type ApiAnswer = { status: number; body: unknown } | "drop" | "hang";

export interface BotApiParts {
  readonly server: Server;
  readonly faults: MethodFaults;
  readonly limits: Limits;
  readonly calls: CallLog;
}

/** Answers a request to the Bot API: ordered faults first, then the checks, then the method. */
export function createBotApi({ server, faults, limits, calls }: BotApiParts) {
  const carryOut = async (name: string, raw: RawParameters, signal: AbortSignal | undefined): Promise<unknown> => {
    const check = await requestCheck();
    server.older.checkMethod(name);
    const parameters = server.older.read(check(name, raw));
    limits.check(name, parameters["chat_id"]);
    // The schema of the method just held the parameters to the types that the method states.
    return methods[name]?.(server, parameters as never, signal);
  };

  const respond = async (name: string | undefined, raw: RawParameters, signal?: AbortSignal) => {
    try {
      if (name === undefined) throw new ApiError(404, "Not Found: method not found");
      return { status: 200, body: { ok: true, result: await carryOut(name, raw, signal) } };
    } catch (error) {
      if (error instanceof ApiError) return refused(error);
      throw error;
    }
  };

  return {
    async answer({ method, read, signal }: ApiRequest): Promise<ApiAnswer> {
      const name = methodName(method);
      let raw: RawParameters = {};
      let unreadable: ApiError | undefined;
      try {
        raw = await read();
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        unreadable = error;
      }
      const fault = faults.take(method);
      const call = calls.add({
        at: server.clock.now(),
        method: name ?? method,
        parameters: raw,
        status: 0,
        ...(fault !== undefined && { fault }),
      });
      const finish = (answer: { status: number; body: unknown }) => {
        call.status = answer.status;
        call.answer = answer.body;
        call.answeredAt = server.clock.now();
        return answer;
      };
      switch (fault) {
        case "hang":
          return "hang";
        case "drop-before":
          return "drop";
        case "drop-after":
          call.answer = (await respond(name, raw, signal)).body;
          return "drop";
        case "429":
          return finish(refused(tooManyRequests(1)));
        case "500":
          return finish(refused(new ApiError(500, "Internal Server Error")));
        case "502":
          // What stands before Telegram's server answers this one, and not in JSON.
          return finish({ status: 502, body: "<html><body><h1>502 Bad Gateway</h1></body></html>" });
        case undefined:
          return finish(unreadable === undefined ? await respond(name, raw, signal) : refused(unreadable));
      }
    },
  };
}

function refused({ code, description, parameters }: ApiError) {
  return {
    status: code,
    body: { ok: false, error_code: code, description, ...(parameters !== undefined && { parameters }) },
  };
}
