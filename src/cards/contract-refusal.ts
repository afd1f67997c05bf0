import { formatBps } from "../encoding/percent.js";
import type { Messages } from "../locales/messages.js";
import type { Terms } from "../model/terms.js";

/** More of a stranger's text is not shown on a card. */
const MAX_QUOTED = 120;

/**
 * Why a contract refused, with what can be done about it, where its text is known; otherwise the text as it came. Nodes put
 * words of their own around a contract's, so a known text may stand anywhere in it.
 */
export function refusalOf(text: string, terms: Terms, { refusals, intent }: Messages): string {
  const said = text.toLowerCase();
  const slippage = "slippageBps" in terms ? formatBps(terms.slippageBps) : undefined;
  const known = Object.entries(refusals).find(([part]) => said.includes(part.toLowerCase()))?.[1];
  if (known !== undefined && (slippage !== undefined || known.length === 0)) return known(slippage ?? "");
  return intent.refusalSays(Array.from(text).slice(0, MAX_QUOTED).join(""));
}
