import { buttons } from "./buttons.js";
import { formatAssetId } from "../encoding/asset.js";
import type { Notice } from "../model/notice.js";
import type { Lock } from "../model/lock.js";
import type { OrderChange } from "../services/orders/change.js";
import type { OrderAlert } from "../services/orders/watched-order.js";
import { isPositive, percentOf } from "../encoding/decimal-text.js";
import { operatorCard } from "./admin.js";
import { withToken } from "./amount.js";
import { bold, button, card, code, type Card } from "./card.js";
import { feeLine, fillLines, inBase, inQuote, orderLines, type OrderView } from "./order.js";
import { formatMoment } from "./time.js";

/** What a watcher is told about an order. */
export function orderAlertCard(alert: OrderAlert, view: OrderView): Card {
  return alert.about === "change" ? changeCard(alert.change, view) : goneCard(alert, view);
}

/** What changed stands first; the order's id, which is for copying, last. */
function changeCard(change: OrderChange, view: OrderView): Card {
  const { order, from, kind } = change;
  const words = view.words.orders;
  const status =
    from.status === order.status ? [] : [words.fromTo(words.named(from.status), words.named(order.status))];
  // A watch that has ended can't be ended again.
  const isOver = kind === "done" || kind === "canceled";
  return card(
    [
      bold([headline(change, view), ...filledSince(change, view)].join(" · ")),
      [`${words.named(order.side)} ${order.symbol}`, ...status].join(" · "),
      fillLines(order, view),
      feeLine(order, view),
      code(order.id),
    ],
    [
      [
        button(view.words.common.refresh, buttons.order, order.id),
        !isOver && button(words.unwatch, buttons.unwatch, order.id),
      ],
    ],
  );
}

function headline({ kind, order }: OrderChange, view: OrderView): string {
  const words = view.words.orders;
  const percent = percentOf(order.filled, order.quantity);
  switch (kind) {
    case "done":
      return words.alertDone;
    case "fill":
      return `🟡 ${percent} %`;
    case "canceled":
      return isPositive(order.filled) ? words.alertCanceledAt(percent) : words.alertCanceled;
    case "other":
    case "service":
      return words.alertOther;
  }
}

/** What was filled since the last alert. Where there was one, the price follows from two rounded averages. */
function filledSince({ order, from, filledSince, averageSince }: OrderChange, view: OrderView): string[] {
  const words = view.words.orders;
  if (filledSince === undefined) return [];
  const amount = inBase(filledSince, order);
  if (averageSince === undefined) return [amount];
  const price = inQuote(averageSince, order);
  return [isPositive(from.filled) ? words.atAbout(amount, price) : words.at(amount, price)];
}

function goneCard({ id, order }: Extract<OrderAlert, { about: "gone" }>, view: OrderView): Card {
  const words = view.words.orders;
  return order === undefined
    ? card([bold(words.alertGone), code(id), words.goneUnknown])
    : card([bold(words.alertGone), words.goneExplain, "", orderLines(order, view)]);
}

/** What a person is told that is about no watched order. */
export function noticeCard({ what }: Notice, view: OrderView): Card {
  const words = view.words.orders;
  switch (what.kind) {
    case "test":
      return card([bold(words.alertTest), words.testExplain]);
    case "unlockable":
      return unlockableCard(what.lock, view);
    case "broadcast":
      return { text: what.text, entities: what.entities };
    case "let-in":
      return card([view.words.common.letIn]);
    case "operator":
      return operatorCard(what.event, view);
    case "outage":
      return card([words.outage(what.service, formatMoment(what.since, view.timeZone))]);
    case "return":
      return card([words.back(what.service, formatMoment(what.since, view.timeZone))]);
  }
}

function unlockableCard({ locked, amount }: Lock, view: OrderView): Card {
  const words = view.words.lock;
  const id = formatAssetId(locked);
  return card(
    [bold(words.reminder(withToken(amount, view.words), id)), words.reminderHow(`/unlock ${id}`)],
    [[button(words.unlockButton(id), buttons.unlock, id)]],
  );
}
