import type { HttpBindings } from "@hono/node-server";
import { Hono, type Context, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import * as z from "zod";
import { within, type Clock } from "../../clock.js";
import { unlessFaultSync } from "../../fault.js";
import { parseJson } from "../../services/base/http.js";
import type { Metrics } from "../../services/operator/metrics.js";
import type { PostAnswer, Posted, Proposals } from "../../services/standing/proposals.js";

const MAX_POST_BYTES = 4096;
const POST_MS = 2_000;
/** 32 bytes in base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;
const TRY_AGAIN_SECONDS = 5;

const tradeLine = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .regex(/^[^\r\n]*$/);
const keySchema = z.string().min(1).max(255);
export const proposalBody = z.strictObject({
  trade: tradeLine,
  id: keySchema.optional(),
  /** ISO 8601, or milliseconds since 1970. */
  at: z.union([z.iso.datetime({ offset: true }).transform(Date.parse), z.int().positive()]).optional(),
  good: z.int().min(30).max(600).optional(),
});

/** The status of each answer. */
export const statusOfAnswer = {
  taken: 202,
  repeated: 200,
  "no-trade": 422,
  unclear: 422,
  stale: 422,
  "id-used": 422,
  "not-now": 409,
  "too-many-waiting": 429,
  "too-often": 429,
  unknown: 404,
} as const satisfies Record<PostAnswer["kind"], number>;

export type HttpEnv = { Bindings: HttpBindings };

export interface ProposalSite {
  readonly proposals: Pick<Proposals, "links" | "receive" | "state">;
  readonly metrics: Pick<Metrics, "proposed">;
  readonly clock: Clock;
  /** Does work for a request whose connection strangers must not crowd out meanwhile. */
  readonly keeping: (context: Context<HttpEnv>, work: () => Promise<void>) => Promise<void>;
}

/**
 * Takes proposals of programs, and tells what became of them. Nothing is logged, since the path is a secret; a GET changes
 * nothing, because Telegram fetches link previews.
 */
export function proposalRoutes({ proposals, metrics, clock, keeping }: ProposalSite): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const counted = (
    context: Context,
    answer: keyof typeof statusOfAnswer | "too-large" | "unreadable",
    status: number,
  ) => {
    metrics.proposed.inc({ answer });
    return context.json({ error: answer }, status as 400);
  };
  routes.use("/propose/*", async (context, next) => {
    await next();
    context.header("cache-control", "no-store");
  });

  const ofLink: MiddlewareHandler<HttpEnv> = async (context, next) => {
    const secret = linkSecret(context);
    // Of strangers, not even the body is read.
    if (secret === undefined || proposals.links.isKnown(secret) === false) return counted(context, "unknown", 404);
    return keeping(context, next);
  };
  const limit = bodyLimit({
    maxSize: MAX_POST_BYTES,
    onError: (context) => counted(context, "too-large", 413),
  });
  const propose = async (context: Context<HttpEnv>) => {
    const body = await within(clock, POST_MS, context.req.text());
    if (body === undefined) context.header("connection", "close");
    const read = body === undefined ? undefined : readBody(body, context.req.header("idempotency-key"));
    if (read === undefined) return counted(context, "unreadable", 400);
    const answer = await proposals.receive(linkSecret(context) ?? "", read);
    metrics.proposed.inc({ answer: answer.kind });
    return reply(context, answer);
  };
  routes.post("/propose", ofLink, limit, propose);
  routes.post("/propose/:secret", ofLink, limit, propose);

  const tell = async (context: Context<HttpEnv>) => {
    const secret = linkSecret(context);
    const state = secret && (await proposals.state(secret, context.req.param("id") ?? ""));
    return state ? context.json(state) : context.json({ error: "unknown" }, 404);
  };
  // With the secret as bearer.
  routes.get("/propose/:id", tell);
  routes.get("/propose/:secret/:id", tell);
  routes.onError((_error, context) =>
    context.json({ error: "try-again" }, 503, { "retry-after": `${TRY_AGAIN_SECONDS}` }),
  );
  return routes;
}

const linkSecret = (context: Context): string | undefined =>
  linkSecretIn(context.req.param("secret"), context.req.header("authorization"));

/** A link's secret, from its path or else as bearer; undefined for what can't be one. */
export function linkSecretIn(path: string | undefined, authorization = ""): string | undefined {
  const [, bearer] = /^Bearer (\S+)$/i.exec(authorization) ?? [];
  const secret = path ?? bearer ?? "";
  return SECRET.test(secret) ? secret : undefined;
}

/** JSON, or the line of a trade as plain text: TradingView sends either, by what its message is. */
function readBody(body: string, header: string | undefined): Posted | undefined {
  const key = keySchema.optional().safeParse(header?.replace(/^"(.*)"$/, "$1"));
  if (!key.success) return undefined;
  if (!body.trimStart().startsWith("{")) {
    const { success, data } = tradeLine.safeParse(body);
    return success ? { trade: data, key: key.data } : undefined;
  }
  const read = proposalBody.safeParse(unlessFaultSync(() => parseJson(body)));
  if (!read.success) return undefined;
  const { trade, id = key.data, at, good: goodSeconds } = read.data;
  return { trade, key: id, at, goodSeconds };
}

function reply(context: Context, answer: PostAnswer) {
  const { kind } = answer;
  if (kind === "taken" || kind === "repeated") return context.json({ id: answer.id }, statusOfAnswer[kind]);
  if ("waitSeconds" in answer) context.header("retry-after", String(answer.waitSeconds));
  const { lines, faults } = { lines: undefined, faults: undefined, ...answer };
  return context.json({ error: kind, ...(lines && { lines }), ...(faults && { faults }) }, statusOfAnswer[kind]);
}
