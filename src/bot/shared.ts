import type { FormOf, FormParts } from "../conversations/interview.js";
import { type Amount, amountOf, formatAmount, isZero, NATIVE_TOKEN } from "../encoding/amount.js";
import { roundFigure } from "../encoding/decimal.js";
import { parseAmount } from "../encoding/typed.js";
import { unlessFault } from "../fault.js";
import type { LaunchKindParts } from "../services/trade/launch-facts.js";
import { createUserRateLimit } from "../services/base/rate.js";
import type { HeldLocks } from "../services/trade/lock-contract.js";
import type { Operator } from "../services/operator/operator.js";
import type { Orders } from "../services/alerts/orders.js";
import { assertNotFrozen, personIn, type Person } from "../services/person/person.js";
import type { Pools } from "../services/market/pools.js";
import type { PriceAlerts } from "../services/alerts/price-alerts.js";
import type { Prices } from "../services/market/price-history.js";
import type { Delays } from "../services/operator/delays.js";
import type { Swaps } from "../services/trade/swap.js";
import type { Request } from "../services/terms/terms.js";
import { type BotSettings, viewOf, type ViewParts } from "./context.js";
import { openCard, type OpenCardParts, replyOpened } from "./intents/open.js";
import { catchUserError } from "./reply.js";

/** Everything that features can depend on. */
export interface Services extends OpenCardParts, LaunchKindParts {
  readonly settings: BotSettings;
  readonly botName: () => string;
  readonly delays: Delays;
  /** A form submits a request for a card, unless it overrides `submit`. */
  readonly forms: FormOf<Request>;
  readonly holdings: ReturnType<typeof createHoldings>;
  readonly operator: Operator;
  readonly orders: Orders;
  readonly pools: Pools;
  readonly priceAlerts: PriceAlerts;
  readonly prices: Prices;
  readonly swaps: Swaps;
}

/** The services that a feature names, and {@link ViewParts}. */
export type Needs<Name extends keyof Services> = ViewParts & Pick<Services, Name>;

type SharedParts = OpenCardParts & Needs<"lock" | "pools" | "tokens" | "worth">;

/** Maximum number of tokens to read balances of: each is a separate request to the node. */
const MAX_BALANCES = 40;

/** Rate-limited reads of users' balances, if the node reports them. */
function createHoldings({ balances, lock, tokens, settings, clock }: SharedParts) {
  const allowance = createUserRateLimit({ clock, burst: 10, refillSeconds: 3 });
  const areTold = ({ wallet }: Person) => wallet !== undefined && settings.callIncludesCaller && balances.areTold();
  /** Ids of up to {@link MAX_BALANCES} tokens, recently used ones first. */
  const askable = ({ recentTokens }: Pick<Person, "recentTokens">, more: readonly string[] = []) => {
    const fungible = tokens.all.filter(({ kind }) => kind === "fungible").map(({ id }) => id);
    return [...new Set([...recentTokens, ...fungible, ...more])].slice(0, MAX_BALANCES);
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
    /** Balances of the {@link askable} tokens, including zeros; undefined if unavailable or rate-limited. */
    of: async (person: Person): Promise<Amount[] | undefined> => {
      const address = await accountOf(person);
      if (address === undefined) return undefined;
      const ids = askable(person);
      const holdings = await balances.known(address, ids);
      const listed = ids.map((id) => tokens.byId(id)).filter((token) => token !== undefined);
      return holdings && listed.map((token) => amountOf(token, holdings[token.id] ?? 0n));
    },
    /** Locked tokens that the bot has no record of; undefined if unknown. */
    locksOf: async (person: Person): Promise<HeldLocks | undefined> => {
      const address = await accountOf(person);
      return address && lock.heldElsewhere(person.chatId, address);
    },
  };
}

/** Maximum age of the reserves behind a price, in milliseconds. */
const POOLS_MAX_AGE_MS = 60_000;

/** Builds what several features share. */
export function sharedOf(services: SharedParts, saveWallet: FormParts["saveWallet"]) {
  const { pools, settings, store, tokens, worth } = services;
  const holdings = createHoldings(services);

  const forms: FormOf<Request> = {
    tokens,
    supportContact: settings.supportContact,
    saveWallet,
    refuseTrade: async (userId) => {
      const person = await personIn(store.db, userId);
      const open = await catchUserError(viewOf(person, services).words, () => {
        assertNotFrozen(person);
        return services.tradingPause.assertOpen();
      });
      return open.ok ? undefined : open.card;
    },
    show: (ctx, shown) => replyOpened(services, ctx, shown),
    submit: (userId, request) => openCard(services, userId, request),
    readPerson: async (userId) => {
      const person = await personIn(store.db, userId);
      const { language, recentTokens, wallet } = person;
      return { language, recentTokens, hasWallet: wallet !== undefined, knowsBalances: holdings.areTold(person) };
    },
    readMarket: async (userId) => {
      const person = await personIn(store.db, userId);
      const [graph, held] = await Promise.all([pools.known(POOLS_MAX_AGE_MS), holdings.of(person)]);
      const pairs = graph?.pools() ?? [];
      const traded = new Set(pairs.flatMap(({ first, second }) => [first, second]));
      const shares = pairs.flatMap(({ lpTokenId }) => lpTokenId ?? []);
      const untraded = shares.filter((id) => !traded.has(id) && tokens.byId(id) !== undefined);
      const figures = held && Object.fromEntries(held.map((amount) => [amount.token.id, formatAmount(amount)]));
      return { untraded, ...(figures !== undefined && { held: figures }) };
    },

    /** The user's quick amounts are in the native token; in another one, about as much. None if its value is unknown. */
    presetsFor: async (userId, tokenId) => {
      const { presets } = await personIn(store.db, userId);
      const [token, native] = [tokens.byId(tokenId), tokens.byId(NATIVE_TOKEN)];
      if (tokenId === NATIVE_TOKEN) return presets;
      if (token === undefined || native === undefined) return [];
      const worthOf = async (preset: string) => {
        const value = await unlessFault(() => worth(parseAmount(preset, native), token, POOLS_MAX_AGE_MS));
        return value === undefined || isZero(value) ? undefined : roundFigure(formatAmount(value));
      };
      const byWorth = await Promise.all(presets.map(worthOf));
      return [...new Set(byWorth.filter((preset) => preset !== undefined))];
    },
  };
  return { holdings, forms };
}
