import { NATIVE_TOKEN, type Amount } from "../encoding/amount.js";
import type { Messages } from "../locales/messages.js";
import { isToTake, type StandingNews, type StandingView } from "../services/standing/standing-news.js";
import type { EndedCall } from "../services/standing/standing-ends.js";
import type { StandingPreview } from "../services/standing/standing-preview.js";
import { missReasons, type Misses, type StandingOrder } from "../services/standing/standing-queries.js";
import { commandOf } from "../services/terms/terms.js";
import { isLargeFee, paidWithToken, percentOfBps, withToken } from "./amount.js";
import { restoredCard } from "./restored-orders.js";
import { askedLines, marks, orderCommand, shortRule, standingTitle, untilLine, type Asked } from "./asked-lines.js";
import { button, buttons, commandButton, giving, type StandingAction } from "./buttons.js";
import {
  bold,
  card,
  foldedCard,
  hasQuietHours,
  momentOf,
  say,
  textOf,
  type Card,
  type Line,
  type Lines,
  type View,
} from "./card.js";
import { costParts, royaltyLines, warnedCost } from "./cost.js";
import { summaryOf } from "./intent.js";
import type { Entry } from "./list.js";
import { doubtLines, resaleCostLine, rightsDetails, rightsSigns } from "./rights.js";
import { exitNow, priceLine, quietButtons, quietLine, stateLines } from "./standing-state.js";
import { stormLines } from "./storm.js";

/** What setting an order would mean, with the button that sets it. @param isChange whether it changes one. */
export function setUpCard(preview: StandingPreview, isChange: boolean, view: View): Card {
  const words = view.words.standing;
  const { order, net, cost, held, isFar } = preview;
  // A fee that the total has is one of its parts, and warns with it.
  const countsFee = cost?.unknown.includes("network") === false;
  const fee = feeLine(preview, countsFee, view);
  const lines: Lines = [
    isFar && bold(words.far),
    bold(words.title[order.kind]),
    askedLines(order, view, preview.royalty),
    nowLine(order, net, view),
    royaltyLines(preview, view),
    cost && warnedCost(cost, view),
    untilLine(order, view),
    !countsFee && fee,
    held && words.balanceShort(withToken(held, view.words)),
    rightsSigns(preview, view),
    resaleCostLine(preview.resale, view),
    doubtLines(preview, { paid: order.request.from.id, bought: order.request.to.id }, view),
  ];
  return foldedCard(
    view.words,
    lines,
    [
      words.noKey[order.kind],
      order.kind === "exit" && hasQuietHours(view) && words.exitQuiet,
      isSale(order) && words.exitShares,
      rightsDetails(preview, view),
      countsFee && fee,
      cost && costParts(cost, view),
    ],
    [
      [setButton(isFar, isChange, view)],
      ("net" in order.rule ? (["amount", "until"] as const) : []).map((what) =>
        button(words.askFor[what], buttons.pick, setAnswers[what]),
      ),
    ],
  );
}

function feeLine({ fee, order: { rule } }: StandingPreview, isCounted: boolean, { words }: View): string | undefined {
  if (fee === undefined) return undefined;
  const { amount, shareBps = 0n } = fee;
  const { fee: once, feeEach } = words.standing;
  const said = paidWithToken(amount, words);
  const line = "targets" in rule && rule.of > 1 ? feeEach(said) : once(said, percentOfBps(shareBps, words));
  return !isCounted && isLargeFee(shareBps) ? `⚠️ ${line}` : line;
}

/** What an order would bring at the price now. */
function nowLine(order: StandingPreview["order"], net: Amount, view: View): Line {
  const words = view.words.standing;
  if ("schedule" in order.rule) return words.getsAbout(withToken(net, view.words));
  if ("targets" in order.rule) return exitNow(order.rule, net, view);
  return priceLine(order, net, undefined, view);
}

/** Whether it sells what an exit could sell in parts. */
const isSale = ({ kind, request }: StandingPreview["order"]): boolean =>
  (kind === "limit" || kind === "stop") && request.from.id !== NATIVE_TOKEN;

/** What the buttons of a set-up answer. The last two ask for something else first. */
export const setAnswers = { set: "set", sure: "sure", amount: "amount", until: "until" } as const;

function setButton(isFar: boolean, isChange: boolean, { words: { standing: words } }: View) {
  if (isFar) return button(words.setAnyway, buttons.pick, setAnswers.sure);
  return button(isChange ? words.change : words.set, buttons.pick, setAnswers.set);
}

/** The price of an order is there already: the swap is offered instead. */
export function metCard({ order, net }: StandingPreview, view: View): Card {
  const { standing, swap } = view.words;
  const { rule, request } = order;
  const [first] = "targets" in rule ? rule.targets : [];
  const swapThis = commandButton(
    swap.swapThis,
    commandOf({ kind: "swap", ...request, pay: first?.pay ?? request.pay }),
  );
  if ("targets" in rule) return card([bold(standingTitle(order, view)), standing.exitMet], [[swapThis]]);
  return card([bold(standingTitle(order, view)), standing.met(withToken(net, view.words))], [[swapThis]]);
}

