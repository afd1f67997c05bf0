import type { Address } from "../../encoding/address.js";
import { type AssetId, formatAssetId } from "../../encoding/amount.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import type { Reader } from "../../store/store.js";
import { type OutcomeFinding, type Intent, isProven } from "../intent/intent.js";
import { isUnderWay } from "../intent/machine.js";
import type { Sighting } from "../intent/trade-kind.js";
import { historyPage } from "../intent/queries.js";
import type { LaunchStep } from "../terms/launch-terms.js";
import type { LockTerms } from "../terms/lock-terms.js";
import { launchIdOf } from "../terms/terms.js";
import type { LaunchFacts } from "./launch-facts.js";
import { isShownDone, provenByViews, stepResult } from "./launch-steps.js";
import { readLockOutcome } from "./lock-record.js";

export const stepOf = ({ terms }: Intent): LaunchStep => (terms.kind === "launch" ? terms.step : "lock");

/** Number of recent steps and locks among which those of a launch are found. */
const FINDS_AMONG = 50;

/** A launch's steps and locks that were accepted, or may have been. */
export async function callsOf(db: Reader, owner: number, launchId: string): Promise<readonly Intent[]> {
  const { items } = await historyPage(db, owner, 0, FINDS_AMONG, ["launch", "lock"]);
  return items.filter(({ state, terms }) => state !== "FAILED" && launchIdOf(terms.request) === launchId);
}

/** What views show of those of a launch's calls that nothing has proven yet. */
export function sightings(
  calls: readonly Intent[],
  facts: LaunchFacts,
  encoding: ReturnDataEncoding,
): readonly Sighting[] {
  const open = calls.filter((call) => !isUnderWay(call.state) && !isProven(call) && call.transaction === undefined);
  return open.flatMap((call) => {
    const found = seenStep(call, calls, facts, encoding);
    return found === undefined ? [] : [{ call, found }];
  });
}

/**
 * What views show of a launch step. They don't say which call had an effect, so a lock counts only if it was answered
 * and is the one that enabled swapping, another step only if none of the launch's other `calls` made it, and a pair only
 * if it isn't another one than the answer named, or another account's.
 */
export function seenStep(
  intent: Intent,
  calls: readonly Intent[],
  facts: LaunchFacts,
  encoding: ReturnDataEncoding,
): OutcomeFinding | undefined {
  const { terms, outcome } = intent;
  const step = stepOf(intent);
  const isShown = provenByViews(facts).includes(step);
  if (terms.kind !== "launch") {
    if (outcome?.kind !== "ok") return undefined;
    const isOwn = terms.kind === "lock" && isShownLock(terms, intent, calls, encoding);
    if (isShown) return isOwn ? bySight("arrived") : bySight("unclear", "not-own");
    // Where the node tells balances, these say more.
    return intent.balances === undefined ? unshown(facts) : undefined;
  }
  const { pair, adder } = facts;
  const named = pairOfStep(intent, encoding);
  const isOther = pair !== undefined && pair !== "none" && named !== undefined && pair !== named;
  const isOthers = step === "create-pair" && terms.callerTravels && isAddress(adder) && adder !== terms.payout;
  const hasTwin = calls.some((other) => other.id !== intent.id && stepOf(other) === step);
  if (isShown) return isOther || isOthers || hasTwin ? bySight("unclear", "not-own") : bySight("arrived");
  if (isShownDone(step, facts) === false) return bySight("not-arrived");
  return unshown(facts);
}

/** Whether an open pair shows this lock: the one whose token enabling sent, or if nobody knows that, the only one. */
function isShownLock(terms: LockTerms, lock: Intent, calls: readonly Intent[], encoding: ReturnDataEncoding): boolean {
  const sent = calls.flatMap(({ terms: made }) =>
    made.kind === "launch" && made.step === "enable" ? [made.locked] : [],
  );
  if (sent.length === 0) return calls.every((call) => call.id === lock.id || stepOf(call) !== "lock");
  const read = readLockOutcome({ ...lock, terms }, encoding);
  const isSame = (locked: AssetId) => read?.kind === "locked" && formatAssetId(locked) === formatAssetId(read.locked);
  return sent.some(isSame);
}

const unshown = ({ isReachable }: LaunchFacts): OutcomeFinding =>
  bySight("unclear", isReachable ? "no-view" : "unread");

const bySight = (finding: OutcomeFinding["finding"], why?: OutcomeFinding["why"]): OutcomeFinding => ({
  by: "views",
  finding,
  why,
});

const isAddress = (told: Address | "none" | undefined): told is Address => told !== undefined && told !== "none";

/** The pair that a step is about: the one that its answer named, if it creates it. */
export function pairOfStep({ terms, outcome }: Intent, encoding: ReturnDataEncoding): Address | undefined {
  if (terms.kind !== "launch") return undefined;
  if (terms.step !== "create-pair") return terms.pair;
  return outcome && stepResult({ terms, outcome }, encoding)?.pair;
}
