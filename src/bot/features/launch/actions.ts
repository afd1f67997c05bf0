import { launchCard } from "../../../cards/launch.js";
import type { LockAdvice } from "../../../conversations/launch.js";
import { amountOf, formatAmount, isZero } from "../../../encoding/amount.js";
import type { Launch } from "../../../services/launch-record.js";
import type { CallStep, LaunchStep, LockRequest, Pay } from "../../../services/request.js";
import {
  findLaunch,
  launchOf,
  withDone,
  withLaunch,
  withLiquidity,
  withOpen,
} from "../../../services/launch/launch.js";
import type { Checklist } from "../../../services/launch/launching.js";
import { leastUnits, reserveOf } from "../../../services/launch/thresholds.js";
import { enterLock } from "../../../services/lock/record.js";
import type { LockTold } from "../../../services/lock/request.js";
import { changePerson, changePersonIn, personOf } from "../../../services/person/people.js";
import { amountPaid } from "../../../services/swap/request.js";
import type { LaunchStart } from "../../../services/launch/request.js";
import type { Parts } from "../../context.js";
import { openCard, openDraft, type OpenCardParts } from "../../intents/open.js";
import { orSentence, shownTo } from "../../or-sentence.js";
import type { Refusal } from "../../../cards/mends.js";
import { unlessFault } from "../../../fault.js";
import { ownerOf } from "../../person.js";
import type { Token } from "../../../encoding/token.js";
import { tradeKind } from "../../../services/trade/kinds.js";

export type LaunchActionParts = OpenCardParts & Pick<Parts, "worth">;

/** How old the pools may be by whose price an amount is offered. */
const POOLS_MAX_AGE_MILLISECONDS = 20_000;

/** What a person can do about their launches, by buttons and at the end of dialogs. */
export function launchActions(parts: LaunchActionParts) {
  const { store, launching } = parts;

  /** The checklist after `before` was done. */
  const checkAfter = (userId: number, launchId: string, before: () => Promise<unknown>) =>
    shownTo(parts, userId, async ({ view }) => {
      await before();
      return { ok: true, card: launchCard(await launching.check(userId, launchId), view), launchId };
    });
  const check = (userId: number, launchId: string) => checkAfter(userId, launchId, () => Promise.resolve());

  /** Changes one launch. @throws Fault `launch-unknown`. */
  const change = (userId: number, launchId: string, next: (launch: Launch) => Launch) =>
    changePerson(store, userId, (person) => withLaunch(person, next(launchOf(person, launchId))));

  /** Keeps the LP token that a person names, where no view and no answer gave it. */
  const keepLpToken = (userId: number, launchId: string, id: string) =>
    change(userId, launchId, (launch) => ({ ...launch, lpTokenId: launch.lpTokenId ?? id }));

  /** Takes the person's word that a step is done. */
  const acknowledge = (userId: number, launchId: string, step: LaunchStep, known: Pick<Launch, "pair"> = {}) =>
    checkAfter(userId, launchId, () =>
      change(userId, launchId, (launch) => ({ ...withDone(launch, step, "word"), ...known })),
    );

  /** Begins a launch. */
  const start = (userId: number, pair: LaunchStart) =>
    shownTo(parts, userId, async () => check(userId, await launching.start(userId, pair)));

  /** Plans the first deposit. */
  const planLiquidity = (userId: number, launchId: string, first: Pay, second: Pay) => {
    const plan = async () => {
      const person = await personOf(store, userId);
      const { firstToken, secondToken } = launchOf(person, launchId);
      const amounts = await Promise.all([
        amountPaid(parts, person, first, firstToken),
        amountPaid(parts, person, second, secondToken),
      ]);
      return change(userId, launchId, (launch) => withLiquidity(launch, ...amounts));
    };
    if (!parts.settings.launchExtended) return checkAfter(userId, launchId, plan);
    return openDraft(parts, userId, async () => launching.prepareStep(await plan(), userId, launchId, "add-liquidity"));
  };

  /** Opens the card of the lock that is a step. */
  const openLock = (userId: number, launchId: string, request: LockRequest) =>
    openDraft(parts, userId, async (owner) => {
      const person = await keepLpToken(userId, launchId, request.token.id);
      return tradeKind("lock").draft(parts, request, { ...owner, person });
    });

  /** Enters a lock that the person reports. */
  const reportLock = (userId: number, launchId: string, lpToken: string, lock: LockTold) =>
    checkAfter(userId, launchId, async () => {
      const status = await parts.locking.epochStatus();
      await keepLpToken(userId, launchId, lpToken);
      await parts.store.write(async (tx) => {
        await changePersonIn(tx, userId, (person) => withLaunch(person, withOpen(launchOf(person, launchId), "lock")));
        await enterLock(tx, userId, lock, status, parts.clock.now());
      });
    });

  return {
    start,
    planLiquidity,
    openLock,
    enterLock: reportLock,
    acknowledge,
    /** The checklist as the chain shows it now. */
    check,
    /** Opens the card of a step that is one call. */
    openStep: (userId: number, launchId: string, step: CallStep) =>
      openCard(parts, userId, { kind: "launch", launchId, step }),
    /** Takes the person's word that a step is not done. */
    takeBack: (userId: number, launchId: string, step: LaunchStep) =>
      checkAfter(userId, launchId, () => change(userId, launchId, (launch) => withOpen(launch, step))),
    ...launchQuestions(parts),
  };
}

