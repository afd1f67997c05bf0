import type { Amount } from "../encoding/amount.js";
import { addAmounts, compareAmounts, gainBps, shareInBps, subtractAmounts, timesAsMuch } from "../encoding/amount.js";
import { isProven, type IntentOf } from "../services/intent/intent.js";
import type { PoolsPrice } from "../services/intent/terms.js";
import { paidWithToken, withToken, percentOfBps } from "./amount.js";
import { buttons, button, commandButton, repeatButton } from "./buttons.js";
import type { Rows, View } from "./card.js";
import { labelled, type Line, type Lines } from "./line.js";
import { type Acknowledgement, receivedLine } from "./subject.js";

/** An unknown price may cost everything. */
const EVERYTHING_BPS = 10_000n;
/** From so many times on, a factor says more than a percentage. */
const MANY_TIMES = 10n;

interface Promised {
  readonly paid: Amount;
  readonly gross: Amount;
  readonly net: Amount;
  /** Absent: nothing can be compared. `hasNoPools`: there are none for these tokens. */
  readonly pools?: PoolsPrice | undefined;
  readonly hasNoPools?: true;
}

interface PriceWords {
  readonly warning?: string;
  readonly figure?: Line | undefined;
  readonly acknowledgement?: Acknowledgement | undefined;
}

export function priceWords(promised: Promised, view: View): PriceWords {
  const { paid, gross, net, pools, hasNoPools } = promised;
  const { price: words, swap } = view.words;
  const warnBps = BigInt(view.warnImpactBps);
  const percentOf = (bps: number | bigint) => percentOfBps(bps, view.words);
  const warned = (warning: string, lossBps: bigint, reason: string): PriceWords => {
    const sentences = [reason, labelled(swap.expected, withToken(net, view.words))];
    const acknowledgement = { headline: warning, sentences, button: words.acceptButton, mayPass: true } as const;
    return { warning, acknowledgement: needsIt(lossBps, view) ? acknowledgement : undefined };
  };
  if (pools === undefined) {
    // A step before every card would soon be tapped away unread.
    const lossBps = hasNoPools ? 0n : EVERYTHING_BPS;
    return warned(words.notCompared, lossBps, words.unknown(paidWithToken(paid, view.words)));
  }
  const apart = gainBps(gross, pools.best) ?? 0n;
  const { impactBps } = pools;
  const impact = impactBps === undefined ? undefined : labelled(words.impact, percentOf(impactBps));
  const severity = apart > BigInt(pools.lossBps) ? apart : BigInt(pools.lossBps);
  if (severity <= warnBps) return { figure: impact };

  // Beside a warning, a small figure only distracts.
  const figure = (impactBps ?? 0) > view.warnImpactBps ? impact : undefined;
  const times = apart > 0n ? timesAsMuch(gross, pools.best) : timesAsMuch(pools.best, gross);
  const howFar = times >= MANY_TIMES ? `${times}×` : percentOf(apart);
  if (apart > warnBps) {
    const warning = times >= MANY_TIMES ? words.unrealistic(howFar) : words.aboveWarning(howFar);
    const only = words.above(pools.path.join(" → "), withToken(pools.best, view.words));
    return { figure, ...warned(warning, severity, only) };
  }
  const acknowledgement = needsIt(severity, view) ? lossAcknowledgement(promised, pools, view) : undefined;
  const loss = paidWithToken(pools.loss, view.words);
  return -apart <= warnBps
    ? { warning: words.impactWarning(percentOf(impactBps ?? pools.lossBps), loss), acknowledgement }
    : { figure, warning: words.belowWarning(howFar, loss), acknowledgement };
}

/** From the operator's ceiling on, an extra confirmation is asked for. */
function needsIt(lossBps: bigint, view: View): boolean {
  return (lossBps > EVERYTHING_BPS ? EVERYTHING_BPS : lossBps) > BigInt(view.maxImpactBps);
}

/** What would be lost of the payment's worth, the fee included; and the better route, if any. */
function lossAcknowledgement({ paid, gross, net }: Promised, { best, path, loss }: PoolsPrice, view: View) {
  const { price: words, swap } = view.words;
  const worth = addAmounts(gross, loss);
  const lost = subtractAmounts(worth, net);
  const sentences = [
    labelled(swap.expected, withToken(net, view.words)),
    compareAmounts(best, net) > 0 && labelled(words.otherWay(via(path)), withToken(best, view.words)),
    labelled(words.worth(paidWithToken(paid, view.words)), paidWithToken(worth, view.words)),
  ];
  const headline = words.lossWarning(percentOfBps(shareInBps(lost, worth), view.words));
  return { headline, sentences, button: words.loseButton(paidWithToken(lost, view.words)) };
}

export function via(path: readonly string[]): string {
  return path.slice(1, -1).join(", ");
}

export function expectedLines(expected: Amount, least: Amount, { words }: View): Lines {
  const { swap } = words;
  return [labelled(swap.expected, withToken(expected, words)), labelled(swap.atLeast, withToken(least, words))];
}

export function tradeSummary(paid: Amount, arrow: string, out: Amount, received: Amount | undefined, view: View) {
  const gained = received === undefined ? out.token.id : withToken(received, view.words);
  return `${paidWithToken(paid, view.words)} ${arrow} ${gained}`;
}

/** As proven; until then as planned and reported. */
export function tradeLines(intent: IntentOf<"swap" | "multihop">, received: Amount, view: View): Lines {
  const paid = labelled(view.words.swap.paid, paidWithToken(intent.terms.amountIn, view.words));
  return [isProven(intent) && paid, receivedLine(intent, received, view)];
}

/** What follows a trade: the same again, and what it got once that is known. */
export function nextButtons(intent: IntentOf<"swap" | "multihop">, isRead: boolean, { words }: View): Rows {
  if (!isRead && !isProven(intent)) return [];
  const { id, terms } = intent;
  const bought = "quotedOut" in terms ? terms.quotedOut : terms.expectedOut;
  const alert = commandButton(words.priceAlert.set, `alert ${bought.token.id} ${terms.amountIn.token.id}`);
  return [
    [repeatButton(terms.request, words.common.repeat), isRead && button(words.receipt.title, buttons.receipt, id)],
    [alert, isRead && isProven(intent) && button(words.picture.share, buttons.shareTrade, id)],
  ];
}
