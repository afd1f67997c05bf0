import type { Database } from "../../store/store.js";
import type { Clock } from "../../clock.js";
import { Fault } from "../../fault.js";
import type { Launch } from "../launch-record.js";
import type { Person } from "../person/person.js";
import { payoutOf, personOf, updatePerson } from "../person/people.js";
import { assertSwappable } from "../swap/request.js";
import { readFacts, type FactParts, type LaunchFacts } from "./facts.js";
import { launchesOf, withFacts, withLaunch } from "./launch.js";
import { readLpName, readLpTicker, suggestedLpName, type LaunchStart } from "./request.js";

/** How many launches a person can have at once: more than anybody follows. */
const MAX_LAUNCHES = 20;

interface StartParts extends FactParts {
  readonly store: Database;
  readonly clock: Clock;
  readonly newId: () => string;
}

/**
 * Begins a launch and gives its id; of a pair that the person already launches, the id of that launch. A pair that exists
 * is refused, unless the person made it and it is not open for swaps: then its launch is taken up where it stands.
 * @throws Fault `wallet-missing`, `tokens-identical`, `token-not-swappable`, `lp-…`, `pair-exists`, `launches-full`.
 */
export async function startLaunch(parts: StartParts, userId: number, request: LaunchStart): Promise<string> {
  const person = await personOf(parts.store, userId);
  const launch = newLaunch(parts, request);
  const before = launchOfPair(person, launch);
  if (before !== undefined) return before.id;
  const facts = await readFacts(parts, launch);
  assertFree(person, facts);
  const begun = withFacts(inPoolOrder(launch, facts), facts);
  return updatePerson(parts.store, userId, (now) => {
    const meanwhile = launchOfPair(now, launch);
    if (meanwhile !== undefined) return [now, meanwhile.id];
    if (launchesOf(now).length >= MAX_LAUNCHES) throw new Fault("launches-full", { maximum: MAX_LAUNCHES });
    return [withLaunch(now, begun), begun.id];
  });
}

/**
 * Whether a pair could be launched, before its LP token is named: its own launch that was begun is no obstacle.
 * @throws Fault `wallet-missing`, `token-not-swappable`, `lp-…`, `pair-exists`.
 */
export async function assertLaunchable(
  parts: StartParts,
  userId: number,
  request: Pick<LaunchStart, "first" | "second">,
): Promise<void> {
  const person = await personOf(parts.store, userId);
  const launch = newLaunch(parts, request);
  if (launchOfPair(person, launch) === undefined) assertFree(person, await readFacts(parts, launch));
}

function newLaunch({ clock, newId }: Pick<StartParts, "clock" | "newId">, request: LaunchStart): Launch {
  const { first, second } = request;
  if (first.id === second.id) throw new Fault("tokens-identical", { token: first.id });
  [first, second].forEach(assertSwappable);
  const suggested = suggestedLpName(first, second);
  return {
    id: newId(),
    firstToken: first,
    secondToken: second,
    lpTicker: readLpTicker(request.lpTicker ?? suggested),
    lpName: readLpName(request.lpName ?? request.lpTicker ?? suggested),
    createdAt: clock.now(),
    done: {},
    unknown: [],
    intents: [],
  };
}

function launchOfPair(person: Person, { firstToken, secondToken }: Launch): Launch | undefined {
  const ids = [firstToken.id, secondToken.id];
  return launchesOf(person).find((each) => ids.includes(each.firstToken.id) && ids.includes(each.secondToken.id));
}

/** @throws Fault `wallet-missing`, `pair-exists`. */
function assertFree(person: Person, { pair, adder, state }: LaunchFacts): void {
  const payout = payoutOf(person);
  if (pair === undefined || pair === "none") return;
  const isOwnAndClosed = adder === payout && state !== undefined && state !== "Active";
  if (!isOwnAndClosed) throw new Fault("pair-exists", { pair });
}

function inPoolOrder(launch: Launch, { firstTokenId }: LaunchFacts): Launch {
  const { firstToken, secondToken } = launch;
  return firstTokenId === secondToken.id ? { ...launch, firstToken: secondToken, secondToken: firstToken } : launch;
}
