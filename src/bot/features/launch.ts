import { buttons, type LaunchTap } from "../../cards/buttons.js";
import { card } from "../../cards/card.js";
import { refusal } from "../../cards/correction.js";
import { dropLaunchCard, launchCard, launchesCard } from "../../cards/launch.js";
import type { Form, FormParts } from "../../conversations/interview.js";
import type { LaunchFormParts, LockAdvice, PlannedDeposit, ReportedLock } from "../../conversations/launch.js";
import {
  launchForm,
  launchLiquidityForm,
  launchLockedForm,
  launchLockForm,
  launchPairForm,
} from "../../conversations/launch.js";
import { replyCard, type Shown } from "../../conversations/reply-card.js";
import { amountOf, formatAmount, isZero } from "../../encoding/amount.js";
import { unlessFault } from "../../fault.js";
import { leastUnits, reserveOf, withLiquidity } from "../../services/launch/facts.js";
import { type Checklist, POOLS_MAX_AGE_MS, type LaunchService } from "../../services/launch/launch.js";
import {
  changeLaunch,
  dropLaunch,
  findLaunch,
  type Launch,
  launchesOf,
  launchOf,
  withDone,
  withOpen,
} from "../../services/launch/record.js";
import { type LaunchStart, readLaunchStart } from "../../services/launch/request.js";
import { unlockTimeAt, type LockContract } from "../../services/lock/contract.js";
import { enterLock } from "../../services/lock/record.js";
import { personOf } from "../../services/person/people.js";
import type { LaunchStep } from "../../services/request.js";
import { amountPaid } from "../../services/swap/request.js";
import { type BotContext, ownerOf } from "../context.js";
import { enterDialog } from "../dialogs.js";
import { type Feature, onTapToAnswer } from "../feature.js";
import { openCard, replyOpened, replyOrAskWallet, type OpenCardParts } from "../intents/open.js";
import { alertOnTap, catchUserError, editTapped, replyRefusal, shownTo } from "../reply.js";
import type { TokenList } from "../../services/token/list.js";
import type { Worth } from "../../services/pool/pools.js";

export interface LaunchParts extends OpenCardParts {
  readonly forms: FormParts;
  readonly launch: LaunchService;
  readonly lock: LockContract;
  readonly tokens: TokenList;
  readonly worth: Worth;
}

export function launchFeature(parts: LaunchParts): Feature {
  const { store } = parts;
  const actions = launchActions(parts);
  const { form, steps } = launchForms(parts, actions);

  const onLaunch = async (ctx: BotContext, tap: LaunchTap): Promise<void> => {
    if (tap === "new") {
      await ctx.answerCallbackQuery();
      return enterDialog(ctx, form);
    }
    const { userId } = ctx;
    const launch = await findLaunch(store.db, userId, tap.launchId);
    if (launch === undefined) return alertOnTap(ctx, ctx.words.faults["launch-unknown"]({}));
    await ctx.answerCallbackQuery();
    const { id } = launch;
    const stepForm = "step" in tap ? steps[tap.step]?.[tap.action] : undefined;
    if (stepForm !== undefined) return enterDialog(ctx, stepForm, id);
    switch (tap.action) {
      case "open":
        return replyOpened(parts, ctx, await actions.check(userId, id));
      case "check":
        return showInPlace(ctx, await actions.check(userId, id));
      case "drop":
        return editTapped(ctx, dropLaunchCard(launch, ctx.view));
      case "dropped":
        await store.write((tx) => dropLaunch(tx, userId, id));
        return editTapped(ctx, card([ctx.words.launch.dropped]));
      case "do":
        if (tap.step === "lock") return undefined;
        return replyOpened(parts, ctx, await openCard(parts, userId, { kind: "launch", launchId: id, step: tap.step }));
      case "did":
        // The person's word counts, and so it does when they take it back.
        return showInPlace(ctx, await actions.check(userId, id, (now) => withDone(now, tap.step, "word")));
      case "not":
        return showInPlace(ctx, await actions.check(userId, id, (now) => withOpen(now, tap.step)));
    }
  };

  return {
    name: "launch",
    commands: {
      launch: async (ctx, words) => {
        const typed = words.trim();
        if (typed === "") {
          const launches = await launchesOf(store.db, ctx.userId);
          return launches.length === 0 ? enterDialog(ctx, form) : replyCard(ctx, launchesCard(launches, ctx.view));
        }
        const read = readLaunchStart(typed, parts.tokens);
        if (read === "unreadable") {
          return replyRefusal(ctx, { sentence: `${ctx.words.launch.usage} /launch KLV DVK-34ZH` });
        }
        if ("faults" in read) return replyRefusal(ctx, refusal(read.faults, ctx.words));
        return replyOrAskWallet(parts, ctx, form, typed, await actions.start(ctx.userId, read));
      },
    },
    buttons: [onTapToAnswer(buttons.launch, onLaunch)],
    forms: [form, ...Object.values(steps).flatMap((each) => Object.values(each))],
  };
}

