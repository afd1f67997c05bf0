import { launchCard } from "../../../cards/launch.js";
import { parseContractAddress } from "../../../encoding/address.js";
import type { LockAdvice } from "../../../conversations/launch.js";
import { amountOf, formatAmount, isZero, parseAmount } from "../../../encoding/amount.js";
import { unlistedToken } from "../../../encoding/token.js";
import type { CallStep, Launch, LaunchStep } from "../../../model/launch.js";
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
import { withLockTold } from "../../../services/locks/record.js";
import { changePerson, personOf } from "../../../services/people.js";
import { swappable } from "../../../services/swap/request.js";
import { tokenOf } from "../../../services/tokens.js";
import { wordsOf } from "../../../services/typed-line.js";
import type { Parts } from "../../context.js";
import { openPrepared, type OpenCardParts } from "../../intents/open.js";
import { withOwnAmount } from "../../intents/own-amount.js";
import { orSentence, shownTo } from "../../or-sentence.js";
import type { Refusal } from "../../../cards/mends.js";
import { unlessFault } from "../../../fault.js";
import { ownerOf } from "../../person.js";
import { launchKind, stepWords } from "./kind.js";

export type LaunchActionParts = OpenCardParts & Pick<Parts, "reminders" | "worth">;

/** How old the pools may be by whose price an amount is offered. */
const POOLS_MAX_AGE_MILLISECONDS = 20_000;

