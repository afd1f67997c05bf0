import type { Context, MiddlewareFn, NextFunction } from "grammy";

/** Stops the little clock on a tapped button when no handler did, also after an error. */
export function answerTaps<C extends Context>(): MiddlewareFn<C> {
  return function answerTap(ctx, next) {
    return ctx.callbackQuery === undefined ? next() : answerAfter(ctx, next);
  };

  async function answerAfter(ctx: C, next: NextFunction): Promise<void> {
    const tap = { answered: false };
    ctx.api.config.use((previous, method, payload, signal) => {
      if (method === "answerCallbackQuery") tap.answered = true;
      return previous(method, payload, signal);
    });
    try {
      await next();
    } finally {
      // Without an answer the clock stops by itself after a while: that is no reason to fail.
      if (!tap.answered) await ctx.answerCallbackQuery().catch(() => undefined);
    }
  }
}
