import type { Context, MiddlewareFn } from "grammy";
import { readButton } from "../../cards/buttons.js";
import type { Tracing } from "../../services/clients/tracing.js";

/** Makes the handling of each update a span, named for the command or the button; what somebody wrote stays out of it. */
export function tracedUpdates<C extends Context>({ span }: Tracing): MiddlewareFn<C> {
  return function trace(ctx, next) {
    const [command] = /^\/\w{1,32}/.exec(ctx.message?.text ?? "") ?? [];
    const button = readButton(ctx.callbackQuery?.data ?? "")?.verb;
    const about = command ?? (button === undefined ? "other" : `button ${button}`);
    return span("update", { about }, next);
  };
}
