import { amountOf, type Amount } from "../../encoding/amount.js";
import { shareOf } from "../../encoding/percent.js";
import type { Token } from "../../encoding/token.js";
import { Fault } from "../../fault.js";
import type { Person } from "../person/person.js";
import type { Pay } from "../request.js";
import type { Balances } from "../gateway/balances.js";
import { payoutOf } from "../person/people.js";

export interface PayParts {
  readonly balances: Balances;
  readonly settings: {
    readonly callIncludesCaller: boolean;
    /** How much KLV stays back for the network fee, in smallest units. */
    readonly keptForFees: bigint;
  };
}

/**
 * What a person pays: a share of what they hold of a token is exact to the unit. Of KLV the highest network fee stays back where their
 * wallet has to pay one.
 * @throws Fault `wallet-missing`, `balances-untold`, `balance-empty`, `amount-zero`, `service-…`.
 */
export async function amountPaid(
  { balances, settings }: PayParts,
  person: Person,
  pay: Pay,
  token: Token,
): Promise<Amount> {
  if ("units" in pay) return pay;
  const payout = payoutOf(person);
  if (!settings.callIncludesCaller) throw new Fault("balances-untold", {});
  const held = (await balances.read(payout, [token.id]))[token.id] ?? 0n;
  const kept = token.id === "KLV" ? settings.keptForFees : 0n;
  const wanted = held === 0n ? 0n : shareOf(amountOf(token, held), pay.shareBps).units;
  const most = held > kept ? held - kept : 0n;
  const units = wanted < most ? wanted : most;
  if (units === 0n) throw new Fault("balance-empty", { token: token.id });
  return amountOf(token, units);
}