/** What a person can do about their launches, by buttons and at the end of dialogs. */
export function launchActions(parts: LaunchActionParts) {
  const { store, launching, tokens } = parts;

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

  /** The amounts of a first deposit, with shares of what the person holds replaced. */
  const ownAmounts = async (userId: number, launchId: string, amounts: readonly string[]) => {
    const person = await personOf(store, userId);
    const { firstToken, secondToken } = launchOf(person, launchId);
    const lines = [firstToken, secondToken].map(({ id }, at) =>
      withOwnAmount(parts, person, `${amounts[at] ?? ""} ${id}`),
    );
    return (await Promise.all(lines)).map((line) => wordsOf(line)[0] ?? "");
  };

  /** Keeps the LP token that a person names, where no view and no answer gave it. */
  const keepLpToken = (userId: number, launchId: string, id: string) =>
    change(userId, launchId, (launch) => ({ ...launch, lpTokenId: launch.lpTokenId ?? id }));

  /** Takes the person's word that a step is done. */
  const acknowledge = (userId: number, launchId: string, step: LaunchStep, known: Pick<Launch, "pair"> = {}) =>
    checkAfter(userId, launchId, () =>
      change(userId, launchId, (launch) => ({ ...withDone(launch, step, "word"), ...known })),
    );

  /** What its dialogs open with what they collected. */
  const openings = {
    /** Begins a launch from the words behind `/launch`. */
    launch: (userId: number, typed: string) =>
      shownTo(parts, userId, async ({ words }) => {
        const [first, second, lpTicker, lpName, ...rest] = wordsOf(typed);
        if (first === undefined || second === undefined || rest.length > 0) {
          return { ok: false, sentence: `${words.launch.usage} /launch KLV DVK-34ZH` };
        }
        const launchId = await launching.start(userId, {
          first: swappable(first, tokens),
          second: swappable(second, tokens),
          ...(lpTicker !== undefined && { lpTicker }),
          ...(lpName !== undefined && { lpName }),
        });
        return check(userId, launchId);
      }),

    "launch-pair": (userId: number, line: string) => {
      const [launchId = "", pair = ""] = line.split(" ");
      return acknowledge(userId, launchId, "create-pair", { pair: parseContractAddress(pair) });
    },

    /** Plans the first deposit. */
    "launch-liquidity": (userId: number, line: string) => {
      const [launchId = "", ...amounts] = line.split(" ");
      const plan = async () => {
        const [first = "", second = ""] = await ownAmounts(userId, launchId, amounts);
        return change(userId, launchId, (launch) => withLiquidity(launch, first, second));
      };
      if (!parts.settings.launchExtended) return checkAfter(userId, launchId, plan);
      return openPrepared(parts, userId, async () => ({
        draft: await launching.prepareStep(await plan(), userId, launchId, "add-liquidity"),
      }));
    },

    /** Opens the card of the lock for the words behind `/lock`. */
    "launch-lock": (userId: number, line: string) => {
      const [launchId = "", amount = "", token = "", until = ""] = line.split(" ");
      return openPrepared(parts, userId, async () => {
        const person = await keepLpToken(userId, launchId, token);
        const [own = amount] = wordsOf(await withOwnAmount(parts, person, `${amount} ${token}`));
        return { draft: await launching.prepareLock(person, userId, launchId, { amount: own, token, until }) };
      });
    },

    /** Enters a lock that the person reports. */
    "launch-locked": (userId: number, line: string) => {
      const [launchId = "", lpToken = "", locked = "", amount = "", epoch = ""] = line.split(" ");
      return checkAfter(userId, launchId, async () => {
        const status = await parts.locking.epochStatus();
        await keepLpToken(userId, launchId, lpToken);
        await changePerson(store, userId, (person) => {
          const before = withLaunch(person, withOpen(launchOf(person, launchId), "lock"));
          const token = tokenOf(person, lpToken, tokens) ?? unlistedToken(lpToken);
          return withLockTold(before, token, { locked, amount, epoch }, status, parts.clock.now());
        });
        parts.reminders.note(userId);
      });
    },
  };

  return {
    openings,
    acknowledge,
    /** The checklist as the chain shows it now. */
    check,
    /** Opens the card of a step that is one call. */
    openStep: (userId: number, launchId: string, step: CallStep) =>
      openPrepared(parts, userId, (owner) => launchKind.prepare(parts, owner, stepWords({ launchId, step }))),
    /** Takes the person's word that a step is not done. */
    takeBack: (userId: number, launchId: string, step: LaunchStep) =>
      checkAfter(userId, launchId, () => change(userId, launchId, (launch) => withOpen(launch, step))),
    /** Why there can't be a launch of this pair. */
    refusePair: async (userId: number, first: string, second: string): Promise<Refusal | undefined> => {
      const { words } = await ownerOf(parts, userId);
      const pair = { first: swappable(first, tokens), second: swappable(second, tokens) };
      const asked = await orSentence(words, () => launching.assertLaunchable(userId, pair));
      return asked.ok ? undefined : asked;
    },
    /** So much of the second token as the market pays for the first of these amounts. */
    matchingDeposit: async (userId: number, launchId: string, amounts: readonly string[]) => {
      const launch = findLaunch(await personOf(store, userId), launchId);
      if (launch === undefined || amounts.length === 0) return undefined;
      const worth = await unlessFault(async () => {
        const [first = ""] = await ownAmounts(userId, launchId, amounts);
        return parts.worth(parseAmount(first, launch.firstToken), launch.secondToken, POOLS_MAX_AGE_MILLISECONDS);
      });
      return worth === undefined || isZero(worth) ? undefined : formatAmount(worth);
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
  const reserve = conditions && reserveOf(conditions.commonToken.id, facts);
  const least =
    conditions === undefined || reserve === undefined || facts.reserves === undefined
      ? undefined
      : leastUnits(conditions.minimumValue.units, reserve, facts.reserves.supply);
  const leastEpoch = conditions && facts.epoch !== undefined ? facts.epoch + conditions.minimumPeriod + 1n : undefined;
  return {
    lpToken,
    all: lpLeft && formatAmount(lpLeft),
    leastAmount: lpToken && least !== undefined ? formatAmount(amountOf(lpToken, least)) : undefined,
    epoch: facts.epoch?.toString(),
    leastEpoch: leastEpoch?.toString(),
    goodEpoch: leastEpoch === undefined ? undefined : (leastEpoch + SPARE_EPOCHS).toString(),
  };
}
