import { amountOf, type Amount } from "../encoding/amount.js";
import { unlessFault } from "../fault.js";
import type { Person } from "../model/person.js";
import type { Parts } from "./context.js";

export type HeldParts = Pick<Parts, "balanceAllowance" | "balances" | "settings" | "tokens">;

/** The node is asked about each asset separately, so their number is limited. */
const MAX_TOKENS = 40;

/**
 * What a person's account holds of the tokens that are known, zero included; undefined where that can't be had in a moment, or
 * was asked for too often. Of a long list only the first ones are read, those used last before all others.
 */
export async function heldBy(
  parts: HeldParts,
  { chatId, wallet, recentTokens }: Person,
): Promise<Amount[] | undefined> {
  const { balances, settings, tokens } = parts;
  if (wallet === undefined || !settings.callIncludesCaller || !balances.areTold()) return undefined;
  const isAllowed = await unlessFault(() => {
    parts.balanceAllowance.take(chatId);
    return Promise.resolve(true);
  });
  if (isAllowed !== true) return undefined;
  const fungible = tokens.all.filter(({ kind }) => kind === "fungible").map(({ id }) => id);
  const ids = [...new Set([...recentTokens, ...fungible])].slice(0, MAX_TOKENS);
  const holdings = await balances.known(wallet.address, ids);
  return (
    holdings &&
    ids.flatMap((id) => {
      const token = tokens.byId(id);
      return token === undefined ? [] : [amountOf(token, holdings[id] ?? 0n)];
    })
  );
}
