import type { IntentKind } from "./terms.js";

/** What of the history is shown: all of it, or some kinds of call. */
export const historyFilters = ["all", "swap", "multihop", "lock", "launch"] as const;
export type HistoryFilter = (typeof historyFilters)[number];

/** Whether a kind is shown. Locks are shown with what ends them. */
export function isShownBy(filter: HistoryFilter, kind: IntentKind): boolean {
  return filter === "all" || filter === (kind === "unlock" ? "lock" : kind);
}
