import type { Messages } from "../locales/messages.js";
import type { Person } from "../services/people.js";
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
