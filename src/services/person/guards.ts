import type { Guard, GuardChange, Later, Person } from "./person.js";

const KEPT = 10;

export function withChange(person: Person, guard: Guard, at: number): Person {
  return { ...person, changes: [{ at, guard }, ...(person.changes ?? [])].slice(0, KEPT) };
}

export function laterOf({ later }: Pick<Person, "later">, guard: Later["guard"]): Later | undefined {
  return later?.find((one) => one.guard === guard);
}

/** Replaces an earlier change of the same guard. */
export function withLater(person: Person, later: Later): Person {
  const before = withoutLater(person, later.guard);
  return { ...before, later: [...(before.later ?? []), later] };
}

/** Without `guard`: all of them. */
export function withoutLater(person: Person, guard?: Later["guard"]): Person {
  const { later = [], ...rest } = person;
  const left = later.filter((one) => guard !== undefined && one.guard !== guard);
  return left.length === 0 ? rest : { ...rest, later: left };
}

export function inEffect(person: Person, later: GuardChange, now: number): Person {
  const { frozenSince, ...rest } = withoutLater(person, later.guard);
  if (later.guard === "unfreeze") return frozenSince === undefined ? rest : withChange(rest, "unfreeze", now);
  const frozen = frozenSince !== undefined && { frozenSince };
  return withChange({ ...rest, ...frozen, wallet: { address: later.address, since: now } }, "wallet", now);
}
