import { isDeployedContract, type Address } from "../../encoding/address.js";
import { amountOf, compareAmounts, isPaid, isZero, paymentOf } from "../../encoding/amount.js";
import { contractCall, type ContractCall } from "../../encoding/call.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import { Fault } from "../../fault.js";
import { draftWithoutPrice, outputsOf, type Answered, type Draft } from "../intent/trade-kind.js";
import {
  type DepositMarket,
  type LaunchTerms,
  launchSteps,
  type CallStep,
  type LaunchStep,
} from "../terms/launch-terms.js";
import type { Lock } from "./lock-record.js";
import { payoutOf, type Person } from "../person/person.js";
import type { Conditions, LaunchFacts, LaunchKindParts } from "./launch-facts.js";
import { checkLock, conditionsOf, isEnough, worthOfFirstDeposit } from "./launch-facts.js";
import type { Evidence, Launch } from "./launch-record.js";

/** Steps whose calls the interface doesn't specify. */
export const unspecifiedSteps: readonly CallStep[] = ["set-roles", "add-liquidity"];

/**
 * Drafts any step but the lock, which has a draft of its own. @throws Fault `wallet-missing`, `payment-order`,
 * `launch-step-not-due` if a value from an earlier step is missing.
 */
export function draftStep(parts: LaunchKindParts, person: Person, progress: Priced, step: CallStep): Draft {
  const { launch, facts, conditions, isReturnUnknown, lock, market } = progress;
  const { callIncludesCaller: callerTravels, paymentsAreSorted, routerContract } = parts.settings;
  const { firstToken, secondToken, lpName, lpTicker, lpTokenId } = launch;
  const request = { kind: "launch", launchId: launch.id, step } as const;
  const common = { kind: "launch", request, firstToken, secondToken, payout: payoutOf(person), callerTravels } as const;
  const router = { contract: "router", address: routerContract } as const;
  const draft = (terms: LaunchTerms, call: ContractCall) => draftWithoutPrice(parts, terms, call);
  if (step === "create-pair") {
    const [first, second] = [firstToken.id, secondToken.id];
    // Refuse before anything is paid: the pair's first deposit could not be sent.
    if (paymentsAreSorted && first > second) throw new Fault("payment-order", { first, second });
    const tokens = { first_token_id: first, second_token_id: second };
    return draft({ ...common, step }, contractCall(router, "createPair", tokens));
  }
  const pair = due(launch.pair);
  const ofPair = { pair_address: pair };
  switch (step) {
    case "issue-lp": {
      const named = { ...ofPair, lp_token_display_name: lpName, lp_token_ticker: lpTicker };
      return draft({ ...common, step, pair, lpName, lpTicker }, contractCall(router, "issueLpToken", named));
    }
    case "set-roles": {
      const terms = { ...common, step, pair, ...(lpTokenId !== undefined && { lpTokenId }) };
      return draft(terms, contractCall(router, "setLocalRoles", ofPair));
    }
    case "add-liquidity": {
      const deposit = depositOf(due(launch.liquidity), facts);
      const worth = conditions && worthOf(deposit, conditions);
      const terms = {
        ...common,
        step,
        pair,
        ...deposit,
        ...(market && { market }),
        ...(worth && { worth }),
        ...(isReturnUnknown && { isReturnUnknown }),
      };
      const payments = [paymentOf(deposit.first), paymentOf(deposit.second)];
      return draft(terms, contractCall({ contract: "pair", address: pair }, "addInitialLiquidity", {}, payments));
    }
    case "enable": {
      const { locked, amount, verdict } = due(lock);
      const terms = { ...common, step, pair, locked, amount, ...(verdict && { verdict }) };
      return draft(terms, contractCall(router, "setSwapEnabledByUser", ofPair, [{ ...locked, units: amount.units }]));
    }
  }
}

/** Undefined if the answer can't be the contract's. */
export function stepResult({ terms, outcome }: Answered<LaunchTerms>, encoding: ReturnDataEncoding) {
  switch (terms.step) {
    case "create-pair": {
      const [pair] = outputsOf("router", "createPair", outcome, encoding) ?? [];
      return pair !== undefined && isDeployedContract(pair) ? { pair } : undefined;
    }
    case "issue-lp":
      return outputsOf("router", "issueLpToken", outcome, encoding) && {};
    case "set-roles":
      return outputsOf("router", "setLocalRoles", outcome, encoding) && {};
    case "add-liquidity": {
      const outputs = outputsOf("pair", "addInitialLiquidity", outcome, encoding);
      if (outputs === undefined) return undefined;
      const [lp, first, second] = outputs;
      const isAsPaid = isPaid(first, terms.first) && isPaid(second, terms.second);
      const isGiven = lp.nonce === undefined && !isZero(lp);
      return isAsPaid && isGiven ? { lpTokenId: lp.tokenId, lpUnits: lp.units } : undefined;
    }
    case "enable":
      return outputsOf("router", "setSwapEnabledByUser", outcome, encoding) && {};
  }
}

/** No view shows the roles or a lock. */
const views: { readonly [Step in LaunchStep]?: (facts: LaunchFacts) => boolean | undefined } = {
  "create-pair": ({ pair }) => pair && true,
  "issue-lp": ({ lpTokenId }) => (lpTokenId === undefined ? undefined : lpTokenId !== ""),
  "add-liquidity": ({ reserves, state }) => (reserves ? reserves.supply > 0n : state && state !== "Inactive"),
  enable: ({ state }) => state && state === "Active",
};

