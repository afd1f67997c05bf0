import { amountOf, isZero, type Amount } from "../../encoding/amount.js";
import type { AssetId } from "../../encoding/asset.js";
import { shareOf } from "../../encoding/percent.js";
import { isFault } from "../../fault.js";
import type { Person } from "../person/person.js";
import type { Pay } from "../request.js";
import { amountPaid, type PayParts } from "../swap/request.js";
import type { TokenList } from "../token/list.js";
import type { Locking } from "./locking.js";
import { lockedToken } from "./request.js";

const ALL = { shareBps: 10_000n };

/**
 * How much of a locked token is taken back; undefined for all that the bot has a record of. Without a record all means what the account
 * holds, and where balances aren't told, a share is one of the record.
 * @throws as {@link amountPaid}.
 */
export async function amountUnlocked(
  parts: PayParts & { readonly locking: Pick<Locking, "find">; readonly tokens: TokenList },
  person: Person,
  locked: AssetId,
  pay: Pay | undefined,
): Promise<Amount | undefined> {
  const known = (await parts.locking.find(person.chatId, locked))?.amount;
  const recorded = known === undefined || isZero(known) ? undefined : known;
  if (pay === undefined && recorded !== undefined) return undefined;
  const token = lockedToken(parts.tokens, locked, known?.token);
  const wanted = pay ?? ALL;
  try {
    return await amountPaid(parts, person, wanted, token);
  } catch (error) {
    if (!isFault(error, "balances-untold") || "units" in wanted) throw error;
    if (pay === undefined) return undefined;
    if (recorded === undefined) throw error;
    return amountOf(token, shareOf(recorded, wanted.shareBps).units);
  }
}
