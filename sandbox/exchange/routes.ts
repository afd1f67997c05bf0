import { Hono } from "hono";
import * as z from "zod";
import type { Faults, ServiceEnv } from "../faults.js";
import type { Market } from "./market.js";
import { asAnswer, type MarketOrder, type OrderSeed } from "./order.js";

/** Valid for the sandbox's exchange only. */
export const sandboxApiKey = "sandbox-api-key";

/** The order service under `/v1/order`, and the tester's side under `/_sim/orders`. */
export function exchangeRoutes(market: Market, faults: Faults): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>();
  routes.get("/v1/order/:id", faults.middleware("exchange"), (context) => {
    if (context.req.header("apikey") !== sandboxApiKey) {
      return context.json({ success: false, message: "Unauthorized" }, 401);
    }
    const order = market.order(context.req.param("id"));
    if (order === undefined) return context.json({ success: false, message: "Order not found" }, 404);
    return context.json({ success: true, data: asAnswer(order) });
  });
  routes.route("/_sim/orders", testerRoutes(market));
  return routes;
}

const fillBody = z.object({ quantity: z.string(), price: z.string().optional() });

/** Lets a tester add, fill and cancel orders manually. Impossible changes are answered with 400 and the reason. */
function testerRoutes(market: Market): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>();
  routes.onError((error, context) => context.json({ error: error.message }, 400));
  routes.get("/", (context) => context.json(market.orders().map(asListed)));
  routes.post("/", async (context) => context.json(asListed(market.add(await context.req.json<OrderSeed>()))));
  routes.post("/:id/fill", async (context) => {
    const { quantity, price } = fillBody.parse(await context.req.json());
    return context.json(asListed(market.fill(context.req.param("id"), quantity, price)));
  });
  routes.post("/:id/cancel", (context) => context.json(asListed(market.cancel(context.req.param("id")))));
  return routes;
}

function asListed(order: MarketOrder): Record<string, string | number | boolean> {
  return { ...asAnswer(order), moves: order.moves };
}
