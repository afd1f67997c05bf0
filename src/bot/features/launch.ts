import type { LaunchTap } from "../../cards/buttons.js";
import { card, type CardReply } from "../../cards/card.js";
import { unreadableLine } from "../../cards/correction.js";
import { dropLaunchCard, launchCard, launchesCard } from "../../cards/launch.js";
import type { Form } from "../../conversations/interview.js";
import type { LaunchFormParts } from "../../conversations/launch.js";
import * as forms from "../../conversations/launch.js";
import { formatAmount, isZero, type Token } from "../../encoding/amount.js";
import { unlessFault } from "../../fault.js";
import type { Intents } from "../../services/intent/intent-service.js";
import { type LaunchKindParts, withLiquidity } from "../../services/trade/launch-facts.js";
import { adviseLock, checkLaunch, lacksForLock, launchFor, POOLS_MAX_AGE_MS } from "../../services/trade/launch.js";
import type { Checklist } from "../../services/trade/launch.js";
import type { Launch } from "../../services/trade/launch-record.js";
import * as rows from "../../services/trade/launch-record.js";
import { type LaunchStart, readLaunchStart } from "../../services/trade/launch-request.js";
import { callsOf, sightings } from "../../services/trade/launch-seen.js";
import { provenByViews } from "../../services/trade/launch-steps.js";
import { unlockTimeAt } from "../../services/trade/lock-contract.js";
import { enterLock } from "../../services/trade/lock-record.js";
import { personIn } from "../../services/person/person.js";
import { amountPaid } from "../../services/trade/swap-request.js";
import type { LaunchStep } from "../../services/terms/launch-terms.js";
import { isParsed } from "../../services/base/typed-line.js";
import { type BotBase, type BotContext, ownerOf } from "../context.js";
import { enterDialog } from "../dialogs.js";
import type { Feature } from "../feature.js";
import type { Forms } from "../forms.js";
import type { IntentCards } from "../intents/intent-cards.js";
import { alertOnTap, catchUserError, editTapped, shownTo, replyCard } from "../reply.js";

interface LaunchParts {
  readonly base: BotBase;
  readonly cards: IntentCards;
  readonly forms: Forms;
  readonly intents: Intents;
  /** What checking a launch takes. */
  readonly launching: LaunchKindParts;
}

export function launchFeature(parts: LaunchParts): Feature {
  const { base, cards } = parts;
  const { store, tokens } = base;
  const { form, steps } = launchForms(parts);

  const onLaunch = async (ctx: BotContext, tap: LaunchTap): Promise<void> => {
    if (tap === "new") {
      await ctx.answerCallbackQuery();
      return enterDialog(ctx, form);
    }
    const { userId } = ctx;
    const launch = await rows.findLaunch(store.db, userId, tap.launchId);
    if (launch === undefined) return alertOnTap(ctx, ctx.words.faults["launch-unknown"]);
    await ctx.answerCallbackQuery();
    const { id } = launch;
    const stepForm = "step" in tap ? steps[`${tap.action}.${tap.step}`] : undefined;
    if (stepForm !== undefined) return enterDialog(ctx, stepForm, id, launch.firstToken, launch.secondToken);
    switch (tap.action) {
      case "open":
        return cards.reply(ctx, await showLaunch(parts, userId, id));
      case "check":
        return showInPlace(ctx, await showLaunch(parts, userId, id));
      case "drop":
        return editTapped(ctx, dropLaunchCard(launch, ctx.view));
      case "dropped":
        await store.write((tx) => rows.dropLaunch(tx, userId, id));
        return editTapped(ctx, card([ctx.words.launch.dropped]));
      case "do":
        if (tap.step === "lock") return undefined;
        return cards.reply(ctx, await cards.open(userId, { kind: "launch", launchId: id, step: tap.step }));
      case "did":
        // The user's word counts, also when they take it back.
        return showInPlace(ctx, await showLaunch(parts, userId, id, (now) => rows.withDone(now, tap.step, "word")));
      case "not":
        return showInPlace(ctx, await showLaunch(parts, userId, id, (now) => rows.withOpen(now, tap.step)));
    }
  };

  return {
    commands: {
      launch: async (ctx, typed) => {
        if (typed === "") {
          const launches = await rows.launchesOf(store.db, ctx.userId);
          return launches.length === 0 ? enterDialog(ctx, form) : replyCard(ctx, launchesCard(launches, ctx.view));
        }
        const read = readLaunchStart(typed, tokens);
        const usage = `${ctx.words.launch.usage} /launch KLV DVK-34ZH`;
        if (!isParsed(read)) return replyCard(ctx, unreadableLine(read, ctx.words, usage));
        return cards.replyOrAskWallet(ctx, form, typed, await startLaunch(parts, ctx.userId, read));
      },
    },
    buttons: { launch: onLaunch },
    forms: [form, ...Object.values(steps)],
  };
}

