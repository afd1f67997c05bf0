import { Hono } from "hono";
import * as z from "zod";
import type { Chain } from "./chain/chain.js";
import { precisionOf } from "./chain/state.js";
import { amountOutAlong, referralRoute } from "./chain/route.js";
import { decimalOf, unitsOf } from "./decimal.js";
import type { Faults, ServiceEnv } from "./faults.js";

const quotationBody = z.strictObject({ amountIn: z.string(), tokenIn: z.string(), tokenOut: z.string() });

/**
 * The quotation service: what the referral swap would return at the current reserves. Amounts are in whole tokens. The
 * fields are those of docs.defi.bitcoin.me/api, without the prices in dollars.
 */
export function quotationRoutes(chain: Chain, faults: Faults): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>();
  routes.use("/quotation", faults.middleware("quotation"));

  routes.post("/quotation", async (context) => {
    const body = quotationBody.safeParse(await context.req.json().catch(() => undefined));
    if (!body.success) return context.json({ error: z.prettifyError(body.error) }, 400);
    const { tokenIn, tokenOut, amountIn } = body.data;
    const precisionIn = precisionOf(chain.state, tokenIn);
    const precisionOut = precisionOf(chain.state, tokenOut);
    if (precisionIn === undefined || precisionOut === undefined) return context.json({ error: "token not found" }, 404);
    const unitsIn = unitsOf(amountIn, precisionIn);
    if (unitsIn === undefined) return context.json({ error: "amountIn is not an amount of tokenIn" }, 400);
    const route = tokenIn === tokenOut ? undefined : referralRoute(chain.state, tokenIn, tokenOut);
    if (route === undefined) return context.json({ error: "no route between the tokens" }, 404);
    const unitsOut = amountOutAlong(chain.state, route, unitsIn);
    return context.json({
      tokenIn,
      amountIn,
      tokenOut,
      amountOut: decimalOf(unitsOut, precisionOut),
      tokenInPrecision: precisionIn,
      tokenOutPrecision: precisionOut,
    });
  });

  return routes;
}
