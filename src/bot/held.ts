import { amountOf, type Amount } from "../encoding/amount.js";
import { unlessFault } from "../fault.js";
import type { Balances } from "../services/gateway/ask-node.js";
import { createUserRateLimit } from "../services/limits/rate.js";
import type { HeldLocks, LockContract } from "../services/lock/contract.js";
import type { Person } from "../services/person/person.js";
import type { TokenList } from "../services/token/list.js";
import type { Clock } from "../clock.js";
import type { BotSettings } from "./context.js";

export type Holdings = ReturnType<typeof createHoldings>;

interface HoldingParts {
  readonly balances: Balances;
  readonly lock: Pick<LockContract, "heldBeside">;
  readonly tokens: TokenList;
  /** Where callers aren't told, a person's own account says nothing about what they can pay. */
  readonly settings: Pick<BotSettings, "callIncludesCaller">;
  readonly clock: Clock;
}

/** The node is asked about each asset separately, so their number is limited. */
const MAX_TOKENS = 40;

/** Balances, as far as the node reports them, rate-limited. */
export function createHoldings({ balances, lock, tokens, settings, clock }: HoldingParts) {
  const allowance = createUserRateLimit({ clock, burst: 10, refillSeconds: 3 });
  const areTold = ({ wallet }: Person) => wallet !== undefined && settings.callIncludesCaller && balances.areTold();
  /** Those used last come first; as many as can be asked. */
  const askable = ({ recentTokens }: Person, more: readonly string[] = []) => {
    const fungible = tokens.all.filter(({ kind }) => kind === "fungible").map(({ id }) => id);
    return [...new Set([...recentTokens, ...fungible, ...more])].slice(0, MAX_TOKENS);
  };
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
    /** Zero included; undefined where unavailable or rate-limited. Of a long list only the first ones are read. */
    of: async (person: Person): Promise<Amount[] | undefined> => {
      const address = await accountOf(person);
      if (address === undefined) return undefined;
      const ids = askable(person);
      const holdings = await balances.known(address, ids);
      const listed = ids.map((id) => tokens.byId(id)).filter((token) => token !== undefined);
      return holdings && listed.map((token) => amountOf(token, holdings[token.id] ?? 0n));
    },
    /** Locked tokens that the bot has no record of; undefined where unknown. */
    locksOf: async (person: Person): Promise<HeldLocks | undefined> => {
      const address = await accountOf(person);
      return address && lock.heldBeside(person.chatId, address);
    },
  };
}
