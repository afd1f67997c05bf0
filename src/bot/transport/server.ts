import { timingSafeEqual, createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Update } from "grammy/types";
import type { Metrics } from "./metrics.js";

/** Telegram's updates are a few kilobytes. */
const longestBody = 1_000_000;

/** Where Telegram posts updates. */
export interface WebhookRoute {
  readonly path: string;
  readonly secret: string;
  /** Whether the update was handled; when not, Telegram will post it again. */
  readonly receive: (update: Update) => Promise<boolean>;
}

export interface HttpServer {
  readonly port: number;
  /** Accepts no more requests and waits for those under way. */
  readonly close: () => Promise<void>;
}

/** Serves `GET /health` and `GET /metrics`, and in webhook mode Telegram's posts. */
export async function startServer({
  port,
  host,
  metrics,
  healthy,
  webhook,
}: {
  port: number;
  /** All addresses when absent. */
  host?: string;
  metrics: Metrics;
  healthy: () => boolean;
  webhook?: WebhookRoute;
}): Promise<HttpServer> {
  async function answer(request: IncomingMessage): Promise<{ status: number; text: string }> {
    const path = (request.url ?? "").split("?")[0];
    if (request.method === "GET" && path === "/health") {
      return healthy() ? { status: 200, text: "ok\n" } : { status: 503, text: "Telegram is out of reach\n" };
    }
    if (request.method === "GET" && path === "/metrics") return { status: 200, text: metrics.text() };
    if (webhook !== undefined && request.method === "POST" && path === webhook.path)
      return answerWebhook(request, webhook);
    return { status: 404, text: "not found\n" };
  }

  const server = createServer((request, response) => {
    answer(request)
      .catch(() => ({ status: 500, text: "failed\n" }))
      .then(({ status, text }) => send(response, status, text))
      // The other side may be gone; there is nobody left to tell.
      .catch(() => response.destroy());
  });
  await listen(server, port, host);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

async function answerWebhook(
  request: IncomingMessage,
  { secret, receive }: WebhookRoute,
): Promise<{ status: number; text: string }> {
  if (!sameText(request.headers["x-telegram-bot-api-secret-token"], secret))
    return { status: 401, text: "wrong secret\n" };
  const body = await readBody(request);
  if (body === undefined) return { status: 413, text: "too large\n" };
  const update = readUpdate(body);
  if (update === undefined) return { status: 400, text: "not an update\n" };
  return (await receive(update)) ? { status: 200, text: "" } : { status: 503, text: "not handled yet\n" };
}

/** Compares in a time that tells nothing about where the texts differ. */
function sameText(one: string | string[] | undefined, other: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return typeof one === "string" && timingSafeEqual(hash(one), hash(other));
}

/** The body, or undefined when it is too long; what is too long is read to its end, so that the answer arrives. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= longestBody) chunks.push(chunk);
  }
  return length <= longestBody ? Buffer.concat(chunks).toString("utf8") : undefined;
}

function readUpdate(body: string): Update | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const isUpdate =
      typeof value === "object" && value !== null && "update_id" in value && Number.isSafeInteger(value.update_id);
    return isUpdate ? (value as Update) : undefined;
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" });
  response.end(text);
}

function listen(server: Server, port: number, host: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
