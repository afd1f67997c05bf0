import type { FormOf } from "../conversations/interview.js";
import { formatAmount, isZero, NATIVE_TOKEN } from "../encoding/amount.js";
import { roundFigure } from "../encoding/decimal.js";
import { parseAmount } from "../encoding/typed.js";
import { unlessFault } from "../fault.js";
import type { Pools, WorthReader } from "../services/market/pools.js";
import type { TradingPause } from "../services/operator/operator.js";
import { assertNotFrozen, personIn } from "../services/person/person.js";
import { saveWallet } from "../services/person/wallet-address.js";
import type { Request } from "../services/terms/terms.js";
import { type BotBase, viewOf } from "./context.js";
import type { UserHoldings } from "./holdings.js";
import type { IntentCards } from "./intents/intent-cards.js";
import { catchUserError, replies } from "./reply.js";

/** What every dialog asks of the bot. A form submits a request for a card, unless it overrides `submit`. */
export type Forms = FormOf<Request>;

interface FormsParts {
  readonly base: BotBase;
  readonly cards: IntentCards;
  readonly holdings: UserHoldings;
  readonly pools: Pools;
  readonly tradingPause: TradingPause;
  readonly worth: WorthReader;
}

/** Maximum age of the reserves behind a price, in milliseconds. */
const POOLS_MAX_AGE_MS = 60_000;

export function createForms({ base, cards, holdings, pools, tradingPause, worth }: FormsParts): Forms {
  const { settings, store, tokens } = base;
  return {
    tokens,
    supportContact: settings.supportContact,
    saveWallet: (userId, address) => saveWallet(base, userId, address),
    refuseTrade: async (userId) => {
      const person = await personIn(store.db, userId);
      const open = await catchUserError(viewOf(person, base).words, () => {
        assertNotFrozen(person);
        return tradingPause.assertOpen();
      });
      return open.ok ? undefined : open.card;
    },
    show: cards.reply,
    submit: cards.open,
    replies,
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
}
