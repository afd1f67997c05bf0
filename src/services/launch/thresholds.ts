import { amountOf, compareAmounts, gainBps, type Amount } from "../../encoding/amount.js";
import type { Launch } from "./record.js";
import { Fault } from "../../fault.js";
import type { DepositMarket, LockVerdict } from "../intent/terms.js";
import type { Lock } from "../lock/record.js";
import { arbitrageGain, squareRoot } from "../pool/amm.js";
import type { Worth } from "../pool/best.js";
import type { LaunchFacts } from "./facts.js";

/**
 * What `setSwapEnabledByUser` asks for. The public descriptions of the router disagree: one says greater than the minimum,
 * another greater or equal. Strictly greater is right under both, so that is what this bot waits for.
 */
export type EnableConditions = NonNullable<ReturnType<typeof conditionsOf>>;

/** A lock and its verdict; none where the node does not report enough. */
export interface JudgedLock {
  readonly lock: Lock;
  readonly verdict?: LockVerdict | undefined;
}

/** LP units of a first deposit that stay in the pair forever (mx-exchange-sc dex/pair liquidity_pool.rs). */
export const MINIMUM_LIQUIDITY = 1000n;

/** The launch with the first deposit that the person plans. @throws Fault `liquidity-too-small`. */
export function withLiquidity(launch: Launch, first: Amount, second: Amount): Launch {
  for (const amount of [first, second]) {
    // The contract keeps 1000 LP units forever; by the stricter of its two rules both amounts must be above that.
    if (compareAmounts(amount, amountOf(amount.token, MINIMUM_LIQUIDITY)) <= 0) {
      throw new Fault("liquidity-too-small", { minimum: MINIMUM_LIQUIDITY.toString() });
    }
  }
  return { ...launch, liquidity: { first, second } };
}

/** What locked liquidity is worth in one token of the pool: `floor(units * reserve / supply)`, that side alone. */
export function lockedValue(units: bigint, reserve: bigint, supply: bigint): bigint {
  return supply === 0n ? 0n : (units * reserve) / supply;
}

/** The fewest LP units which are worth more than `minimum`; undefined for an empty pool. */
export function leastUnits(minimum: bigint, reserve: bigint, supply: bigint): bigint | undefined {
  return reserve === 0n ? undefined : ((minimum + 1n) * supply + reserve - 1n) / reserve;
}

export function isEnough(verdict: LockVerdict): boolean {
  return compareAmounts(verdict.value, verdict.minimumValue) > 0 && verdict.period > verdict.minimumPeriod;
}

/** The conditions for a launch; undefined where the node does not report them, or the router has none for this pair. */
export function conditionsOf({ firstToken, secondToken }: Launch, { common, config }: LaunchFacts) {
  const commonToken = [firstToken, secondToken].find(({ id }) => id === common);
  if (commonToken === undefined || config === undefined || config === "none") return undefined;
  return {
    /** The pool's token in which the locked liquidity is valued: the first if the router takes it, else the second. */
    commonToken,
    lockedTokenId: config.lockedTokenId,
    minimumValue: amountOf(commonToken, config.minLockedTokenValue),
    /** In epochs. */
    minimumPeriod: config.minLockPeriodEpochs,
  };
}

/** Judges a lock of LP tokens; undefined where the node does not report enough. */
export function judgeLock(
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
 * The least that all LP tokens of a first deposit can be worth in one of its tokens. The pair mints the smaller
 * amount (mx-exchange-sc) or the square root of the product (as Klever's pairs seem to); which one is undocumented, so the
 * smaller worth counts.
 * @param common the deposit's amount of the token that it is valued in; `other` is the other one.
 */
export function worthOfFirstDeposit(common: bigint, other: bigint): bigint {
  const worth = (supply: bigint) =>
    supply <= MINIMUM_LIQUIDITY ? 0n : lockedValue(supply - MINIMUM_LIQUIDITY, common, supply);
  const [bySmaller, byRoot] = [worth(common < other ? common : other), worth(squareRoot(common * other))];
  return bySmaller < byRoot ? bySmaller : byRoot;
}

/** How a first deposit's proportion compares with what others pay; undefined where no price is known. */
export type Market = (first: Amount, second: Amount, maxAge: number) => Promise<DepositMarket | undefined>;

/** This far off the market, in hundredths of a percent, a deposit needs a second step. */
const FAR_OFF_BPS = 500n;

export function createMarket(worthIn: Worth): Market {
  return async (first, second, maxAge) => {
    const worth = await worthIn(first, second.token, maxAge);
    const difference = worth && gainBps(second, worth);
    if (worth === undefined || difference === undefined) return undefined;
    return { worth, differenceBps: difference, loss: amountOf(second.token, arbitrageGain(worth.units, second.units)) };
  };
}

export function isFarOff({ differenceBps }: DepositMarket): boolean {
  return differenceBps > FAR_OFF_BPS || differenceBps < -FAR_OFF_BPS;
}

/** Whether the market has moved so far from what a card says that the deposit needs another second step. */
export function hasMovedAway(before: DepositMarket | undefined, now: DepositMarket): boolean {
  if (!isFarOff(now)) return false;
  if (before === undefined || !isFarOff(before)) return true;
  const moved = now.differenceBps - before.differenceBps;
  return moved > FAR_OFF_BPS || moved < -FAR_OFF_BPS;
}
