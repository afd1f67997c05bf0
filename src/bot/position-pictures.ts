import type { AmountsShown } from "../cards/buttons.js";
import type { PictureCard } from "../cards/picture.js";
import { positionPicture } from "../cards/position.js";
import type { Token } from "../encoding/amount.js";
import { createUserRateLimit } from "../services/base/rate.js";
import type { Balances } from "../services/chain/query-gateway.js";
import {
  heldFigures,
  type MissingFigure,
  type PositionFigures,
  soldFigures,
} from "../services/history/position-figures.js";
import type { Receipt } from "../services/history/receipt.js";
import type { ReadTokenPosition } from "../services/history/token-position.js";
import type { Intents } from "../services/intent/intent-service.js";
import { grains, grainSince } from "../services/market/price-history.js";
import type { BotBase, BotContext } from "./context.js";
import { heldOf, type UserHoldings } from "./holdings.js";
import type { PicturePrices } from "./picture-prices.js";

export interface PositionPictureParts {
  readonly base: BotBase;
  readonly balances: Pick<Balances, "known">;
  readonly holdings: Pick<UserHoldings, "areTold">;
  readonly intents: Pick<Intents, "count" | "everything">;
  readonly tokenPosition: ReadTokenPosition;
}

type PictureOrReason = Promise<PictureCard | string>;

/** Pictures of positions, or why there is none, in words. */
export interface PositionPictures {
  readonly held: (ctx: BotContext, token: Token, countedIn: Token, amounts: AmountsShown) => PictureOrReason;
  /** @throws Fault `too-often`. */
  readonly sold: (ctx: BotContext, trade: Receipt, amounts: AmountsShown) => PictureOrReason;
}

export function createPositionPictures(parts: PositionPictureParts, prices: PicturePrices): PositionPictures {
  const { intents } = parts;
  const { clock, settings } = parts.base;
  // Each sale is counted from a whole history.
  const soldAllowance = createUserRateLimit({ clock, burst: 4, refillSeconds: 20 });

  /** The line goes from the first purchase to now or, by prices of before it, to the sale. */
  const draw = async (
    ctx: BotContext,
    figures: PositionFigures | MissingFigure,
    token: Token,
    amounts: AmountsShown,
    sold?: string,
  ): PictureOrReason => {
    const { missing } = ctx.words.position;
    if (typeof figures === "string") return missing[figures](token.id);
    const { countedIn, since, soldAt } = figures;
    const grain = grainSince(since, clock.now());
    const { milliseconds } = grains[grain];
    const seen = (await prices.seen(token, countedIn, grain))
      .filter(({ at }) => at + milliseconds > since && (soldAt === undefined || at + milliseconds <= soldAt))
      .map((point) => ({ ...point, at: Math.max(point.at, since) }));
    const now = soldAt === undefined ? await prices.now(ctx.userId, token, countedIn) : undefined;
    const points = now === undefined ? seen : [...seen, { ...now, at: clock.now() }];
    return positionPicture(figures, points, amounts, sold, ctx.view) ?? missing.price(token.id);
  };

  return {
    held: async (ctx, token, countedIn, amounts) => {
      const { person, userId } = ctx;
      const held = await heldOf(parts, person, token);
      const position = await parts.tokenPosition({ userId, person }, token, countedIn, held);
      return draw(ctx, heldFigures(position), token, amounts);
    },
    sold: async (ctx, trade, amounts) => {
      soldAllowance.take(ctx.userId);
      const figures = await soldFigures({ intents, settings }, ctx.userId, trade);
      return draw(ctx, figures, trade.paid.token, amounts, trade.intent.id);
    },
  };
}
