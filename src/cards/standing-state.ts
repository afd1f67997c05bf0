import { amountOf, compareAmounts, formatChange, isZero, NATIVE_TOKEN, type Amount } from "../encoding/amount.js";
import { referralSplit } from "../services/market/referral.js";
import { trailLine } from "../services/price-watches/price-rule.js";
import { partsNow, type ExitPart, type ExitRule } from "../services/standing/exit-plan.js";
import type { StandingView } from "../services/standing/standing-news.js";
import type { StandingOrder } from "../services/standing/standing-queries.js";
import { paidWithToken, percent, withToken } from "./amount.js";
import { standingTitle, type Asked } from "./asked-lines.js";
import { button, buttons, type StandingAction } from "./buttons.js";
import { labelled, line, momentOf, say, type Line, type Lines, type View } from "./card.js";

/** Why nothing comes, or when it comes next. */
export function stateLines(shown: StandingView, view: View): Lines {
  const { order, hold, askedAgainAt, netNow, watch, next, done } = shown;
  const words = view.words.standing;
  const { rule } = order;
  const { askedAgain, askedThen } = words;
  const asked = order.offeredAt === null ? askedThen : askedAgain;
  const again = askedAgainAt !== undefined && say(asked, momentOf(askedAgainAt, view));
  const why = [hold !== undefined && words.held[hold], again];
  if ("schedule" in rule) {
    const taken = words.accepted(done, rule.schedule.times);
    return [why, next === undefined ? taken : line(`${taken} · `, say(words.next, momentOf(next, view)))];
  }
  if ("targets" in rule) return [why, exitState(shown, view)];
  const last = watch?.last;
  if (last === undefined && netNow !== undefined) return [why, priceLine(order, netNow, undefined, view)];
  if (last === undefined) return [why, hold === undefined && words.notAsked];
  const { rest: net } = referralSplit(amountOf(order.request.to, last.units), view.referralPercentage);
  return [why, priceLine(order, net, say(words.asked, momentOf(last.at, view, "ticking")), view)];
}

export function priceLine(order: Asked, net: Amount, seen: Line | undefined, view: View): Line {
  const { nowGet } = view.words.standing;
  const gets = line(labelled(nowGet, withToken(net, view.words)), ` · ${distance(order, net, view)}`);
  return seen === undefined ? gets : line(gets, " · ", seen);
}

function distance(asked: Asked, now: Amount, view: View): string {
  const { rule, kind } = asked;
  return "net" in rule ? distanceTo(rule.net, now, asked, kind === "stop", view) : "";
}

/** How far the price is from a line: the share that its owner has chosen. */
function distanceTo(
  net: Amount,
  now: Amount,
  { request }: Pick<Asked, "request">,
  isFall: boolean,
  { words }: View,
): string {
  const ahead = compareAmounts(net, now);
  const [from, to] = request.pay.token.id === NATIVE_TOKEN ? [net, now] : [now, net];
  const isThere = isFall ? ahead >= 0 : ahead <= 0;
  const change = isThere ? undefined : formatChange(from, to)?.replace(/^[-−]/, "");
  return change === undefined ? words.standing.reached : words.standing.toGo(percent(change, words));
}

/** What all brings now that an exit was set for, also if it sells only some of it. */
export function exitNow({ all, left }: ExitRule, net: Amount, { words }: View): Line {
  const { nowGet, nowBrings } = words.standing;
  const label = compareAmounts(all, left) === 0 ? nowGet : nowBrings(paidWithToken(all, words));
  return labelled(label, withToken(net, words));
}

/** How many parts of an exit are sold, and how far its next lines are. */
export function exitState({ order, hold, netNow, watch, floorWatch }: StandingView, view: View): Lines {
  const { standing: words } = view.words;
  const { rule, request } = order;
  if (!("targets" in rule)) return [];
  const sold = rule.of - rule.targets.length - (rule.floor === undefined ? 0 : 1);
  const netOf = (units: bigint) => referralSplit(amountOf(request.to, units), view.referralPercentage).rest;
  const last = floorWatch?.last ?? watch?.last;
  const partLine = (part: ExitPart): Line => {
    const { last: seen } = (part.kind === "target" ? watch : floorWatch) ?? {};
    const now = seen && netOf(seen.units);
    if (part.kind === "trail") return trailText(order, floorWatch, now, netOf, view);
    const { net, kind } = part;
    const said = `${kind === "target" ? "🎯" : "🛑"} ${net === undefined ? "" : withToken(net, view.words)}`;
    return net && now ? `${said} · ${distanceTo(net, now, order, kind === "stop", view)}` : said;
  };
  const unasked = netNow ? exitNow(rule, netNow, view) : hold === undefined && words.notAsked;
  const parts = partsNow({ rule, pay: request.pay }).map(partLine);
  const seen = last && say(words.asked, momentOf(last.at, view, "ticking"));
  return [
    sold > 0 && words.soldParts(sold, rule.of),
    parts.map((part, at) => (seen && at === parts.length - 1 ? line(part, " · ", seen) : part)),
    seen === undefined && unasked,
  ];
}

/** What is said of an exit beside what its token is worth. */
export function exitLinesIn(shown: StandingView, view: View): Lines {
  return [standingTitle(shown.order, view), exitState(shown, view)];
}

/** A trail's high, and the line that follows from it. */
function trailText(
  order: Asked,
  watch: StandingView["floorWatch"],
  now: Amount | undefined,
  netOf: (units: bigint) => Amount,
  view: View,
): Line {
  const { standing: words } = view.words;
  const high = watch?.anchor ?? 0n;
  const low = watch?.rule.way === "trail" ? trailLine(watch.rule, high) : undefined;
  if (watch?.rule.way !== "trail" || low === undefined) return words.noHigh;
  const net = netOf(low);
  const said = words.highest(withToken(netOf(high), view.words), withToken(net, view.words));
  return now === undefined || isZero(net) ? said : line(said, ` · ${distanceTo(net, now, order, true, view)}`);
}

/** What an order does in quiet hours. */
export function quietLine(
  { order: { comesInQuietHours, rule }, hold }: StandingView,
  { words: { standing: words } }: View,
) {
  if ("targets" in rule) {
    const { targets, floor, comesAtNight } = rule;
    return [
      floor && (comesInQuietHours ? words.floorComes : words.floorWaits),
      targets.length > 0 && (comesAtNight ? words.targetsCome : words.targetsWait),
    ];
  }
  return comesInQuietHours ? words.quietComes : hold !== "quiet" && words.quietWaits;
}

/** The opposite of what an order does in quiet hours; an exit's targets and its floor have one each. */
export function quietButtons({ id, comesInQuietHours, rule }: StandingOrder, { words: { standing: words } }: View) {
  const tap = (text: string, action: StandingAction) => button(text, buttons.standing, { action, id });
  if (!("targets" in rule)) return [comesInQuietHours ? tap(words.notAtNight, "hold") : tap(words.atNight, "through")];
  const { targets, floor, comesAtNight } = rule;
  return [
    floor && (comesInQuietHours ? tap(words.floorNotAtNight, "hold") : tap(words.floorAtNight, "through")),
    targets.length > 0 &&
      (comesAtNight ? tap(words.targetsNotAtNight, "holdTargets") : tap(words.targetsAtNight, "letTargets")),
  ];
}
