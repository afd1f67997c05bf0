import type { Api } from "grammy";
import { paidWithToken } from "../../cards/amount.js";
import { card } from "../../cards/card.js";
import { endingOf } from "../../cards/intent.js";
import { personOf } from "../../services/people.js";
import type { DeskView } from "../../services/wallet-gateway/desk.js";
import type { Parts } from "../context.js";
import { signingLines } from "../intents/card.js";
import { presentSoon, type PresentLaterParts } from "../intents/present.js";
import type { KindParts } from "../kind.js";
import { kinds } from "../kinds.js";
import { ownerOf } from "../person.js";

/** What the signing desk learns from the chat's side: words, and whether a card still holds. */
export function deskView(parts: KindParts & PresentLaterParts & Pick<Parts, "botName">, api: Api): DeskView {
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
    recheck: async (intent) =>
      kinds[intent.terms.kind].recheck(parts, await personOf(parts.store, intent.owner), intent),
    presentWorse: async (before, fresh) => {
      const { words } = await ownerOf(parts, fresh.owner);
      const notice = kinds[before.terms.kind].moved(before.terms, fresh.terms, words);
      await presentSoon(parts, api, fresh, { notice });
    },
  };
}
