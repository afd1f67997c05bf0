import type { Address } from "../encoding/address.js";
import { type Amount, amountOf, isZero, type Token } from "../encoding/amount.js";
import { unlessFault } from "../fault.js";
import { type Allowance, createUserRateLimit } from "../services/base/rate.js";
import type { Balances } from "../services/chain/query-gateway.js";
import type { WatchedAccount } from "../services/history/portfolio.js";
import type { Person } from "../services/person/person.js";
import { watchOnlyOf } from "../services/person/watch-only.js";
import { askableTokens } from "../services/market/token-list.js";
import type { HeldLocks, LockContract } from "../services/trade/lock-contract.js";
import type { BotBase } from "./context.js";

interface HoldingParts {
  readonly base: BotBase;
  readonly balances: Balances;
  readonly lock: LockContract;
}

/** Rate-limited reads of users' balances, if the node reports them. */
export interface UserHoldings {
  /** Whether the bot can read the user's balances. */
  readonly areTold: (person: Person) => boolean;
  /** See {@link askableTokens}. */
  readonly askable: (recent: Pick<Person, "recentTokens">, more?: readonly string[]) => string[];
  readonly allowance: Allowance;
  /** Balances of the `askable` tokens, including zeros; undefined if unavailable or rate-limited. */
  readonly of: (person: Person) => Promise<Amount[] | undefined>;
  /**
   * What the user's watch-only addresses hold, read one after another: each takes one of the turns that the user has
   * anyway, so that more addresses take nothing from others.
   */
  readonly watched: (person: Person) => Promise<readonly WatchedAccount[]>;
  /** Locked tokens that the bot has no record of; undefined if unknown. */
  readonly locksOf: (person: Person) => Promise<HeldLocks | undefined>;
}

/** Milliseconds after which no further watch-only address is read. */
const WATCHED_MS = 3000;

export function createHoldings({ base: { clock, settings, tokens }, balances, lock }: HoldingParts): UserHoldings {
  const allowance = createUserRateLimit({ clock, burst: 10, refillSeconds: 3 });
  const areTold: UserHoldings["areTold"] = ({ wallet }) =>
    wallet !== undefined && settings.callIncludesCaller && balances.areTold();
  const askable: UserHoldings["askable"] = (recent, more) => askableTokens(tokens, recent, more);
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
    watched: async (person) => {
      const [until, ids] = [clock.monotonic() + WATCHED_MS, askable(person)];
      const holdingsOf = async (address: Address) => {
        if (clock.monotonic() >= until) return undefined;
        allowance.take(person.chatId);
        return balances.known(address, ids);
      };
      const accounts: WatchedAccount[] = [];
      for (const each of watchOnlyOf(person)) {
        const holdings = await unlessFault(() => holdingsOf(each.address));
        const held = holdings && ids.map((id) => amountOf(tokens.named(id), holdings[id] ?? 0n));
        accounts.push({ ...each, held: held?.filter((amount) => !isZero(amount)) });
      }
      return accounts;
    },
    locksOf: async (person) => {
      const address = await accountOf(person);
      return address && lock.heldElsewhere(person.chatId, address);
    },
  };
}

/** What a user's account holds of a token, if the node tells. */
export async function heldOf(
  {
    balances,
    holdings,
  }: { readonly balances: Pick<Balances, "known">; readonly holdings: Pick<UserHoldings, "areTold"> },
  person: Person,
  token: Token,
): Promise<Amount | undefined> {
  const { wallet } = person;
  const held = wallet && holdings.areTold(person) ? await balances.known(wallet.address, [token.id]) : undefined;
  const units = held?.[token.id];
  return units === undefined ? undefined : amountOf(token, units);
}
