import { Composer, type Context, type MiddlewareFn } from "grammy";
import type { MessageEntity } from "grammy/types";
import { buttons } from "../cards/buttons.js";
import type { Shown } from "../conversations/dialog.js";
import type { Form } from "../conversations/interview.js";
import type { BotContext } from "./context.js";
import { onTap, routeTaps, type Tap } from "./tap.js";

/** What the bot can do in one field. */
export interface Feature {
  /** It is the name of its files, too: in this folder's `features/`, and wherever else it has something of its own. */
  readonly name: string;
  /** Whom it is for; to everybody else it does not exist. Absent: for all. */
  readonly isFor?: (userId: number) => boolean;
  readonly commands?: Commands;
  /** Commands that are answered in groups too, to the asker alone: they read, and show nothing of anybody. */
  readonly inGroups?: GroupCommands;
  readonly buttons?: readonly Tap[];
  /** Takes a text that is no command, and says whether it was meant. */
  readonly pasted?: (ctx: BotContext, text: string) => Promise<boolean>;
  readonly forms?: readonly Form<never>[];
  /** What goes on by itself until the signal is aborted. */
  readonly loops?: readonly ((signal: AbortSignal) => Promise<void>)[];
}

/** Handlers by command, without the slash; `typed` is what follows it. */
export type Commands = Readonly<Record<string, (ctx: BotContext, typed: string) => unknown>>;

/** What a command typed in a group shows, by command. */
export type GroupCommands = Readonly<Record<string, (userId: number, typed: string) => Promise<Shown>>>;

/** The commands that everybody can use. */
export function commandsOf(features: readonly Feature[]): readonly string[] {
  return features.flatMap(({ isFor, commands = {} }) => (isFor === undefined ? Object.keys(commands) : []));
}

/** All features: commands and buttons are looked up, so that they cost the same however many there are. */
export function allFeatures(features: readonly Feature[]): MiddlewareFn<BotContext> {
  const handlers = new Map<string, { readonly feature: Feature; readonly handle: Commands[string] }>();
  for (const feature of features) {
    for (const [command, handle] of Object.entries(feature.commands ?? {})) {
      if (handlers.has(command)) throw new TypeError(`/${command} has two handlers`);
      handlers.set(command, { feature, handle });
    }
  }
  /** What handles a command of somebody. */
  const handlerOf = (command: string, userId: number) => {
    const { feature, handle } = handlers.get(command) ?? {};
    return feature?.isFor?.(userId) === false ? undefined : handle;
  };
  /** A tap that does what typing the command would do: it ends an open dialog, too. */
  const commandTap = onTap(buttons.command, async (ctx, line) => {
    const [command = "", ...rest] = line.split(" ");
    await ctx.conversation.exitAll();
    await handlerOf(command, ctx.userId)?.(ctx, rest.join(" "));
  });
  const routed = routeTaps([commandTap, ...features.flatMap(tapsOf)]);

  return new Composer<BotContext>(routed, async function handle(ctx, next) {
    const typed = commandOf(ctx);
    const handler = typed && handlerOf(typed.command, ctx.userId);
    if (handler !== undefined) return handler(ctx, typed?.rest ?? "");
    const text = ctx.message?.text;
    if (typed !== undefined || text === undefined) return next();
    for (const { pasted } of features) if (await pasted?.(ctx, text)) return;
    return next();
  }).middleware();
}

function tapsOf({ isFor, buttons: taps = [] }: Feature): readonly Tap[] {
  if (isFor === undefined) return taps;
  return taps.map(({ verb, handle }) => ({
    verb,
    handle: (ctx, text, next) => (isFor(ctx.userId) ? handle(ctx, text, next) : next()),
  }));
}

/** The command that a message begins with, in small letters, unless it is for another bot; and what follows it. */
export function commandOf(ctx: Context): { readonly command: string; readonly rest: string } | undefined {
  const { text = "", entities } = ctx.message ?? {};
  const entity = entities?.find(isAtBeginning);
  if (entity === undefined) return undefined;
  const [command = "", addressee] = text.slice(1, entity.length).split("@");
  if (addressee !== undefined && addressee.toLowerCase() !== ctx.me.username.toLowerCase()) return undefined;
  return { command: command.toLowerCase(), rest: text.slice(entity.length).trimStart() };
}

/** Whether the message is a command. A slash further on, say in an address or a token id, does not make one. */
export function beginsWithCommand(ctx: Pick<Context, "message">): boolean {
  return ctx.message?.entities?.some(isAtBeginning) ?? false;
}

function isAtBeginning({ type, offset }: MessageEntity): boolean {
  return type === "bot_command" && offset === 0;
}
