import { amountOf, compareAmounts, isZero } from "../../encoding/amount.js";
import { formatAssetId } from "../../encoding/asset.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import { unlistedToken } from "../../encoding/token.js";
import type { MultihopTerms } from "../intent/terms.js";
import { outputsOf, seenToArrive, type Answered } from "../intent/finding.js";

/**
 * The answer has unused inputs in the order of the hops, then the output. Undefined below the minimum; without an
 * answer, unless balances prove it.
 */
export function readMultihopOutcome(call: Answered<MultihopTerms>, encoding: ReturnDataEncoding) {
  const { terms, outcome } = call;
  if (outcome?.kind === "unknown") {
    const received = seenToArrive(call, terms.minimumOut);
    return received && { received, change: [] };
  }
  const [payments = []] = outputsOf("router", "multiPairSwap", outcome, encoding) ?? [];
  const tokens = [terms.amountIn, terms.minimumOut, ...terms.hops.map((hop) => hop.amountOut)].map(
    ({ token }) => token,
  );
  const amounts = payments.map(({ tokenId, nonce, units }) => {
    const known = nonce === undefined ? tokens.find((token) => token.id === tokenId) : undefined;
    return amountOf(known ?? unlistedToken(formatAssetId({ tokenId, ...(nonce !== undefined && { nonce }) })), units);
  });
  const received = amounts.at(-1);
  if (received?.token.id !== terms.minimumOut.token.id || compareAmounts(received, terms.minimumOut) < 0) {
    return undefined;
  }
  return { received, change: amounts.slice(0, -1).filter((amount) => !isZero(amount)) };
}
