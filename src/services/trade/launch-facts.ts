import type { Config } from "../../config.js";
import type { Address } from "../../encoding/address.js";
import { amountOf, compareAmounts, dividedUp, gainBps, type Amount, type Token } from "../../encoding/amount.js";
import type { EnableSwapByUserConfig, PairState } from "../../encoding/result.js";
import { Fault, isFault, OUTAGES } from "../../fault.js";
import type { PeriodicCheck } from "../chain/checks.js";
import type { ContractGateway } from "../chain/query-gateway.js";
import type { DepositMarket, LockVerdict } from "../terms/launch-terms.js";
import type { LockKindParts } from "./lock.js";
import type { Lock } from "./lock-record.js";
import { arbitrageGain, squareRoot } from "../market/pool.js";
import type { WorthReader } from "../market/pools.js";
import { wayOut } from "../market/trade-rights.js";
import type { Person } from "../person/person.js";
import type { Launch } from "./launch-record.js";

export interface LaunchKindParts extends LockKindParts {
  readonly gateway: Pick<ContractGateway, "query">;
  readonly routerCheck: PeriodicCheck;
  readonly worth: WorthReader;
  readonly newId: () => string;
  readonly settings: LockKindParts["settings"] &
    Pick<Config, "launchExtended" | "paymentsAreSorted" | "returnDataEncoding" | "routerContract">;
}

/** A field is undefined if the node doesn't report it. */
export interface LaunchFacts {
  /** Whether every query was answered. If not, absent fields may be available later. */
  readonly isReachable: boolean;
  readonly pair?: Address | "none" | undefined;
  readonly firstTokenId?: string | undefined;
  /** Empty if not issued yet. */
  readonly lpTokenId?: string | undefined;
  readonly reserves?: { readonly first: bigint; readonly second: bigint; readonly supply: bigint } | undefined;
  readonly state?: PairState | undefined;
  readonly adder?: Address | "none" | undefined;
  /** The router's common token among the two; empty if neither is one. */
  readonly common?: string | undefined;
  readonly config?: EnableSwapByUserConfig | "none" | undefined;
  readonly epoch?: bigint | undefined;
  readonly epochMilliseconds?: number | undefined;
}

/** The router's error if its owner has set no conditions for a token (mx-exchange-sc dex/router). */
const NO_CONFIG = "No config set";

/** Queries everything in parallel, leaving out whatever the node doesn't report or can't answer now. */
export async function readFacts(
  parts: LaunchKindParts,
  launch: Pick<Launch, "firstToken" | "pair" | "secondToken">,
): Promise<LaunchFacts> {
  const { gateway } = parts;
  const { firstToken, secondToken } = launch;
  const router = { contract: "router", address: parts.settings.routerContract } as const;
  let isReachable = true;
  /** Resolves to undefined on a fault, unless `meaning` maps that fault to an answer. */
  const told = async <Value, Meant = never>(answer: Promise<Value>, meaning?: (fault: Fault) => Meant | undefined) => {
    try {
      return await answer;
    } catch (fault) {
      if (!isFault(fault)) throw fault;
      if (isOutage(fault)) isReachable = false;
      return meaning?.(fault);
    }
  };

  const askPair = async (): Promise<Partial<LaunchFacts>> => {
    const tokens = { first_token_id: firstToken.id, second_token_id: secondToken.id };
    // The router returns the zero address if there is no pair.
    const none = (fault: Fault) => (isFault(fault, "address-zero") ? (["none"] as const) : undefined);
    const [pair] = (await told(gateway.query(router, "getPair", tokens), none)) ?? [];
    const address = pair ?? launch.pair;
    if (address === undefined || address === "none") return { pair };
    const target = { contract: "pair", address } as const;
    const [[firstTokenId] = [], [lpTokenId] = [], reserves, [state] = [], adder] = await Promise.all([
      told(gateway.query(target, "getFirstTokenId", {})),
      told(gateway.query(target, "getLpTokenIdentifier", {})),
      told(gateway.query(target, "getReservesAndTotalSupply", {})),
      told(gateway.query(target, "getState", {})),
      told(gateway.query(target, "getInitialLiquidtyAdder", {})),
    ]);
    return {
      pair,
      firstTokenId,
      lpTokenId,
      reserves: reserves && { first: reserves[0], second: reserves[1], supply: reserves[2] },
      state,
      adder: adder && (adder[0] ?? "none"),
    };
  };

  /** The router uses the pair's first token if it is a common one, else the second. */
  const askConditions = async (): Promise<Partial<LaunchFacts>> => {
    const listed = await told(gateway.query(router, "getCommonTokensForUserPairs", {}));
    if (listed === undefined) return {};
    const common = [firstToken.id, secondToken.id].find((id) => listed.includes(id));
    if (common === undefined) return { common: "" };
    const asked = gateway.query(router, "getEnableSwapByUserConfig", { token_id: common });
    const none = (fault: Fault) =>
      isFault(fault, "contract-failed") && fault.parameters.text.includes(NO_CONFIG) ? (["none"] as const) : undefined;
    const [config] = (await told(asked, none)) ?? [];
    return { common, config };
  };

  const [pair, conditions, status] = await Promise.all([askPair(), askConditions(), told(parts.lock.epochStatus())]);
  const { epoch, epochMilliseconds } = status ?? {};
  return { isReachable, ...pair, ...conditions, epoch, epochMilliseconds };
}

