import { fillsChart } from "../../cards/order.js";
import { type PictureCard, priceChart, tradeCard } from "../../cards/picture.js";
import type { Token } from "../../encoding/amount.js";
import { isFault, OUTAGES } from "../../fault.js";
import { isProven } from "../../services/intent/intent.js";
import type { Intents } from "../../services/intent/intent-service.js";
import type { Orders } from "../../services/alerts/orders.js";
import { type Allowance, createUserRateLimit } from "../../services/base/rate.js";
import { receiptOf } from "../../services/history/receipt.js";
import type { Grain } from "../../services/market/price-history.js";
import { tradeWords } from "../../services/trade/swap-request.js";
import { counterOf } from "../../services/market/token-list.js";
import type { BotContext } from "../context.js";
import { answering, type Feature } from "../feature.js";
import { typedLine } from "../intents/intent-cards.js";
import { createPicturePrices, type PicturePriceParts } from "../picture-prices.js";
import { createPositionPictures, type PositionPictureParts } from "../position-pictures.js";
import { catchUserError, showPicture, replyCard } from "../reply.js";

interface PictureParts extends PicturePriceParts, PositionPictureParts {
  readonly botName: () => string;
  readonly intents: Intents;
  readonly orders: Orders;
  readonly quoteAllowance: Allowance;
}

/** `/chart`, and the pictures that buttons open: a pair's price, an order's fills, a trade to share, a position. */
export function pictureFeature(parts: PictureParts): Feature {
  const { base, botName, intents, quoteAllowance } = parts;
  const { tokens, settings, clock, log } = base;
  const allowance = createUserRateLimit({ clock, burst: 20, refillSeconds: 2 });

  const prices = createPicturePrices(parts);
  const positions = createPositionPictures(parts, prices);

  /** Shows the picture, or says why there is none. */
  const show = async (ctx: BotContext, make: () => Promise<PictureCard | string>) => {
    const made = await catchUserError(ctx.words, () => {
      allowance.take(ctx.userId);
      return make();
    });
    return made.ok ? showPicture(ctx, made.value, log) : replyCard(ctx, made.card);
  };

  const chart = async (ctx: BotContext, tokenIn: Token, tokenOut: Token, grain: Grain) => {
    quoteAllowance.take(ctx.userId);
    const now = await prices.now(ctx.userId, tokenIn, tokenOut);
    const seen = await prices.seen(tokenIn, tokenOut, grain);
    const points = now === undefined ? seen : [...seen, { ...now, at: clock.now() }];
    const drawn = priceChart({ tokenIn, tokenOut, grain }, points, ctx.view);
    return drawn ?? ctx.words.picture.noPrice(`${tokenIn.id}/${tokenOut.id}`);
  };

  /** Of somebody's own trade, what is proven. */
  const tradeOf = async (userId: number, id: string) => {
    const intent = await intents.find(userId, id);
    const trade = intent && isProven(intent) && receiptOf(intent, settings.returnDataEncoding);
    return typeof trade === "object" && !trade.isPaidAtMost ? trade : undefined;
  };

  return {
    linkable: { chart: "any" },
    commands: {
      chart: (ctx, typed) =>
        show(ctx, async () => {
          const { amount, tokenIn, tokenOut } = tradeWords(typedLine(ctx, typed).replace("/", " "), tokens) ?? {};
          if (amount !== undefined || tokenIn === undefined) return ctx.words.picture.usage("/chart");
          const token = tokens.find(tokenIn);
          const other = tokenOut === undefined ? counterOf(token, ctx.person, tokens) : tokens.find(tokenOut);
          return other === undefined ? ctx.words.picture.usage("/chart") : chart(ctx, token, other, "minute");
        }),
    },
    buttons: {
      chart: answering((ctx, { pair, grain }) => {
        const [tokenIn, tokenOut] = pair.split("/").map(tokens.byId);
        return show(ctx, async () =>
          tokenIn && tokenOut ? chart(ctx, tokenIn, tokenOut, grain) : ctx.words.common.oldButton,
        );
      }),
      fills: answering((ctx, id) => show(ctx, () => fillsFor(parts, ctx, id))),
      shareTrade: answering((ctx, id) =>
        show(ctx, async () => {
          const trade = await tradeOf(ctx.userId, id);
          return trade ? tradeCard(trade, botName(), ctx.view) : ctx.words.common.oldButton;
        }),
      ),
      position: answering((ctx, { pair, amounts }) => {
        const [token, countedIn] = pair.split("/").map(tokens.byId);
        return show(ctx, async () => {
          if (!token || !countedIn) return ctx.words.common.oldButton;
          quoteAllowance.take(ctx.userId);
          return positions.held(ctx, token, countedIn, amounts);
        });
      }),
      soldPosition: answering((ctx, { id, amounts }) =>
        show(ctx, async () => {
          const trade = await tradeOf(ctx.userId, id);
          return trade ? positions.sold(ctx, trade, amounts) : ctx.words.common.oldButton;
        }),
      ),
    },
  };
}

/** How an order was filled; while the exchange can't be reached, as it was seen last. */
async function fillsFor({ base: { clock }, orders, quoteAllowance }: PictureParts, ctx: BotContext, id: string) {
  quoteAllowance.take(ctx.userId);
  const known = await orders.fills(id);
  const order = await orders.look(ctx.userId, id).catch((error: unknown) => {
    if (known === undefined || !isFault(error, ...OUTAGES)) throw error;
    return known.order;
  });
  const { fills = [], seenAt = clock.now() } = (await orders.fills(id)) ?? {};
  return fillsChart(order, fills, seenAt, ctx.view);
}
