import type { CardDialogParts } from "../../../conversations/card-dialog.js";
import type { LaunchDialogParts, LockAdvice } from "../../../conversations/launch.js";
import { amountOf, formatAmount } from "../../../encoding/amount.js";
import { findLaunch } from "../../../services/launch/launch.js";
import type { Checklist } from "../../../services/launch/launching.js";
import { leastUnits, reserveOf } from "../../../services/launch/thresholds.js";
import type { Parts } from "../../context.js";
import { acknowledge, openLaunchLock, planLiquidity, startLaunch, tellLock } from "./actions.js";
import { personOf } from "../../../services/people.js";

/** Epochs on top of the least that suffices, so that enabling need not happen in the same one. */
const SPARE_EPOCHS = 4n;

/** What the dialogs of a launch may ask of the world. */
export function launchDialogParts(parts: Parts, common: CardDialogParts): LaunchDialogParts {
  const { store, launching } = parts;

  return {
    ...common,
    start: (userId, typed) => startLaunch(parts, userId, typed),
    tokensOf: async (userId, launchId) => {
      const launch = findLaunch(await personOf(store, userId), launchId);
      return launch === undefined ? [] : [launch.firstToken, launch.secondToken];
    },
    planLiquidity: (userId, launchId, first, second) => planLiquidity(parts, userId, launchId, first, second),
    acknowledge: (userId, launchId, step, pair) => acknowledge(parts, userId, launchId, step, pair),
    adviseLock: async (userId, launchId) => adviseLock(await launching.check(userId, launchId)),
    openLock: (userId, launchId, typed) => openLaunchLock(parts, userId, launchId, typed),
    tellLock: (userId, launchId, told) => tellLock(parts, userId, launchId, told),
  };
}

/** What to tell somebody who is about to lock. */
function adviseLock({ lpToken, lpLeft, facts, conditions }: Checklist): LockAdvice {
  const reserve = conditions && reserveOf(conditions.commonToken.id, facts);
  const least =
    conditions === undefined || reserve === undefined || facts.reserves === undefined
      ? undefined
      : leastUnits(conditions.minimumValue.units, reserve, facts.reserves.supply);
  const leastEpoch = conditions && facts.epoch !== undefined ? facts.epoch + conditions.minimumPeriod + 1n : undefined;
  return {
    ...(lpToken !== undefined && { lpToken }),
    ...(lpLeft !== undefined && { all: formatAmount(lpLeft) }),
    ...(lpToken !== undefined && least !== undefined && { leastAmount: formatAmount(amountOf(lpToken, least)) }),
    ...(facts.epoch !== undefined && { epoch: facts.epoch.toString() }),
    ...(leastEpoch !== undefined && {
      leastEpoch: leastEpoch.toString(),
      goodEpoch: (leastEpoch + SPARE_EPOCHS).toString(),
    }),
  };
}
