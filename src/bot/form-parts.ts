import type { DialogMarket, FormParts } from "../conversations/interview.js";
import { formatAmount, isZero, type Token } from "../encoding/amount.js";
import { parseAmount } from "../encoding/typed.js";
import { roundFigure } from "../encoding/decimal.js";
import { unlessFault } from "../fault.js";
import type { FeatureParts } from "./parts.js";
import { newPerson } from "../services/person/person.js";
import { personOf } from "../services/person/people.js";

/** How old the reserves behind a price may be, and how long a question waits for them, in milliseconds. */
const POOLS_AGE = 60_000;
const POOLS_TIMEOUT_MS = 1500;
const NATIVE_TOKEN = "KLV";

export function formParts(parts: Omit<FeatureParts, "forms"> & Pick<FormParts, "saveWallet">): FormParts {
  const { holdings, saveWallet, store, tokens } = parts;
  const { supportContact } = parts.settings;

  return {
    tokens,
    saveWallet,
    readPerson: async (userId) => {
      const person = await personOf(store, userId);
      const { language, recentTokens, wallet } = person;
      return {
        language,
        recentTokens,
        hasWallet: wallet !== undefined,
        knowsBalances: holdings.areTold(person),
        ...(supportContact !== undefined && { supportContact }),
      };
    },
    readMarket: async (userId): Promise<DialogMarket> => {
      const person = await personOf(store, userId);
      const [graph, held] = await Promise.all([parts.pools.known(POOLS_AGE, POOLS_TIMEOUT_MS), holdings.of(person)]);
      const pools = graph?.pools() ?? [];
      const traded = new Set(pools.flatMap(({ first, second }) => [first, second]));
      const shares = pools.flatMap(({ lpTokenId }) => (lpTokenId === undefined ? [] : [lpTokenId]));
      const untraded = shares.filter((id) => !traded.has(id) && tokens.byId(id) !== undefined);
      const figures = held && Object.fromEntries(held.map((amount) => [amount.token.id, formatAmount(amount)]));
      return { untraded, ...(figures !== undefined && { held: figures }) };
    },

    /** The user's own amounts; the defaults are in the native token, converted by worth. */
    presetsFor: async (userId, tokenId) => {
      const { presets } = await personOf(store, userId);
      const [token, native] = [tokens.byId(tokenId), tokens.byId(NATIVE_TOKEN)];
      const isDefault = presets.join() === newPerson(0).presets.join();
      if (!isDefault || token === undefined || native === undefined || token.id === native.id) return presets;
      const byWorth = await Promise.all(presets.map((preset) => worthOf(preset, native, token)));
      return byWorth.every((preset) => preset !== undefined) ? [...new Set(byWorth)] : presets;
    },
  };

  async function worthOf(preset: string, native: Token, token: Token): Promise<string | undefined> {
    const worth = await unlessFault(() => parts.worth(parseAmount(preset, native), token, POOLS_AGE));
    return worth === undefined || isZero(worth) ? undefined : roundFigure(formatAmount(worth));
  }
}