/** Whether the node couldn't be asked, as opposed to having no such view. */
function isOutage(fault: Fault): boolean {
  if (isFault(fault, "service-status")) return fault.parameters.status >= 500;
  return isFault(fault, ...OUTAGES, "node-refused", "service-unauthorized");
}

/**
 * The router's conditions for `setSwapEnabledByUser`. Its descriptions disagree on "greater" and "greater or equal";
 * strictly greater satisfies both.
 */
export type Conditions = NonNullable<ReturnType<typeof conditionsOf>>;

/** LP units of the first deposit that stay in the pair forever (mx-exchange-sc dex/pair liquidity_pool.rs). */
export const MINIMUM_LIQUIDITY = 1000n;

/** @throws Fault `liquidity-too-small`. */
export function withLiquidity(launch: Launch, first: Amount, second: Amount): Launch {
  // By the stricter of the contract's two rules, both amounts must exceed the minimum liquidity.
  if ([first, second].some(({ units }) => units <= MINIMUM_LIQUIDITY)) {
    throw new Fault("liquidity-too-small", { minimum: MINIMUM_LIQUIDITY.toString() });
  }
  return { ...launch, liquidity: { first, second } };
}

/** Value of LP units in one token, counting only that token's reserve: `floor(units * reserve / supply)`. */
export function lockedValue(units: bigint, reserve: bigint, supply: bigint): bigint {
  return supply === 0n ? 0n : (units * reserve) / supply;
}

/** Fewest LP units worth more than the minimum; undefined if the pool is empty or the node doesn't report enough. */
export function leastUnits({ commonToken, minimumValue }: Conditions, facts: LaunchFacts): bigint | undefined {
  const { reserve, supply } = launchSide(commonToken, facts) ?? { reserve: 0n, supply: 0n };
  const { units: minimum } = minimumValue;
  return reserve === 0n ? undefined : dividedUp((minimum + 1n) * supply, reserve);
}

function launchSide({ id }: Token, { reserves, firstTokenId }: LaunchFacts) {
  if (reserves === undefined || firstTokenId === undefined) return undefined;
  return { reserve: id === firstTokenId ? reserves.first : reserves.second, supply: reserves.supply };
}

export function isEnough(verdict: LockVerdict): boolean {
  return compareAmounts(verdict.value, verdict.minimumValue) > 0 && verdict.period > verdict.minimumPeriod;
}

/** Undefined if the node doesn't report them, or the router has none for this pair. */
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

/** Compares a lock with the router's conditions; undefined if the node doesn't report enough. */
export function checkLock(lock: Pick<Lock, "amount" | "unlockEpoch">, conditions: Conditions, facts: LaunchFacts) {
  const { commonToken, minimumValue, minimumPeriod } = conditions;
  const side = launchSide(commonToken, facts);
  if (side === undefined || facts.epoch === undefined) return undefined;
  return {
    value: amountOf(commonToken, lockedValue(lock.amount.units, side.reserve, side.supply)),
    minimumValue,
    period: lock.unlockEpoch > facts.epoch ? lock.unlockEpoch - facts.epoch : 0n,
    minimumPeriod,
  };
}

/**
 * Least that the LP tokens of a first deposit can be worth in its common token. A pair mints the smaller amount
 * (mx-exchange-sc) or the square root of the product (as Klever's seem to), so the lower worth counts.
 * @param common amount of the common token; `other` is the amount of the other one.
 */
export function worthOfFirstDeposit(common: bigint, other: bigint): bigint {
  const worth = (supply: bigint) =>
    supply <= MINIMUM_LIQUIDITY ? 0n : lockedValue(supply - MINIMUM_LIQUIDITY, common, supply);
  const [bySmaller, byRoot] = [worth(common < other ? common : other), worth(squareRoot(common * other))];
  return bySmaller < byRoot ? bySmaller : byRoot;
}

/** In basis points. A deposit further off the market needs an extra confirmation. */
const FAR_OFF_BPS = 500n;

/** Compares a first deposit with current prices; undefined if none is known. @param maxAge see {@link WorthReader}. */
export async function marketOf(worthIn: WorthReader, first: Amount, second: Amount, maxAge: number) {
  const worth = await worthIn(first, second.token, maxAge);
  const differenceBps = worth && gainBps(second, worth);
  if (worth === undefined || differenceBps === undefined) return undefined;
  return { worth, differenceBps, loss: amountOf(second.token, arbitrageGain(worth.units, second.units)) };
}

export function isFarOff({ differenceBps }: Pick<DepositMarket, "differenceBps">): boolean {
  return differenceBps > FAR_OFF_BPS || differenceBps < -FAR_OFF_BPS;
}

export function hasMovedAway(before: DepositMarket | undefined, now: DepositMarket): boolean {
  if (!isFarOff(now)) return false;
  if (before === undefined || !isFarOff(before)) return true;
  return isFarOff({ differenceBps: now.differenceBps - before.differenceBps });
}

/** Whether a first deposit could leave the pair again, by its tokens' issuers: `stuck` says why not. */
export async function liquidityWayOut(
  { rights }: LaunchKindParts,
  { firstToken, pair, secondToken }: Launch,
  { wallet }: Person,
  maxAge?: number,
): Promise<{ readonly isReturnUnknown?: true; readonly stuck?: Fault }> {
  if (pair === undefined || wallet === undefined) return {};
  const [first, second] = [firstToken.id, secondToken.id];
  const from = { is: "pair", address: pair, first, second } as const;
  try {
    return await wayOut(rights, [first, second], from, wallet.address, maxAge);
  } catch (error) {
    if (!isFault(error, "token-stuck")) throw error;
    return { stuck: error };
  }
}
