import { buttons, type LaunchTap } from "../../../cards/buttons.js";
import { dropLaunchCard, launchesCard } from "../../../cards/launch.js";
import type { DialogId } from "../../../conversations/dialogs.js";
import type { Shown } from "../../../conversations/opened.js";
import type { Launch, LaunchStep } from "../../../model/launch.js";
import { findLaunch, launchesOf, withoutLaunch } from "../../../services/launch/launch.js";
import { changePerson } from "../../../services/people.js";
import type { BotContext } from "../../context.js";
import { enterDialog } from "../../dialogs/enter.js";
import type { Commands, Feature } from "../../feature.js";
import { replyOpened } from "../../intents/open.js";
import { viewOf } from "../../person.js";
import { replyCard } from "../../../conversations/reply-card.js";
import { alertOnTap, editTapped, onTapToAnswer } from "../../tap.js";
import { launchActions, type LaunchActionParts } from "./actions.js";
import { replyRefusal } from "../../or-sentence.js";

type StepDialog = Extract<DialogId, `launch-${string}`>;

/** The dialogs that steps need before their card can be opened (`do`), or the person's word for them counts (`did`). */
const dialogs: Partial<Record<LaunchStep, Readonly<Record<string, StepDialog>>>> = {
  "create-pair": { did: "launch-pair" },
  "add-liquidity": { do: "launch-liquidity" },
  lock: { do: "launch-lock", did: "launch-locked" },
};

/** `/launch`: a person's launches, their checklists, and the buttons of these (`v1:launch:<id>/<action>`). */
export function launchFeature(parts: LaunchActionParts): Feature {
  const actions = launchActions(parts);

  const onLaunch = async (ctx: BotContext, tap: LaunchTap): Promise<void> => {
    if (tap === "new") {
      await ctx.answerCallbackQuery();
      return enterDialog(ctx, "launch");
    }
    const launch = findLaunch(ctx.person, tap.launchId);
    if (launch === undefined) return alertOnTap(ctx, ctx.words.faults["launch-unknown"]({}));
    await ctx.answerCallbackQuery();
    return "step" in tap ? actOnStep(ctx, launch, tap.action, tap.step) : act(ctx, launch, tap.action);
  };

  const act = async (ctx: BotContext, launch: Launch, action: "open" | "check" | "drop" | "dropped"): Promise<void> => {
    const { userId } = ctx;
    switch (action) {
      case "open":
        return replyOpened(parts, ctx, await actions.check(userId, launch.id));
      case "check":
        return showInPlace(ctx, await actions.check(userId, launch.id));
      case "drop":
        return editTapped(ctx, dropLaunchCard(launch, viewOf(ctx.person, parts)));
      case "dropped":
        await changePerson(parts.store, userId, (person) => withoutLaunch(person, launch.id));
        return editTapped(ctx, { text: ctx.words.launch.dropped, entities: [] });
    }
  };

  const actOnStep = async (
    ctx: BotContext,
    { id }: Launch,
    action: "do" | "did" | "not",
    step: LaunchStep,
  ): Promise<void> => {
    const { userId } = ctx;
    const dialog = dialogs[step]?.[action];
    if (dialog !== undefined) return enterDialog(ctx, dialog, id);
    switch (action) {
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
        if (launches.length === 0) await enterDialog(ctx, "launch");
        else await replyCard(ctx, launchesCard(launches, viewOf(ctx.person, parts)));
        return;
      }
      const shown = await actions.start(ctx.userId, typed);
      if (!shown.ok && shown.needsWallet === true) await enterDialog(ctx, "launch", typed);
      else await replyOpened(parts, ctx, shown);
    },
  };

  return { commands, taps: [onTapToAnswer(buttons.launch, onLaunch)] };
}

async function showInPlace(ctx: BotContext, shown: Shown): Promise<void> {
  if (shown.ok) await editTapped(ctx, shown.card);
  else await replyRefusal(ctx, shown);
}
