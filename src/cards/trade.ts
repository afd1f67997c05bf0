import { gainBps, timesAsMuch, type Amount } from "../encoding/amount.js";
import { formatBps } from "../encoding/percent.js";
import { isProven, type IntentOf } from "../model/intent.js";
import type { PoolsPrice } from "../model/terms.js";
import { paidWithToken, withToken } from "./amount.js";
import { labelled, type Line, type Lines, type View } from "./card.js";
import type { Subject } from "./subject.js";

/** An unknown price may cost everything. */
const EVERYTHING_BPS = 10_000n;
/** From so many times on, a factor says more than a percentage. */
const MANY_TIMES = 10n;

/** What a card says of its price. */
interface PriceWords {
  /** Above everything else; none where there is nothing to warn of. */
  readonly warning?: string;
  /** Among the figures. */
  readonly figure?: Line | undefined;
  /** What has to be agreed to first, where so much would be lost, or the loss is unknown. */
  readonly hurdle?: Subject["hurdle"];
}

/**
 * What a card says of what it promises for a payment, beside what the pools give. Without pools nothing can be compared;
 * `hasNoPools` where nobody has any.
 */
export function priceWords(
  paid: Amount,
  promised: Amount,
  { pools, hasNoPools }: { readonly pools?: PoolsPrice | undefined; readonly hasNoPools?: true },
  view: View,
): PriceWords {
  const words = view.words.price;
  const warnBps = BigInt(view.warnImpactBps);
  const hurdleFor = (bps: bigint, ...sentences: readonly string[]) =>
    (bps > EVERYTHING_BPS ? EVERYTHING_BPS : bps) > BigInt(view.maxImpactBps)
      ? { sentences, button: words.acceptButton }
      : undefined;
  if (pools === undefined) {
    // A step before every card would soon be tapped away unread.
    const lossBps = hasNoPools ? 0n : EVERYTHING_BPS;
    return { warning: words.notCompared, hurdle: hurdleFor(lossBps, words.unknown(paidWithToken(paid, view.words))) };
  }
  const impact = formatBps(pools.impactBps ?? pools.lossBps);
  const apart = gainBps(promised, pools.best) ?? 0n;
  const distance = apart < 0n ? -apart : apart;
  const figure = pools.impactBps === undefined ? undefined : labelled(words.impact, `${impact} %`);
  const severity = apart > BigInt(pools.lossBps) ? apart : BigInt(pools.lossBps);
  if (severity <= warnBps) return { figure };

  const best = withToken(pools.best, view.words);
  const loss = paidWithToken(pools.loss, view.words);
  const path = pools.path.join(" → ");
  if (distance <= warnBps) {
    return { warning: words.impactWarning(impact, loss), hurdle: hurdleFor(severity, words.impactLoss(impact, loss)) };
  }
  const times = apart > 0n ? timesAsMuch(promised, pools.best) : timesAsMuch(pools.best, promised);
  const howFar = times >= MANY_TIMES ? words.times(times) : `${formatBps(distance)} %`;
  return apart > 0n
    ? { figure, warning: words.aboveWarning(howFar), hurdle: hurdleFor(severity, words.above(howFar, path, best)) }
    : {
        figure,
        warning: words.belowWarning(howFar, loss),
        hurdle: hurdleFor(severity, words.below(howFar, path, best), words.loss(loss)),
      };
}

/** What was paid and what came out: as it was once that is proven, until then as it was planned and reported. */
export function tradeLines(intent: IntentOf<"swap" | "multihop">, received: Amount, view: View): Lines {
  const words = view.words.swap;
  const proven = isProven(intent);
  return [
    labelled(proven ? words.paid : words.youPay, paidWithToken(intent.terms.amountIn, view.words)),
    labelled(proven ? words.received : view.words.intent.reported, withToken(received, view.words)),
  ];
}
