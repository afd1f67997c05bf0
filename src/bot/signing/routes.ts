import { readFileSync } from "node:fs";
import { Hono, type Context, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import * as z from "zod";
import { within, type Clock } from "../../clock.js";
import { signatureInHex } from "../../encoding/transaction.js";
import type { SigningRequests } from "../../services/signing/signing-requests.js";
import { closedPage, pageInEach, requestPage } from "./page.js";

export interface SigningSite {
  readonly requests: SigningRequests;
  readonly publicUrl: string;
  readonly walletOrigins: readonly string[];
  readonly supportContact?: string | undefined;
}

/** A signature is 88 or 128 characters; a longer body isn't read. */
const MAX_BODY_BYTES = 4096;
const BODY_MS = 2_000;
/** 32 bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

const signatureBody = z.strictObject({ signature: z.string() });

const files = {
  "able.js": "text/javascript; charset=utf-8",
  "page.js": "text/javascript; charset=utf-8",
  "wallet.js": "text/javascript; charset=utf-8",
  "wait.js": "text/javascript; charset=utf-8",
  "page.css": "text/css; charset=utf-8",
  "icon.svg": "image/svg+xml",
} as const;

/**
 * A GET changes nothing, because Telegram fetches link previews. Requests aren't logged, because the token is enough to
 * decline one.
 */
export function signingRoutes(site: SigningSite, clock: Clock): Hono {
  const { requests, publicUrl, walletOrigins, supportContact } = site;
  const { origin } = new URL(publicUrl);
  const routes = new Hono();
  routes.use("/sign/*", pageHeaders(walletOrigins));
  for (const [name, type] of Object.entries(files)) {
    const content = readFileSync(new URL(`assets/${name}`, import.meta.url), "utf8");
    routes.get(`/sign/${name}`, (context) => context.body(content, 200, { "content-type": type }));
  }

  routes.get("/sign/:token", async (context) => {
    const request = await asked(context, requests.request);
    if (request.kind === "unknown") return context.html(pageInEach("unknown"), 404);
    if (request.kind === "closed") return context.html(closedPage(request), 410);
    return context.html(requestPage(request, `${publicUrl}${context.req.path}`, supportContact));
  });
  routes.get("/sign/:token/request", (context) => answer(context, requests.request));

  routes.post(
    "/sign/*",
    // No other site may post, even with the link.
    async (context, next) => (context.req.header("origin") === origin ? next() : context.text("another origin\n", 403)),
    bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (context) => context.text("too large\n", 413) }),
    // A slow body must not hold a connection for long.
    async (context, next) => {
      if ((await within(clock, BODY_MS, context.req.text())) !== undefined) return next();
      context.header("connection", "close");
      return context.text("too slow\n", 408);
    },
  );

  routes.post("/sign/:token/signature", async (context) => {
    const body = signatureBody.safeParse(await context.req.json().catch(() => undefined));
    if (!body.success) return context.json({ kind: "unreadable" }, 400);
    const signature = signatureInHex(body.data.signature);
    return answer(context, (token) => requests.postSignature(token, signature));
  });
  routes.post("/sign/:token/decline", (context) => answer(context, requests.decline));

  routes.onError((_error, context) => context.html(pageInEach("trouble"), 503));
  return routes;
}

async function asked<Asked>(context: Context, ask: (token: string) => Promise<Asked>) {
  const token = context.req.param("token") ?? "";
  return TOKEN.test(token) ? ask(token) : ({ kind: "unknown" } as const);
}

const STATUS = { open: 200, accepted: 200, declined: 200, "wrong-signature": 422, closed: 410, unknown: 404 } as const;

async function answer(context: Context, ask: (token: string) => Promise<{ readonly kind: keyof typeof STATUS }>) {
  const result = await asked(context, ask);
  return context.json(result, STATUS[result.kind]);
}

/** The page runs only its own files and reaches only its own server and the wallet's; no caching, no referrer. */
function pageHeaders(walletOrigins: readonly string[]): MiddlewareHandler {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    ["connect-src 'self'", ...new Set(walletOrigins)].join(" "),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return async (context, next) => {
    await next();
    context.header("content-security-policy", policy);
    context.header("x-frame-options", "DENY");
    context.header("referrer-policy", "no-referrer");
    context.header("cache-control", "no-store");
    context.header("x-content-type-options", "nosniff");
  };
}
