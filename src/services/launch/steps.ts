import { isDeployedContract, type Address } from "../../encoding/address.js";
import { amountOf, isPaid, isZero, paymentOf } from "../../encoding/amount.js";
import { contractCall, type ContractCall } from "../../encoding/call.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import { Fault } from "../../fault.js";
import type { DepositMarket, LaunchFigures, LaunchTerms, LaunchTermsOf } from "../intent/terms.js";
import type { Launch } from "./record.js";
import type { CallStep, LaunchStep } from "../request.js";
import { outputsOf, type Answered } from "../intent/kind.js";
import type { LaunchFacts } from "./facts.js";
import { worthOfFirstDeposit, type EnableConditions, type CheckedLock } from "./thresholds.js";

export type Obstacle =
  | { readonly kind: "no-common-token" }
  | { readonly kind: "no-config" }
  /** `isCertain`: the caller is known to be another account. */
  | { readonly kind: "other-adder"; readonly adder: Address; readonly isCertain: boolean }
  | { readonly kind: "no-adder" };

export interface StepInput {
  readonly launch: Launch;
  readonly facts: LaunchFacts;
  readonly conditions?: EnableConditions | undefined;
  readonly lock?: CheckedLock | undefined;
  readonly market?: DepositMarket | undefined;
}

export type StepResult = Partial<Pick<Launch, "pair" | "lpTokenId" | "lpUnits">>;

interface StepRules {
  /** Undefined where the views don't say. Absent: no view could. */
  readonly isShownDone?: (facts: LaunchFacts) => boolean | undefined;
  /** Absent: nothing stops it. */
  readonly isStoppedBy?: (obstacle: Obstacle) => boolean;
  readonly isUnspecified?: true;
}

interface CallStepRules<Step extends CallStep> extends StepRules {
  /** @throws Fault `launch-step-not-due`. */
  readonly figures: (input: StepInput) => LaunchFigures<Step>;
  readonly call: (terms: LaunchTermsOf<Step>, router: Router) => ContractCall;
  /** Undefined for an answer that can't be the contract's. */
  readonly result: (answered: Answered<LaunchTermsOf<Step>>, encoding: ReturnDataEncoding) => StepResult | undefined;
}

type Router = { readonly contract: "router"; readonly address: Address };
type Deposit = NonNullable<Launch["liquidity"]>;

/** Locking is pointless for an account that may not enable the pair. */
const stopsEnabling = (obstacle: Obstacle) => obstacle.kind !== "other-adder" || obstacle.isCertain;

const callSteps: { readonly [Step in CallStep]: CallStepRules<Step> } = {
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
    isUnspecified: true,
    figures: ({ launch: { pair, lpTokenId } }) => ({ pair: due(pair), ...(lpTokenId !== undefined && { lpTokenId }) }),
    call: ({ pair }, router) => contractCall(router, "setLocalRoles", { pair_address: pair }),
    result: nothingFrom("setLocalRoles"),
  },
  "add-liquidity": {
    isShownDone: ({ reserves, state }) => {
      if (reserves !== undefined) return reserves.supply > 0n;
      return state === undefined ? undefined : state !== "Inactive";
    },
    isStoppedBy: (obstacle) => obstacle.kind === "other-adder" && obstacle.isCertain,
    isUnspecified: true,
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
    isStoppedBy: stopsEnabling,
    figures: ({ launch, lock }) => {
      const { lock: shown, verdict } = due(lock);
      const { locked, amount } = shown;
      return { pair: due(launch.pair), locked, amount, ...(verdict && { verdict }) };
    },
    call: ({ pair, locked, amount }, router) =>
      contractCall(router, "setSwapEnabledByUser", { pair_address: pair }, [{ ...locked, units: amount.units }]),
    result: nothingFrom("setSwapEnabledByUser"),
  },
};

/** Locking is a lock like any other, with its terms and call. */
export const stepRules: Record<LaunchStep, StepRules> = { ...callSteps, lock: { isStoppedBy: stopsEnabling } };

/** Undefined where the views don't say. */
export function isShownDone(step: LaunchStep, facts: LaunchFacts): boolean | undefined {
  return facts.pair === "none" ? false : stepRules[step].isShownDone?.(facts);
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
