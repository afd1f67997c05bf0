import { isDeployedContract, type Address } from "../../encoding/address.js";
import { amountOf, compareAmounts, isPaid, isZero, paymentOf } from "../../encoding/amount.js";
import { contractCall, type ContractCall } from "../../encoding/call.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import { Fault } from "../../fault.js";
import { outputsOf, type Answered } from "../intent/kind.js";
import type { DepositMarket, LaunchFigures, LaunchTerms, LaunchTermsOf } from "../intent/terms.js";
import type { Lock } from "../lock/record.js";
import { launchSteps, type CallStep, type LaunchStep } from "../request.js";
import type { EnableConditions, LaunchFacts } from "./facts.js";
import { checkLock, conditionsOf, isEnough, worthOfFirstDeposit } from "./facts.js";
import type { Evidence, Launch } from "./record.js";

export type StepInput = Pick<Progress, "conditions" | "lock"> & {
  readonly launch: Launch;
  readonly facts: LaunchFacts;
  readonly market?: DepositMarket | undefined;
};

type StepResult = Partial<Pick<Launch, "pair" | "lpTokenId" | "lpUnits">>;
type Router = { readonly contract: "router"; readonly address: Address };
type Deposit = NonNullable<Launch["liquidity"]>;

/** Steps of which the interface doesn't say how their calls are made. */
export const unspecifiedSteps: readonly CallStep[] = ["set-roles", "add-liquidity"];

/** Locking is a lock like any other, with its terms and call. */
const callSteps: {
  readonly [Step in CallStep]: {
    /** Undefined where the views don't say. Absent: no view could. */
    readonly isShownDone?: (facts: LaunchFacts) => boolean | undefined;
    /** @throws Fault `launch-step-not-due`. */
    readonly figures: (input: StepInput) => LaunchFigures<Step>;
    readonly call: (terms: LaunchTermsOf<Step>, router: Router) => ContractCall;
    /** Undefined for an answer that can't be the contract's. */
    readonly result: (answered: Answered<LaunchTermsOf<Step>>, encoding: ReturnDataEncoding) => StepResult | undefined;
  };
} = {
  "create-pair": {
    isShownDone: ({ pair }) => (pair === undefined ? undefined : true),
    figures: () => ({}),
    call: ({ firstToken, secondToken }, router) =>
      contractCall(router, "createPair", { first_token_id: firstToken.id, second_token_id: secondToken.id }),
    result: ({ outcome }, encoding) => {
      const [pair] = outputsOf("router", "createPair", outcome, encoding) ?? [];
      return pair !== undefined && isDeployedContract(pair) ? { pair } : undefined;
    },
  },
  "issue-lp": {
    isShownDone: ({ lpTokenId }) => (lpTokenId === undefined ? undefined : lpTokenId !== ""),
    figures: ({ launch: { pair, lpName, lpTicker } }) => ({ pair: due(pair), lpName, lpTicker }),
    call: ({ pair: pair_address, lpName: lp_token_display_name, lpTicker: lp_token_ticker }, router) =>
      contractCall(router, "issueLpToken", { pair_address, lp_token_display_name, lp_token_ticker }),
    result: nothingFrom("issueLpToken"),
  },
  "set-roles": {
    figures: ({ launch: { pair, lpTokenId } }) => ({ pair: due(pair), ...(lpTokenId !== undefined && { lpTokenId }) }),
    call: ({ pair }, router) => contractCall(router, "setLocalRoles", { pair_address: pair }),
    result: nothingFrom("setLocalRoles"),
  },
  "add-liquidity": {
    isShownDone: ({ reserves, state }) => {
      if (reserves !== undefined) return reserves.supply > 0n;
      return state === undefined ? undefined : state !== "Inactive";
    },
    figures: ({ launch, facts, conditions, market }) => {
      const deposit = depositOf(due(launch.liquidity), facts);
      const worth = conditions && worthOf(deposit, conditions);
      return { pair: due(launch.pair), ...deposit, ...(market && { market }), ...(worth && { worth }) };
    },
    call: ({ pair, first, second }) =>
      contractCall({ contract: "pair", address: pair }, "addInitialLiquidity", {}, [
        paymentOf(first),
        paymentOf(second),
      ]),
    result: ({ terms, outcome }, encoding) => {
      const outputs = outputsOf("pair", "addInitialLiquidity", outcome, encoding);
      if (outputs === undefined) return undefined;
      const [lp, first, second] = outputs;
      const isAsPaid = isPaid(first, terms.first) && isPaid(second, terms.second);
      const isGiven = lp.nonce === undefined && !isZero(lp);
      return isAsPaid && isGiven ? { lpTokenId: lp.tokenId, lpUnits: lp.units } : undefined;
    },
  },
  enable: {
    isShownDone: ({ state }) => (state === undefined ? undefined : state === "Active"),
    figures: ({ launch, lock }) => {
      const { locked, amount, verdict } = due(lock);
      return { pair: due(launch.pair), locked, amount, ...(verdict && { verdict }) };
    },
    call: ({ pair, locked, amount }, router) =>
      contractCall(router, "setSwapEnabledByUser", { pair_address: pair }, [{ ...locked, units: amount.units }]),
    result: nothingFrom("setSwapEnabledByUser"),
  },
};

