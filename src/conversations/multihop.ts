import { multihopUsage } from "../cards/multihop.js";
import { refusal, typedAnswer } from "../cards/mends.js";
import { readMultihopRequest } from "../services/multihop/request.js";
import { cardDialog, type CardDialogParts } from "./card-dialog.js";

/** Asks for the amount and the tokens on the way in one answer, and ends in a card. */
export function multihopDialog(parts: CardDialogParts) {
  return cardDialog(parts, "multihop", ({ words, tokens, opens }, open) =>
    opens(
      {
        prompt: multihopUsage(words),
        read: (text) => {
          // Whoever copies an example copies its command too.
          const line = text.trim().replace(/^\/multihop\s+/i, "");
          const read = readMultihopRequest(line, tokens);
          if (read === undefined) return { ok: false, sentence: words.multihop.askPath };
          if (read.ok) return { ok: true, value: line };
          return { ok: false, ...refusal(read.faults, words, typedAnswer(line)) };
        },
      },
      open,
    ),
  );
}
