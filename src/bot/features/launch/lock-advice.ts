import type { LockAdvice } from "../../../conversations/launch.js";
import { amountOf, formatAmount } from "../../../encoding/amount.js";
import type { Checklist } from "../../../services/launch/launching.js";
import { leastUnits, reserveOf } from "../../../services/launch/thresholds.js";

/** Epochs beyond the required minimum, so that enabling need not happen in the same epoch. */
const SPARE_EPOCHS = 4n;

/** What to tell somebody who is about to lock. */
export function adviseLock({ lpToken, lpLeft, facts, conditions }: Checklist): LockAdvice {
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
