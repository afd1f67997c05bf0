import type { ReturnDataEncoding } from "../../encoding/result.js";
import type { Intent } from "../../model/intent.js";
import { isUnderWay } from "../intents/lifecycle.js";
import { readLockOutcome } from "../locks/outcome.js";
import type { Person } from "../../model/person.js";
import type { LaunchFacts } from "./facts.js";
import { launchOf, withDone, withLaunch } from "./launch.js";
import type { Launch, LaunchStep } from "../../model/launch.js";
import { readLaunchOutcome } from "./outcome.js";
import { provenByViews } from "./progress.js";

/** Enters the end of a launch's call, unless it is there already: what was answered ok, or that it is unknown. */
export function bookLaunch(person: Person, intent: Intent, encoding: ReturnDataEncoding): Person {
  const part = launchPartOf(intent);
  const launch = part && launchOf(person, part.launchId);
  if (part === undefined || launch === undefined || launch.intents.includes(intent.id)) return person;
  const entered = enteredEnd(launch, intent, part.step, encoding);
  return entered === undefined ? person : withLaunch(person, { ...entered, intents: [...launch.intents, intent.id] });
}

/** The steps of a launch of which a call has been claimed or sent and is not answered yet, `except` one's own. */
export function stepsUnderWay(person: Person, launchId: string, except?: string): readonly LaunchStep[] {
  return Object.values(person.intents).flatMap((intent) => {
    const part = launchPartOf(intent);
    const isOther = part?.launchId === launchId && isUnderWay(intent.state) && intent.id !== except;
    return isOther ? [part.step] : [];
  });
}

/** The launch with what the chain shows now, so that it is still known when the node cannot be asked. */
export function withFacts(launch: Launch, facts: LaunchFacts): Launch {
  const proven = provenByViews(facts)
    .filter((step) => launch.done[step] !== "view")
    .reduce((now, step) => withDone(now, step, "view"), launch);
  const pair = facts.pair === undefined || facts.pair === "none" ? launch.pair : facts.pair;
  const lpTokenId = facts.lpTokenId === undefined || facts.lpTokenId === "" ? launch.lpTokenId : facts.lpTokenId;
  if (pair === proven.pair && lpTokenId === proven.lpTokenId) return proven;
  return { ...proven, ...(pair !== undefined && { pair }), ...(lpTokenId !== undefined && { lpTokenId }) };
}

/** The launch and the step that an intent is about. */
export function launchPartOf({ terms }: Intent): { readonly launchId: string; readonly step: LaunchStep } | undefined {
  if (terms.kind === "launch") return { launchId: terms.launchId, step: terms.step };
  return terms.kind === "lock" && terms.launch !== undefined ? { launchId: terms.launch.id, step: "lock" } : undefined;
}

/** The launch after an intent's end; undefined while there is none, or when nothing was carried out. */
function enteredEnd(
  launch: Launch,
  { terms, outcome }: Intent,
  step: LaunchStep,
  encoding: ReturnDataEncoding,
): Launch | undefined {
  if (outcome?.kind === "unknown") return withUnknown(launch, step);
  if (outcome?.kind !== "ok") return undefined;
  if (terms.kind === "lock") {
    // What was locked is in the book of locks, unless the answer could not be read.
    const isUnread = readLockOutcome(terms, outcome.returnData, encoding).kind === "unverified";
    return isUnread ? withUnknown(launch, step) : undefined;
  }
  if (terms.kind !== "launch") return undefined;
  const read = readLaunchOutcome(terms, outcome.returnData, encoding);
  switch (read.kind) {
    case "pair":
      return { ...withDone(launch, step, "answer"), pair: read.pair };
    case "liquidity":
      return { ...withDone(launch, step, "answer"), lpTokenId: read.lp.tokenId, lpUnits: read.lp.units };
    case "done":
      return withDone(launch, step, "answer");
    case "unverified":
      return withUnknown(launch, step);
  }
}

function withUnknown(launch: Launch, step: LaunchStep): Launch {
  return launch.unknown.includes(step) ? launch : { ...launch, unknown: [...launch.unknown, step] };
}
