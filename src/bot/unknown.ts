import type { MiddlewareFn } from "grammy";
import { commandButton } from "../cards/buttons.js";
import { card } from "../cards/card.js";
import type { EndedQuestion } from "../conversations/interview.js";
import { replyCard } from "./reply.js";
import { plainNumbers } from "../encoding/typed.js";
import { isOneEditAway } from "../services/base/edit-distance.js";
import type { BotContext } from "./context.js";
import { endedCard } from "./dialogs.js";
import { typedCommand, everyCommandOf, type Feature } from "./feature.js";

/** So many letters suffice for a beginning. */
const LEAST_LETTERS = 3;

/** How long a text is probably meant as the answer to a question that something else ended. */
const ANSWERED_MS = 10 * 60_000;

/** Answers what nothing else understood, with the command that was probably meant as a button. */
export function answerUnknown(features: readonly Feature[]): MiddlewareFn<BotContext> {
  const commands = everyCommandOf(features);
  return async function unknown(ctx) {
    const { common, decimalMark } = ctx.words;
    const isCommand = ctx.entities("bot_command").length > 0;
    const typed = typedCommand(ctx);
    const text = typed === undefined ? (ctx.message?.text ?? "") : `${typed.command} ${typed.rest}`;
    const [name = "", ...rest] = text.trim().split(/\s+/);
    const meant = nearestCommand(name.toLowerCase(), commands);
    const line = meant && plainNumbers(`${meant} ${rest.join(" ")}`.trim(), decimalMark);
    const sentence = isCommand ? common.unknownCommand : common.unknownText;
    const command = [line !== undefined && commandButton(`/${line}`, line)];
    const ended = isRecent(ctx.ended, ctx.view.now) ? endedCard(ctx.ended, ctx.words) : undefined;
    await replyCard(ctx, card([sentence, ended?.text], [...(ended?.keyboard ?? []), command]));
  };
}

function isRecent(ended: EndedQuestion | undefined, now: number): ended is EndedQuestion {
  return ended !== undefined && now - ended.at <= ANSWERED_MS;
}

/** Answers a tap that nothing else handled: its card is no longer active, or something else ended its question. */
export async function answerOldTap(ctx: BotContext): Promise<void> {
  const { ended, words } = ctx;
  const isEnded = ended?.messages.includes(ctx.callbackQuery?.message?.message_id ?? 0) === true;
  const told = isEnded ? endedCard(ended, words) : undefined;
  await ctx.answerCallbackQuery(told?.text ?? words.common.oldButton);
  if (told !== undefined) await replyCard(ctx, told);
}

/** The command of that name, one letter away from it, or the only one that begins like it. */
export function nearestCommand(name: string, commands: readonly string[]): string | undefined {
  if (commands.includes(name)) return name;
  if (name.length < LEAST_LETTERS) return undefined;
  const near = commands.filter((command) => isOneEditAway(command, name));
  const begun = near.length > 0 ? near : commands.filter((command) => command.startsWith(name));
  return begun.length === 1 ? begun[0] : undefined;
}
