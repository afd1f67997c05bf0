import type { Context, MiddlewareFn } from "grammy";
import type { Logger } from "pino";
import type { Clock } from "../../clock.js";

/** How many of one person's updates may wait or be under way. */
const MAX_WAITING_UPDATES = 50;
/** An update that takes longer is let go of. */
const LIMIT_MILLISECONDS = 60_000;

/** A person's updates that are under way or wait. */
interface Line {
  length: number;
  /** Ends with the last of them. */
  end: Promise<unknown>;
  isTold: boolean;
}

/**
 * Handles one person's updates in the order in which they came, and different people's side by side. An update that takes
 * longer than a minute is let go of: it may still finish, but what waits behind it waits no longer
 * (a dialog can hang forever: github.com/grammyjs/conversations, issue 155).
 *
 * Whoever sends faster than they can be answered takes no room from others: what comes on top of a full line is dropped, and
 * `tellToSlowDown` says so, once until the line is empty.
 */
export function inOrder<C extends Context>(parts: {
  readonly clock: Clock;
  readonly log: Pick<Logger, "error" | "warn">;
  readonly tellToSlowDown: (ctx: C) => Promise<unknown>;
  /** Whether an update is handled at once, whatever the person's others wait for. */
  readonly overtakes?: (ctx: C) => boolean;
}): MiddlewareFn<C> {
  const { clock, log, tellToSlowDown, overtakes = () => false } = parts;
  const lines = new Map<number, Line>();

  function watch(ctx: C, handling: Promise<void>): Promise<void> {
    const about = { updateId: ctx.update.update_id, afterMilliseconds: LIMIT_MILLISECONDS };
    return new Promise((resolve) => {
      const cancel = clock.timer(LIMIT_MILLISECONDS, () => {
        log.error(about, "An update takes too long; those behind it wait no longer");
        handling.catch((error: unknown) => log.error({ ...about, reason: error }, "A late update failed"));
        resolve();
      });
      const end = () => {
        cancel();
        resolve(handling);
      };
      handling.then(end, end);
    });
  }

  async function refuse(ctx: C, line: Line): Promise<void> {
    if (line.isTold) return;
    line.isTold = true;
    log.warn({ userId: ctx.from?.id }, "A person sends faster than they can be answered; what is too much is dropped");
    await tellToSlowDown(ctx);
  }

  return function keepOrder(ctx, next) {
    const key = ctx.from?.id ?? ctx.chat?.id;
    if (key === undefined || overtakes(ctx)) return watch(ctx, next());
    const line = lines.get(key) ?? { length: 0, end: Promise.resolve(), isTold: false };
    if (line.length >= MAX_WAITING_UPDATES) return refuse(ctx, line);
    lines.set(key, line);
    const begin = () => watch(ctx, next());
    const task = line.length === 0 ? begin() : line.end.then(begin);
    line.length += 1;
    const leave = () => {
      line.length -= 1;
      if (line.length === 0) lines.delete(key);
    };
    line.end = task.then(leave, leave);
    return task;
  };
}
