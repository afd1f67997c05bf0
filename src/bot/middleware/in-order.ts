import type { Context, MiddlewareFn } from "grammy";
import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import { describeError } from "../transport/telegram-errors.js";
import { atMost } from "../transport/transport.js";

/**
 * Handles one person's updates in the order in which they came, and different people's side by side. An update that takes
 * longer than `limitMilliseconds` is let go of: it may still finish, but what waits behind it waits no longer
 * (a dialog can hang for ever: github.com/grammyjs/conversations, issue 155).
 */
export function inOrder<C extends Context>({
  clock,
  log,
  limitMilliseconds = 60_000,
}: {
  clock: Clock;
  log: Pick<Logger, "error">;
  limitMilliseconds?: number;
}): MiddlewareFn<C> {
  /** For each person what their next update has to wait for. */
  const queues = new Map<number, Promise<void>>();

  async function watch(ctx: C, handling: Promise<void>): Promise<void> {
    if (await atMost(limitMilliseconds, handling, clock)) return handling;
    const about = { updateId: ctx.update.update_id, afterMilliseconds: limitMilliseconds };
    log.error(about, "An update takes too long; those behind it wait no longer");
    handling.catch((error: unknown) => log.error({ ...about, reason: describeError(error) }, "A late update failed"));
  }

  return async function keepOrder(ctx, next) {
    const key = ctx.from?.id ?? ctx.chat?.id;
    if (key === undefined) return watch(ctx, next());
    const before = queues.get(key) ?? Promise.resolve();
    const task = before.then(() => watch(ctx, next()));
    const settled = task.catch(() => undefined);
    queues.set(key, settled);
    await task.finally(() => {
      if (queues.get(key) === settled) queues.delete(key);
    });
  };
}
