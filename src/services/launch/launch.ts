import type { Address } from "../../encoding/address.js";
import type { Amount } from "../../encoding/amount.js";
import type { Token } from "../../encoding/token.js";
import type { Person } from "../people.js";

/** The steps of a launch, in their order (interface, "Pair launch sequence"; the local roles are a step of their own). */
export const launchSteps = ["create-pair", "issue-lp", "set-roles", "add-liquidity", "lock", "enable"] as const;
export type LaunchStep = (typeof launchSteps)[number];

/** How a step is known to be done: a view of the chain shows it, the node answered ok to its call, or the person said so. */
export type Evidence = "view" | "answer" | "word";

/** A pair on its way from nothing to its first swap, which can take weeks. */
export interface Launch {
  readonly id: string;
  /** In the pool's order. */
  readonly firstToken: Token;
  readonly secondToken: Token;
  readonly lpName: string;
  readonly lpTicker: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly pair?: Address;
  readonly lpTokenId?: string;
  /** What the first deposit gave, in the LP token's smallest units, by the pair's answer. */
  readonly lpUnits?: bigint;
  /** The first deposit as the person last planned it, in the pool's order. */
  readonly liquidity?: { readonly first: Amount; readonly second: Amount };
  readonly done: Readonly<Partial<Record<LaunchStep, Evidence>>>;
  /** Steps of which a call left whose outcome nobody knows, until a view or the person tells. */
  readonly unknown: readonly LaunchStep[];
  /** The intents whose ends are in the fields above, so that none counts again after the person has spoken. */
  readonly intents: readonly string[];
}

/** A person's launches by id. */
export type Launches = Readonly<Record<string, Launch>>;

export function launchOf(person: Person, id: string): Launch | undefined {
  const launches = person.launches ?? {};
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

/**
 * The LP token of one of the person's launches, which no token list knows yet. Nobody told its precision, so its amounts are
 * smallest units.
 */
export function launchedLpToken(person: Person, id: string): Token | undefined {
  const launch = launchesOf(person).find(({ lpTokenId }) => lpTokenId !== undefined && lpTokenId === id);
  return launch && { id, name: launch.lpName, kind: "fungible" };
}
