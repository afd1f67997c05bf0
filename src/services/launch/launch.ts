import { amountOf, compareAmounts, type Amount } from "../../encoding/amount.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import { Fault } from "../../fault.js";
import { isUnderWay, type Intent } from "../intent/intent.js";
import type { Evidence, Launch } from "../launch-record.js";
import type { LaunchStep } from "../request.js";
import { launchIdOf } from "../request.js";
import type { Person } from "../person/person.js";
import { readLockOutcome } from "../lock/outcome.js";
import type { LaunchFacts } from "./facts.js";
import { provenByViews } from "./progress.js";
import { gainOf, type Gain } from "./steps.js";
import { MINIMUM_LIQUIDITY } from "./thresholds.js";

/** An end is recorded when it is written, and at most once again after a crash: remembering the last few is enough to recognise it. */
const MAX_INTENTS = 50;

/** A person's launch. @throws Fault `launch-unknown` when it was dropped, or never was. */
export function launchOf(person: Person, id: string): Launch {
  const launch = findLaunch(person, id);
  if (launch === undefined) throw new Fault("launch-unknown", {});
  return launch;
}

export function findLaunch({ launches = {} }: Person, id: string): Launch | undefined {
  return Object.hasOwn(launches, id) ? launches[id] : undefined;
}

/** A person's launches, the newest first. */
export function launchesOf(person: Person): readonly Launch[] {
  return Object.values(person.launches ?? {}).sort((left, right) => right.createdAt - left.createdAt);
}

export function withLaunch(person: Person, launch: Launch): Person {
  return { ...person, launches: { ...person.launches, [launch.id]: launch } };
}

/** The person without a launch: it is dropped from the list, and nothing on the chain changes. */
export function withoutLaunch(person: Person, id: string): Person {
  const { [id]: _dropped, ...launches } = person.launches ?? {};
  return { ...person, launches };
}

/** The launch with a step done; what was unknown about the step is settled with it. */
export function withDone(launch: Launch, step: LaunchStep, by: Evidence): Launch {
  return { ...launch, done: { ...launch.done, [step]: by }, unknown: launch.unknown.filter((each) => each !== step) };
}

/** The launch with a step open again. */
export function withOpen(launch: Launch, step: LaunchStep): Launch {
  const { [step]: _done, ...done } = launch.done;
  return { ...launch, done, unknown: launch.unknown.filter((each) => each !== step) };
}

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
  const launchId = launchIdOf(terms.request);
  return launchId === undefined ? undefined : { launchId, step: terms.kind === "launch" ? terms.step : "lock" };
}

/** The steps of a launch of which one of these calls has been claimed or sent and is not answered yet, `except` one's own. */
export function stepsUnderWay(intents: readonly Intent[], launchId: string, except?: string): readonly LaunchStep[] {
  return intents.flatMap((intent) => {
    const part = launchPartOf(intent);
    const isOther = part?.launchId === launchId && isUnderWay(intent.state) && intent.id !== except;
    return isOther ? [part.step] : [];
  });
}

/** Enters the end of a launch's call, once: what was answered ok, or that the outcome is unknown. */
export function bookLaunch(person: Person, intent: Intent, encoding: ReturnDataEncoding): Person {
  const part = launchPartOf(intent);
  const launch = part && findLaunch(person, part.launchId);
  // The chain may still show what became of an unknown one, and that counts too.
  const entry = intent.outcome?.kind === "unknown" ? `${intent.id}?` : intent.id;
  if (part === undefined || launch === undefined || launch.intents.includes(entry)) return person;
  const gained = gainedBy(intent, encoding);
  if (gained === "nothing") return person;
  const entered =
    gained === "unknown"
      ? { ...launch, unknown: [...new Set([...launch.unknown, part.step])] }
      : { ...withDone(launch, part.step, "answer"), ...gained };
  return withLaunch(person, { ...entered, intents: [...launch.intents, entry].slice(-MAX_INTENTS) });
}

function gainedBy({ terms, outcome }: Intent, encoding: ReturnDataEncoding): Gain | "unknown" | "nothing" {
  if (outcome?.kind === "unknown") return "unknown";
  if (outcome?.kind !== "ok") return "nothing";
  if (terms.kind === "launch") return gainOf({ terms, outcome }, encoding) ?? "unknown";
  // What was locked is among the person's locks, unless the answer could not be read.
  return terms.kind === "lock" && readLockOutcome({ terms, outcome }, encoding) !== undefined ? "nothing" : "unknown";
}
