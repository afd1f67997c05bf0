import { amountOf, type Amount } from "../encoding/amount.js";
import { unlessFault } from "../fault.js";
import type { Person } from "../services/person/person.js";
import type { HeldLocks } from "../services/lock/lock.js";
import type { Parts } from "./context.js";

export type HeldParts = Pick<Parts, "balanceAllowance" | "balances" | "lock" | "settings" | "tokens">;

/** The node is asked about each asset separately, so their number is limited. */
const MAX_TOKENS = 40;

/**
 * What a person's account holds of the tokens that are known, zero included; undefined where that can't be had in a moment, or
 * was asked for too often. Of a long list only the first ones are read, those used last before all others.
 */
export async function heldBy(parts: HeldParts, person: Person): Promise<Amount[] | undefined> {
  const { balances, tokens } = parts;
  const address = await accountOf(parts, person);
  if (address === undefined) return undefined;
  const ids = askableTokens(parts, person);
  const holdings = await balances.known(address, ids);
  const listed = ids.map((id) => tokens.byId(id)).filter((token) => token !== undefined);
  return holdings && listed.map((token) => amountOf(token, holdings[token.id] ?? 0n));
}

/** The ids of the tokens of which a balance is asked for, those used last before all others; as many as can be asked. */
export function askableTokens(
  { tokens }: Pick<Parts, "tokens">,
  { recentTokens }: Person,
  more: readonly string[] = [],
): string[] {
  const fungible = tokens.all.filter(({ kind }) => kind === "fungible").map(({ id }) => id);
  return [...new Set([...recentTokens, ...fungible, ...more])].slice(0, MAX_TOKENS);
}

/** The locked tokens in a person's account that the bot has no record of; undefined where they can't be known. */
export async function heldLocksOf(parts: HeldParts, person: Person): Promise<HeldLocks | undefined> {
  const address = await accountOf(parts, person);
  return address && parts.lock.heldBeside(person.chatId, address);
}

/** Whose balances may be read now: undefined where the node tells none, or they were asked for too often. */
function accountOf({ balanceAllowance, balances, settings }: HeldParts, { chatId, wallet }: Person) {
  if (wallet === undefined || !settings.callIncludesCaller || !balances.areTold()) return undefined;
  return unlessFault(() => {
    balanceAllowance.take(chatId);
    return Promise.resolve(wallet.address);
  });
}
