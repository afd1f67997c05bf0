import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { freePort } from "../../support/listen.js";
import { temporaryServer } from "../../support/temporary-server.js";

export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Answer =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string }
  | ((response: ServerResponse, request: IncomingMessage) => void);

/** Starts a local service that gives these answers in order, then repeats the last, and records its requests. */
export async function serve(...answers: readonly Answer[]): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method, url: path, headers } = request;
      received.push({ method, path, headers, body: Buffer.concat(chunks).toString("utf8") });
      const answer = answers[Math.min(received.length, answers.length) - 1] ?? {};
      if (typeof answer === "function") answer(response, request);
      else response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? "{}");
    });
  });
  return { url: await temporaryServer(server), received };
}

/** Returns the URL of a local port on which nothing listens. */
export async function deadUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}
