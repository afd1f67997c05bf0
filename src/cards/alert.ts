import { buttons } from "./buttons.js";
import { formatAssetId } from "../encoding/asset.js";
import type { Notice } from "../model/notice.js";
import type { Lock } from "../model/lock.js";
import type { OrderChange } from "../services/orders/change.js";
import type { OrderAlert } from "../services/orders/watched-order.js";
import { isPositive, trimDecimal } from "../encoding/decimal-text.js";
import { operatorCard } from "./admin.js";
import { withToken } from "./amount.js";
import { bold, button, card, code, line, type Card, type Line } from "./card.js";
import { feeLines, fillBar, fillLines, inBase, inQuote, orderLines, titleOf, type OrderView } from "./order.js";
import { formatMoment } from "./time.js";

/** What a watcher is told about an order. */
export function orderAlertCard(alert: OrderAlert, view: OrderView): Card {
  return alert.about === "change" ? changeCard(alert.change, view) : goneCard(alert, view);
}

function changeCard(change: OrderChange, view: OrderView): Card {
  const { order, from } = change;
  const words = view.words.orders;
  return card(
    [
      bold(headline(change, view)),
      titleOf(order, view),
      code(order.id),
      "",
      from.status === order.status
        ? undefined
        : bold(words.fromTo(words.status(from.status), words.status(order.status))),
      filledSince(change, view),
      line(fillBar(order.filled, order.quantity)),
      ...fillLines(order, view),
      ...feeLines(order, view),
    ],
    [
      [
        button(view.words.common.refresh, buttons.order, order.id),
        button(words.unwatch, buttons.unwatch, order.id),
      ].slice(
        0,
        // A watch that has ended can't be ended again.
        change.kind === "done" || change.kind === "canceled" ? 1 : 2,
      ),
    ],
  );
}

function headline({ kind, order }: OrderChange, view: OrderView): string {
  const words = view.words.orders;
  switch (kind) {
    case "done":
      return words.alertDone;
    case "fill":
      return words.alertFill;
    case "canceled":
      return isPositive(order.filled)
        ? words.alertCanceledPartly(trimDecimal(order.filled), inBase(order.quantity, order))
        : words.alertCanceled;
    case "other":
    case "service":
      return words.alertOther;
  }
}

function filledSince(change: OrderChange, view: OrderView): Line | undefined {
  const { order, filledSince, averageSince } = change;
  const words = view.words.orders;
  if (filledSince === undefined) return undefined;
  const amount = inBase(filledSince, order);
  return averageSince === undefined
    ? words.filledSince(amount)
    : words.filledSinceAt(amount, inQuote(averageSince, order));
}

function goneCard({ id, order }: Extract<OrderAlert, { about: "gone" }>, view: OrderView): Card {
  const words = view.words.orders;
  return order === undefined
    ? card([bold(words.alertGone), code(id), words.goneUnknown])
    : card([bold(words.alertGone), words.goneExplain, "", ...orderLines(order, view)]);
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
