import type { Address } from "../encoding/address.js";
import type { Messages } from "../locales/messages.js";
import type { Person } from "../model/person.js";
import { bold, card, code, type Card, type Line } from "./card.js";
import { formatMoment } from "./time.js";

/** The payout address in full, since when it holds, and how to change it. `notices` come first. */
export function walletCard(
  words: Messages,
  wallet: NonNullable<Person["wallet"]>,
  timeZone: string,
  notices: readonly Line[] = [],
): Card {
  return card([
    ...notices,
    bold(words.wallet.title),
    code(wallet.address),
    words.wallet.explain,
    words.wallet.since(formatMoment(wallet.since, timeZone)),
    "",
    words.wallet.change,
    code("/wallet klv1…"),
  ]);
}

/** For an address that was sent without a command: what to send to make it the payout address. Nothing changes by itself. */
export function pastedAddressCard(words: Messages, address: Address, hasWallet: boolean): Card {
  const { pasted, pastedOther } = words.wallet;
  return card([hasWallet ? pastedOther : pasted, code(`/wallet ${address}`)]);
}
