import { Composer, type Context, type MiddlewareFn } from "grammy";
import type { MessageEntity } from "grammy/types";
import { type ButtonName, buttons, type PayloadOf, readButton } from "../cards/buttons.js";
import type { Card, Shareable, View } from "../cards/card.js";
import type { Form } from "../conversations/interview.js";
import type { Shown } from "../conversations/reply-card.js";
import type { Topic } from "../services/outbox/outbox.js";
import { commandBehind } from "../services/text/link.js";
import { type BotContext, type PersonFlavor, viewOf, type ViewParts } from "./context.js";

export interface Feature {
  /** Absent: for all; to others it does not exist. */
  readonly isFor?: (userId: number) => boolean;
  /** Handlers by command, without the slash; `typed` is what follows it, without spaces around it. */
  readonly commands?: Readonly<Record<string, (ctx: BotContext, typed: string) => unknown>>;
  /** Also answered in groups, to the asker alone. */
  readonly inGroups?: Readonly<Record<string, (userId: number, typed: string) => Promise<Shown>>>;
  readonly buttons?: Taps;
  /** What answers a text without a command; undefined for one that is not meant for it. */
  readonly pasted?: (ctx: BotContext, text: string) => (() => unknown) | undefined;
  /** What a person may send to any chat for what they typed behind the bot's name; undefined where that is not for this feature. */
  readonly shared?: (query: string, owner: PersonFlavor) => (() => Promise<Shareable>) | undefined;
  readonly forms?: readonly Form<never>[];
  /** What it tells people of without having been asked just now. */
  readonly topics?: readonly Topic<Card>[];
  /** Loops that run until the signal is aborted. */
  readonly loops?: readonly ((signal: AbortSignal) => Promise<void>)[];
}

/** Handlers by the name of their button. Each answers the callback, unless {@link answered} does. */
export type Taps = { readonly [Name in ButtonName]?: (ctx: BotContext, payload: PayloadOf<Name>) => unknown };

/** A topic that tells on cards. */
export function onCards<What>(parts: ViewParts, topic: Topic<What>, cardOf: (what: What, view: View) => Card) {
  const render: Topic<Card>["render"] = async (db, row, person) => {
    const due = await topic.render(db, row, person);
    return due && { ...due, message: cardOf(due.message, viewOf(person, parts)) };
  };
  return { ...topic, render };
}

export function commandsOf(features: readonly Feature[]): readonly string[] {
  return features.flatMap(({ isFor, commands = {} }) => (isFor === undefined ? Object.keys(commands) : []));
}

export function allFeatures(features: readonly Feature[]): MiddlewareFn<BotContext> {
  const handlers = lookUp(
    features.flatMap(({ isFor, commands = {} }) =>
      Object.entries(commands).map(([command, handle]) => [command, { isFor, handle }] as const),
    ),
  );
  const handlerOf = (command: string, userId: number) => {
    const { isFor, handle } = handlers.get(command) ?? {};
    return isFor?.(userId) === false ? undefined : handle;
  };
  /** Like typing the command, it ends an open dialog. */
  const command = answered(async (ctx, line: string) => {
    const [command = "", ...rest] = line.split(" ");
    await ctx.conversation.exitAll();
    await handlerOf(command, ctx.userId)?.(ctx, rest.join(" "));
  });

  return new Composer<BotContext>(routeTaps([{ buttons: { command } }, ...features]), async function handle(ctx, next) {
    let typed = commandOf(ctx);
    // A link to the bot arrives as `/start` with a payload; it does what typing the command behind it would.
    if (typed?.command === "start") typed = commandBehind(typed.rest, ctx.words.decimalMark) ?? typed;
    const handler = typed && handlerOf(typed.command, ctx.userId);
    if (handler !== undefined) return handler(ctx, typed?.rest ?? "");
    const text = ctx.message?.text;
    if (typed !== undefined || text === undefined) return next();
    const [answer = next] = features.flatMap(({ pasted }) => pasted?.(ctx, text) ?? []);
    return answer();
  }).middleware();
}

/** So that the cost doesn't grow with their number. @throws TypeError where two have the same name. */
function lookUp<Handler>(named: readonly (readonly [name: string, Handler])[]): ReadonlyMap<string, Handler> {
  const handlers = new Map(named);
  if (handlers.size < named.length) throw new TypeError("a command or a button has two handlers");
  return handlers;
}

/** In lower case, with the rest of the text; undefined where it is for another bot. */
export function commandOf(ctx: Context): { readonly command: string; readonly rest: string } | undefined {
  const { text = "", entities } = ctx.message ?? {};
  const entity = entities?.find(isAtBeginning);
  if (entity === undefined) return undefined;
  const [command = "", addressee] = text.slice(1, entity.length).split("@");
  if (addressee !== undefined && addressee.toLowerCase() !== ctx.me.username.toLowerCase()) return undefined;
  return { command: command.toLowerCase(), rest: text.slice(entity.length).trim() };
}

/** Whether the message is a command. A slash further on, say in an address or a token id, does not make one. */
export function beginsWithCommand(ctx: Pick<Context, "message">): boolean {
  return ctx.message?.entities?.some(isAtBeginning) ?? false;
}

function isAtBeginning({ type, offset }: MessageEntity): boolean {
  return type === "bot_command" && offset === 0;
}

/** Whether the update is a tap on a button, whatever that carries. */
export function isTapOn(name: ButtonName, { callbackQuery }: Pick<Context, "callbackQuery">): boolean {
  return readButton(callbackQuery?.data ?? "")?.verb === buttons[name].verb;
}

/** The callback is answered before the handler runs. */
export function answered<Payload>(handle: (ctx: BotContext, payload: Payload) => unknown) {
  return async (ctx: BotContext, payload: Payload): Promise<unknown> => {
    await ctx.answerCallbackQuery();
    return handle(ctx, payload);
  };
}

export function routeTaps(features: readonly Pick<Feature, "buttons" | "isFor">[]): MiddlewareFn<BotContext> {
  const handlers = lookUp(
    features.flatMap(({ isFor, buttons: own = {} }) =>
      (Object.keys(own) as ButtonName[]).map((name) => {
        const { verb, read } = buttons[name];
        return [verb, { isFor, read, handle: own[name] }] as const;
      }),
    ),
  );
  return function leadTap(ctx, next) {
    const { verb = "", text = "" } = readButton(ctx.callbackQuery?.data ?? "") ?? {};
    const { isFor, read, handle } = handlers.get(verb) ?? {};
    const payload = isFor?.(ctx.userId) === false ? undefined : read?.(text);
    // Payload and handler belong together, which the compiler cannot follow across the union of all buttons.
    return payload === undefined ? next() : handle?.(ctx, payload as never);
  };
}
