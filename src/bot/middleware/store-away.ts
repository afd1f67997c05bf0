import type { Context, MiddlewareFn } from "grammy";
import type { Logger } from "pino";
import { isFault } from "../../fault.js";
import { tellOnce } from "../tell-once.js";

/**
 * Lets an update that comes while the store is away go back to where it came from, which brings it again. Its person is told so
 * by `tell`, once until an update of theirs is handled.
 * @throws Fault `store-away`: nothing was done that would be done twice when the update is handled again.
 */
export function whileStoreIsAway<C extends Context>(parts: {
  readonly tell: (ctx: C) => Promise<unknown>;
  /** Who was told, here or wherever else the store is missed. */
  readonly told: Set<number>;
  readonly log: Pick<Logger, "warn">;
}): MiddlewareFn<C> {
  const { tell, told, log } = parts;
  async function onFailure(ctx: C, error: unknown): Promise<never> {
    if (isFault(error, "store-away")) {
      const userId = ctx.from?.id ?? 0;
      log.warn({ updateId: ctx.update.update_id, userId }, "The store is away; an update has to wait");
      const untold = (failure: unknown) =>
        log.warn({ userId, reason: failure }, "A person could not be told that the store is away");
      await tellOnce(told, userId, () => tell(ctx), untold);
    }
    throw error;
  }

  return function store(ctx, next) {
    return next().then(
      () => void told.delete(ctx.from?.id ?? 0),
      (error: unknown) => onFailure(ctx, error),
    );
  };
}
