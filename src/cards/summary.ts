import type { Amount } from "../encoding/amount.js";
import { formatAssetId } from "../encoding/asset.js";
import type { Intent } from "../model/intent.js";
import { readMultihopOutcome } from "../services/multihop/outcome.js";
import { readSwapOutcome } from "../services/swap/referral-swap.js";
import { withToken } from "./amount.js";
import { viewOfOutcome, type View } from "./view.js";

/** What an intent was about, in one line: with what came out of it where the answer says so. */
export function summaryOf({ terms, outcome }: Intent, anyView: View): string {
  const view = viewOfOutcome(anyView, outcome);
  const amount = (one: Amount) => withToken(one, view.words);
  const returnData = outcome?.kind === "ok" ? outcome.returnData : undefined;
  switch (terms.kind) {
    case "swap": {
      const read = returnData && readSwapOutcome(terms, returnData, view.returnDataEncoding);
      const out = read?.kind === "split" ? amount(read.received) : terms.quotedOut.token.id;
      return `${amount(terms.amountIn)} → ${out}`;
    }
    case "multihop": {
      const read = returnData && readMultihopOutcome(terms, returnData, view.returnDataEncoding);
      const out = read?.kind === "swapped" ? amount(read.received) : terms.expectedOut.token.id;
      return `${amount(terms.amountIn)} ⇢ ${out}`;
    }
    case "lock":
      return `🔒 ${amount(terms.amount)} · ${view.words.lock.unlocksAt(terms.unlockEpoch.toString())}`;
    case "unlock":
      return `🔓 ${amount({ token: terms.original ?? terms.amount.token, units: terms.amount.units })} · ${formatAssetId(terms.locked)}`;
    case "launch":
      return `🚀 ${view.words.launch.stepTitle(terms.step, terms.firstToken.id, terms.secondToken.id)}`;
  }
}
