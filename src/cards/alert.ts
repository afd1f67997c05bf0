import { buttons, button } from "./buttons.js";
import type { Notice } from "../services/outbox/outbox.js";
import type { OrderAlert, OrderChange } from "../services/order/change.js";
import { percent } from "./amount.js";
import { isPositive, percentOf } from "../encoding/decimal.js";
import { announced, operatorCard } from "./admin.js";
import { inEffectCard } from "./settings.js";
import { card, type Card, type View } from "./card.js";
import { bold, code, say, momentOf, type Lines } from "./line.js";
import { feeLine, fillLines, inBase, inQuote, orderLines } from "./order.js";

/** What changed comes first; the order's id, for copying, last. */
export function orderAlertCard(alert: OrderAlert, view: View): Card {
  const { orders: words, common } = view.words;
  if (alert.about === "gone") {
    return card([bold(words.alertGone), `${words.gone} ${words.lastState}`, "", orderLines(alert.order, view)]);
  }
  const { order, from, kind } = alert.change;
  const status = from.status === order.status ? [] : [`${words.named(from.status)} → ${words.named(order.status)}`];
  // A watch that has ended can't be ended again.
  const isOver = kind === "done" || kind === "canceled";
  const lines: Lines = [
    bold([headline(alert.change, view), ...filledSince(alert.change, view)].join(" · ")),
    [`${words.named(order.side)} ${order.symbol}`, ...status].join(" · "),
    fillLines(order, view),
    feeLine(order, view),
    code(order.id),
  ];
  const unwatch = !isOver && button(words.unwatch, buttons.unwatch, order.id);
  return card(lines, [[button(common.refresh, buttons.order, order.id), unwatch]]);
}

function headline({ kind, order }: OrderChange, { words }: View): string {
  const filled = percent(percentOf(order.filled, order.quantity), words);
  return {
    done: words.orders.alertDone,
    fill: `🟡 ${filled}`,
    canceled: isPositive(order.filled) ? words.orders.alertCanceledAt(filled) : words.orders.alertCanceled,
    other: words.orders.alertOther,
    service: words.orders.alertOther,
  }[kind];
}

/** What was filled since the last alert. Where there was one, the price follows from two rounded averages. */
function filledSince({ order, from, filledSince, averageSince }: OrderChange, view: View): string[] {
  const words = view.words.orders;
  if (filledSince === undefined) return [];
  const amount = inBase(filledSince, order, view);
  if (averageSince === undefined) return [amount];
  const price = inQuote(averageSince, order, view);
  return [isPositive(from.filled) ? words.atAbout(amount, price) : words.at(amount, price)];
}

export function noticeCard(what: Notice["what"], view: View): Card {
  const words = view.words.orders;
  switch (what.kind) {
    case "test":
      return card([bold(words.alertTest), words.testExplain]);
    case "broadcast":
      return announced(what, view.words);
    case "in-effect":
      return inEffectCard(what.change, view.words);
    case "let-in":
      return card([view.words.common.letIn]);
    case "operator":
      return operatorCard(what.event, view);
    case "outage":
      return card([say((since) => words.outage(what.service, since), momentOf(what.since, view))]);
    case "return":
      return card([say((since) => words.back(what.service, since), momentOf(what.since, view))]);
  }
}