/** Undefined where the views don't say. */
export function isShownDone(step: LaunchStep, facts: LaunchFacts): boolean | undefined {
  if (facts.pair === "none") return false;
  return step === "lock" ? undefined : callSteps[step].isShownDone?.(facts);
}

/** @throws Fault `launch-step-not-due` when an earlier step has not given what this one needs. */
export function termsOf(step: CallStep, input: StepInput, payout: Address, callerTravels: boolean): LaunchTerms {
  const { id: launchId, firstToken, secondToken } = input.launch;
  const request = { kind: "launch", launchId, step } as const;
  const common = { kind: "launch", request, firstToken, secondToken, payout, callerTravels } as const;
  return { ...common, step, ...callSteps[step].figures(input) } as LaunchTerms;
}

export function callOf<Step extends CallStep>(terms: LaunchTermsOf<Step>, router: Address): ContractCall {
  return callSteps[terms.step].call(terms, { contract: "router", address: router });
}

export function stepResult<Step extends CallStep>(
  answered: Answered<LaunchTermsOf<Step>>,
  encoding: ReturnDataEncoding,
) {
  return callSteps[answered.terms.step].result(answered, encoding);
}

function nothingFrom(functionName: "issueLpToken" | "setLocalRoles" | "setSwapEnabledByUser") {
  return ({ outcome }: Answered<unknown>, encoding: ReturnDataEncoding): StepResult | undefined =>
    outputsOf("router", functionName, outcome, encoding) && {};
}

/** In the pair's own order of tokens. */
export function depositOf({ first, second }: Deposit, { firstTokenId }: LaunchFacts): Deposit {
  return firstTokenId === second.token.id ? { first: second, second: first } : { first, second };
}

function worthOf({ first, second }: Deposit, conditions: EnableConditions) {
  const { commonToken, minimumValue: minimum } = conditions;
  const [common, other] = commonToken.id === first.token.id ? [first, second] : [second, first];
  return { least: amountOf(commonToken, worthOfFirstDeposit(common.units, other.units)), minimum };
}

function due<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Fault("launch-step-not-due", {});
  return value;
}

export type StepState =
  | { readonly kind: "done"; readonly by: Evidence }
  /** `isUnseen`: answered ok or unknown, yet the chain shows it as not done. */
  | { readonly kind: "next"; readonly isUnseen: boolean }
  | { readonly kind: "under-way" }
  /** No view can show its outcome: the user has to say. */
  | { readonly kind: "unknown" }
  | { readonly kind: "later" };

export type Obstacle =
  | { readonly kind: "no-common-token" | "no-config" | "no-adder" }
  /** `isCertain`: the caller is known to be another account. */
  | { readonly kind: "other-adder"; readonly adder: Address; readonly isCertain: boolean };

export type Progress = ReturnType<typeof progressOf>;

