import type { Address } from "../../encoding/address.js";
import type { Lock } from "../../model/lock.js";
import type { LaunchFacts } from "./facts.js";
import { launchSteps, type Evidence, type Launch, type LaunchStep } from "../../model/launch.js";
import { conditionsOf, isEnough, judgeLock, type EnableConditions } from "./thresholds.js";
import type { LockVerdict } from "../../model/launch.js";

/** Where a step stands. */
export type StepState =
  | { readonly kind: "done"; readonly by: Evidence }
  /** `isUnseen`: its call was answered ok, or its outcome is not known, yet the chain shows it as not done. */
  | { readonly kind: "next"; readonly isUnseen: boolean }
  /** A call for it has been sent and is not answered yet. */
  | { readonly kind: "under-way" }
  /** A call left, nobody knows what became of it, and no view tells: the person has to. */
  | { readonly kind: "unknown" }
  | { readonly kind: "later" };

/** Why a step would be in vain. */
export type Obstacle =
  | { readonly kind: "no-common-token" }
  | { readonly kind: "no-config" }
  /** Somebody else made the pair, or nobody may enable it. `isCertain`: the caller is known to be another. */
  | { readonly kind: "other-adder"; readonly adder: Address; readonly isCertain: boolean }
  | { readonly kind: "no-adder" };

/** The lock with which swapping can be enabled, and how it stands; no verdict where the node does not tell the thresholds. */
export interface LaunchLock {
  readonly lock: Lock;
  readonly verdict?: LockVerdict;
}

/** A launch at one moment: what is done, what is next, and what stands in the way. */
export interface Progress {
  readonly steps: Readonly<Record<LaunchStep, StepState>>;
  /** Undefined when all is done. */
  readonly current: LaunchStep | undefined;
  /** Whether the current step may be offered: it is next, and would not be in vain. */
  readonly canDo: boolean;
  readonly obstacles: readonly Obstacle[];
  readonly conditions?: EnableConditions;
  readonly lock?: LaunchLock;
}

/** What a launch's progress is read from. */
export interface ProgressInput {
  readonly launch: Launch;
  readonly facts: LaunchFacts;
  /** Locks of the launch's LP token of which something is left. */
  readonly locks: readonly Lock[];
  readonly underWay: readonly LaunchStep[];
  /** In whose name calls are made; `travels` where the node is told so. */
  readonly caller: { readonly address: Address | undefined; readonly travels: boolean };
}

/**
 * Reads the progress of a launch. Where a view tells whether a step is done, it decides, whatever was answered; only where no
 * view tells do the node's answers and the person's word count. A step that the chain shows done proves those before it.
 */
export function progressOf(input: ProgressInput): Progress {
  const { launch, facts } = input;
  const found = conditionsOf(launch, facts);
  const conditions = typeof found === "object" ? found : undefined;
  const lock = bestLock(input.locks, conditions, facts);
  const shown = launchSteps.map((step) => toldByViews(step, facts));
  const proven = provenByViews(facts).length;

  // A lock that is gone has done its part where swapping was enabled.
  const afterLock = shown[launchSteps.indexOf("enable")] === false ? undefined : launch.done.enable;
  const evidenceOf = (step: LaunchStep, index: number): Evidence | undefined => {
    if (index < proven) return "view";
    if (shown[index] === false) return undefined;
    if (step === "lock") return evidenceOfLock(lock) ?? afterLock;
    return launch.unknown.includes(step) ? undefined : launch.done[step];
  };
  const evidence = launchSteps.map(evidenceOf);
  const position = evidence.indexOf(undefined);
  const current = launchSteps[position];

  const stateOf = (step: LaunchStep, index: number): StepState => {
    const by = evidence[index];
    if (position === -1 || index < position) return { kind: "done", by: by ?? "view" };
    if (index > position) return { kind: "later" };
    if (input.underWay.includes(step)) return { kind: "under-way" };
    const isUnknown = launch.unknown.includes(step);
    if (isUnknown && shown[index] === undefined) return { kind: "unknown" };
    return { kind: "next", isUnseen: shown[index] === false && (isUnknown || launch.done[step] !== undefined) };
  };
  const steps = Object.fromEntries(launchSteps.map((step, index) => [step, stateOf(step, index)])) as Progress["steps"];
  const obstacles = current === undefined ? [] : obstaclesOf(input, typeof found === "string" ? found : undefined);
  return {
    steps,
    current,
    canDo:
      current !== undefined && steps[current].kind === "next" && !obstacles.some((each) => isInVain(each, current)),
    obstacles,
    ...(conditions !== undefined && { conditions }),
    ...(lock !== undefined && { lock }),
  };
}

