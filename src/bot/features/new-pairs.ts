import { typedBehind } from "../../cards/correction.js";
import { newPairsCard, type NewPairsNews, newPairsNewsCard, newTokenOf } from "../../cards/new-pairs.js";
import { NATIVE_TOKEN } from "../../encoding/amount.js";
import { parseAmount } from "../../encoding/typed.js";
import type { NewPair } from "../../services/alerts/new-pair-queries.js";
import { type NewPairs, newPairsTopic } from "../../services/alerts/new-pairs.js";
import type { ReadTokenMarket, TokenMarket } from "../../services/history/token-market.js";
import type { RightsReader } from "../../services/market/token-rights.js";
import type { Topic } from "../../services/telegram/outbox.js";
import type { BotBase } from "../context.js";
import { type Feature, onCards } from "../feature.js";
import { typedLine } from "../intents/intent-cards.js";
import { replyOrError } from "../reply.js";

/** Below it, most pairs are somebody's attempt. */
const USUAL_LEAST = "1000";
/** Many are told of the same pairs within a short time. */
const MARKET_AGE_MS = 60_000;

interface NewPairsFeatureParts {
  readonly base: BotBase;
  readonly newPairs: NewPairs;
  readonly rights: RightsReader;
  readonly tokenMarket: ReadTokenMarket;
}

/** `/newpairs`: tells of pairs that open, from a least depth on. */
export function newPairsFeature({ base, newPairs, rights, tokenMarket }: NewPairsFeatureParts): Feature {
  const { clock, settings, tokens } = base;
  let read = { at: Number.NEGATIVE_INFINITY, markets: new Map<string, Promise<TokenMarket>>() };

  const marketOf = (pair: NewPair) => {
    const { token: id, counter: other } = newTokenOf(pair);
    const [token, counter] = [tokens.byId(id), tokens.byId(other)];
    if (token === undefined || counter === undefined) return undefined;
    if (clock.monotonic() - read.at > MARKET_AGE_MS) read = { at: clock.monotonic(), markets: new Map() };
    const market = read.markets.get(pair.address) ?? tokenMarket(token, counter);
    read.markets.set(pair.address, market);
    return market;
  };
  const told = newPairsTopic(base);
  const topic: Topic<NewPairsNews> = {
    ...told,
    render: async (db, row, person) => {
      const due = await told.render(db, row, person);
      if (due === undefined) return undefined;
      const { pairs, more } = due.message;
      const between = {
        contracts: [settings.referralContract, settings.routerContract],
        account: person.wallet?.address,
      };
      const shown = await Promise.all(
        pairs.map(async (pair) => {
          const [market, known] = await Promise.all([marketOf(pair), rights.known(newTokenOf(pair).token)]);
          return { pair, market, rights: { told: known, between } };
        }),
      );
      return { ...due, message: { pairs: shown, more } };
    },
  };

  return {
    commands: {
      newpairs: (ctx, typed) => {
        const line = typedLine(ctx, typed);
        const set = async () => {
          if (/^(?:off|desligar)$/i.test(line)) await newPairs.unwatch(ctx.userId);
          else if (line !== "") {
            const least = /^(?:on|ligar)$/i.test(line) ? USUAL_LEAST : line;
            await newPairs.watch(ctx.userId, parseAmount(least, tokens.named(NATIVE_TOKEN)).units);
          }
          return newPairsCard(await newPairs.leastOf(ctx.userId), ctx.view);
        };
        return replyOrError(ctx, set, typedBehind("newpairs", line));
      },
    },
    topics: [onCards(base, topic, newPairsNewsCard)],
    loops: newPairs.loops,
  };
}
