import type { HistoryFilter } from "../../model/history-filter.js";

export const history = {
  title: "What you did",
  empty: "There is nothing here yet. /swap makes the first one.",
  nothingHere: "Nothing of this kind.",
  filters: { all: "All", swap: "Swaps", multihop: "Routes", lock: "Locks", launch: "Launches" } satisfies Record<
    HistoryFilter,
    string
  >,
  done: "done",
  accepted: "the node accepted it",
  refused: "refused",
  notSent: "not sent",
  unknown: "outcome unknown",
  signing: "waiting for your signature",
  underWay: "under way",
  file: "📄 All as a file (CSV)",
  fileName: "history.csv",
  fileCaption: "Everything since the beginning, the oldest first. Amounts are exact; what is not certain has none.",
  feesTitle: "Fees",
  feesExplain: (percent: string) =>
    `Each swap splits its output on chain: ${percent} % goes to whoever runs this bot, the rest to you. The card shows both before you confirm. I never take a fee later or elsewhere.`,
  feesPaid: "Paid in the swaps that /history shows, as the node answered",
  feesNone: "No swap that /history shows has paid a fee.",
  feesMore: (tokens: number) => `and in ${tokens} more tokens`,
};
