import type { Context, MiddlewareFn } from "grammy";
import type { Clock } from "../../clock.js";

/** After this long a person would wonder whether they were heard. */
const PATIENCE_MILLISECONDS = 1000;
/** Telegram shows it for five seconds. */
const AGAIN_MILLISECONDS = 4500;

/** Shows "typing" while an answer takes more than a second. Where Telegram refuses that, nobody is worse off. */
export function typing<C extends Context>(clock: Clock): MiddlewareFn<C> {
  return function showTyping(ctx, next) {
    let cancel = clock.timer(PATIENCE_MILLISECONDS, show);
    function show(): void {
      ctx.replyWithChatAction("typing").catch(() => undefined);
      cancel = clock.timer(AGAIN_MILLISECONDS, show);
    }
    return next().finally(() => cancel());
  };
}
