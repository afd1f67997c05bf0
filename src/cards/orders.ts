import { buttons } from "./buttons.js";
import { percentOf } from "../encoding/decimal-text.js";
import type { Watch } from "../services/orders/watches.js";
import { bold, button, card, code, type Card } from "./card.js";
import { formatMoment } from "./time.js";
import { numbered, pageOf, turnRow } from "./page.js";
import { fillBar, titleOf, type OrderView } from "./order.js";

const PAGE_SIZE = 5;

/** The watched orders. `page` counts from 0 and is brought into range; buttons carry it as `<order id>.<page>`. */
export function ordersCard(watches: readonly Watch[], page: number, view: OrderView): Card {
  const { orders: words, common, help } = view.words;
  const title = bold(help.commands.orders);
  if (watches.length === 0) return card([title, words.listEmpty]);
  const { items, page: shown, pages } = pageOf(watches, page, PAGE_SIZE);
  const first = shown * PAGE_SIZE;
  const refresh = button(common.refresh, buttons.ordersPage, shown);
  return card(
    [
      title,
      items.map(({ order, isMuted, missingSince, seenAt }, index) => [
        "",
        `${first + index + 1}. ${titleOf(order, view)}${isMuted ? " 🔇" : ""}`,
        `${fillBar(order.filled, order.quantity)} ${percentOf(order.filled, order.quantity)} % · ${words.named(order.status)}${missingSince === undefined ? "" : " ❔"}`,
        words.seen(formatMoment(seenAt, view.timeZone)),
        code(order.id),
      ]),
      pages > 1 && ["", common.page(shown + 1, pages)],
    ],
    [
      ...items.map(({ order, isMuted }, index) => [
        button(words.open(first + index + 1), buttons.orderAnew, order.id),
        button(isMuted ? words.unmute : words.mute, isMuted ? buttons.unmute : buttons.mute, {
          orderId: order.id,
          page: shown,
        }),
        button(words.unwatch, buttons.unwatchInList, { orderId: order.id, page: shown }),
      ]),
      turnRow(shown, shown < pages - 1, numbered(buttons.ordersPage), refresh),
    ],
  );
}
