import { buttons, type LaunchTap } from "../../../cards/buttons.js";
import { card } from "../../../cards/card.js";
import { dropLaunchCard, launchesCard } from "../../../cards/launch.js";
import type { Shown } from "../../../conversations/dialog.js";
import type { Form, FormParts } from "../../../conversations/interview.js";
import type { LaunchStep } from "../../../services/request.js";
import { findLaunch, launchesOf, withoutLaunch } from "../../../services/launch/launch.js";
import { changePerson } from "../../../services/person/people.js";
import type { BotContext } from "../../context.js";
import { enterDialog } from "../../dialogs/mount.js";
import type { Commands, Feature } from "../../feature.js";
import { replyOrAskWallet, replyOpened } from "../../intents/open.js";
import {
  launchForm,
  launchLiquidityForm,
  launchLockedForm,
  launchLockForm,
  launchPairForm,
  type LaunchFormParts,
} from "../../../conversations/launch.js";
import { replyCard } from "../../../conversations/reply-card.js";
import { alertOnTap, editTapped, onTapToAnswer } from "../../tap.js";
import { refusal } from "../../../cards/mends.js";
import { readLaunchStart } from "../../../services/launch/request.js";
import { launchActions, type LaunchActionParts } from "./actions.js";
import { replyRefusal } from "../../or-sentence.js";

/** `/launch`: a person's launches, their checklists, and the buttons of these (`v1:launch:<id>/<action>`). */
export function launchFeature(parts: LaunchActionParts & { readonly forms: FormParts }): Feature {
  const actions = launchActions(parts);
  const { form, pair, liquidity, lock, locked } = launchForms({ ...parts.forms, ...actions }, actions);
  /** What steps ask before their card can be opened (`do`), or the person's word for them counts (`did`). */
  const stepForms: Partial<Record<LaunchStep, Readonly<Record<string, Form<[launchId: string]>>>>> = {
    "create-pair": { did: pair },
    "add-liquidity": { do: liquidity },
    lock: { do: lock, did: locked },
  };

  const onLaunch = async (ctx: BotContext, tap: LaunchTap): Promise<void> => {
    if (tap === "new") {
      await ctx.answerCallbackQuery();
      return enterDialog(ctx, form);
    }
    const launch = findLaunch(ctx.person, tap.launchId);
    if (launch === undefined) return alertOnTap(ctx, ctx.words.faults["launch-unknown"]({}));
    await ctx.answerCallbackQuery();
    const { userId } = ctx;
    const { id } = launch;
    const stepForm = "step" in tap ? stepForms[tap.step]?.[tap.action] : undefined;
    if (stepForm !== undefined) return enterDialog(ctx, stepForm, id);
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
    launch: async (ctx, words) => {
      const typed = words.trim();
      const launches = launchesOf(ctx.person);
      if (typed === "") {
        return launches.length === 0 ? enterDialog(ctx, form) : replyCard(ctx, launchesCard(launches, ctx.view));
      }
      const read = readLaunchStart(typed, parts.tokens);
      if (read === "unreadable") {
        return replyRefusal(ctx, { sentence: `${ctx.words.launch.usage} /launch KLV DVK-34ZH` });
      }
      if ("faults" in read) return replyRefusal(ctx, refusal(read.faults, ctx.words));
      return replyOrAskWallet(parts, ctx, form, typed, await actions.start(ctx.userId, read));
    },
  };

  return {
    name: "launch",
    commands,
    buttons: [onTapToAnswer(buttons.launch, onLaunch)],
    forms: [form, pair, liquidity, lock, locked],
  };
}

/** The forms of a launch and of its steps. */
function launchForms(parts: LaunchFormParts, actions: ReturnType<typeof launchActions>) {
  return {
    form: launchForm({ ...parts, submit: actions.start }),
    pair: launchPairForm({
      ...parts,
      submit: (userId, { launchId, pair }) => actions.acknowledge(userId, launchId, "create-pair", { pair }),
    }),
    liquidity: launchLiquidityForm({
      ...parts,
      submit: (userId, { launchId, amounts }) =>
        amounts === undefined
          ? actions.openStep(userId, launchId, "add-liquidity")
          : actions.planLiquidity(userId, launchId, ...amounts),
    }),
    lock: launchLockForm({
      ...parts,
      submit: (userId, request) => actions.openLock(userId, request.launchId, request),
    }),
    locked: launchLockedForm({
      ...parts,
      submit: (userId, { launchId, lpToken, ...lock }) => actions.enterLock(userId, launchId, lpToken, lock),
    }),
  };
}

async function showInPlace(ctx: BotContext, shown: Shown): Promise<void> {
  if (shown.ok) await editTapped(ctx, shown.card);
  else await replyRefusal(ctx, shown);
}
