import type { Clock } from "../../clock.js";
import type { Lead } from "../lead.js";
import type { Pacer } from "./pacer.js";

/** The one that leads hears of replies in batches; alerts leave evenly enough to bear being told so much later. */
const TELL_AFTER_MILLISECONDS = 100;
/** What one message to it has room for. */
const MOST_AT_ONCE = 400;

/** The pace of replies, of which the instance that leads learns: those of all instances count in the pace of its alerts. */
export function reportedReplies(pacer: Pacer, lead: Lead, clock: Clock): Pick<Pacer, "reply"> {
  let chatIds: number[] = [];

  function tell(): void {
    const all = chatIds;
    chatIds = [];
    for (let from = 0; from < all.length; from += MOST_AT_ONCE) {
      lead.tell({ about: "replies", chatIds: all.slice(from, from + MOST_AT_ONCE) });
    }
  }

  return {
    reply: (chatId, send) => {
      if (!lead.isLeading()) {
        if (chatIds.length === 0) clock.timer(TELL_AFTER_MILLISECONDS, tell);
        chatIds.push(chatId);
      }
      return pacer.reply(chatId, send);
    },
  };
}
