import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { listen } from "./listen.js";
import { until } from "./until.js";

/** A request as received. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; undefined if it isn't JSON. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

/**
 * What happens after a request was read completely: an answer (a string `body` as it is, others as JSON), a connection
 * closed without one (`drop`) or in the middle of one (`cut`), no answer ever (`hang`), or only half of one (`stall`).
 */
export type Answer =
  | {
      readonly status?: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      readonly delay?: number;
    }
  | "drop"
  | "cut"
  | "hang"
  | "stall";

/** Starts an HTTP server on a free port of 127.0.0.1. */
export async function startHttpStub(answer: (request: Received) => Answer | Promise<Answer>): Promise<{
  readonly url: string;
  /** The number of connections so far. */
  readonly opened: () => number;
  /** Resolves when every client has disconnected, and all that they sent has been received. */
  readonly hungUp: () => Promise<void>;
  readonly close: () => Promise<void>;
}> {
  let opened = 0;
  // Never, because a client on a busy machine may pause, and must not use a connection just as it is being closed.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const { method = "", url: path = "", headers } = request;
      void Promise.resolve(answer({ method, path, headers, text, json: jsonOf(text) })).then((given) =>
        give(response, given),
      );
    });
  });
  server.on("connection", () => (opened += 1));
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    opened: () => opened,
    hungUp: () => until(async () => (await promisify(server.getConnections.bind(server))()) === 0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function give(response: ServerResponse, answer: Answer): Promise<void> {
  if (answer === "hang") return;
  if (answer === "drop") {
    response.destroy();
    return;
  }
  if (answer === "cut" || answer === "stall") {
    response.writeHead(200, { "content-type": "application/json", "content-length": 1000 });
    response.write('{"data":{"returnCode":"ok"', () => answer === "cut" && response.destroy());
    return;
  }
  if (answer.delay !== undefined) await sleep(answer.delay);
  const { status = 200, body = {}, headers } = answer;
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(typeof body === "string" ? body : JSON.stringify(body));
}

function jsonOf(text: string): Received["json"] {
  try {
    return JSON.parse(text) as Received["json"];
  } catch {
    return undefined;
  }
}
