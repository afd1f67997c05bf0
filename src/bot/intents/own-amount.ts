import { amountOf, formatAmount } from "../../encoding/amount.js";
import { parseShare, shareOf } from "../../encoding/share.js";
import { Fault } from "../../fault.js";
import type { Person } from "../../model/person.js";
import { tokenOf } from "../../services/tokens.js";
import type { Parts } from "../context.js";

const SHARE_LINE = /^(max|[0-9.]+\s*%)\s+(\S+)(.*)$/is;

/**
 * The line that a person typed, with `50%` or `max` at its beginning replaced by so much of what they hold of the token after it, exact
 * to the unit. Of KLV the highest network fee stays back where their wallet has to pay one. Any other line is as it was.
 * @throws Fault `wallet-missing`, `balances-untold`, `token-…`, `amount-…`, `service-…`.
 */
export async function withOwnAmount(
  parts: Pick<Parts, "balances" | "settings" | "tokens">,
  person: Person,
  typed: string,
): Promise<string> {
  const [, share = "", name = "", rest = ""] = SHARE_LINE.exec(typed.trim()) ?? [];
  const bps = parseShare(share);
  if (bps === undefined) return typed;
  if (person.wallet === undefined) throw new Fault("wallet-missing", {});
  if (!parts.settings.callIncludesCaller) throw new Fault("balances-untold", {});
  const token = tokenOf(person, name.toUpperCase(), parts.tokens) ?? parts.tokens.find(name);
  const held = (await parts.balances.read(person.wallet.address, [token.id]))[token.id] ?? 0n;
  const kept = token.id === "KLV" ? parts.settings.keptForFees : 0n;
  const wanted = shareOf(amountOf(token, held), bps).units;
  const most = held > kept ? held - kept : 0n;
  const units = wanted < most ? wanted : most;
  if (units === 0n) throw new Fault("balance-empty", { token: token.id });
  return `${formatAmount(amountOf(token, units))} ${token.id}${rest}`;
}