/** What the dialogs of a launch ask. */
function launchQuestions(parts: LaunchActionParts) {
  const { store, launching } = parts;
  return {
    /** Why there can't be a launch of this pair. */
    refusePair: async (userId: number, first: Token, second: Token): Promise<Refusal | null> => {
      const { words } = await ownerOf(parts, userId);
      const asked = await orSentence(words, () => launching.assertLaunchable(userId, { first, second }));
      return asked.ok ? null : asked;
    },
    /** So much of the second token as the market pays for this of the first. */
    matchingDeposit: async (userId: number, launchId: string, first: Pay): Promise<string | null> => {
      const person = await personOf(store, userId);
      const worth = await unlessFault(async () => {
        const { firstToken, secondToken } = launchOf(person, launchId);
        return parts.worth(await amountPaid(parts, person, first, firstToken), secondToken, POOLS_MAX_AGE_MILLISECONDS);
      });
      return worth === undefined || isZero(worth) ? null : formatAmount(worth);
    },
    adviseLock: async (userId: number, launchId: string) => adviseLock(await launching.check(userId, launchId)),
    tokensOf: async (userId: number, launchId: string) => {
      const launch = findLaunch(await personOf(store, userId), launchId);
      return launch === undefined ? [] : [launch.firstToken, launch.secondToken];
    },
  };
}

/** Epochs beyond the required minimum, so that enabling need not happen in the same epoch. */
const SPARE_EPOCHS = 4n;

/** What to tell somebody who is about to lock. */
function adviseLock({ lpToken, lpLeft, facts, conditions }: Checklist): LockAdvice {
  const { epoch, reserves } = facts;
  const reserve = conditions && reserveOf(conditions.commonToken.id, facts);
  const least = conditions && reserves && leastUnits(conditions.minimumValue.units, reserve ?? 0n, reserves.supply);
  const leastEpoch = conditions && epoch !== undefined ? epoch + conditions.minimumPeriod + 1n : undefined;
  return {
    lpToken,
    all: lpLeft && formatAmount(lpLeft),
    leastAmount: lpToken && least !== undefined ? formatAmount(amountOf(lpToken, least)) : undefined,
    epoch: epoch?.toString(),
    leastEpoch: leastEpoch?.toString(),
    goodEpoch: leastEpoch === undefined ? undefined : (leastEpoch + SPARE_EPOCHS).toString(),
  };
}
