import { typedBehind } from "../../cards/correction.js";
import { issuedIn, newPairsCard, type NewPairsNews, newPairsNewsCard } from "../../cards/new-pairs.js";
import { NATIVE_TOKEN } from "../../encoding/amount.js";
import { parseAmount } from "../../encoding/typed.js";
import type { NewPairs } from "../../services/alerts/new-pairs.js";
import { newPairKind } from "../../services/alerts/pair-readings.js";
import type { ReadPairFacts } from "../../services/history/pair-facts.js";
import type { RightsReader } from "../../services/market/token-rights.js";
import { newsTopic } from "../../services/alerts/news.js";
import { betweenBySwap } from "../../services/market/token-way.js";
import type { Topic } from "../../services/telegram/outbox.js";
import type { BotBase } from "../context.js";
import { type Feature, onCards } from "../feature.js";
import { typedLine } from "../intents/intent-cards.js";
import { replyOrError } from "../reply.js";

/** Below it, most pairs are somebody's attempt. */
const USUAL_LEAST = "1000";
interface NewPairsFeatureParts {
  readonly base: BotBase;
  readonly newPairs: NewPairs;
  readonly rights: RightsReader;
  readonly pairFacts: ReadPairFacts;
}

/** `/newpairs`: tells of pairs that open, from a least depth on. */
export function newPairsFeature({ base, newPairs, pairFacts, rights }: NewPairsFeatureParts): Feature {
  const { settings, tokens } = base;
  const told = newsTopic(base, newPairKind);
  const topic: Topic<NewPairsNews> = {
    ...told,
    render: async (db, row, person) => {
      const due = await told.render(db, row, person);
      if (due === undefined) return undefined;
      const { named, more } = due.message;
      const between = betweenBySwap(settings, person.wallet?.address);
      const shown = await Promise.all(
        named.map(async ({ units: depth, what: pair }) => {
          const [facts, ...known] = await Promise.all([
            pairFacts(pair.address),
            ...issuedIn(pair).map((id) => rights.known(id)),
          ]);
          return { pair, depth, facts, told: known };
        }),
      );
      return { ...due, message: { pairs: shown, between, more } };
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
          return newPairsCard(await newPairs.list(ctx.userId), ctx.view);
        };
        return replyOrError(ctx, set, typedBehind("newpairs", line));
      },
    },
    topics: [onCards(base, topic, newPairsNewsCard)],
    loops: newPairs.loops,
  };
}
