import { bigTradesCard, bigTradesNewsCard } from "../../cards/big-trades.js";
import { typedBehind } from "../../cards/correction.js";
import { NATIVE_TOKEN } from "../../encoding/amount.js";
import { isNumeric, parseAmount } from "../../encoding/typed.js";
import { Fault } from "../../fault.js";
import { bigTradeKind, type BigTrades } from "../../services/alerts/big-trades.js";
import { splitWords } from "../../services/base/typed-line.js";
import { newsTopic } from "../../services/alerts/news.js";
import { priceable } from "../../services/trade/swap-request.js";
import type { Person } from "../../services/person/person.js";
import type { BotBase } from "../context.js";
import { type Feature, onCards } from "../feature.js";
import { typedLine } from "../intents/intent-cards.js";
import { replyOrError } from "../reply.js";

/** So many tokens fit in a row. */
const PAIR_CHOICES = 3;

interface BigTradesFeatureParts {
  readonly base: BotBase;
  readonly bigTrades: BigTrades;
}

/** `/bigtrades`: tells of large swaps in pairs that a user chooses. */
export function bigTradesFeature({ base, bigTrades }: BigTradesFeatureParts): Feature {
  const { tokens } = base;
  /** `KFI/KLV 10000`, without the second token if that is the native one, or without the amount. */
  const readPair = ([baseText = "", ...rest]: readonly string[]) => {
    const [quoteText = NATIVE_TOKEN, ...amount] = isNumeric(rest[0] ?? "") ? [NATIVE_TOKEN, ...rest] : rest;
    const [token, quote] = [priceable(baseText, tokens), priceable(quoteText, tokens)];
    if (token.id === quote.id) throw new Fault("tokens-identical", { token: token.id });
    const least = amount.length === 0 ? undefined : parseAmount(amount.join(" "), quote).units;
    return { base: token.id, quote: quote.id, least };
  };
  /** Without a pair, all of them; a token may have left the list. */
  const unwatch = async (userId: number, named: readonly string[]) => {
    const { watches } = await bigTrades.list(userId);
    const ids = named.map((id) => id.toUpperCase());
    const ended = watches.filter(({ base: one, quote }) => ids.every((id) => id === one || id === quote));
    for (const { pair } of ended) await bigTrades.unwatch(userId, pair);
  };
  /** @returns the pair whose amount is left out. */
  const act = async (userId: number, line: string) => {
    const [first, ...rest] = splitWords(line.replace("/", " "));
    const isOff = /^(?:off|desligar)$/i.test(first ?? "");
    if (isOff) await unwatch(userId, rest);
    if (first === undefined || isOff) return undefined;
    const { least, ...pair } = readPair([first, ...rest]);
    if (least === undefined) return pair;
    await bigTrades.watch(userId, { ...pair, least });
    return undefined;
  };

  /** Tokens that the user traded last, or else of the list. */
  const choicesFor = ({ recentTokens }: Person): string[] => {
    const ids = [...new Set([...recentTokens, ...tokens.all.map(({ id }) => id)])];
    return ids.filter((id) => id !== NATIVE_TOKEN && tokens.byId(id)?.kind === "fungible").slice(0, PAIR_CHOICES);
  };

  return {
    commands: {
      bigtrades: (ctx, typed) => {
        const line = typedLine(ctx, typed);
        const answer = async () => {
          const asked = await act(ctx.userId, line);
          return bigTradesCard(await bigTrades.list(ctx.userId), asked, choicesFor(ctx.person), ctx.view);
        };
        return replyOrError(ctx, answer, typedBehind("bigtrades", line));
      },
    },
    topics: [onCards(base, newsTopic(base, bigTradeKind), bigTradesNewsCard)],
    loops: bigTrades.loops,
  };
}
