import { amountOf, compareAmounts, gainBps, type Amount } from "../../encoding/amount.js";
import type { Launch } from "./record.js";
import { Fault } from "../../fault.js";
import type { DepositMarket, LockVerdict } from "../intent/terms.js";
import type { Lock } from "../lock/record.js";
import { arbitrageGain, squareRoot } from "../pool/pool.js";
import type { Worth } from "../pool/best.js";
import type { LaunchFacts } from "./facts.js";

/**
 * For `setSwapEnabledByUser`. The router's descriptions disagree on "greater" or "greater or equal"; strictly greater
 * satisfies both.
 */
export type EnableConditions = NonNullable<ReturnType<typeof conditionsOf>>;

export interface CheckedLock {
  readonly lock: Lock;
  readonly verdict?: LockVerdict | undefined;
}

/** LP units of a first deposit that stay in the pair forever (mx-exchange-sc dex/pair liquidity_pool.rs). */
export const MINIMUM_LIQUIDITY = 1000n;

/** @throws Fault `liquidity-too-small`. */
export function withLiquidity(launch: Launch, first: Amount, second: Amount): Launch {
  for (const amount of [first, second]) {
    // The contract keeps 1000 LP units forever; by the stricter of its two rules both amounts must be above that.
    if (compareAmounts(amount, amountOf(amount.token, MINIMUM_LIQUIDITY)) <= 0) {
      throw new Fault("liquidity-too-small", { minimum: MINIMUM_LIQUIDITY.toString() });
    }
  }
  return { ...launch, liquidity: { first, second } };
}

/** `floor(units * reserve / supply)`, that side alone. */
export function lockedValue(units: bigint, reserve: bigint, supply: bigint): bigint {
  return supply === 0n ? 0n : (units * reserve) / supply;
}

/** Undefined for an empty pool. */
export function leastUnits(minimum: bigint, reserve: bigint, supply: bigint): bigint | undefined {
  return reserve === 0n ? undefined : ((minimum + 1n) * supply + reserve - 1n) / reserve;
}

export function isEnough(verdict: LockVerdict): boolean {
  return compareAmounts(verdict.value, verdict.minimumValue) > 0 && verdict.period > verdict.minimumPeriod;
}

/** Undefined where the node reports none, or the router has none for this pair. */
export function conditionsOf({ firstToken, secondToken }: Launch, { common, config }: LaunchFacts) {
  const commonToken = [firstToken, secondToken].find(({ id }) => id === common);
  if (commonToken === undefined || config === undefined || config === "none") return undefined;
  return {
    commonToken,
    lockedTokenId: config.lockedTokenId,
    minimumValue: amountOf(commonToken, config.minLockedTokenValue),
    /** In epochs. */
    minimumPeriod: config.minLockPeriodEpochs,
  };
}

/** Undefined where the node does not report enough. */
export function checkLock(
  { amount, unlockEpoch }: Pick<Lock, "amount" | "unlockEpoch">,
  conditions: EnableConditions,
  facts: LaunchFacts,
): LockVerdict | undefined {
  const { commonToken, minimumValue, minimumPeriod } = conditions;
  const reserve = reserveOf(commonToken.id, facts);
  if (reserve === undefined || facts.reserves === undefined || facts.epoch === undefined) return undefined;
  return {
    value: amountOf(commonToken, lockedValue(amount.units, reserve, facts.reserves.supply)),
    minimumValue,
    period: unlockEpoch > facts.epoch ? unlockEpoch - facts.epoch : 0n,
    minimumPeriod,
  };
}

export function reserveOf(tokenId: string, { reserves, firstTokenId }: LaunchFacts): bigint | undefined {
  if (reserves === undefined || firstTokenId === undefined) return undefined;
  return tokenId === firstTokenId ? reserves.first : reserves.second;
}

/**
 * The least that a first deposit's LP tokens can be worth in one of its tokens. Pairs mint the smaller amount
 * (mx-exchange-sc) or the square root of the product (as Klever's seem to), so the smaller worth counts. @param common
 * the deposit in the token that it is valued in; `other` is the other one.
 */
export function worthOfFirstDeposit(common: bigint, other: bigint): bigint {
  const worth = (supply: bigint) =>
    supply <= MINIMUM_LIQUIDITY ? 0n : lockedValue(supply - MINIMUM_LIQUIDITY, common, supply);
  const [bySmaller, byRoot] = [worth(common < other ? common : other), worth(squareRoot(common * other))];
  return bySmaller < byRoot ? bySmaller : byRoot;
}

/** In basis points: from here on a deposit needs an extra confirmation. */
const FAR_OFF_BPS = 500n;

export type Market = ReturnType<typeof createMarket>;

export function createMarket(worthIn: Worth) {
  /** Undefined where no price is known. */
  return async (first: Amount, second: Amount, maxAge: number): Promise<DepositMarket | undefined> => {
    const worth = await worthIn(first, second.token, maxAge);
    const difference = worth && gainBps(second, worth);
    if (worth === undefined || difference === undefined) return undefined;
    return { worth, differenceBps: difference, loss: amountOf(second.token, arbitrageGain(worth.units, second.units)) };
  };
}

export function isFarOff({ differenceBps }: DepositMarket): boolean {
  return differenceBps > FAR_OFF_BPS || differenceBps < -FAR_OFF_BPS;
}

export function hasMovedAway(before: DepositMarket | undefined, now: DepositMarket): boolean {
  if (!isFarOff(now)) return false;
  if (before === undefined || !isFarOff(before)) return true;
  const moved = now.differenceBps - before.differenceBps;
  return moved > FAR_OFF_BPS || moved < -FAR_OFF_BPS;
}