async function showInPlace(ctx: BotContext, shown: CardReply): Promise<void> {
  if (shown.ok) await editTapped(ctx, shown.card);
  else await replyCard(ctx, shown.card);
}

/** Shows the checklist, after applying `change` if there is one. */
function showLaunch(parts: LaunchParts, userId: number, launchId: string, change?: (now: Launch) => Launch) {
  const { base, launching } = parts;
  return shownTo(base, userId, async ({ view }) => {
    if (change !== undefined) await base.store.write((tx) => rows.changeLaunch(tx, userId, launchId, change));
    const checklist = await checkLaunch(launching, userId, launchId);
    await unlessFault(() => noteSeen(parts, userId, checklist));
    return { ok: true, card: launchCard(checklist, view), launchId };
  });
}

/** Lets the cards and the history of a launch's steps say what its checklist says. */
async function noteSeen({ base, intents }: LaunchParts, userId: number, { launch, facts, checkedAt: at }: Checklist) {
  const { settings, store } = base;
  if (provenByViews(facts).length === 0) return;
  const calls = await callsOf(store.db, userId, launch.id);
  await intents.noteArrived(sightings(calls, facts, settings.returnDataEncoding), at);
}

function startLaunch(parts: LaunchParts, userId: number, pair: LaunchStart) {
  const { base, launching } = parts;
  return shownTo(base, userId, async () => {
    const launch = await launchFor(launching, userId, pair);
    const { id } = await base.store.write((tx) => rows.addLaunch(tx, userId, launch));
    return showLaunch(parts, userId, id);
  });
}

type StepButton = `${"do" | "did" | "not"}.${LaunchStep}`;

function launchForms(parts: LaunchParts) {
  const { base, cards, launching } = parts;
  const { store, settings } = base;
  const asking: LaunchFormParts & Forms = {
    ...parts.forms,
    refusePair: async (userId, first, second) => {
      const { words } = await ownerOf(base, userId);
      const asked = await catchUserError(words, () => launchFor(launching, userId, { first, second }));
      return asked.ok ? null : asked.card;
    },
    matchingDeposit: async (userId, first, firstToken, secondToken) => {
      const worth = await unlessFault(async () => {
        const paid = await amountPaid(launching, await personIn(store.db, userId), first, firstToken);
        return launching.worth(paid, secondToken, POOLS_MAX_AGE_MS);
      });
      return worth === undefined || isZero(worth) ? null : formatAmount(worth);
    },
    adviseLock: (userId, launchId) => adviseLock(launching, userId, launchId),
    lacksForLock: async (userId, launchId, pay, token) => {
      const lacking = await unlessFault(async () => {
        const amount = await amountPaid(launching, await personIn(store.db, userId), pay, token);
        const least = await lacksForLock(launching, userId, launchId, amount);
        return least && { amount, least };
      });
      return lacking ?? null;
    },
  };
  /** Dialogs that run before a step's card opens (`do`), or before a reported step counts (`did`). */
  const steps: Partial<Record<StepButton, Form<[launchId: string, first: Token, second: Token]>>> = {
    "did.create-pair": forms.launchPairForm({
      ...asking,
      submit: (userId, { launchId, pair }) =>
        showLaunch(parts, userId, launchId, (launch) => ({ ...rows.withDone(launch, "create-pair", "word"), pair })),
    }),
    "do.add-liquidity": forms.launchLiquidityForm({
      ...asking,
      submit: (userId, { launchId, first, second }) =>
        shownTo(base, userId, async ({ person }) => {
          const amounts = await Promise.all([
            amountPaid(launching, person, first.pay, first.token),
            amountPaid(launching, person, second.pay, second.token),
          ]);
          await store.write((tx) => rows.changeLaunch(tx, userId, launchId, (now) => withLiquidity(now, ...amounts)));
          return settings.launchExtended
            ? cards.open(userId, { kind: "launch", launchId, step: "add-liquidity" })
            : showLaunch(parts, userId, launchId);
        }),
    }),
    "do.lock": forms.launchLockForm(asking),
    "did.lock": forms.launchLockedForm({
      ...asking,
      submit: (userId, { launchId, token, until, ...lock }) =>
        shownTo(base, userId, async () => {
          const now = base.clock.now();
          const { epoch: unlockEpoch } = unlockTimeAt(until, await launching.lock.epochStatus(), now);
          await store.write(async (tx) => {
            const reopened = (on: Launch) => ({ lpTokenId: token.id, ...rows.withOpen(on, "lock") });
            await rows.changeLaunch(tx, userId, launchId, reopened);
            await enterLock(tx, userId, { ...lock, unlockEpoch, lockedAt: now });
          });
          return showLaunch(parts, userId, launchId);
        }),
    }),
  };
  return { form: forms.launchForm({ ...asking, submit: (userId, pair) => startLaunch(parts, userId, pair) }), steps };
}
