import { Composer, type Context, type MiddlewareFn, type NextFunction } from "grammy";
import type { MessageEntity } from "grammy/types";
import { type ButtonKind, buttons, readButton } from "../cards/buttons.js";
import type { Card, Shareable } from "../cards/card.js";
import type { Form } from "../conversations/interview.js";
import type { Shown } from "../conversations/reply-card.js";
import type { Topic } from "../services/outbox/outbox.js";
import { commandBehind } from "../services/request.js";
import type { BotContext, PersonFlavor } from "./context.js";

export interface Feature {
  /** Also the name of its files, in `features/` and elsewhere. */
  readonly name: string;
  /** Absent: for all; to others it does not exist. */
  readonly isFor?: (userId: number) => boolean;
  readonly commands?: Commands;
  /** Also answered in groups, to the asker alone. */
  readonly inGroups?: GroupCommands;
  readonly buttons?: readonly Tap[];
  /** @returns whether the text was meant for it. */
  readonly pasted?: (ctx: BotContext, text: string) => Promise<boolean>;
  /** What a person may send to any chat for what they typed behind the bot's name; undefined where that is not for this feature. */
  readonly shared?: (query: string, owner: PersonFlavor) => (() => Promise<Shareable>) | undefined;
  readonly forms?: readonly Form<never>[];
  /** What it tells people of without having been asked just now. */
  readonly topics?: readonly Topic<Card>[];
  /** Loops that run until the signal is aborted. */
  readonly loops?: readonly ((signal: AbortSignal) => Promise<void>)[];
}

/** Handlers by command, without the slash; `typed` is what follows it. */
export type Commands = Readonly<Record<string, (ctx: BotContext, typed: string) => unknown>>;

export type GroupCommands = Readonly<Record<string, (userId: number, typed: string) => Promise<Shown>>>;

export function commandsOf(features: readonly Feature[]): readonly string[] {
  return features.flatMap(({ isFor, commands = {} }) => (isFor === undefined ? Object.keys(commands) : []));
}

/** Commands and buttons are looked up, so the cost doesn't grow with their number. */
export function allFeatures(features: readonly Feature[]): MiddlewareFn<BotContext> {
  const handlers = new Map<string, { readonly feature: Feature; readonly handle: Commands[string] }>();
  for (const feature of features) {
    for (const [command, handle] of Object.entries(feature.commands ?? {})) {
      if (handlers.has(command)) throw new TypeError(`/${command} has two handlers`);
      handlers.set(command, { feature, handle });
    }
  }
  const handlerOf = (command: string, userId: number) => {
    const { feature, handle } = handlers.get(command) ?? {};
    return feature?.isFor?.(userId) === false ? undefined : handle;
  };
  /** Like typing the command, it ends an open dialog. */
  const commandTap = onTap(buttons.command, async (ctx, line) => {
    const [command = "", ...rest] = line.split(" ");
    await ctx.conversation.exitAll();
    await handlerOf(command, ctx.userId)?.(ctx, rest.join(" "));
  });
  const routed = routeTaps([commandTap, ...features.flatMap(tapsOf)]);

  return new Composer<BotContext>(routed, async function handle(ctx, next) {
    const typed = followed(commandOf(ctx), ctx);
    const handler = typed && handlerOf(typed.command, ctx.userId);
    if (handler !== undefined) return handler(ctx, typed?.rest ?? "");
    const text = ctx.message?.text;
    if (typed !== undefined || text === undefined) return next();
    for (const { pasted } of features) if (await pasted?.(ctx, text)) return;
    return next();
  }).middleware();
}

/** A link to the bot arrives as `/start` with a payload; it does what typing the command behind it would. */
function followed(typed: ReturnType<typeof commandOf>, { words }: BotContext): ReturnType<typeof commandOf> {
  if (typed?.command !== "start") return typed;
  return commandBehind(typed.rest.trim(), words.decimalMark) ?? typed;
}

function tapsOf({ isFor, buttons: taps = [] }: Feature): readonly Tap[] {
  if (isFor === undefined) return taps;
  return taps.map(({ verb, handle }) => ({
    verb,
    handle: (ctx, text, next) => (isFor(ctx.userId) ? handle(ctx, text, next) : next()),
  }));
}

/** In lower case, with the rest of the text; undefined where it is for another bot. */
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

export interface Tap {
  readonly verb: string;
  readonly handle: (ctx: BotContext, text: string, next: NextFunction) => unknown;
}

type Handle<Payload> = (ctx: BotContext, payload: Payload) => unknown;

/** The callback is answered before the handler runs. */
export function onTap<Payload>(button: ButtonKind<Payload>, handle: Handle<Payload>): Tap {
  return onTapToAnswer(button, async (ctx, payload) => {
    await ctx.answerCallbackQuery();
    return handle(ctx, payload);
  });
}

/** The handler answers the callback itself. */
export function onTapToAnswer<Payload>(button: ButtonKind<Payload>, handle: Handle<Payload>): Tap {
  return {
    verb: button.verb,
    handle: (ctx, text, next) => {
      const payload = button.read(text);
      return payload === undefined ? next() : handle(ctx, payload);
    },
  };
}

/** @throws TypeError where a button has two handlers. */
export function routeTaps(taps: readonly Tap[]): MiddlewareFn<BotContext> {
  const handlers = new Map(taps.map((tap) => [tap.verb, tap]));
  if (handlers.size < taps.length) throw new TypeError("a button has two handlers");
  return function leadTap(ctx, next) {
    const button = readButton(ctx.callbackQuery?.data ?? "");
    const tap = button && handlers.get(button.verb);
    return button === undefined || tap === undefined ? next() : tap.handle(ctx, button.text, next);
  };
}
