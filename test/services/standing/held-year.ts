/**
 * What orders are promised while something holds them, reckoned a second time, from prices, holds and what arrived. It
 * shares no code with the bot: also its figures are written here once more.
 */

export type HoldKind = "frozen" | "service" | "telegram" | "trading-paused";

export interface Hold {
  readonly kind: HoldKind;
  readonly from: number;
  readonly until: number;
  /** Whom it concerns, if it isn't everybody. */
  readonly userId?: number;
}

export interface YearOrder {
  readonly id: string;
  readonly userId: number;
  readonly kind: "dca" | "limit" | "stop";
  /** What its price is called. */
  readonly price: number;
  /** Units after the fee; of a regular purchase 0. */
  readonly line: bigint;
  /** When a regular purchase is made, in milliseconds since midnight. */
  readonly at: number;
  readonly setAt: number;
  /** When it has ended, by its time or by a swap. */
  readonly overAt: number;
}

export interface Year {
  readonly orders: readonly YearOrder[];
  readonly holds: readonly Hold[];
  /** Of each price, what it was from when on. */
  readonly prices: readonly (readonly { readonly at: number; readonly units: bigint }[])[];
  /** When prices were answered to the bot, by what they are called. */
  readonly answers: readonly (readonly { readonly at: number; readonly units: bigint }[])[];
  readonly cards: readonly { readonly orderId: string; readonly at: number; readonly n: number | null }[];
  /** Messages of what holds orders, with how many crossings a message that says that it jumps is about. */
  readonly told: readonly { readonly orderIds: readonly string[]; readonly hold: string; readonly at: number }[];
  readonly missed: readonly { readonly orderId: string; readonly at: number; readonly reasons: readonly string[] }[];
  /** How often each price is asked for. */
  readonly roundMs: number;
  readonly end: number;
}

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000] as const;
const SOON = 15 * SECOND;
const TELEGRAM_SOON = 60 * SECOND;
const CARD_LIVES = 10 * MINUTE;
const AGAIN = 4 * HOUR;
const PURCHASE_WITHIN = HOUR;
/** What holds an order is gathered, or a service waited for, before it is said. */
const SAID_AFTER = { frozen: SOON, "trading-paused": SOON, service: MINUTE } as const;
const SAID_AS = { frozen: "frozen", "trading-paused": "trading-paused", service: "no-price" } as const;

interface Span {
  readonly from: number;
  readonly until: number;
}

export interface Verdict {
  readonly faults: readonly string[];
  /** How often each thing was seen that was asked for. */
  readonly counts: ReadonlyMap<string, number>;
}

export function judge(year: Year): Verdict {
  const faults: string[] = [];
  const counts = new Map<string, number>();
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const silences = year.holds.filter(({ kind }) => kind === "telegram");
  const isAway = (at: number) => silences.some(({ from, until }) => from <= at && at < until);
  /** For so long after a hold's end, what it held may still be on its way. */
  const graceOf = ({ kind, until }: Hold): number => {
    if (kind === "service") return Math.max(SOON, year.roundMs);
    if (kind !== "telegram") return SOON;
    const waiting = year.cards.filter(({ at }) => at >= until && at < until + TELEGRAM_SOON).length;
    return TELEGRAM_SOON + Math.ceil(waiting / 25) * SECOND;
  };
  const graces = new Map(year.holds.map((hold) => [hold, graceOf(hold)]));

  for (const order of year.orders) {
    const holds = year.holds.filter(({ userId }) => userId === undefined || userId === order.userId);
    const own = year.cards.filter(({ orderId }) => orderId === order.id);
    const judged = { year, order, holds, graces, own, isAway, faults, count };
    if (order.kind === "dca") judgePurchases(judged);
    else judgePrice(judged);
    judgeSaid(judged);
  }
  return { faults, counts };
}

interface Judged {
  readonly year: Year;
  readonly order: YearOrder;
  readonly holds: readonly Hold[];
  readonly graces: ReadonlyMap<Hold, number>;
  readonly own: Year["cards"];
  readonly isAway: (at: number) => boolean;
  readonly faults: string[];
  readonly count: (what: string) => void;
}

const time = (at: number): string => new Date(at).toISOString().slice(5, 23);
const about = ({ id, kind, userId }: YearOrder): string => `${kind} ${id} of ${userId}`;

/** When nothing holds an order. */
function freeSpans(holds: readonly Hold[], { from, until }: Span): readonly Span[] {
  const free: Span[] = [];
  let at = from;
  for (const hold of holds.toSorted((one, other) => one.from - other.from)) {
    if (hold.until <= at || hold.from >= until) continue;
    if (hold.from > at) free.push({ from: at, until: hold.from });
    at = Math.max(at, hold.until);
  }
  return at < until ? [...free, { from: at, until }] : free;
}

