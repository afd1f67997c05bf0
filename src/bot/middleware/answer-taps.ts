import type { Api, Context, MiddlewareFn, NextFunction } from "grammy";

/** Stops the little clock on a tapped button when no handler did, also after an error. */
export function answerTaps<C extends Context>(api: Api): MiddlewareFn<C> {
  /** Ids of the taps under way that nobody has answered. */
  const unanswered = new Set<string>();
  api.config.use((previous, method, payload, signal) => {
    if (method === "answerCallbackQuery" && "callback_query_id" in payload)
      unanswered.delete(payload.callback_query_id);
    return previous(method, payload, signal);
  });

  return function answerTap(ctx, next) {
    return ctx.callbackQuery === undefined ? next() : answerAfter(ctx, ctx.callbackQuery.id, next);
  };

  async function answerAfter(ctx: C, id: string, next: NextFunction): Promise<void> {
    unanswered.add(id);
    try {
      await next();
    } finally {
      // Without an answer the clock stops by itself after a while: that is no reason to fail.
      if (unanswered.has(id)) await ctx.answerCallbackQuery().catch(() => undefined);
    }
  }
}
