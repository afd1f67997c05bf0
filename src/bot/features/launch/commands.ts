import { Composer } from "grammy";
import type { Card } from "../../../cards/card.js";
import { dropLaunchCard, launchesCard } from "../../../cards/launch.js";
import type { Shown } from "../../../conversations/opened.js";
import { launchSteps, type Launch, type LaunchStep } from "../../../model/launch.js";
import { findLaunch, launchesOf, withoutLaunch } from "../../../services/launch/launch.js";
import { changePerson } from "../../../services/people.js";
import { parseButton } from "../../callback.js";
import type { BotContext, Parts } from "../../context.js";
import type { Commands, Feature } from "../../feature.js";
import { replyOpened } from "../../intents/open.js";
import { viewOf } from "../../person.js";
import { editCard, sendCard } from "../../send.js";
import { launchActions } from "./actions.js";

/** The dialogs that steps need before their card can be opened (`do`), or the person's word for them counts (`did`). */
const dialogs: Partial<Record<LaunchStep, Readonly<Record<string, string>>>> = {
  "create-pair": { did: "launch-pair" },
  "add-liquidity": { do: "launch-liquidity" },
  lock: { do: "launch-lock", did: "launch-locked" },
};

/** `/launch`: a person's launches, their checklists, and the buttons of these (`v1:launch:<id>/<action>`). */
export function launchFeature(parts: Parts): Feature {
  const composer = new Composer<BotContext>();
  const actions = launchActions(parts);

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
    const [verb = "", stepName] = action.split(".");
    const step = launchSteps.find((each) => each === stepName);
    if (step === undefined) await act(ctx, launch, verb);
    else await actOnStep(ctx, launch, verb, step);
  });

  const act = async (ctx: BotContext, launch: Launch, verb: string): Promise<void> => {
    const userId = ctx.from?.id ?? 0;
    switch (verb) {
      case "open":
        return replyOpened(parts, ctx, await actions.check(userId, launch.id));
      case "check":
        return showInPlace(ctx, await actions.check(userId, launch.id));
      case "drop":
        return edit(ctx, dropLaunchCard(launch, viewOf(ctx.person, parts)));
      case "dropped":
        await changePerson(parts.store, userId, (person) => withoutLaunch(person, launch.id));
        return edit(ctx, { text: ctx.words.launch.dropped, entities: [] });
    }
  };

  const actOnStep = async (ctx: BotContext, { id }: Launch, verb: string, step: LaunchStep): Promise<void> => {
    const userId = ctx.from?.id ?? 0;
    const dialog = dialogs[step]?.[verb];
    if (dialog !== undefined) return enterDialog(ctx, dialog, id);
    switch (verb) {
      case "do":
        if (step !== "lock") await replyOpened(parts, ctx, await actions.openStep(userId, id, step));
        return;
      case "did":
        return showInPlace(ctx, await actions.acknowledge(userId, id, step));
      case "not":
        return showInPlace(ctx, await actions.takeBack(userId, id, step));
    }
  };

  const commands: Commands = {
    launch: async (ctx) => {
      const typed = ctx.match.trim();
      const launches = launchesOf(ctx.person);
      if (typed === "") {
        if (launches.length === 0) await ctx.conversation.enter("launch");
        else await sendCard(ctx, launchesCard(launches, viewOf(ctx.person, parts)));
        return;
      }
      const shown = await actions.start(ctx.from?.id ?? 0, typed);
      if (!shown.ok && shown.needsWallet === true) await ctx.conversation.enter("launch", typed);
      else await replyOpened(parts, ctx, shown);
    },
  };

  return { commands, other: composer };
}

async function enterDialog(ctx: BotContext, name: string, ...args: readonly string[]): Promise<void> {
  await ctx.conversation.exitAll();
  await ctx.conversation.enter(name, ...args);
}

async function showInPlace(ctx: BotContext, shown: Shown): Promise<void> {
  if (shown.ok) await edit(ctx, shown.card);
  else await ctx.reply(shown.sentence);
}

/** Turns the message of the tapped button into this card. */
async function edit(ctx: BotContext, card: Card): Promise<void> {
  const message = ctx.callbackQuery?.message;
  if (message !== undefined) await editCard(ctx.api, message.chat.id, message.message_id, card);
}
