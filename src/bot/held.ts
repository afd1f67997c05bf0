import { amountOf, type Amount } from "../encoding/amount.js";
import { unlessFault } from "../fault.js";
import type { Balances } from "../services/gateway/balances.js";
import { createAllowance, type Allowance } from "../services/limits/rate.js";
import type { HeldLocks, LockContract } from "../services/lock/contract.js";
import type { Person } from "../services/person/person.js";
import type { TokenList } from "../services/token/list.js";
import type { Clock } from "../clock.js";

/** What people hold, as far as the node tells it, and asked of it not too often. */
export interface Holdings {
  /** Whether it can be known what a person holds. */
  readonly areTold: (person: Person) => boolean;
  /**
   * What a person's account holds of the tokens that are known, zero included; undefined where that can't be had in a moment, or
   * was asked for too often. Of a long list only the first ones are read, those used last before all others.
   */
  readonly of: (person: Person) => Promise<Amount[] | undefined>;
  /** The locked tokens in a person's account that the bot has no record of; undefined where they can't be known. */
  readonly locksOf: (person: Person) => Promise<HeldLocks | undefined>;
  /** The ids of the tokens of which a balance is asked for, those used last before all others; as many as can be asked. */
  readonly askable: (person: Person, more?: readonly string[]) => string[];
  /** Limits how often somebody's balances are read. */
  readonly allowance: Allowance;
}

/** The node is asked about each asset separately, so their number is limited. */
const MAX_TOKENS = 40;

export function createHoldings(parts: {
  readonly balances: Balances;
  readonly lock: Pick<LockContract, "heldBeside">;
  readonly tokens: TokenList;
  /** Whether a person's own account makes their calls: otherwise it says nothing of what they can pay. */
  readonly callerIsPerson: boolean;
  readonly clock: Clock;
}): Holdings {
  const { balances, lock, tokens, callerIsPerson, clock } = parts;
  const allowance = createAllowance({ clock, atOnce: 10, everySeconds: 3 });
  const areTold = ({ wallet }: Person) => wallet !== undefined && callerIsPerson && balances.areTold();
  const askable = ({ recentTokens }: Person, more: readonly string[] = []) => {
    const fungible = tokens.all.filter(({ kind }) => kind === "fungible").map(({ id }) => id);
    return [...new Set([...recentTokens, ...fungible, ...more])].slice(0, MAX_TOKENS);
  };
  /** Whose balances may be read now. */
  const accountOf = (person: Person) =>
    unlessFault(() => {
      if (!areTold(person)) return Promise.resolve(undefined);
      allowance.take(person.chatId);
      return Promise.resolve(person.wallet?.address);
    });

  return {
    areTold,
    askable,
    allowance,
    of: async (person) => {
      const address = await accountOf(person);
      if (address === undefined) return undefined;
      const ids = askable(person);
      const holdings = await balances.known(address, ids);
      const listed = ids.map((id) => tokens.byId(id)).filter((token) => token !== undefined);
      return holdings && listed.map((token) => amountOf(token, holdings[token.id] ?? 0n));
    },
    locksOf: async (person) => {
      const address = await accountOf(person);
      return address && lock.heldBeside(person.chatId, address);
    },
  };
}
