import { sequentialize } from "@grammyjs/runner";
import { Composer, type Context, type MiddlewareFn } from "grammy";
import type { Logger } from "pino";
import type { Clock } from "../../clock.js";

const MAX_WAITING_UPDATES = 50;
const LIMIT_MS = 60_000;

/**
 * Handles each user's updates in order, and different users' in parallel. An update that takes longer than a minute is
 * no longer waited for (a dialog can hang forever: github.com/grammyjs/conversations, issue 155). Beyond the queue's
 * limit updates are dropped, and `tellToSlowDown` says so once until the queue is empty.
 */
export function userQueue<C extends Context>(parts: {
  readonly clock: Clock;
  readonly log: Pick<Logger, "error" | "warn">;
  readonly tellToSlowDown: (ctx: C) => Promise<unknown>;
  readonly overtakes?: (ctx: C) => boolean;
}): MiddlewareFn<C> {
  const { clock, log, tellToSlowDown, overtakes = () => false } = parts;
  const lines = new Map<string, { length: number; isTold: boolean }>();
  const keyOf = (ctx: C): string | undefined =>
    overtakes(ctx) ? undefined : (ctx.from?.id ?? ctx.chat?.id)?.toString();

  function watch(ctx: C, handling: Promise<void>): Promise<void> {
    const about = { updateId: ctx.update.update_id, afterMilliseconds: LIMIT_MS };
    return new Promise((resolve) => {
      const cancel = clock.timer(LIMIT_MS, () => {
        log.error(about, "Update timed out; continuing with the next one");
        handling.catch((err: unknown) => log.error({ ...about, err }, "Timed-out update failed"));
        resolve();
      });
      const end = () => {
        cancel();
        resolve(handling);
      };
      handling.then(end, end);
    });
  }

  async function refuse(ctx: C, line: { isTold: boolean }): Promise<void> {
    if (line.isTold) return;
    line.isTold = true;
    log.warn({ userId: ctx.from?.id }, "Queue limit exceeded; dropping the user's updates");
    await tellToSlowDown(ctx);
  }

  return new Composer<C>(
    async function countWaiting(ctx, next) {
      const key = keyOf(ctx);
      if (key === undefined) return next();
      const line = lines.get(key) ?? { length: 0, isTold: false };
      if (line.length >= MAX_WAITING_UPDATES) return refuse(ctx, line);
      lines.set(key, line);
      line.length += 1;
      try {
        await next();
      } finally {
        line.length -= 1;
        if (line.length === 0) lines.delete(key);
      }
    },
    sequentialize(keyOf),
    (ctx, next) => watch(ctx, next()),
  ).middleware();
}
