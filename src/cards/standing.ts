import { amountOf, compareAmounts, formatChange, type Amount } from "../encoding/amount.js";
import type { Messages } from "../locales/messages.js";
import { referralSplit } from "../services/market/referral.js";
import type { StandingNews, StandingView } from "../services/standing/standing-news.js";
import type { StandingPreview } from "../services/standing/standing-preview.js";
import { missReasons, type Misses, type StandingOrder } from "../services/standing/standing-queries.js";
import type { StandingReference } from "../services/terms/standing-terms.js";
import { commandOf } from "../services/terms/terms.js";
import { isLargeFee, paidWithToken, percent, percentOfBps, withToken } from "./amount.js";
import { askedLines, orderCommand, shortRule, standingTitle, untilLine, type Asked } from "./asked-lines.js";
import { button, buttons, commandButton, giving, type StandingAction } from "./buttons.js";
import {
  bold,
  card,
  foldedCard,
  labelled,
  line,
  momentOf,
  say,
  type Card,
  type Line,
  type Lines,
  type View,
} from "./card.js";
import type { Entry } from "./list.js";
import { rightsDetails, rightsSigns } from "./rights.js";

/** What setting an order would mean, with the button that sets it. @param isChange whether it changes one. */
export function setUpCard(preview: StandingPreview, isChange: boolean, view: View): Card {
  const words = view.words.standing;
  const { order, net, fee, held, isFar } = preview;
  const { amount, shareBps = 0n } = fee ?? {};
  const share = percentOfBps(shareBps, view.words);
  const lines: Lines = [
    isFar && bold(words.far),
    bold(words.title[order.kind]),
    askedLines(order, view),
    "schedule" in order.rule ? words.getsAbout(withToken(net, view.words)) : priceLine(order, net, undefined, view),
    untilLine(order, view),
    amount && `${isLargeFee(shareBps) ? "⚠️ " : ""}${words.fee(paidWithToken(amount, view.words), share)}`,
    held && words.balanceShort(withToken(held, view.words)),
    rightsSigns(preview, view),
    preview.isResaleUnknown === true && view.words.rights.resaleUnknown(order.request.to.id),
  ];
  return foldedCard(
    view.words,
    lines,
    [words.noKey[order.kind], rightsDetails(preview, view)],
    [[setButton(isFar, isChange, view)]],
  );
}

/** What the buttons of a set-up answer. */
export const setAnswers = { set: "set", sure: "sure" } as const;

function setButton(isFar: boolean, isChange: boolean, { words: { standing: words } }: View) {
  if (isFar) return button(words.setAnyway, buttons.pick, setAnswers.sure);
  return button(isChange ? words.change : words.set, buttons.pick, setAnswers.set);
}

/** The price of an order is there already: the swap is offered instead. */
export function metCard({ order, net }: StandingPreview, view: View): Card {
  const { standing, swap } = view.words;
  const swapThis = commandButton(swap.swapThis, commandOf({ kind: "swap", ...order.request }));
  return card([bold(standingTitle(order, view)), standing.met(withToken(net, view.words))], [[swapThis]]);
}

/** An order's state, with every action on it. */
export function standingCard(shown: StandingView, view: View, title?: string): Card {
  const words = view.words.standing;
  const { order } = shown;
  const { id, kind, paused, comesInQuietHours } = order;
  if (order.ended !== null)
    return card([bold(standingTitle(order, view)), endLine(order, view)], againRow(order, view));
  const tap = (text: string, action: StandingAction) => button(text, buttons.standing, { action, id });
  const lines: Lines = [
    bold(title ?? words.title[kind]),
    askedLines(order, view),
    untilLine(order, view),
    "",
    stateLines(shown, view),
    order.offeredAt !== null && say(words.offeredAt, momentOf(order.offeredAt, view)),
    missedLine(order.missed, view),
    comesInQuietHours ? words.quietComes : shown.hold !== "quiet" && words.quietWaits,
  ];
  return card(lines, [
    [paused === null ? tap(words.pause, "pause") : tap(words.resume, "resume"), tap(words.edit, "edit")],
    [comesInQuietHours ? tap(words.notAtNight, "hold") : tap(words.atNight, "through")],
    [button(words.all, buttons.ordersPage, 0), giving(tap(words.end, "end"))],
  ]);
}

/** Says that an order was just ended by its owner. */
export function endedOrderCard(order: StandingOrder, view: View): Card {
  const all = [button(view.words.standing.all, buttons.ordersPage, 0)];
  return card([bold(view.words.standing.ended(standingTitle(order, view)))], [...againRow(order, view), all]);
}

/** An order in a list. @param page on which it is. */
export function standingEntry(shown: StandingView, place: number, page: number, view: View): Entry {
  const { common, standing: words } = view.words;
  const { order } = shown;
  const { id, paused } = order;
  const tap = (text: string, action: "pause" | "resume" | "end") =>
    button(text, buttons.standingInList, { action, id, page });
  const toggle = paused === null ? tap(words.pause, "pause") : tap(words.resume, "resume");
  const open = button(common.open(place), buttons.standing, { action: "show", id });
  const what = [`${place}. ${standingTitle(order, view)}`, shortRule(order, view)];
  return { cells: [what, stateLines(shown, view)], buttons: [open, toggle, tap(words.end, "end")] };
}

