import type { Api, Context, MiddlewareFn } from "grammy";

/** Stops the little clock on a tapped button when no handler did, also after an error. */
export function answerTaps<C extends Context>(api: Api): MiddlewareFn<C> {
  /** Ids of the taps under way that nobody has answered. */
  const unanswered = new Set<string>();
  api.config.use((previous, method, payload, signal) => {
    if (method === "answerCallbackQuery" && "callback_query_id" in payload)
      unanswered.delete(payload.callback_query_id);
    return previous(method, payload, signal);
  });

  return async function answerTap(ctx, next) {
    const { id } = ctx.callbackQuery ?? {};
    if (id === undefined) return next();
    unanswered.add(id);
    try {
      await next();
    } finally {
      // Without an answer the clock stops by itself after a while: that is no reason to fail.
      if (unanswered.has(id)) await ctx.answerCallbackQuery().catch(() => undefined);
    }
  };
}
