import { amountOf, formatChange, formatRate } from "../encoding/amount.js";
import { shortened } from "../encoding/decimal.js";
import type { PriceNews } from "../services/alerts/alerts-without-price.js";
import { headOf } from "../services/alerts/price-alert-request.js";
import type { PriceAlert } from "../services/alerts/price-alert-queries.js";
import type { ToldAlert } from "../services/alerts/price-alerts.js";
import { isMissing } from "../services/price-watches/price-rule.js";
import { figure, percent, withToken, percentOfBps } from "./amount.js";
import { buttons, type AlertAction, button, commandButton, giving } from "./buttons.js";
import { card, bold, code, hasQuietHours, line, say, momentOf, type Card, type View, type Lines } from "./card.js";
import { pageOf, turnRow } from "./list.js";
import { stormLines } from "./storm.js";

const LIST_SIZE = 5;

/** An alert's current state, with every action on it. */
export function alertCard(alert: PriceAlert, view: View): Card {
  const words = view.words.priceAlert;
  const { id, isPaused, comesInQuietHours, endsAt } = alert;
  const tap = (text: string, action: AlertAction) => button(text, buttons.priceAlert, { action, id });
  const lines: Lines = [
    bold(alertTitle(alert, view)),
    isPaused && words.paused,
    lastLine(alert, view),
    words.forAmount(withToken(alert.amount, view.words)),
    "",
    alert.ended === null ? nextLine(alert, view) : overLine(alert, view),
    hasQuietHours(view) && (comesInQuietHours ? words.through : words.held),
    say(words.ends, momentOf(endsAt, view, "day")),
  ];
  return card(lines, [
    [isPaused ? tap(words.resume, "resume") : tap(words.pause, "pause"), tap(words.edit, "edit")],
    [hasQuietHours(view) && (comesInQuietHours ? tap(words.hold, "hold") : tap(words.comeThrough, "through"))],
    [button(words.all, buttons.priceAlertsPage, 0), giving(tap(words.delete, "delete"))],
  ]);
}

/** All of a user's alerts. `page` counts from 0 and is clamped. */
export function alertsCard(alerts: readonly PriceAlert[], page: number, view: View): Card {
  const { priceAlert: words, common, help } = view.words;
  const title = bold(help.commands.alerts);
  if (alerts.length === 0) return card([title, words.listEmpty], [[commandButton(words.set, "alert")]]);
  const place = pageOf(alerts, page, LIST_SIZE);
  const { items, pages } = place;
  // Of those on one pair, one that has no price comes last, or else the one seen last.
  const newsOf = (alert: PriceAlert) => (isMissing(alert, view.now) ? view.now : (alert.last?.at ?? 0));
  const byNews = items.toSorted((one, other) => newsOf(one) - newsOf(other));
  const pairs = new Map(byNews.map((alert) => [`${alert.amount.token.id}/${alert.out.id}`, alert]));
  const lines: Lines = [
    title,
    [...pairs.values()].map((alert) => lastLine(alert, view)),
    pages > 1 && ["", common.page(place.page + 1, pages)],
  ];
  const rows = items.map((alert) => {
    const state = isMissing(alert, view.now) ? " ⚠️" : alert.isPaused ? " ⏸" : "";
    return [button(`${alertTitle(alert, view)}${state}`, buttons.priceAlert, { action: "open", id: alert.id })];
  });
  return card(lines, [...rows, turnRow(place, buttons.priceAlertsPage)]);
}

/** Notifies a user of each price that crossed their line since the last notification, and of the alert's end. */
export function toldAlertCard(alert: ToldAlert, view: View): Card {
  const words = view.words.priceAlert;
  const { amount, crossings, told, untold, out, id, ended, storm } = alert;
  const leftOut = crossings - told - untold.length;
  const [last, ...earlier] = untold.toReversed();
  const title = alertTitle(alert, view);
  const command = `swap ${headOf(alert)}`;
  const swap = commandButton(`💱 ${withToken(amount, view.words)} → ${out.id}`, command);
  const canSwap = ended !== "unlisted";
  const isSteady = storm?.isOver === true;
  const lines: Lines = [
    isSteady ? stormLines(storm, view, title) : bold(alertHeadline(alert, view)),
    isSteady && ended === null && lastLine(alert, view),
    !isSteady && last && line(`🔔 ${title} · `, momentOf(last.at, view)),
    (isSteady ? [] : earlier).map((crossing) =>
      line(alertNews(alert, crossing, view), " · ", momentOf(crossing.at, view)),
    ),
    !isSteady && leftOut > 0 && words.earlier(leftOut),
    last && words.forAmount(withToken(amount, view.words)),
    storm?.isOver === false && stormLines(storm, view),
    ended !== null && [last && "", overLine(alert, view)],
    canSwap && swap === undefined && [view.words.swap.toTrade, code(`/${command}`)],
  ];
  const show = ended === null && button(words.show, buttons.priceAlert, { action: "show", id });
  const limit = commandButton(view.words.standing.title.limit, `limit ${headOf(alert)}`);
  return card(lines, [[show, canSwap && swap], [canSwap && limit]]);
}