/** An order's state, with every action on it. @param isOfHeld whether an exit of all that is held is offered instead. */
export function standingCard(shown: StandingView, view: View, title?: string, isOfHeld = false): Card {
  const words = view.words.standing;
  const { order } = shown;
  const { id, kind, paused } = order;
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
    hasQuietHours(view) && quietLine(shown, view),
  ];
  return card(lines, [
    [isToTake(shown, view.referralPercentage) && tap(view.words.swap.swapThis, "take")],
    [paused === null ? tap(words.pause, "pause") : tap(words.resume, "resume"), tap(words.edit, "edit")],
    hasQuietHours(view) ? quietButtons(order, view) : [],
    [isOfHeld && tap(words.setNew, "renew")],
    [button(words.all, buttons.ordersPage, 0), giving(tap(words.end, "end"))],
  ]);
}

/** Says that an order was just ended by its owner. */
export function endedOrderCard(order: StandingOrder, call: EndedCall, view: View): Card {
  const all = [button(view.words.standing.all, buttons.ordersPage, 0)];
  const { ended, endedCall } = view.words.standing;
  const lines = [bold(ended(standingTitle(order, view))), call !== "none" && endedCall[call]];
  return card(lines, [...againRow(order, view), all]);
}

/** An order in a list. @param page on which it is. */
export function standingEntry(shown: StandingView, place: number, page: number, view: View): Entry {
  const { common, standing: words } = view.words;
  const { order } = shown;
  const { id, paused } = order;
  const tap = (text: string, action: "pause" | "resume" | "end") =>
    button(text, buttons.standingInList, { action, id, page });
  const toggle = paused === null ? tap(words.pause, "pause") : tap(words.resume, "resume");
  const take = button(view.words.swap.swapThis, buttons.standing, { action: "take", id });
  const open = button(common.open(place), buttons.standing, { action: "show", id });
  const what = [`${place}. ${standingTitle(order, view)}`, shortRule(order, view)];
  return {
    lines: [what, stateLines(shown, view)],
    buttons: [open, isToTake(shown, view.referralPercentage) ? take : toggle, tap(words.end, "end")],
  };
}

/** Sets an order again that was just deleted in a list. */
export function putBackButton(order: StandingOrder, page: number, view: View) {
  return button(`↩️ ${standingTitle(order, view)}`, buttons.standingInList, { action: "back", id: order.id, page });
}

/** Tells what became of an order, or why some don't come. */
export function standingNewsCard(news: StandingNews, view: View): Card {
  if (news.kind === "held") return heldCard(news, view);
  if (news.kind === "restored") return restoredCard(news, view);
  if (news.kind !== "order") return severalCard(news, view);
  const words = view.words.standing;
  const { missed } = news;
  const { order, done } = news.view;
  const title = standingTitle(order, view);
  const { id, kind, rule, ended } = order;
  const { filled } = news;
  if (ended === null) {
    const lines = [bold(words.news.missed(title)), missedLine(missed, view), kind === "dca" && words.notMadeUpFor];
    return card(lines, [[button(words.title[kind], buttons.standing, { action: "show", id })]]);
  }
  const lines = [
    bold(
      filled === undefined
        ? (ended === "done" ? words.news.done : words.news.over)(title)
        : words.news.filled(`${marks[kind]} ${textOf(summaryOf(filled, view))}`),
    ),
    endLine(order, view),
    "schedule" in rule && words.accepted(done, rule.schedule.times),
    missedLine(missed, view),
  ];
  return card(lines, againRow(order, view));
}

const MAX_TITLES = 10;

/** Says what holds orders whose price or time has come, with the button that lifts it. */
function heldCard({ hold, orders, storm }: Extract<StandingNews, { kind: "held" }>, view: View): Card {
  const { common, standing: words } = view.words;
  const [first] = orders;
  const isAlone = first !== undefined && orders.length === 1;
  const named = orders.slice(0, MAX_TITLES).map((order) => standingTitle(order, view));
  const lift = {
    frozen: commandButton("/unfreeze", "unfreeze"),
    limit: commandButton("/security", "security"),
    balance: button(words.lookAgain, buttons.standingAll, "look"),
    "trading-paused": undefined,
    "no-price": undefined,
    "one-way": undefined,
    royalties: undefined,
    impossible: undefined,
  }[hold];
  const lines: Lines = [
    storm?.isOver === true && stormLines(storm, view),
    orders.length > 0 && bold(words.reachedBut[isAlone ? first.kind : "several"](words.heldBy[hold])),
    named,
    orders.length > MAX_TITLES && common.andMore(orders.length - MAX_TITLES),
    "",
    orders.some(({ kind }) => kind !== "dca") && words.askedOnceOver,
    orders.some(({ kind }) => kind === "dca") && words.comesOnceOver,
    storm?.isOver === false && stormLines(storm, view),
  ];
  return card(lines, [[lift], [button(words.all, buttons.ordersPage, 0)]]);
}

function severalCard(
  { kind, orders }: Exclude<StandingNews, { kind: "held" | "order" | "restored" }>,
  view: View,
): Card {
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

function endLine({ ended, rule }: StandingOrder, { words: { standing: words } }: View): string {
  if (ended === null) return words.gone;
  if (ended === "done" && "targets" in rule) return words.endedBy.exitDone;
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
export function stopCard({ standing: words, security, settings, menu }: Messages): Card {
  return card(
    [bold(words.stopTitle), words.stopExplain],
    [
      [button(security.freeze, buttons.freeze, "ask")],
      [button(settings.alerts, buttons.setting, "alerts"), commandButton(menu.title.alerts, "alerts")],
      [commandButton(words.title.stop, "stoploss")],
    ],
  );
}
