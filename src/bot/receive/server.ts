import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import type { Update } from "grammy/types";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { within, type Clock } from "../../clock.js";
import { signingRoutes, type SigningSite } from "../signing/routes.js";
import type { Metrics } from "./metrics.js";

/** Telegram's updates are a few kilobytes. */
const MAX_BODY_BYTES = 1_000_000;
/** Open at once, besides those on which Telegram posts, so that nobody uses up the files that a process may open. */
const MAX_CONNECTIONS = 200;
/** For the headers of a request, counted from when the connection began or its last request ended. */
const HEADERS_MILLISECONDS = 5_000;
const REQUEST_MILLISECONDS = 10_000;
/** How long requests under way may take to end when the server closes. */
const GRACE_MILLISECONDS = 2_000;

/** Where Telegram posts updates. */
export interface WebhookRoute {
  readonly path: string;
  readonly secret: string;
  /** Whether the update was handled; when not, Telegram will post it again. */
  readonly receive: (update: Update) => Promise<boolean>;
}

export interface ServerParts {
  readonly port: number;
  readonly host: string;
  /** Whoever has it may read the metrics; undefined: nobody. */
  readonly metricsToken: string | undefined;
  readonly metrics: Metrics;
  /** Whether people can be served now. */
  readonly ready: () => Promise<boolean>;
  readonly webhook: WebhookRoute | undefined;
  /** Where people's wallets sign, if they do. */
  readonly signing?: SigningSite | undefined;
  readonly clock: Clock;
}

/**
 * Serves `GET /health` (it runs), `GET /ready` (it can serve people; why not is nobody else's business) and to
 * whoever has its token `GET /metrics`, in webhook mode Telegram's posts, and the signing page where there is one.
 * @throws Node's own error when host or port can't be used.
 */
export async function startServer(parts: ServerParts) {
  const { port, host, clock } = parts;
  const places = new Set<Socket>();
  const timeouts = { headersTimeout: HEADERS_MILLISECONDS, requestTimeout: REQUEST_MILLISECONDS };
  const server = createAdaptorServer({
    fetch: createRoutes(parts, places).fetch,
    overrideGlobalObjects: false,
    serverOptions: { ...timeouts, connectionsCheckingInterval: 1_000 },
  }) as Server;
  server.on("connection", (socket) => takePlace(places, socket));
  server.listen(port, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    /** Accepts no more requests, waits a little for those under way, and closes every connection. */
    close: () =>
      new Promise<void>((resolve) => {
        // A connection on which nothing was ever asked counts as busy.
        const cancel = clock.timer(GRACE_MILLISECONDS, () => server.closeAllConnections());
        server.close(() => {
          cancel();
          resolve();
        });
      }),
  };
}

/**
 * Counts a connection. One too many closes the connection that has been open longest, so that nobody keeps others out by holding
 * on to connections; those on which Telegram has posted are neither counted nor closed: it posts on them again.
 */
function takePlace(places: Set<Socket>, socket: Socket): void {
  places.add(socket);
  socket.once("close", () => places.delete(socket));
  const [longest] = places;
  if (places.size <= MAX_CONNECTIONS || longest === undefined) return;
  places.delete(longest);
  longest.destroy();
}

type Env = { Bindings: HttpBindings };

function createRoutes(parts: ServerParts, places: Set<Socket>): Hono<Env> {
  const { metrics, metricsToken, ready, webhook, signing, clock } = parts;
  const app = new Hono<Env>();
  app.notFound((context) => context.text("not found\n", 404));
  app.onError((_error, context) => context.text("failed\n", 500));

  app.get("/health", (context) => context.text("ok\n"));
  app.get("/ready", async (context) => ((await ready()) ? context.text("ok\n") : context.text("not ready\n", 503)));
  app.get("/metrics", async (context) => {
    const [, token] = /^Bearer (.+)$/.exec(context.req.header("authorization") ?? "") ?? [];
    return sameText(token, metricsToken) ? context.text(await metrics.text()) : context.notFound();
  });
  if (signing !== undefined) app.route("/", signingRoutes(signing, clock));
  if (webhook === undefined) return app;

  app.post(
    webhook.path,
    async (context, next) => {
      const isTelegram = sameText(context.req.header("x-telegram-bot-api-secret-token"), webhook.secret);
      if (!isTelegram) return context.text("wrong secret\n", 401);
      places.delete(context.env.incoming.socket);
      return next();
    },
    bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (context) => context.text("too large\n", 413) }),
    async (context) => {
      const update: unknown = await context.req.json().catch(() => undefined);
      if (!isUpdate(update)) return context.text("not an update\n", 400);
      return (await webhook.receive(update)) ? context.body(null, 200) : context.text("not handled yet\n", 503);
    },
  );
  return app;
}

/** Compares in a time that reveals nothing about where the texts differ; nothing equals an absent one. */
function sameText(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}

function isUpdate(value: unknown): value is Update {
  return typeof value === "object" && value !== null && "update_id" in value && Number.isSafeInteger(value.update_id);
}

/** An answer that takes longer is useless. */
const LONGEST_READY_MILLISECONDS = 2_000;
/** However often strangers ask, the store is asked no more often than this. */
const READY_KEPT_MILLISECONDS = 1_000;

/** Whether everything the bot depends on works now. A check that fails or takes too long counts as no. */
export function createReadiness(serves: () => Promise<boolean>, clock: Clock): () => Promise<boolean> {
  let last: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  const ask = async (): Promise<boolean> => {
    const answer = serves().catch(() => false);
    return (await within(clock, LONGEST_READY_MILLISECONDS, answer)) ?? false;
  };
  return () => {
    const now = clock.monotonic();
    if (last === undefined || now - last.at >= READY_KEPT_MILLISECONDS) last = { at: now, answer: ask() };
    return last.answer;
  };
}
