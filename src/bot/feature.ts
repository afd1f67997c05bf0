import { Composer, type CommandContext, type Middleware, type MiddlewareFn, type NextFunction } from "grammy";
import type { BotContext } from "./context.js";
import { buttons } from "../cards/buttons.js";
import { commandOf } from "./command.js";
import { onTap, routeTaps, type Tap } from "./tap.js";

/** What the bot can do in one field: its commands, its buttons, and whatever else it takes. */
export interface Feature {
  readonly commands?: Commands;
  readonly taps?: readonly Tap[];
  readonly other?: Middleware<BotContext>;
}

/** Handlers by command, without the slash; what was typed after it is in `ctx.match`. */
export type Commands = Readonly<Record<string, CommandHandler>>;

type CommandHandler = (ctx: CommandContext<BotContext>, next: NextFunction) => unknown;

/**
 * All features: a command is looked up, so that it costs the same however many there are; all else passes from one feature to
 * the next. Where two have the same command, the first may leave it to the second.
 */
export function allFeatures(features: readonly Feature[]): MiddlewareFn<BotContext> {
  const handlers = new Map<string, MiddlewareFn<BotContext>>();
  const others = new Composer<BotContext>();
  others.use(routeTaps([onCommandTap(handlers), ...features.flatMap(({ taps = [] }) => taps)]));
  for (const { commands = {}, other } of features) {
    for (const [command, handler] of Object.entries(commands)) {
      const before = handlers.get(command);
      const handle: MiddlewareFn<BotContext> = (ctx, next) => handler(ctx as CommandContext<BotContext>, next);
      handlers.set(command, before === undefined ? handle : new Composer(before, handle).middleware());
    }
    if (other !== undefined) others.use(other);
  }
  const passOn = others.middleware();

  return function handle(ctx, next) {
    const typed = commandOf(ctx);
    const handler = typed && handlers.get(typed.command);
    if (typed === undefined || handler === undefined) return passOn(ctx, next);
    ctx.match = typed.rest;
    return handler(ctx, next);
  };
}

/** A tap that does what typing the command would do: it ends an open dialog, too. */
function onCommandTap(handlers: ReadonlyMap<string, MiddlewareFn<BotContext>>): Tap {
  return onTap(buttons.command, async (ctx, line) => {
    const [command = "", ...rest] = line.split(" ");
    await ctx.conversation.exitAll();
    ctx.match = rest.join(" ");
    await handlers.get(command)?.(ctx, () => Promise.resolve());
  });
}
