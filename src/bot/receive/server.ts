import { hash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Update } from "grammy/types";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { within, type Clock } from "../../clock.js";
import type { Config } from "../../config.js";
import type { Proposals } from "../../services/standing/proposals.js";
import { signingRoutes, type SigningSite } from "../signing/routes.js";
import type { Metrics } from "../../services/operator/metrics.js";
import { type HttpEnv, proposalRoutes } from "./proposal-routes.js";
import { withoutStrangers } from "./strangers.js";

/** Updates from Telegram are a few kilobytes. */
const MAX_BODY_BYTES = 1_000_000;
/** Bounds the number of open files. Connections on which Telegram posts don't count. */
const MAX_CONNECTIONS = 200;
/** Timeout of a request's headers, from the start of the connection or the end of the previous request. */
const HEADERS_MS = 5_000;
const REQUEST_MS = 10_000;
const CLOSE_GRACE_MS = 2_000;

export interface WebhookRoute {
  readonly path: string;
  readonly secret: string;
  /** Resolves to false if Telegram should post the update again. */
  readonly receive: (update: Update) => Promise<boolean>;
}

/** Metrics aren't served without `metricsToken`. */
export interface ServerParts extends Pick<Config, "host" | "metricsToken"> {
  readonly port: number;
  readonly metrics: Metrics;
  /** Whether this process owns a store that works: for a proxy, which sends updates and signing pages and proposals here then. */
  readonly active: () => Promise<boolean>;
  /** Whether everything works, the services included: for monitoring. */
  readonly ready: () => Promise<boolean>;
  readonly webhook: WebhookRoute | undefined;
  readonly signing?: SigningSite | undefined;
  readonly proposals?: Proposals | undefined;
  readonly clock: Clock;
}

/**
 * Serves `/health`, `/active`, `/ready`, `/metrics` (with its token), the webhook, the signing page and proposals. @throws Node's
 * own error if host or port can't be used.
 */
export async function startServer(parts: ServerParts) {
  const { port, host, clock } = parts;
  const places = new Set<Socket>();
  const timeouts = { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS };
  const { metrics, proposals } = parts;
  const routes = getRequestListener(createRoutes(parts, places).fetch, { overrideGlobalObjects: false });
  const handle: RequestListener = (request, response) => void routes(request, response);
  const onRefused = (): void => {
    metrics.proposed.inc({ answer: "unknown" });
  };
  const server = createServer(
    { ...timeouts, connectionsCheckingInterval: 1_000 },
    proposals === undefined ? handle : withoutStrangers({ clock, isKnown: proposals.links.isKnown, onRefused, handle }),
  );
  // A connection too many closes the oldest one, so that nobody can block others by holding connections open.
  server.on("connection", (socket) => {
    places.add(socket);
    socket.once("close", () => places.delete(socket));
    const [longest] = places;
    if (places.size <= MAX_CONNECTIONS || longest === undefined) return;
    places.delete(longest);
    longest.destroy();
  });
  server.listen(port, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      // Node counts a connection without any request as busy.
      await within(clock, CLOSE_GRACE_MS, closed);
      server.closeAllConnections();
      await closed;
    },
  };
}

function createRoutes(parts: ServerParts, places: Set<Socket>): Hono<HttpEnv> {
  const { metrics, metricsToken, active, ready, webhook, signing, clock } = parts;
  const app = new Hono<HttpEnv>();
  app.notFound((context) => context.text("not found\n", 404));
  app.onError((_error, context) => context.text("failed\n", 500));

  app.get("/health", (context) => context.text("ok\n"));
  app.get("/active", async (context) => ((await active()) ? context.text("ok\n") : context.text("not active\n", 503)));
  app.get("/ready", async (context) => ((await ready()) ? context.text("ok\n") : context.text("not ready\n", 503)));
  app.get("/metrics", async (context) => {
    const [, token] = /^Bearer (.+)$/.exec(context.req.header("authorization") ?? "") ?? [];
    return sameText(token, metricsToken) ? context.text(await metrics.text()) : context.notFound();
  });
  if (signing !== undefined) app.route("/", signingRoutes(signing, clock));
  const { proposals } = parts;
  if (proposals !== undefined) app.route("/", proposalRoutes({ proposals, metrics, clock, keeping: keptIn(places) }));
  if (webhook === undefined) return app;

  app.post(
    webhook.path,
    async (context, next) => {
      const isTelegram = sameText(context.req.header("x-telegram-bot-api-secret-token"), webhook.secret);
      if (!isTelegram) return context.text("wrong secret\n", 401);
      // A connection on which Telegram has posted is no longer counted, nor closed.
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

/** Connections on which those with a link post, at most so many at a time, don't count meanwhile. */
const MAX_POSTING = 100;

function keptIn(places: Set<Socket>) {
  let held = 0;
  return async ({ env }: Context<HttpEnv>, work: () => Promise<void>): Promise<void> => {
    const { socket } = env.incoming;
    const isHeld = held < MAX_POSTING && places.delete(socket);
    if (isHeld) held += 1;
    try {
      await work();
    } finally {
      if (isHeld) held -= 1;
      if (isHeld && !socket.destroyed) places.add(socket);
    }
  };
}

/** Compares in constant time; an absent text equals nothing. */
function sameText(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return timingSafeEqual(hash("sha256", one, "buffer"), hash("sha256", other, "buffer"));
}

function isUpdate(value: unknown): value is Update {
  return typeof value === "object" && value !== null && "update_id" in value && Number.isSafeInteger(value.update_id);
}

const MAX_READY_MS = 2_000;
/** Milliseconds for which an answer is cached, so that strangers can't make the bot query the store more often. */
const READY_KEPT_MS = 1_000;

/**
 * Runs one check at a time: a slow store isn't given more to do each second. A failure counts as no, and so does a check
 * that takes too long, unless the one before it ended well less than `keptMilliseconds` ago.
 */
export function createReadiness(check: () => Promise<boolean>, clock: Clock) {
  let last = { at: Number.NEGATIVE_INFINITY, answer: Promise.resolve(false) };
  let isUnderWay = false;
  let wellAt = Number.NEGATIVE_INFINITY;
  const ask = async (): Promise<boolean> => {
    isUnderWay = true;
    const isReady = await check().catch(() => false);
    isUnderWay = false;
    wellAt = isReady ? clock.monotonic() : Number.NEGATIVE_INFINITY;
    return isReady;
  };
  return async (keptMilliseconds = 0): Promise<boolean> => {
    const now = clock.monotonic();
    if (!isUnderWay && now - last.at >= READY_KEPT_MS) last = { at: now, answer: ask() };
    const answer = await within(clock, MAX_READY_MS, last.answer);
    return answer ?? clock.monotonic() - wellAt < keptMilliseconds;
  };
}

/**
 * Serves a standby: `GET /health` answers 200, since the process runs, and everything else 503, so that a proxy turns
 * to the leader. @returns a function that frees the port.
 */
export async function serveStandby(port: number, host: string): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === "/health" ? 200 : 503, { "content-type": "text/plain", connection: "close" });
    response.end("standby\n");
  });
  server.listen(port, host);
  await once(server, "listening");
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
}
