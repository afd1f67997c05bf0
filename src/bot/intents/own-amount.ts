import { amountOf, formatAmount, isZero } from "../../encoding/amount.js";
import { formatAssetId } from "../../encoding/asset.js";
import { isShare, parseShare, shareOf } from "../../encoding/share.js";
import type { Token } from "../../encoding/token.js";
import { Fault, isFault } from "../../fault.js";
import type { Person } from "../../model/person.js";
import { lockedToken } from "../../services/locks/locking.js";
import { lockOf, readLockedAsset } from "../../services/locks/record.js";
import { tokenOf } from "../../services/tokens.js";
import { wordsOf } from "../../services/typed-line.js";
import type { Parts } from "../context.js";

export type OwnAmountParts = Pick<Parts, "balances" | "settings" | "tokens">;

/**
 * The line that a person typed, with `50%`, `half` or `max` at its beginning replaced by so much of what they hold of the token
 * after it, exact to the unit. Of KLV the highest network fee stays back where their wallet has to pay one. Any other line is
 * as it was.
 * @throws Fault `wallet-missing`, `balances-untold`, `token-…`, `amount-…`, `service-…`.
 */
export async function withOwnAmount(parts: OwnAmountParts, person: Person, typed: string): Promise<string> {
  const [share = "", name, ...rest] = wordsOf(typed);
  if (name === undefined || !isShare(share)) return typed;
  const token = tokenOf(person, name.toUpperCase(), parts.tokens) ?? parts.tokens.find(name);
  return [await sharePaid(parts, person, share, token), token.id, ...rest].join(" ");
}

/**
 * The same for what is typed behind `/unlock`: `LKTOK-1A2B/7 half`, or a locked token alone of which the bot has no record, all
 * of which is meant.
 */
export async function withOwnLocked(parts: OwnAmountParts, person: Person, typed: string): Promise<string> {
  const [id, amount, ...rest] = wordsOf(typed);
  if (id === undefined || rest.length > 0) return typed;
  const locked = readLockedAsset(id);
  const known = lockOf(person, locked)?.amount;
  const isOnRecord = known !== undefined && !isZero(known);
  if (amount === undefined ? isOnRecord : !isShare(amount)) return typed;
  const token = lockedToken(parts.tokens, locked, known?.token);
  try {
    return `${formatAssetId(locked)} ${await sharePaid(parts, person, amount ?? "max", token)}`;
  } catch (error) {
    // Without balances the bot's own record says how much there is; without a record the person has to.
    if (!isFault(error, "balances-untold")) throw error;
    if (amount === undefined) return typed;
    if (!isOnRecord) throw error;
    return `${formatAssetId(locked)} ${formatAmount(shareOf(known, parseShare(amount) ?? 0n))}`;
  }
}

async function sharePaid(
  { balances, settings }: OwnAmountParts,
  { wallet }: Person,
  typed: string,
  token: Token,
): Promise<string> {
  const bps = parseShare(typed);
  if (wallet === undefined) throw new Fault("wallet-missing", {});
  if (bps === undefined) throw new Fault("amount-not-a-number", { text: typed });
  if (!settings.callIncludesCaller) throw new Fault("balances-untold", {});
  const held = (await balances.read(wallet.address, [token.id]))[token.id] ?? 0n;
  const kept = token.id === "KLV" ? settings.keptForFees : 0n;
  const wanted = held === 0n ? 0n : shareOf(amountOf(token, held), bps).units;
  const most = held > kept ? held - kept : 0n;
  const units = wanted < most ? wanted : most;
  if (units === 0n) throw new Fault("balance-empty", { token: token.id });
  return formatAmount(amountOf(token, units));
}
