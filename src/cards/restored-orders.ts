import type { StandingNews } from "../services/standing/standing-news.js";
import { standingTitle } from "./asked-lines.js";
import { button, buttons } from "./buttons.js";
import { bold, card, momentOf, say, type Card, type Lines, type View } from "./card.js";

/** Each has two buttons. */
const MAX_ASKED = 10;

/** Asks what became of each order while nothing was known. */
export function restoredCard({ orders, from }: Extract<StandingNews, { kind: "restored" }>, view: View): Card {
  const { common, standing: words } = view.words;
  const asked = orders.slice(0, MAX_ASKED);
  const place = (index: number) => (asked.length === 1 ? "" : `${index + 1}. `);
  const lines: Lines = [
    bold(say(words.restored, momentOf(from, view))),
    words.restoredExplain,
    "",
    asked.map((order, index) => `${place(index)}${standingTitle(order, view)}`),
    orders.length > MAX_ASKED && common.andMore(orders.length - MAX_ASKED),
  ];
  const tap = (text: string, action: "end" | "go", id: string) =>
    button(text, buttons.standingRestored, { action, id });
  return card(
    lines,
    asked.flatMap(({ id }, index) => [
      [tap(`${place(index)}${words.restoredGo}`, "go", id)],
      [tap(`${place(index)}${words.restoredEnd}`, "end", id)],
    ]),
  );
}