/** Tells what became of an order, or why some don't come. */
export function standingNewsCard(news: StandingNews, view: View): Card {
  if (news.kind !== "order") return severalCard(news, view);
  const words = view.words.standing;
  const { missed } = news;
  const { order, done } = news.view;
  const title = standingTitle(order, view);
  const { id, kind, rule, ended } = order;
  if (ended === null) {
    const lines = [bold(words.news.missed(title)), missedLine(missed, view), kind === "dca" && words.notMadeUpFor];
    return card(lines, [[button(words.title[kind], buttons.standing, { action: "show", id })]]);
  }
  const lines = [
    bold((ended === "done" ? words.news.done : words.news.over)(title)),
    endLine(order, view),
    "schedule" in rule && words.accepted(done, rule.schedule.times),
    missedLine(missed, view),
  ];
  return card(lines, againRow(order, view));
}

const MAX_TITLES = 10;

function severalCard({ kind, orders }: Exclude<StandingNews, { kind: "order" }>, view: View): Card {
  const { common, standing: words } = view.words;
  const named = orders.slice(0, MAX_TITLES).map((order) => standingTitle(order, view));
  const lines: Lines = [
    bold(words.news[kind]),
    named,
    orders.length > MAX_TITLES && common.andMore(orders.length - MAX_TITLES),
    kind === "missing" && ["", words.noPriceExplain],
    kind === "address" && ["", words.goOnExplain],
  ];
  return card(lines, [
    [kind === "address" && button(words.goOn, buttons.standingAll, "resume")],
    [button(words.all, buttons.ordersPage, 0)],
  ]);
}

/** On a swap's card: the standing order that sent it. */
export function standingLine(reference: StandingReference | undefined, view: View): string | undefined {
  if (reference === undefined) return undefined;
  const words = view.words.standing;
  const { kind, least, occurrence } = reference;
  if (kind === "limit") return words.from.limit(least === undefined ? "" : withToken(least, view.words));
  if (kind === "stop") return words.from.stop;
  return words.from.dca(occurrence === undefined ? "" : words.place(occurrence.place + 1, occurrence.of));
}

/** How far what the user would get is from what the order waits for. */
function distance({ kind, rule }: Asked, now: Amount, view: View): string {
  const words = view.words.standing;
  if (!("net" in rule)) return "";
  const ahead = compareAmounts(rule.net, now);
  const isReached = kind === "limit" ? ahead <= 0 : ahead >= 0;
  const change = isReached ? undefined : formatChange(now, rule.net);
  return change === undefined ? words.reached : words.toGo(percent(change, view.words));
}

/** Why nothing comes, or when it comes next. */
function stateLines({ order, hold, askedAgainAt, watch, next, done }: StandingView, view: View): Lines {
  const words = view.words.standing;
  const { rule } = order;
  const again = askedAgainAt !== undefined && say(words.askedAgain, momentOf(askedAgainAt, view));
  const why = [hold !== undefined && words.held[hold], again];
  if ("schedule" in rule) {
    const taken = words.accepted(done, rule.schedule.times);
    return [why, next === undefined ? taken : line(`${taken} · `, say(words.next, momentOf(next, view)))];
  }
  const last = watch?.last;
  if (last === undefined) return [why, hold === undefined && words.notAsked];
  const { rest: net } = referralSplit(amountOf(order.request.to, last.units), view.referralPercentage);
  return [why, priceLine(order, net, say(words.asked, momentOf(last.at, view, "ticking")), view)];
}

function priceLine(order: Asked, net: Amount, seen: Line | undefined, view: View): Line {
  const { nowGet } = view.words.standing;
  const gets = line(labelled(nowGet, withToken(net, view.words)), ` · ${distance(order, net, view)}`);
  return seen === undefined ? gets : line(gets, " · ", seen);
}

function endLine({ ended, rule }: StandingOrder, { words: { standing: words } }: View): string {
  if (ended === null) return words.gone;
  return ended === "done" && "schedule" in rule ? words.endedBy.dcaDone : words.endedBy[ended];
}

/** `Missed 3 times: your account was frozen (2), you didn't confirm in time (1).` */
function missedLine(missed: Misses, { words: { standing: words } }: View): string | false {
  const counted = missReasons
    .map((reason) => ({ reason, count: missed[reason] ?? 0 }))
    .filter(({ count }) => count > 0);
  const total = counted.map(({ count }) => count).reduce((sum, count) => sum + count, 0);
  const reasons = counted.map(({ reason, count }) => {
    const why = words.missedFor[reason];
    return counted.length === 1 ? why : `${why} (${count})`;
  });
  return total > 0 && words.missed(total, reasons.join(", "));
}

/** The button that sets an order like this one, if it fits. */
function againRow(order: Asked, { words }: View) {
  return [[commandButton(words.standing.again, orderCommand(order))]];
}

/** Says that regular orders keep the hours of an earlier time zone, and offers to move them. */
export function zoneLeft(orders: readonly StandingOrder[], { timeZone, words: { standing: words } }: View) {
  const [rule] = orders.map((order) => order.rule);
  if (rule === undefined || !("schedule" in rule)) return undefined;
  const move = button(words.moveZone(timeZone), buttons.standingAll, "zone");
  return { line: words.zoneLeft(rule.schedule.zone), move };
}

/** What people may mean by `/stop`. */
export function stopCard({ standing: words, security, settings, help }: Messages): Card {
  return card(
    [bold(words.stopTitle), words.stopExplain],
    [
      [button(security.freeze, buttons.freeze, "ask")],
      [button(settings.alerts, buttons.setting, "alerts"), commandButton(help.alertsButton, "alerts")],
      [commandButton(words.title.stop, "stoploss")],
    ],
  );
}
