import type { Context, Middleware, MiddlewareFn } from "grammy";

/**
 * Middleware one after the other, as one. grammY's own chain makes three promises for each link, which all live until the reply
 * is sent; here a link that has nothing to do afterwards returns what `next` gives, and costs none. So `next` may throw at once.
 */
export function chain<C extends Context>(...middleware: readonly Middleware<C>[]): MiddlewareFn<C> {
  const links = middleware.map((each) => (typeof each === "function" ? each : each.middleware()));
  return function begin(ctx, next) {
    const from = (index: number): Promise<void> => {
      const link = links[index];
      return link === undefined ? next() : Promise.resolve(link(ctx, () => from(index + 1)) as Promise<void>);
    };
    return from(0);
  };
}