/** By when what became possible at a time must have come, whatever held it until then. */
function deadline({ holds, graces }: Judged, at: number, grace: number): number {
  const ends = holds.filter(({ until }) => until <= at).map((hold) => hold.until + graces.get(hold)!);
  return Math.max(at + grace, ...ends);
}

function isBeyond({ kind, line }: YearOrder, units: bigint): boolean {
  const net = units - (units * 1000n) / 100_000n;
  return kind === "limit" ? net >= line : net <= line;
}

/** An answer one percent back from the line: what comes next beyond it is a crossing again. */
function isBack({ kind, line }: YearOrder, units: bigint): boolean {
  const net = units - (units * 1000n) / 100_000n;
  return kind === "limit" ? net * 1000n <= line * 989n : net * 1000n >= line * 1011n;
}

/** When an order's price is beyond its line. */
function reachedSpans({ prices, end }: Year, order: YearOrder): readonly Span[] {
  const spans: { from: number; until: number }[] = [];
  const steps = prices[order.price]!;
  for (const [place, { at, units }] of steps.entries()) {
    if (!isBeyond(order, units)) continue;
    const span = { from: Math.max(at, order.setAt), until: Math.min(steps[place + 1]?.at ?? end, order.overAt) };
    if (span.from >= span.until) continue;
    if (spans.at(-1)?.until === span.from) spans.at(-1)!.until = span.until;
    else spans.push(span);
  }
  return spans;
}

function judgePrice(judged: Judged): void {
  const { year, order, holds, own, isAway, faults, count } = judged;
  const sure = own.filter(({ at }) => !isAway(at));
  const answers = year.answers[order.price]!;
  for (const reached of reachedSpans(year, order)) {
    for (const free of freeSpans(holds, reached)) {
      // Its crossing is seen with the next round; what a hold's end brings back was seen before, or is asked for at once.
      let at = free.from;
      const seenBy = reached.from + year.roundMs;
      while (at < free.until) {
        const by = deadline(judged, at, Math.max(SOON, seenBy + SOON - at));
        if (by >= free.until) break;
        const card = sure.find((one) => one.at >= at - SOON && one.at <= by);
        if (card !== undefined) {
          count(
            holds.some(({ until }) => until === free.from) && at === free.from ? "offered at a hold's end" : "offered",
          );
          at = card.at + AGAIN;
          continue;
        }
        const excuse = excuseOf(judged, sure, answers, by);
        if (excuse === undefined) {
          faults.push(`${about(order)}: reached and free from ${time(at)}, nothing by ${time(by)}`);
          break;
        }
        count(excuse.why);
        at = Math.max(excuse.until, at + SECOND);
      }
    }
  }
  for (const [place, { at }] of own.entries()) {
    const before = own[place - 1];
    if (
      before !== undefined &&
      !isAway(before.at) &&
      at - before.at < CARD_LIVES - MINUTE &&
      !isVoid(judged, before.at)
    )
      faults.push(`${about(order)}: two cards at ${time(before.at)} and ${time(at)}`);
  }
  for (const day of new Set(sure.map(({ at }) => Math.floor(at / DAY))))
    if (sure.filter(({ at }) => Math.floor(at / DAY) === day).length > 3) faults.push(`${about(order)}: four a day`);
}

/** Whether a card was taken away before its owner could tap it, so that it counts for nothing but a place of three a day. */
function isVoid({ holds }: Judged, at: number): boolean {
  const ended = at + CARD_LIVES;
  return holds.some(
    ({ kind, from, until }) => kind !== "service" && kind !== "telegram" && from <= ended && ended <= until,
  );
}

/** Why nothing need come by a time, and until when. */
function excuseOf(judged: Judged, sure: Year["cards"], answers: Year["answers"][number], by: number) {
  const { order, own, isAway } = judged;
  // What was sent while answers were lost may have arrived, as long as it lives.
  const unclear = own.filter(({ at }) => isAway(at) && at <= by && at + CARD_LIVES + SOON > by).at(-1);
  if (unclear !== undefined) return { why: "may have arrived", until: unclear.at + CARD_LIVES + SECOND };
  const last = sure.filter(({ at }) => at <= by).at(-1);
  if (last !== undefined && last.at + CARD_LIVES + SOON > by)
    return { why: "its card is open", until: last.at + CARD_LIVES + SECOND };
  const day = Math.floor(by / DAY);
  if (sure.filter(({ at }) => Math.floor(at / DAY) === day && at <= by).length >= 3)
    return { why: "three that day", until: (day + 1) * DAY };
  if (last !== undefined && last.at + AGAIN + SOON > by && !isVoid(judged, last.at)) {
    const isRearmed = answers.some(({ at, units }) => at > last.at && at < by && isBack(order, units));
    if (!isRearmed) return { why: "told within four hours", until: last.at + AGAIN };
  }
  return undefined;
}

