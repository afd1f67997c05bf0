import { paidWithToken } from "../../cards/amount.js";
import { card } from "../../cards/card.js";
import { movedNotice, signingLines } from "../../cards/intent.js";
import { endingOf } from "../../cards/ending.js";
import { personOf } from "../../services/person/people.js";
import type { Trades } from "../../services/trade/kinds.js";
import type { SigningView } from "../../services/wallet/signing.js";
import { cardOf } from "../../services/intent/change.js";
import type { Outbox } from "../../services/outbox/sender.js";
import { ownerOf, type ViewParts } from "../person.js";

export function deskView(
  parts: ViewParts & {
    readonly trades: Trades;
    readonly botName: () => string;
    readonly outbox: Pick<Outbox, "flush">;
  },
): SigningView {
  return {
    describe: async (intent) => {
      const { person, view } = await ownerOf(parts, intent.owner);
      const fee = intent.transaction?.networkFee;
      return {
        language: person.language,
        botName: parts.botName(),
        phrase: view.phrase && card([view.phrase]).text,
        ...signingLines(intent, view),
        networkFee: fee === undefined ? "" : paidWithToken(fee, view.words),
        ending: endingOf(intent, view),
      };
    },
    recheck: async (intent) => parts.trades.recheck(intent, await personOf(parts.store, intent.owner)),
    presentWorse: async (before, fresh) => {
      const { words } = await ownerOf(parts, fresh.owner);
      const notice = movedNotice(before.terms, fresh.terms, words);
      await parts.outbox.flush(cardOf(fresh), { notice });
    },
  };
}
