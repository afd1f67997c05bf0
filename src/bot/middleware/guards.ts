import type { Context, MiddlewareFn } from "grammy";

/** Lets only private chats pass; elsewhere `refuse` may say so (updates without a chat are dropped). */
export function privateChatOnly<C extends Context>(refuse: (ctx: C) => Promise<unknown>): MiddlewareFn<C> {
  return async function onlyPrivate(ctx, next) {
    if (ctx.chat?.type === "private") await next();
    else if (ctx.chat !== undefined) await refuse(ctx);
  };
}

/** Lets only these people pass, or everyone when there is no list. */
export function allowedUsers<C extends Context>(
  ids: readonly number[] | undefined,
  refuse: (ctx: C) => Promise<unknown>,
): MiddlewareFn<C> {
  const allowed = ids === undefined ? undefined : new Set(ids);
  return async function onlyAllowed(ctx, next) {
    if (allowed === undefined || (ctx.from !== undefined && allowed.has(ctx.from.id))) await next();
    else await refuse(ctx);
  };
}
