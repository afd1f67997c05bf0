import { buttons, type LaunchTap } from "../../../cards/buttons.js";
import { card } from "../../../cards/card.js";
import { dropLaunchCard, launchesCard } from "../../../cards/launch.js";
import type { DialogId } from "../../../conversations/dialogs.js";
import type { Shown } from "../../or-sentence.js";
import type { LaunchStep } from "../../../services/request.js";
import { findLaunch, launchesOf, withoutLaunch } from "../../../services/launch/launch.js";
import { changePerson } from "../../../services/person/people.js";
import type { BotContext } from "../../context.js";
import { enterDialog } from "../../dialogs/mount.js";
import type { Commands, Feature } from "../../feature.js";
import { replyOrAskWallet, replyOpened } from "../../intents/open.js";
import { replyCard } from "../../../conversations/reply-card.js";
import { alertOnTap, editTapped, onTapToAnswer } from "../../tap.js";
import { refusal } from "../../../cards/mends.js";
import { readLaunchStart } from "../../../services/launch/request.js";
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
    const { userId } = ctx;
    const { id } = launch;
    const dialog = "step" in tap ? dialogs[tap.step]?.[tap.action] : undefined;
    if (dialog !== undefined) return enterDialog(ctx, dialog, id);
    switch (tap.action) {
      case "open":
        return replyOpened(parts, ctx, await actions.check(userId, id));
      case "check":
        return showInPlace(ctx, await actions.check(userId, id));
      case "drop":
        return editTapped(ctx, dropLaunchCard(launch, ctx.view));
      case "dropped":
        await changePerson(parts.store, userId, (person) => withoutLaunch(person, id));
        return editTapped(ctx, card([ctx.words.launch.dropped]));
      case "do":
        return tap.step === "lock" ? undefined : replyOpened(parts, ctx, await actions.openStep(userId, id, tap.step));
      case "did":
        return showInPlace(ctx, await actions.acknowledge(userId, id, tap.step));
      case "not":
        return showInPlace(ctx, await actions.takeBack(userId, id, tap.step));
    }
  };

  const commands: Commands = {
    launch: async (ctx) => {
      const typed = ctx.match.trim();
      const launches = launchesOf(ctx.person);
      if (typed === "") {
        return launches.length === 0 ? enterDialog(ctx, "launch") : replyCard(ctx, launchesCard(launches, ctx.view));
      }
      const read = readLaunchStart(typed, parts.tokens);
      if (read === "unreadable") {
        return replyRefusal(ctx, { sentence: `${ctx.words.launch.usage} /launch KLV DVK-34ZH` });
      }
      if ("faults" in read) return replyRefusal(ctx, refusal(read.faults, ctx.words));
      return replyOrAskWallet(parts, ctx, "launch", typed, await actions.start(ctx.userId, read));
    },
  };

  return { commands, taps: [onTapToAnswer(buttons.launch, onLaunch)] };
}

async function showInPlace(ctx: BotContext, shown: Shown): Promise<void> {
  if (shown.ok) await editTapped(ctx, shown.card);
  else await replyRefusal(ctx, shown);
}
