import type { Context, MiddlewareFn } from "grammy";
import type { Clock } from "../../clock.js";

/** How often, at most, a group is told that nothing happens there. */
const REFUSAL_EVERY_MILLISECONDS = 3_600_000;
/** Beyond this many, the groups told longest ago are forgotten. */
const MAX_GROUPS = 10_000;

/**
 * Lets only private chats pass. A command in a group that is one of this bot's own `commands`, and for no other bot, is refused
 * there, at most once an hour; all else between people, and updates without a chat, are dropped.
 */
export function privateChatOnly<C extends Context>(parts: {
  readonly clock: Clock;
  readonly commands: readonly string[];
  readonly refuse: (ctx: C) => Promise<unknown>;
}): MiddlewareFn<C> {
  const { clock, commands, refuse } = parts;
  /** When each group was told last, in the order of those times. */
  const toldAt = new Map<number, number>();

  function isDue(chatId: number): boolean {
    const now = clock.monotonic();
    if (now - (toldAt.get(chatId) ?? Number.NEGATIVE_INFINITY) < REFUSAL_EVERY_MILLISECONDS) return false;
    toldAt.delete(chatId);
    toldAt.set(chatId, now);
    if (toldAt.size > MAX_GROUPS) {
      const [oldest = chatId] = toldAt.keys();
      toldAt.delete(oldest);
    }
    return true;
  }

  return function onlyPrivate(ctx, next) {
    if (ctx.chat?.type === "private") return next();
    return ctx.chat !== undefined && isOurCommand(ctx, commands) && isDue(ctx.chat.id) ? refuse(ctx) : undefined;
  };
}

/** Whether the message is one of these commands, and addressed to this bot or to none. */
function isOurCommand(ctx: Context, commands: readonly string[]): boolean {
  const [, command, addressee] = /^\/(\w+)(?:@(\w+))?(?!\S)/.exec(ctx.message?.text ?? "") ?? [];
  if (command === undefined || !commands.includes(command.toLowerCase())) return false;
  return addressee === undefined || addressee.toLowerCase() === ctx.me.username.toLowerCase();
}

/** Lets no command pass that somebody else wrote: one that was forwarded, or sent by way of another bot. */
export function ownCommandsOnly<C extends Context>(refuse: (ctx: C) => Promise<unknown>): MiddlewareFn<C> {
  return function onlyOwnCommands(ctx, next) {
    const { message } = ctx;
    const isForeign = message?.forward_origin !== undefined || message?.via_bot !== undefined;
    return isForeign && beginsWithCommand(ctx) ? refuse(ctx) : next();
  };
}

/** Whether the message is a command. A slash further on, say in an address or a token id, does not make one. */
export function beginsWithCommand(ctx: Pick<Context, "message">): boolean {
  return ctx.message?.entities?.some(({ type, offset }) => type === "bot_command" && offset === 0) ?? false;
}
