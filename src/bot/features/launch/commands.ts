import { Composer } from "grammy";
import type { Card } from "../../../cards/card.js";
import { dropLaunchCard, launchesCard } from "../../../cards/launch.js";
import { findLaunch, launchesOf, withoutLaunch } from "../../../services/launch/launch.js";
import { launchSteps, type LaunchStep } from "../../../model/launch.js";
import { parseButton } from "../../callback.js";
import type { BotContext, Parts } from "../../context.js";
import type { Commands, Feature } from "../../feature.js";
import { acknowledge, checklistCard, openLaunchStep, startLaunch, takeBack } from "./actions.js";
import { replyOpened } from "../../intents/open.js";
import { viewOf } from "../../person.js";
import { changePerson } from "../../../services/people.js";
import { editCard, sendCard } from "../../send.js";

/** `/launch`: a person's launches, their checklists, and the buttons of these (`v1:launch:<id>/<action>`). */
export function launchFeature(parts: Parts): Feature {
  const composer = new Composer<BotContext>();

  composer.on("callback_query:data", async (ctx, next) => {
    const button = parseButton(ctx.callbackQuery.data);
    if (button?.verb !== "launch") return next();
    if (button.id === "new") {
      await ctx.answerCallbackQuery();
      await enterDialog(ctx, "launch");
      return;
    }
    const [launchId = "", action = ""] = button.id.split("/");
    const launch = findLaunch(ctx.person, launchId);
    if (launch === undefined) {
      await ctx.answerCallbackQuery({ text: ctx.words.faults["launch-unknown"]({}), show_alert: true });
      return;
    }
    await ctx.answerCallbackQuery();
    await act(parts, ctx, launchId, action);
  });

  const commands: Commands = {
    launch: async (ctx) => {
      const typed = ctx.match.trim();
      const launches = launchesOf(ctx.person);
      if (typed === "") {
        if (launches.length === 0) await ctx.conversation.enter("launch");
        else await sendCard(ctx, launchesCard(launches, viewOf(ctx.person, parts)));
        return;
      }
      const shown = await startLaunch(parts, ctx.from?.id ?? 0, typed);
      if (shown.ok) await sendCard(ctx, shown.card);
      else if (shown.needsWallet === true) await ctx.conversation.enter("launch", typed);
      else await ctx.reply(shown.sentence);
    },
  };

  return { commands, other: composer };
}

async function act(parts: Parts, ctx: BotContext, launchId: string, action: string): Promise<void> {
  const userId = ctx.from?.id ?? 0;
  const [verb = "", stepText] = action.split(".");
  const step = launchSteps.find((each) => each === stepText);
  if (step !== undefined) return actOnStep(parts, ctx, launchId, verb, step);
  switch (verb) {
    case "open": {
      const shown = await checklistCard(parts, userId, launchId);
      if (shown.ok) await sendCard(ctx, shown.card);
      else await ctx.reply(shown.sentence);
      return;
    }
    case "check":
      return showInPlace(ctx, await checklistCard(parts, userId, launchId));
    case "drop": {
      const launch = findLaunch(ctx.person, launchId);
      if (launch !== undefined) await edit(ctx, dropLaunchCard(launch, viewOf(ctx.person, parts)));
      return;
    }
    case "dropped":
      await changePerson(parts.store, userId, (person) => withoutLaunch(person, launchId));
      await edit(ctx, { text: ctx.words.launch.dropped, entities: [] });
  }
}

async function actOnStep(
  parts: Parts,
  ctx: BotContext,
  launchId: string,
  verb: string,
  step: LaunchStep,
): Promise<void> {
  const userId = ctx.from?.id ?? 0;
  switch (verb) {
    case "do":
      if (step === "lock") return enterDialog(ctx, "launch-lock", launchId);
      if (step === "add-liquidity") return enterDialog(ctx, "launch-liquidity", launchId);
      return replyOpened(parts, ctx, await openLaunchStep(parts, userId, launchId, step));
    case "did":
      if (step === "lock") return enterDialog(ctx, "launch-locked", launchId);
      if (step === "create-pair") return enterDialog(ctx, "launch-pair", launchId);
      return showInPlace(ctx, await acknowledge(parts, userId, launchId, step));
    case "not":
      return showInPlace(ctx, await takeBack(parts, userId, launchId, step));
  }
}

async function enterDialog(ctx: BotContext, name: string, ...args: readonly string[]): Promise<void> {
  await ctx.conversation.exitAll();
  await ctx.conversation.enter(name, ...args);
}

async function showInPlace(ctx: BotContext, shown: Awaited<ReturnType<typeof checklistCard>>): Promise<void> {
  if (shown.ok) await edit(ctx, shown.card);
  else await ctx.reply(shown.sentence);
}

/** Turns the message of the tapped button into this card. */
async function edit(ctx: BotContext, card: Card): Promise<void> {
  const message = ctx.callbackQuery?.message;
  if (message !== undefined) await editCard(ctx.api, message.chat.id, message.message_id, card);
}