const MAX_TOGETHER = 20;
const MAX_OPENED = 4;

/** Notifies a user of several alerts at once. */
export function toldAlertsCard(alerts: readonly PriceAlert[], view: View): Card {
  const words = view.words.priceAlert;
  const more = alerts.length - MAX_TOGETHER;
  const lines: Lines = [
    alerts.slice(0, MAX_TOGETHER).map((alert) => bold(alertHeadline(alert, view))),
    more > 0 && words.moreInList(more),
  ];
  // What has ended can't be opened.
  const opened = alerts.slice(0, MAX_OPENED).filter(({ ended }) => ended === null);
  const rows = opened.map((alert) => [
    button(`🔔 ${alertTitle(alert, view)}`, buttons.priceAlert, { action: "show", id: alert.id }),
  ]);
  return card(lines, [...rows, [button(words.all, buttons.priceAlertsPage, 0)]]);
}

/** The latest crossing, or the alert's end. */
function alertHeadline(alert: PriceAlert, view: View): string {
  const last = alert.untold.at(-1);
  return last === undefined ? view.words.priceAlert.over(alertTitle(alert, view)) : alertNews(alert, last, view);
}

/** Enough for a glance at a locked screen; prices that look the same have more. */
const GLANCE_DIGITS = 5;

/** `📈 KFI +10.0%: 100.21 → 110.23 KLV`. */
function alertNews(alert: PriceAlert, { from, units }: PriceAlert["untold"][number], { words }: View): string {
  const { amount, out } = alert;
  const isUp = units >= from;
  const [before, now] = [amountOf(out, from), amountOf(out, units)];
  const rates = [before, now].map((worth) => formatRate(amount, worth) ?? "0");
  const short = rates.map((rate) => shortened(rate, "down", GLANCE_DIGITS));
  const change = formatChange(before, now);
  const shown = change === undefined || short[0] === short[1] ? rates : short;
  const [then, since] = shown.map((rate) => figure(rate, words));
  const percents = change === undefined ? "" : ` ${isUp ? "+" : "−"}${percent(change, words)}`;
  return `${isUp ? "📈" : "📉"} ${amount.token.id}${percents}: ${then} → ${since} ${out.id}`;
}

const MAX_NAMED = 10;

/** Says for which alerts there is no price, or one again. */
export function priceNewsCard({ kind, alerts }: PriceNews, view: View): Card {
  const words = view.words.priceAlert;
  const named = alerts.slice(0, MAX_NAMED);
  const [first = "", ...others] = named.map((alert) => alertTitle(alert, view));
  const lines: Lines = [
    bold(`${kind === "missing" ? words.missingTitle : words.backTitle}: ${first}`),
    others,
    alerts.length > named.length && words.more(alerts.length - named.length),
    kind === "missing" && ["", words.missingExplain],
  ];
  return card(lines, [[button(words.all, buttons.priceAlertsPage, 0)]]);
}

/** `KFI above 120 KLV`. */
function alertTitle({ rule, amount, out }: PriceAlert, { words }: View): string {
  const { id } = amount.token;
  if (rule.way === "move") return words.priceAlert.move(id, percentOfBps(rule.bps, words), out.id);
  return words.priceAlert[rule.way](id, `${figure(rule.price, words)} ${out.id}`);
}

function alertRate(alert: PriceAlert, units: bigint, { words }: View): string {
  return `1 ${alert.amount.token.id} = ${alertPrice(alert, units, words)}`;
}

function alertPrice({ amount, out }: PriceAlert, units: bigint, words: View["words"]): string {
  return `${figure(formatRate(amount, amountOf(out, units)) ?? "0", words)} ${out.id}`;
}

function lastLine(alert: PriceAlert, view: View): Lines[number] {
  const { last } = alert;
  const words = view.words.priceAlert;
  if (last === undefined) return isMissing(alert, view.now) && words.missingTitle;
  if (isMissing(alert, view.now)) {
    return line(alertRate(alert, last.units, view), " · ", say(words.missing, momentOf(last.at, view)));
  }
  const every = secondsBetween(alert, view);
  const seen = line(alertRate(alert, last.units, view), " · ", say(words.seen, momentOf(last.at, view)));
  return every === undefined ? seen : line(seen, " · ", words.every(every));
}

/** How often the price is asked for, at present: a question that waits for longer than before counts as such. */
function secondsBetween({ asked, isPaused, ended }: PriceAlert, { now }: View): number | undefined {
  if (asked === undefined || isPaused || ended !== null) return undefined;
  return Math.round(Math.max(asked.everyMs, now - asked.at) / 1000);
}

/** Says when the user will be notified next. */
function nextLine(alert: PriceAlert, { words }: View): string {
  const { rule, lines, anchor } = alert;
  if (rule.way === "move") return words.priceAlert.moves(alertPrice(alert, anchor, words));
  const back = rule.way === "above" ? lines.low : lines.high;
  return back === undefined ? words.priceAlert.waits : words.priceAlert.isBeyond(alertPrice(alert, back, words));
}

function overLine({ ended }: PriceAlert, { words }: View): string {
  return ended === "unlisted" ? words.priceAlert.overUnlisted : words.priceAlert.overTime;
}