export interface ProgressInput {
  readonly launch: Launch;
  readonly facts: LaunchFacts;
  readonly locks: readonly Lock[];
  readonly underWay: readonly LaunchStep[];
  /** In whose name calls are made; `travels` where the call says so. */
  readonly caller: { readonly address: Address | undefined; readonly travels: boolean };
}

/**
 * A view decides, even against an answer; elsewhere the node's answers and the user's word count. A step that the
 * chain shows done proves those before it.
 */
export function progressOf({ launch, facts, locks, underWay, caller }: ProgressInput) {
  const conditions = conditionsOf(launch, facts);
  const lock = bestLock(locks, conditions, facts);
  const proven = provenByViews(facts);

  const evidenceOf = (step: LaunchStep): Evidence | undefined => {
    if (proven.includes(step)) return "view";
    if (isShownDone(step, facts) === false) return undefined;
    if (step !== "lock") return launch.unknown.includes(step) ? undefined : launch.done[step];
    // No call of the bot made it: the user reported it.
    if (lock !== undefined && (lock.verdict === undefined || isEnough(lock.verdict))) {
      return lock.isAnswered ? "answer" : "word";
    }
    // A lock that is gone has done its part where swapping was enabled.
    return isShownDone("enable", facts) === false ? undefined : launch.done.enable;
  };
  const currentState = (step: LaunchStep): StepState => {
    if (underWay.includes(step)) return { kind: "under-way" };
    const isUnknown = launch.unknown.includes(step);
    const isShown = isShownDone(step, facts);
    if (isUnknown && isShown === undefined) return { kind: "unknown" };
    return { kind: "next", isUnseen: isShown === false && (isUnknown || launch.done[step] !== undefined) };
  };

  const steps: Partial<Record<LaunchStep, StepState>> = {};
  let current: LaunchStep | undefined;
  for (const step of launchSteps) {
    const by = evidenceOf(step);
    if (current !== undefined) steps[step] = { kind: "later" };
    else if (by !== undefined) steps[step] = { kind: "done", by };
    else {
      current = step;
      steps[step] = currentState(step);
    }
  }
  const obstacles = current === undefined ? [] : obstaclesOf(facts, caller);
  const canDo =
    current !== undefined && steps[current]?.kind === "next" && !obstacles.some((each) => isStopped(current, each));
  return { steps: steps as Record<LaunchStep, StepState>, current, canDo, obstacles, conditions, lock };
}

/** The last one which the views show as done, and all before it. */
export function provenByViews(facts: LaunchFacts): readonly LaunchStep[] {
  return launchSteps.slice(0, launchSteps.findLastIndex((step) => isShownDone(step, facts) === true) + 1);
}

/** A sufficient lock first, then the largest, and only of the router's locked token. */
function bestLock(locks: readonly Lock[], conditions: EnableConditions | undefined, facts: LaunchFacts) {
  const judged = locks
    .filter(({ locked }) => conditions === undefined || locked.tokenId === conditions.lockedTokenId)
    .map((lock) => ({ ...lock, verdict: conditions && checkLock(lock, conditions, facts) }))
    .sort((left, right) => compareAmounts(right.amount, left.amount));
  return judged.find(({ verdict }) => verdict !== undefined && isEnough(verdict)) ?? judged[0];
}

function obstaclesOf({ adder, common, config }: LaunchFacts, caller: ProgressInput["caller"]): readonly Obstacle[] {
  const obstacles: Obstacle[] = [];
  if (common === "") obstacles.push({ kind: "no-common-token" });
  else if (config === "none") obstacles.push({ kind: "no-config" });
  if (adder === "none") obstacles.push({ kind: "no-adder" });
  else if (adder !== undefined && adder !== caller.address) {
    obstacles.push({ kind: "other-adder", adder, isCertain: caller.travels });
  }
  return obstacles;
}

/** Locking is pointless for an account that may not enable the pair. */
function isStopped(step: LaunchStep, obstacle: Obstacle): boolean {
  const isToEnable = step === "lock" || step === "enable";
  if (obstacle.kind !== "other-adder") return isToEnable;
  return obstacle.isCertain && (isToEnable || step === "add-liquidity");
}
