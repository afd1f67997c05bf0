import type { Storm } from "../services/telegram/storms.js";
import { bold, momentOf, say, type Lines, type View } from "./card.js";

/** What a message says of something that goes to and fro: that no other follows until it is steady, or that it is. */
export function stormLines({ isOver, count, lastAt }: Storm, view: View, title?: string): Lines {
  const { storm: words } = view.words.common;
  if (!isOver) return ["", words.begins];
  return [
    bold(title === undefined ? words.over : `${words.over} ${title}`),
    say((at) => words.count(count, at), momentOf(lastAt, view)),
  ];
}
