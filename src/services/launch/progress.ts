import type { Address } from "../../encoding/address.js";
import { compareAmounts } from "../../encoding/amount.js";
import type { Evidence, Launch } from "./record.js";
import { launchSteps, type LaunchStep } from "../request.js";
import type { Lock } from "../lock/record.js";
import type { LaunchFacts } from "./facts.js";
import { isShownDone, stepRules, type Obstacle } from "./steps.js";
import { conditionsOf, isEnough, checkLock, type EnableConditions, type CheckedLock } from "./thresholds.js";

export type StepState =
  | { readonly kind: "done"; readonly by: Evidence }
  /** `isUnseen`: answered ok or unknown, yet the chain shows it as not done. */
  | { readonly kind: "next"; readonly isUnseen: boolean }
  | { readonly kind: "under-way" }
  /** No view can show its outcome: the user has to say. */
  | { readonly kind: "unknown" }
  | { readonly kind: "later" };

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
export function progressOf(input: ProgressInput) {
  const { launch, facts } = input;
  const conditions = conditionsOf(launch, facts);
  const lock = bestLock(input.locks, conditions, facts);
  const proven = provenByViews(facts);

  // A lock that is gone has done its part where swapping was enabled.
  const afterLock = isShownDone("enable", facts) === false ? undefined : launch.done.enable;
  const evidenceOf = (step: LaunchStep): Evidence | undefined => {
    if (proven.includes(step)) return "view";
    if (isShownDone(step, facts) === false) return undefined;
    if (step === "lock") return evidenceOfLock(lock) ?? afterLock;
    return launch.unknown.includes(step) ? undefined : launch.done[step];
  };
  const current = launchSteps.find((step) => evidenceOf(step) === undefined);

  const stateOf = (step: LaunchStep): StepState => {
    if (isBefore(step, current)) return { kind: "done", by: evidenceOf(step) ?? "view" };
    if (step !== current) return { kind: "later" };
    if (input.underWay.includes(step)) return { kind: "under-way" };
    const isUnknown = launch.unknown.includes(step);
    const isShown = isShownDone(step, facts);
    if (isUnknown && isShown === undefined) return { kind: "unknown" };
    return { kind: "next", isUnseen: isShown === false && (isUnknown || launch.done[step] !== undefined) };
  };
  const obstacles = current === undefined ? [] : obstaclesOf(input);
  const isPointless = (step: LaunchStep) => obstacles.some((each) => stepRules[step].isStoppedBy?.(each));
  return {
    steps: Object.fromEntries(launchSteps.map((step) => [step, stateOf(step)])) as Record<LaunchStep, StepState>,
    current,
    canDo: current !== undefined && stateOf(current).kind === "next" && !isPointless(current),
    obstacles,
    conditions,
    lock,
  };
}

/** The last one which the views show as done, and all before it. */
export function provenByViews(facts: LaunchFacts): readonly LaunchStep[] {
  return launchSteps.slice(0, launchSteps.findLastIndex((step) => isShownDone(step, facts) === true) + 1);
}

export function stepBefore(step: LaunchStep | undefined): LaunchStep | undefined {
  return launchSteps.filter((each) => isBefore(each, step)).at(-1);
}

function isBefore(step: LaunchStep, current: LaunchStep | undefined): boolean {
  return current === undefined || launchSteps.indexOf(step) < launchSteps.indexOf(current);
}

/** A sufficient lock first, then the largest, and only of the router's locked token. */
function bestLock(locks: readonly Lock[], conditions: EnableConditions | undefined, facts: LaunchFacts) {
  const judged = locks
    .filter(({ locked }) => conditions === undefined || locked.tokenId === conditions.lockedTokenId)
    .map((lock): CheckedLock => ({ lock, verdict: conditions && checkLock(lock, conditions, facts) }))
    .sort((left, right) => compareAmounts(right.lock.amount, left.lock.amount));
  return judged.find(({ verdict }) => verdict !== undefined && isEnough(verdict)) ?? judged[0];
}

/** No call of the bot made it, so the user reported it. */
function evidenceOfLock(best: CheckedLock | undefined): Evidence | undefined {
  if (best === undefined || (best.verdict !== undefined && !isEnough(best.verdict))) return undefined;
  return best.lock.isAnswered ? "answer" : "word";
}

function obstaclesOf({ facts: { adder, common, config }, caller }: ProgressInput): readonly Obstacle[] {
  const obstacles: Obstacle[] = [];
  if (common === "") obstacles.push({ kind: "no-common-token" });
  else if (config === "none") obstacles.push({ kind: "no-config" });
  if (adder === "none") obstacles.push({ kind: "no-adder" });
  else if (adder !== undefined && adder !== caller.address) {
    obstacles.push({ kind: "other-adder", adder, isCertain: caller.travels });
  }
  return obstacles;
}