function judgePurchases(judged: Judged): void {
  const { year, order, holds, own, isAway, faults, count } = judged;
  const first = Math.floor(order.setAt / DAY) * DAY + order.at;
  const missed = year.missed.filter(({ orderId }) => orderId === order.id);
  let told = 0;
  for (let at = first > order.setAt ? first : first + DAY; at < order.overAt && at + 3 * HOUR < year.end; at += DAY) {
    const [free] = freeSpans(holds, { from: at, until: at + PURCHASE_WITHIN });
    const came = own.filter((card) => card.at >= at && card.at < at + DAY - HOUR);
    const by = free && deadline(judged, free.from, SOON);
    if (by !== undefined && by < free!.until) {
      if (!came.some((card) => card.at <= by))
        faults.push(`${about(order)}: ${time(free!.from)}, nothing by ${time(by)}`);
      count(free!.from > at ? "purchase at a hold's end" : "purchase");
    } else if (came.length === 0) {
      told += 1;
      count("purchase missed");
      const during = holds
        .filter(({ from, until }) => from < at + PURCHASE_WITHIN && until > at)
        .map(({ kind }) => kind);
      const known = missed.find((one) => one.at >= at && one.at < at + DAY);
      const isTrue = known?.reasons.some((reason) =>
        during.some((kind) => (kind === "service" ? "no-price" : kind) === reason),
      );
      if (isTrue !== true)
        faults.push(`${about(order)}: missed at ${time(at)} by ${during.join()}, told ${known?.reasons.join()}`);
    }
    // One that a freeze or a pause took away comes again within its hour.
    if (came.filter((card) => !isAway(card.at) && !isVoid(judged, card.at)).length > 1)
      faults.push(`${about(order)}: two cards on ${time(at)}`);
  }
  const said = missed.length;
  if (said < told) faults.push(`${about(order)}: ${told} missed, ${said} told`);
}

/** What holds a reached order is said, and once. */
function judgeSaid(judged: Judged): void {
  const { year, order, holds, own, isAway, faults, count } = judged;
  const sure = own.filter(({ at }) => !isAway(at));
  const answers = year.answers[order.price]!;
  const starts = order.kind === "dca" ? purchaseSpans(order) : reachedSpans(year, order);
  for (const hold of holds) {
    const { kind } = hold;
    if (kind === "telegram") continue;
    const said = year.told.filter(
      ({ orderIds, hold: of, at }) =>
        of === SAID_AS[kind] && orderIds.includes(order.id) && at >= hold.from && at < hold.until + MINUTE,
    );
    const heard = said.filter(({ at }) => !isAway(at));
    if (heard.length > 1) faults.push(`${about(order)}: ${kind} told ${heard.length} times from ${time(hold.from)}`);
    for (const reached of starts) {
      const from = Math.max(reached.from, hold.from);
      const until = Math.min(reached.until, hold.until);
      // Nothing else is in the way of finding out and saying so.
      const wait = year.roundMs + SAID_AFTER[kind] + 2 * SOON;
      const others = holds.filter(
        (other) => other !== hold && other.from < from + wait + MINUTE && other.until > from - MINUTE,
      );
      if (from + wait > until || others.length > 0) continue;
      // That a service doesn't answer is known of an order only if its price was asked for to offer it.
      if (kind === "service" && !(order.kind === "dca" && reached.from > hold.from)) continue;
      const isOffered =
        order.kind === "dca"
          ? own.some(({ at }) => at >= reached.from && at <= from + wait)
          : excuseOf(judged, sure, answers, from + wait) !== undefined;
      if (isOffered) continue;
      const isKnown = said.some(({ at }) => at <= from + wait);
      const wasTold = year.told.some(
        ({ orderIds, at }) =>
          orderIds.includes(order.id) && at < from && !sure.some((card) => card.at > at && card.at < from),
      );
      count(isKnown ? `said: ${kind}` : "said before");
      if (!isKnown && !wasTold)
        faults.push(`${about(order)}: ${kind} from ${time(from)}, not said by ${time(from + wait)}`);
    }
  }
}

function purchaseSpans({ at: time, setAt, overAt }: YearOrder): readonly Span[] {
  const spans: Span[] = [];
  for (let at = Math.ceil((setAt - time) / DAY) * DAY + time; at < overAt; at += DAY)
    spans.push({ from: at, until: at + PURCHASE_WITHIN });
  return spans;
}
