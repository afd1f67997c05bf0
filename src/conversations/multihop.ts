import { multihopUsage } from "../cards/multihop.js";
import { refusal, typedAnswer } from "../cards/mends.js";
import { isShare } from "../encoding/share.js";
import { readMultihopRequest } from "../services/multihop/request.js";
import { wordsOf } from "../services/typed-line.js";
import { cardDialog, type CardDialogParts, type Collect } from "./card-dialog.js";

/** Asks for the amount and the tokens on the way in one answer, and ends in a card. */
export function multihopDialog(parts: CardDialogParts) {
  const collect: Collect = ({ words, tokens, opens }, open) =>
    opens(
      {
        hasNumbers: true,
        prompt: multihopUsage(words),
        read: (text) => {
          // Whoever copies an example copies its command too.
          const line = text.trim().replace(/^\/multihop\s+/i, "");
          // A share becomes an amount once the token's balance is known.
          const read = readMultihopRequest(
            line.replace(/^\S+/, (amount) => (isShare(amount) ? "1" : amount)),
            tokens,
          );
          if (read === undefined) return { ok: false, sentence: words.multihop.askPath };
          if (read.ok) return { ok: true, value: line };
          return { ok: false, ...refusal(read.faults, words, typedAnswer(line)) };
        },
      },
      open,
    );
  return cardDialog(parts, "multihop", collect, (typed) => wordsOf(typed).length < 3);
}
