import type { IntentState } from "../../model/intent.js";

export const history = {
  title: "What you did",
  empty: "There is nothing here yet. /swap makes the first one.",
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  states: {
    QUOTED: "open",
    CLAIMED: "being sent",
    SIGNING: "waiting for your signature",
    SENT: "waiting for the answer",
    OK: "answered ok",
    FAILED: "failed",
    UNKNOWN: "outcome unknown",
    EXPIRED: "expired",
    CANCELED: "cancelled",
    SUPERSEDED: "replaced",
  } satisfies Record<IntentState, string>,
  feesTitle: "Fees",
  feesExplain: (percent: string) =>
    `Each swap splits its output on chain: ${percent} % goes to whoever runs this bot, the rest to you. The card shows both before you confirm. I never take a fee later or elsewhere.`,
  feesPaid: "Paid in the swaps that /history shows, as the node answered",
  feesNone: "No swap that /history shows has paid a fee.",
  feesMore: (tokens: number) => `and in ${tokens} more tokens`,
};
