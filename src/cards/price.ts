import { gainBps, timesAsMuch, type Amount } from "../encoding/amount.js";
import { formatBps } from "../encoding/percent.js";
import type { PoolsPrice } from "../model/terms.js";
import { paidWithToken, withToken } from "./amount.js";
import { labelled, type Line } from "./card.js";
import type { View } from "./view.js";

/** What a card says of its price. */
interface PriceWords {
  /** Above everything else; none where there is nothing to warn of. */
  readonly warning: readonly Line[];
  /** Among the figures. */
  readonly lines: readonly Line[];
  /** What has to be agreed to first, where so much would be lost, or the loss is unknown. */
  readonly secondStep?: readonly string[];
}

/** An unknown price may cost everything. */
const EVERYTHING_BPS = 10_000n;
/** From so many times on, a factor says more than a percentage. */
const MANY_TIMES = 10n;

/** What a card says of what it promises, beside what the pools give for the payment. */
export function priceWords(
  {
    paid,
    promised,
    pools,
    hasNoPools = false,
  }: {
    readonly paid: Amount;
    readonly promised: Amount;
    readonly pools?: PoolsPrice | undefined;
    readonly hasNoPools?: boolean | undefined;
  },
  view: View,
): PriceWords {
  const words = view.words.price;
  const { warnImpactBps, maxImpactBps } = view;
  if (pools === undefined) {
    // A step before every card would soon be tapped away unread.
    const needsStep = !hasNoPools && EVERYTHING_BPS > BigInt(maxImpactBps);
    const secondStep = [words.unknown(paidWithToken(paid, view.words))];
    return { warning: [words.notCompared], lines: [], ...(needsStep && { secondStep }) };
  }
  const impact = formatBps(pools.impactBps);
  const apart = gainBps(promised, pools.best) ?? 0n;
  const lines = [labelled(words.impact, `${impact} %`)];
  const severity = apart > BigInt(pools.lossBps) ? apart : BigInt(pools.lossBps);
  if (severity <= BigInt(warnImpactBps)) return { warning: [], lines };

  const best = withToken(pools.best, view.words);
  const loss = paidWithToken(pools.loss, view.words);
  const path = pools.path.join(" → ");
  const isPriced = apart > BigInt(warnImpactBps) || -apart > BigInt(warnImpactBps);
  const needsStep = (severity > EVERYTHING_BPS ? EVERYTHING_BPS : severity) > BigInt(maxImpactBps);
  if (!isPriced) {
    const secondStep = [words.impactLoss(impact, loss)];
    return { warning: [words.impactWarning(impact, loss)], lines: [], ...(needsStep && { secondStep }) };
  }
  const [more, less] = apart > 0n ? [promised, pools.best] : [pools.best, promised];
  const times = timesAsMuch(more, less);
  const howFar = times >= MANY_TIMES ? words.times(times) : `${formatBps(apart > 0n ? apart : -apart)} %`;
  const secondStep =
    apart > 0n ? [words.above(howFar, path, best)] : [words.below(howFar, path, best), words.loss(loss)];
  const warning = apart > 0n ? words.aboveWarning(howFar) : words.belowWarning(howFar, loss);
  return { warning: [warning], lines, ...(needsStep && { secondStep }) };
}
