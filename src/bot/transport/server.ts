import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import type { Update } from "grammy/types";
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Clock } from "../../clock.js";
import { signingRoutes, type SigningSite } from "../signing/routes.js";
import type { Metrics } from "./metrics.js";

/** Telegram's updates are a few kilobytes. */
const MAX_BODY_BYTES = 1_000_000;
/** Further connections are closed at once, so that they can't use up the files that a process may open. */
const MAX_CONNECTIONS = 200;
/** For the headers of a request, counted from when the connection began or its last request ended. */
const HEADERS_MILLISECONDS = 10_000;
const REQUEST_MILLISECONDS = 30_000;
/** How long requests under way may take to end when the server closes. */
const GRACE_MILLISECONDS = 2_000;

/** Where Telegram posts updates. */
export interface WebhookRoute {
  readonly path: string;
  readonly secret: string;
  /** Whether the update was handled; when not, Telegram will post it again. */
  readonly receive: (update: Update) => Promise<boolean>;
}

interface ServerParts {
  readonly port: number;
  /** Undefined: all addresses. */
  readonly host: string | undefined;
  readonly metrics: Metrics;
  /** Whether people can be served now. */
  readonly ready: () => Promise<boolean>;
  readonly webhook: WebhookRoute | undefined;
  /** Where people's wallets sign, if they do. */
  readonly signing?: SigningSite | undefined;
  readonly clock: Clock;
}

/**
 * Serves `GET /health` (it runs), `GET /ready` (it can serve people; why not is nobody else's business) and `GET /metrics`, in
 * webhook mode Telegram's posts, and the signing page where there is one.
 * @throws Node's own error when host or port can't be used.
 */
export async function startServer(parts: ServerParts) {
  const { port, host, clock } = parts;
  const server = createAdaptorServer({
    fetch: createRoutes(parts).fetch,
    overrideGlobalObjects: false,
    serverOptions: {
      headersTimeout: HEADERS_MILLISECONDS,
      requestTimeout: REQUEST_MILLISECONDS,
      connectionsCheckingInterval: 1_000,
    },
  }) as Server;
  server.maxConnections = MAX_CONNECTIONS;
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

type Env = { Bindings: HttpBindings };

function createRoutes({ metrics, ready, webhook, signing }: ServerParts): Hono<Env> {
  const app = new Hono<Env>();
  app.notFound((context) => context.text("not found\n", 404));
  app.onError((_error, context) => context.text("failed\n", 500));

  app.get("/health", (context) => context.text("ok\n"));
  app.get("/ready", async (context) => ((await ready()) ? context.text("ok\n") : context.text("not ready\n", 503)));
  app.get("/metrics", async (context) => {
    const mayRead = isFromThisMachine(context) || sameText(bearerOf(context), webhook?.secret);
    return mayRead ? context.text(await metrics.text()) : context.notFound();
  });
  if (signing !== undefined) app.route("/", signingRoutes(signing));
  if (webhook === undefined) return app;

  app.post(
    webhook.path,
    async (context, next) => {
      if (sameText(context.req.header("x-telegram-bot-api-secret-token"), webhook.secret)) return next();
      return context.text("wrong secret\n", 401);
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

/**
 * Whether nobody else can have asked. A proxy on this machine says whom it asks for, or is meant to pass on other paths
 * only; one that climbs out of those (/sign/../metrics) is not followed.
 */
function isFromThisMachine(context: Context<Env>): boolean {
  const { socket, url } = context.env.incoming;
  if (url?.startsWith("/metrics") !== true) return false;
  const address = socket.remoteAddress ?? "";
  const isForwarded = ["forwarded", "x-forwarded-for", "via"].some((name) => context.req.header(name) !== undefined);
  return !isForwarded && /^(::1$|(::ffff:)?127\.)/.test(address);
}

function bearerOf(context: Context): string | undefined {
  return /^Bearer (.+)$/.exec(context.req.header("authorization") ?? "")?.[1];
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
