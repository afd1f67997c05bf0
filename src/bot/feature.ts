import { Composer, type Context, type MiddlewareFn } from "grammy";
import type { MessageEntity } from "grammy/types";
import { type ButtonName, buttons, type PayloadOf, readButton } from "../cards/buttons.js";
import type { Card, Shareable, View, CardReply } from "../cards/card.js";
import type { Form } from "../conversations/interview.js";
import { type SentTopic, togetherOf, type Topic } from "../services/telegram/outbox.js";
import { commandBehind, type LinkedWords } from "../services/base/bot-link.js";
import { plainNumbers } from "../encoding/typed.js";
import { type BotContext, type PersonFlavor, viewOf, type ViewSources, wordsFor } from "./context.js";

/** A card in a group. `payload`: what the link under it opens in the private chat. */
type ShownInGroup = Pick<CardReply, "card"> & { readonly payload?: string | undefined };

export interface Feature {
  /** Who can use the feature; for all others it doesn't exist. Absent: everyone. */
  readonly isFor?: (userId: number) => boolean;
  /** Handlers by command, without the slash; `typed` is the trimmed text after it. */
  readonly commands?: Readonly<Record<string, (ctx: BotContext, typed: string) => unknown>>;
  /** Handlers of commands that people try, but that the help doesn't list: other names, mostly. */
  readonly unlisted?: Feature["commands"];
  /** Commands also answered in groups, visible only to the sender. */
  readonly inGroups?: Readonly<Record<string, (userId: number, typed: string) => Promise<ShownInGroup>>>;
  /** The commands that a link may run, since they change nothing, and what it may carry. */
  readonly linkable?: Readonly<Record<string, LinkedWords>>;
  readonly buttons?: Taps;
  /** Returns the handler for a text that says what to do without a command, or undefined for any other text. */
  readonly spoken?: (ctx: BotContext, text: string) => (() => unknown) | undefined;
  /** Same as `spoken`, for a text that only names something, which could also answer a dialog's question. */
  readonly pasted?: (ctx: BotContext, text: string) => (() => unknown) | undefined;
  /** Returns what makes the result of an inline query, or undefined if the query isn't for this feature. */
  readonly shared?: (query: string, owner: PersonFlavor) => (() => Promise<Shareable>) | undefined;
  readonly forms?: readonly Form<never>[];
  /** Messages that the feature sends unprompted. */
  readonly topics?: readonly SentTopic<Card>[];
  /** Called once a user who couldn't be reached has written again. */
  readonly onUserReturned?: () => void;
  /** Called after each update of a user was handled: it may have ended what held something. */
  readonly onActed?: (userId: number) => Promise<void>;
  /** Loops that run until the signal is aborted. */
  readonly loops?: readonly ((signal: AbortSignal) => Promise<void>)[];
}

/** Handlers by button name. Each answers the callback query, unless {@link answering} does. */
export type Taps = { readonly [Name in ButtonName]?: (ctx: BotContext, payload: PayloadOf<Name>) => unknown };

/** A topic that tells on cards. @param cardOfAll makes one card of many, if they wait together. */
export function onCards<What>(
  sources: ViewSources,
  topic: Topic<What>,
  cardOf: (what: What, view: View) => Card,
  cardOfAll?: (all: readonly What[], view: View) => Card,
): SentTopic<Card> {
  const render: Topic<Card>["render"] = async (db, row, person) => {
    const due = await topic.render(db, row, person);
    return due && { ...due, message: cardOf(due.message, viewOf(person, sources)) };
  };
  if (cardOfAll === undefined) return { ...topic, render };
  const renderTogether = togetherOf(topic, (all, person) => cardOfAll(all, viewOf(person, sources)));
  return { ...topic, render, renderTogether };
}

export function commandsOf(features: readonly Pick<Feature, "commands" | "isFor">[]): readonly string[] {
  return features.flatMap(({ isFor, commands = {} }) => (isFor === undefined ? Object.keys(commands) : []));
}

/** With those that the help doesn't list. */
export function everyCommandOf(
  features: readonly Pick<Feature, "commands" | "isFor" | "unlisted">[],
): readonly string[] {
  return [...commandsOf(features), ...features.flatMap(({ unlisted = {} }) => Object.keys(unlisted))];
}

export function linkableIn(features: readonly Feature[]): ReadonlyMap<string, LinkedWords> {
  return new Map(features.flatMap(({ linkable = {} }) => Object.entries(linkable)));
}

