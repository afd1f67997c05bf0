import type { Api } from "grammy";
import { walletCard } from "../../../cards/wallet.js";
import type { Card } from "../../../cards/card.js";
import { parseAccountAddress } from "../../../encoding/address.js";
import { messages } from "../../../locales/messages.js";
import { people } from "../../../model/person.js";
import type { Parts } from "../../context.js";
import { cancelOpenCards, presentAll } from "../../intents/cancel-open.js";

/**
 * Saves where a person's tokens go and gives the card that says so. Open cards that would still pay to the old address are
 * cancelled: nobody should confirm one by habit.
 * @throws Fault `address-…`.
 */
export async function saveWallet(parts: Parts, api: Api, userId: number, text: string): Promise<Card> {
  const address = parseAccountAddress(text);
  const since = parts.clock.now();
  const [before, person] = await parts.store.update(people, String(userId), (before) => {
    const after = before.wallet?.address === address ? before : { ...before, wallet: { address, since } };
    return [after, [before, after] as const];
  });
  const canceled = before.wallet === undefined || before === person ? [] : await cancelOpenCards(parts, userId);
  await presentAll(parts, api, canceled);
  const words = messages[person.language];
  return walletCard(words, person.wallet ?? { address, since }, person.timeZone, [
    words.wallet.saved,
    ...(canceled.length > 0 ? [words.wallet.cardsCanceled(canceled.length)] : []),
    "",
  ]);
}
