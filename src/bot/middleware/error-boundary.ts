import type { Context, MiddlewareFn } from "grammy";
import type { Logger } from "pino";
import type { Metrics } from "../receive/metrics.js";
import { deliveryFailureOf } from "../../services/clients/telegram-errors.js";

/** Catches whatever a handler throws: it is logged in words that hold no secret, and the person is told once by `tell`. */
export function errorBoundary<C extends Context>(parts: {
  readonly log: Pick<Logger, "info" | "error">;
  readonly tell: (ctx: C, error: unknown) => Promise<unknown>;
  readonly metrics: Pick<Metrics, "updatesFailed">;
}): MiddlewareFn<C> {
  const { log, tell, metrics } = parts;
  return async function boundary(ctx, next) {
    try {
      await next();
    } catch (error) {
      const about = { updateId: ctx.update.update_id, userId: ctx.from?.id, reason: error };
      if (deliveryFailureOf(error) === "gone") {
        log.info(about, "The person can't be reached");
        return;
      }
      metrics.updatesFailed.inc();
      log.error(about, "An update could not be handled");
      await tell(ctx, error).catch((failure: unknown) =>
        log.error({ ...about, reason: failure }, "The person could not be told of an error"),
      );
    }
  };
}