export function allFeatures(features: readonly Feature[]): MiddlewareFn<BotContext> {
  const linkable = linkableIn(features);
  const handlers = lookUp(
    features.flatMap(({ isFor, commands, unlisted }) =>
      Object.entries({ ...commands, ...unlisted }).map(([command, handle]) => [command, { isFor, handle }] as const),
    ),
  );
  const handlerOf = (command: string, userId: number) => {
    const { isFor, handle } = handlers.get(command) ?? {};
    return isFor?.(userId) === false ? undefined : handle;
  };
  const handlerOfText = (ctx: BotContext, text: string) => {
    for (const { spoken, pasted } of features) {
      const answer = spoken?.(ctx, text) ?? pasted?.(ctx, text);
      if (answer !== undefined) return answer;
    }
    return undefined;
  };
  /** Ends an open dialog, as typing the command would. */
  const command = answering(async (ctx, line: string) => {
    const [command = "", ...rest] = line.split(" ");
    await ctx.conversation.exitAll();
    const handler = handlerOf(command.toLowerCase(), ctx.userId);
    return handler === undefined ? handlerOfText(ctx, line)?.() : handler(ctx, rest.join(" "));
  });

  return new Composer<BotContext>(routeTaps([{ buttons: { command } }, ...features]), async function handle(ctx, next) {
    let typed = typedCommand(ctx);
    // A link to the bot arrives as `/start` with a payload; run the command that the payload encodes.
    if (typed?.command === "start") typed = commandBehind(typed.rest, linkable) ?? typed;
    const handler = typed && handlerOf(typed.command, ctx.userId);
    if (handler !== undefined) return handler(ctx, typed?.rest ?? "");
    // A command that doesn't exist may be a word that is read without its slash, such as `/buy`.
    const text = typed === undefined ? ctx.message?.text : `${typed.command} ${typed.rest}`.trim();
    if (text === undefined) return next();
    // A command alone is one without its slash, too, unless a token is called so.
    const named = typed === undefined ? handlerOf(text.trim().toLowerCase(), ctx.userId) : undefined;
    const answer = handlerOfText(ctx, text) ?? (named && (() => named(ctx, "")));
    return answer === undefined ? next() : answer();
  }).middleware();
}

/** Returns what reads a text as a command, with or without its slash, in plain form for a button. */
export function commandReader(features: readonly Pick<Feature, "commands" | "isFor" | "spoken" | "unlisted">[]) {
  const commands = everyCommandOf(features);
  return (ctx: BotContext, text: string): string | undefined => {
    const [name = "", ...rest] = text.trim().split(/\s+/);
    const isCommand = commands.includes(name.toLowerCase());
    if (!isCommand && features.every(({ spoken }) => spoken?.(ctx, text) === undefined)) return undefined;
    return plainNumbers([name, ...rest].join(" "), wordsFor(ctx).decimalMark);
  };
}

/** Indexes handlers by name, so that lookups take constant time. @throws TypeError if two share a name. */
function lookUp<Handler>(named: readonly (readonly [name: string, Handler])[]): ReadonlyMap<string, Handler> {
  const handlers = new Map(named);
  if (handlers.size < named.length) throw new TypeError("a command or a button has two handlers");
  return handlers;
}

/** @returns the command in lower case and the trimmed text after it; undefined for another bot's command or none. */
export function typedCommand(ctx: Context): { readonly command: string; readonly rest: string } | undefined {
  const { text = "", entities } = ctx.message ?? {};
  const entity = entities?.find(isAtBeginning);
  if (entity === undefined) return undefined;
  const [command = "", addressee] = text.slice(1, entity.length).split("@");
  if (addressee !== undefined && addressee.toLowerCase() !== ctx.me.username.toLowerCase()) return undefined;
  return { command: command.toLowerCase(), rest: text.slice(entity.length).trim() };
}

/** Whether the message starts with a command. A slash further on, such as in a token id, doesn't count. */
export function beginsWithCommand(ctx: Pick<Context, "message">): boolean {
  return ctx.message?.entities?.some(isAtBeginning) ?? false;
}

function isAtBeginning({ type, offset }: MessageEntity): boolean {
  return type === "bot_command" && offset === 0;
}

/** Whether the update is a tap on the named button, whatever its payload. */
export function isTapOn(name: ButtonName, { callbackQuery }: Pick<Context, "callbackQuery">): boolean {
  return readButton(callbackQuery?.data ?? "")?.verb === buttons[name].verb;
}

/** Answers the callback query before the handler runs. */
export function answering<Payload>(handle: (ctx: BotContext, payload: Payload) => unknown) {
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
    // `payload` and `handle` belong to the same button, which TypeScript can't infer across the union of all buttons.
    return payload === undefined ? next() : handle?.(ctx, payload as never);
  };
}
