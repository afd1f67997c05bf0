import type { ReadingState } from "../services/chain/block-progress.js";
import { type Lines, momentOf, say, type View } from "./card.js";

/** How far the chain is read for what people chose to be told of. */
export function readingLines({ isClosed, isCurrent, since, missedAt }: ReadingState, view: View): Lines {
  const { chainReading: words } = view.words;
  if (isClosed) return [words.closed];
  return [
    since !== undefined && say(isCurrent ? words.current : words.behind, momentOf(since, view)),
    missedAt !== undefined && say(words.missed, momentOf(missedAt, view)),
  ];
}