/** The steps that the views prove: the last one which they show as done, and all before it. */
export function provenByViews(facts: LaunchFacts): readonly LaunchStep[] {
  const last = launchSteps.findLastIndex((step) => toldByViews(step, facts) === true);
  return launchSteps.slice(0, last + 1);
}

/** Whether the views tell that a step is done or not done; undefined where they tell neither. */
function toldByViews(step: LaunchStep, { pair, lpTokenId, reserves, state }: LaunchFacts): boolean | undefined {
  if (pair === "none") return false;
  switch (step) {
    case "create-pair":
      return pair === undefined ? undefined : true;
    case "issue-lp":
      return lpTokenId === undefined ? undefined : lpTokenId !== "";
    case "add-liquidity":
      if (reserves !== undefined) return reserves.supply > 0n;
      return state === undefined ? undefined : state !== "Inactive";
    case "enable":
      return state === undefined ? undefined : state === "Active";
    // No view shows a token's roles, nor what somebody has locked.
    case "set-roles":
    case "lock":
      return undefined;
  }
}

/** A lock that suffices before one that does not, then the most valuable. Another locked token than the router's is none. */
function bestLock(
  locks: readonly Lock[],
  conditions: EnableConditions | undefined,
  facts: LaunchFacts,
): LaunchLock | undefined {
  const judged = locks
    .filter(({ locked }) => conditions === undefined || locked.tokenId === conditions.lockedTokenId)
    .map((lock): LaunchLock => {
      const units = { units: lock.amount.units, unlockEpoch: lock.unlockEpoch };
      const verdict = conditions && judgeLock(units, conditions, facts);
      return { lock, ...(verdict !== undefined && { verdict }) };
    });
  const rank = ({ verdict }: LaunchLock) => (verdict !== undefined && isEnough(verdict) ? 1 : 0);
  return judged.sort((left, right) => {
    if (rank(left) !== rank(right)) return rank(right) - rank(left);
    return left.lock.amount.units < right.lock.amount.units ? 1 : -1;
  })[0];
}

/** A lock that suffices, or may suffice where the conditions are not known. No call of the bot made it: the person told of it. */
function evidenceOfLock(best: LaunchLock | undefined): Evidence | undefined {
  if (best === undefined || (best.verdict !== undefined && !isEnough(best.verdict))) return undefined;
  return best.lock.intents.length > 0 ? "answer" : "word";
}

function obstaclesOf(
  { facts, caller }: ProgressInput,
  missing: "no-common-token" | "no-config" | undefined,
): readonly Obstacle[] {
  const obstacles: Obstacle[] = missing === undefined ? [] : [{ kind: missing }];
  const { adder } = facts;
  if (adder === "none") obstacles.push({ kind: "no-adder" });
  else if (adder !== undefined && adder !== caller.address) {
    obstacles.push({ kind: "other-adder", adder, isCertain: caller.travels });
  }
  return obstacles;
}

/** Whether the contracts would refuse a step, or a later one would make it worthless. Tokens are not locked for nothing. */
function isInVain(obstacle: Obstacle, step: LaunchStep): boolean {
  const isLast = step === "lock" || step === "enable";
  if (obstacle.kind !== "other-adder") return isLast;
  return obstacle.isCertain && (isLast || step === "add-liquidity");
}
