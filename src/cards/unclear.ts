import type { Unclear } from "../services/telegram/outbox-unclear.js";
import { momentOf, say, type Line, type View } from "./card.js";

/** Of what is sent only once: that some of it may not have arrived. */
export function unclearLine(unclear: Unclear | undefined, view: View): Line | false {
  if (unclear === undefined) return false;
  return say((at) => view.words.common.unclear(unclear.count, at), momentOf(unclear.at, view));
}
