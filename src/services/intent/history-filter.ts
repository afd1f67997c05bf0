import type { IntentKind } from "./terms.js";

/** What of the history is shown: all of it, or some kinds of call. */
export const historyFilters = ["all", "swap", "multihop", "lock", "launch"] as const;
export type HistoryFilter = (typeof historyFilters)[number];

/** The kinds that are shown, undefined for all of them. Locks are shown with what ends them. */
export function kindsOf(filter: HistoryFilter): readonly IntentKind[] | undefined {
  if (filter === "all") return undefined;
  return filter === "lock" ? ["lock", "unlock"] : [filter];
}