/** Whether views show the step as done; undefined if they can't show it either way. */
export function isShownDone(step: LaunchStep, facts: LaunchFacts): boolean | undefined {
  return facts.pair === "none" ? false : views[step]?.(facts);
}

/** In the pair's order of tokens. */
export function depositOf({ first, second }: NonNullable<Launch["liquidity"]>, { firstTokenId }: LaunchFacts) {
  return firstTokenId === second.token.id ? { first: second, second: first } : { first, second };
}

function worthOf({ first, second }: ReturnType<typeof depositOf>, conditions: Conditions) {
  const { commonToken, minimumValue: minimum } = conditions;
  const [common, other] = commonToken.id === first.token.id ? [first, second] : [second, first];
  return { least: amountOf(commonToken, worthOfFirstDeposit(common.units, other.units)), minimum };
}

function due<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Fault("launch-step-not-due", {});
  return value;
}

type Priced = ReturnType<typeof progressOf> & {
  readonly market?: DepositMarket | undefined;
  readonly isReturnUnknown?: true;
};

export interface ProgressInput {
  readonly launch: Launch;
  readonly facts: LaunchFacts;
  readonly locks: readonly Lock[];
  readonly underWay: readonly LaunchStep[];
  /** The account that makes the calls; `travels` if requests name it. */
  readonly caller: { readonly address: Address | undefined; readonly travels: boolean };
}

/**
 * A view overrides any answer; without one, the node's answers and the user's word count. A step that the chain shows
 * as done proves all earlier ones.
 */
export function progressOf({ launch, facts, locks, underWay, caller }: ProgressInput) {
  const conditions = conditionsOf(launch, facts);
  const lock = bestLock(locks, conditions, facts);
  const proven = provenByViews(facts);
  const evidenceOf = (step: LaunchStep): Evidence | undefined => {
    if (proven.includes(step)) return "view";
    if (isShownDone(step, facts) === false) return undefined;
    if (step !== "lock") return launch.unknown.includes(step) ? undefined : launch.done[step];
    // A lock without an answer wasn't made by the bot: the user reported it.
    if (lock !== undefined && (lock.verdict === undefined || isEnough(lock.verdict))) {
      return lock.isAnswered ? "answer" : "word";
    }
    // Once swapping has been enabled, the lock is no longer needed.
    return isShownDone("enable", facts) === false ? undefined : launch.done.enable;
  };

  const stateOf = (step: LaunchStep): "next" | "unseen" | "under-way" | "unknown" => {
    if (underWay.includes(step)) return "under-way";
    const isUnknown = launch.unknown.includes(step);
    const isShown = isShownDone(step, facts);
    if (isUnknown && isShown === undefined) return "unknown";
    return isShown === false && (isUnknown || launch.done[step] !== undefined) ? "unseen" : "next";
  };

  const done: Evidence[] = [];
  for (const step of launchSteps) {
    const by = evidenceOf(step);
    if (by === undefined) break;
    done.push(by);
  }
  const current = launchSteps[done.length];
  const state = current && stateOf(current);
  const obstacles = current === undefined ? [] : obstaclesOf(facts, caller);
  return {
    /** Evidence for each step before the current one. */
    done,
    /** Undefined once all steps are done. */
    current,
    /**
     * State of the current step. `unseen`: answered ok or unknown, but not done according to the chain; `unknown`: no
     * view shows its outcome, so the user has to say.
     */
    state,
    canDo: (state === "next" || state === "unseen") && !obstacles.some((each) => isStopped(current, each)),
    obstacles,
    conditions,
    lock,
    launch,
    facts,
  };
}

/** All steps up to the last one that views show as done. */
export function provenByViews(facts: LaunchFacts): readonly LaunchStep[] {
  return launchSteps.slice(0, launchSteps.findLastIndex((step) => isShownDone(step, facts) === true) + 1);
}

/** Prefers a sufficient lock, then the largest; only the router's locked token counts. */
function bestLock(locks: readonly Lock[], conditions: Conditions | undefined, facts: LaunchFacts) {
  const judged = locks
    .filter(({ locked }) => conditions === undefined || locked.tokenId === conditions.lockedTokenId)
    .map((lock) => ({ ...lock, verdict: conditions && checkLock(lock, conditions, facts) }))
    .sort((left, right) => compareAmounts(right.amount, left.amount));
  return judged.find(({ verdict }) => verdict !== undefined && isEnough(verdict)) ?? judged[0];
}

function obstaclesOf({ adder, common, config }: LaunchFacts, caller: ProgressInput["caller"]) {
  const isOther = adder !== undefined && adder !== "none" && adder !== caller.address;
  return [
    common === "" && ({ kind: "no-common-token" } as const),
    common !== "" && config === "none" && ({ kind: "no-config" } as const),
    adder === "none" && ({ kind: "no-adder" } as const),
    // Certain only if requests name the caller; otherwise another account may be making the calls.
    isOther && ({ kind: "other-adder", adder, isCertain: caller.travels } as const),
  ].filter((each) => each !== false);
}

/** Locking is pointless for an account that can't enable the pair. */
function isStopped(step: LaunchStep | undefined, obstacle: ReturnType<typeof obstaclesOf>[number]): boolean {
  const isToEnable = step === "lock" || step === "enable";
  if (obstacle.kind !== "other-adder") return isToEnable;
  return obstacle.isCertain && (isToEnable || step === "add-liquidity");
}
