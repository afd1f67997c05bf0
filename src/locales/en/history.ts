import type { HistoryFilter } from "../../model/history-filter.js";

export const history = {
  empty: "Nothing here yet. Start with /swap.",
  nothingHere: "Nothing of this kind yet.",
  filters: { all: "All", swap: "Swaps", multihop: "Routes", lock: "Locks", launch: "Launches" } satisfies Record<
    HistoryFilter,
    string
  >,
  done: "done",
  accepted: "the node accepted it",
  refused: "refused",
  notSent: "not sent",
  unknown: "outcome unknown",
  arrived: "no answer, but it has arrived",
  signing: "waiting for your signature",
  underWay: "under way",
  file: "📄 Everything as a file (CSV)",
  fileName: "history.csv",
  fileCaption: "Everything since the beginning, oldest first. Amounts are exact; what isn't certain has none.",
  feesTitle: "Fees",
  feesExplain: (percent: string) =>
    `Each swap splits its output on chain: ${percent} % goes to whoever runs this bot, the rest to you. The card shows both before you confirm. I never take a fee later or elsewhere.`,
  feesPaid: "Paid by the swaps in /history, as the node reported",
  feesNone: "None of the swaps in /history has paid a fee.",
  feesMore: (tokens: number) => `and in ${tokens} more tokens`,
};
