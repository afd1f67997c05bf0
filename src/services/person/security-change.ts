/** What guards a person's money. */
export const guards = ["wallet", "freeze", "unfreeze", "limit", "phrase", "slippage", "timezone"] as const;
export type Guard = (typeof guards)[number];

export interface SecurityChange {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly guard: Guard;
}

/** So many are remembered. */
const KEPT = 10;

/** Somebody with one change more. */
export function withChange<Changed extends { readonly changes?: readonly SecurityChange[] }>(
  person: Changed,
  guard: Guard,
  at: number,
): Changed {
  return { ...person, changes: [{ at, guard }, ...(person.changes ?? [])].slice(0, KEPT) };
}
