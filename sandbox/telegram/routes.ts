import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import type { ApiAnswer } from "./bot-api.js";
import { readParameters } from "./parameters.js";
import type { Telegram } from "./telegram.js";
import { testerRoutes } from "./tester-routes.js";

type Environment = { Bindings: HttpBindings };

/** The Bot API under `/bot<token>/<method>`, and the tester's side under `/_sim/telegram`. */
export function telegramRoutes(telegram: Telegram): Hono<Environment> {
  const routes = new Hono<Environment>();
  routes.on(["GET", "POST"], "/:bot{bot[^/]+}/:method", async (context) => {
    const method = context.req.param("method");
    const token = context.req.param("bot").slice("bot".length);
    if (token !== telegram.token) {
      const description = token.includes(":") ? "Unauthorized" : "Unauthorized: invalid token specified";
      return context.json({ ok: false, error_code: 401, description }, 401);
    }
    const signal = context.req.raw.signal;
    const answer = await telegram.answer({ method, read: () => readParameters(context.req), signal });
    return respond(context, answer);
  });
  routes.route("/_sim/telegram", testerRoutes(telegram));
  return routes;
}

async function respond(context: Context<Environment>, answer: ApiAnswer): Promise<Response> {
  if (answer === "drop") {
    context.env.outgoing.destroy();
    return RESPONSE_ALREADY_SENT;
  }
  if (answer === "hang") {
    await new Promise((resolve) => context.env.outgoing.once("close", resolve));
    return RESPONSE_ALREADY_SENT;
  }
  const { status, body } = answer;
  const isJson = typeof body !== "string";
  const retryAfter = isJson ? (body as { parameters?: { retry_after: number } }).parameters?.retry_after : undefined;
  return new Response(isJson ? JSON.stringify(body) : body, {
    status,
    headers: {
      "content-type": isJson ? "application/json" : "text/html",
      ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    },
  });
}