async function showInPlace(ctx: BotContext, shown: Shown): Promise<void> {
  if (shown.ok) await editTapped(ctx, shown.card);
  else await replyRefusal(ctx, shown);
}

function launchActions(parts: LaunchParts) {
  const { store, launch: service } = parts;

  const change = (userId: number, launchId: string, next: (launch: Launch) => Launch) =>
    store.write((tx) => changeLaunch(tx, userId, launchId, next));

  const check = (userId: number, launchId: string, next?: (launch: Launch) => Launch): Promise<Shown> =>
    shownTo(parts, userId, async ({ view }) => {
      if (next !== undefined) await change(userId, launchId, next);
      return { ok: true, card: launchCard(await service.check(userId, launchId), view), launchId };
    });

  return {
    check,
    start: (userId: number, pair: LaunchStart) =>
      shownTo(parts, userId, async () => check(userId, await service.start(userId, pair))),
    planLiquidity: (userId: number, { launchId, first, second }: PlannedDeposit) =>
      shownTo(parts, userId, async ({ person }) => {
        const { firstToken, secondToken } = await launchOf(store.db, userId, launchId);
        const amounts = await Promise.all([
          amountPaid(parts, person, first, firstToken),
          amountPaid(parts, person, second, secondToken),
        ]);
        await change(userId, launchId, (launch) => withLiquidity(launch, ...amounts));
        return parts.settings.launchExtended
          ? openCard(parts, userId, { kind: "launch", launchId, step: "add-liquidity" })
          : check(userId, launchId);
      }),
    enterLock: (userId: number, { launchId, lpTokenId, until, ...lock }: ReportedLock) =>
      shownTo(parts, userId, async () => {
        const now = parts.clock.now();
        const { epoch: unlockEpoch } = unlockTimeAt(until, await parts.lock.epochStatus(), now);
        await store.write(async (tx) => {
          await changeLaunch(tx, userId, launchId, (launch) => ({ lpTokenId, ...withOpen(launch, "lock") }));
          await enterLock(tx, userId, { ...lock, unlockEpoch }, now);
        });
        return check(userId, launchId);
      }),
  };
}

function launchForms(parts: LaunchParts, actions: ReturnType<typeof launchActions>) {
  const { store, launch: service } = parts;
  const asking: LaunchFormParts = {
    ...parts.forms,
    refusePair: async (userId, first, second) => {
      const { words } = await ownerOf(parts, userId);
      const asked = await catchUserError(words, () => service.assertLaunchable(userId, { first, second }));
      return asked.ok ? null : asked;
    },
    matchingDeposit: async (userId, launchId, first) => {
      const worth = await unlessFault(async () => {
        const { firstToken, secondToken } = await launchOf(store.db, userId, launchId);
        const paid = await amountPaid(parts, await personOf(store, userId), first, firstToken);
        return parts.worth(paid, secondToken, POOLS_MAX_AGE_MS);
      });
      return worth === undefined || isZero(worth) ? null : formatAmount(worth);
    },
    adviseLock: async (userId, launchId) => adviseLock(await service.check(userId, launchId)),
    tokensOf: async (userId, launchId) => {
      const launch = await findLaunch(store.db, userId, launchId);
      return launch === undefined ? [] : [launch.firstToken, launch.secondToken];
    },
  };
  /** Dialogs before a step's card opens (`do`), or before a reported step counts (`did`). */
  const steps: Partial<Record<LaunchStep, Readonly<Record<string, Form<[launchId: string]>>>>> = {
    "create-pair": {
      did: launchPairForm({
        ...asking,
        submit: (userId, { launchId, pair }) =>
          actions.check(userId, launchId, (launch) => ({ ...withDone(launch, "create-pair", "word"), pair })),
      }),
    },
    "add-liquidity": { do: launchLiquidityForm({ ...asking, submit: actions.planLiquidity }) },
    lock: {
      do: launchLockForm({ ...asking, submit: (userId, request) => openCard(parts, userId, request) }),
      did: launchLockedForm({ ...asking, submit: actions.enterLock }),
    },
  };
  return { form: launchForm({ ...asking, submit: actions.start }), steps };
}

function adviseLock({ lpToken, lpLeft, facts, conditions }: Checklist): LockAdvice {
  const { epoch, reserves } = facts;
  const reserve = conditions && reserveOf(conditions.commonToken.id, facts);
  const least = conditions && reserves && leastUnits(conditions.minimumValue.units, reserve ?? 0n, reserves.supply);
  return {
    lpToken,
    all: lpLeft,
    least: lpToken && least !== undefined ? amountOf(lpToken, least) : undefined,
    epochs:
      conditions && epoch !== undefined ? { now: epoch, least: epoch + conditions.minimumPeriod + 1n } : undefined,
  };
}
