import { fillsChart } from "../../cards/order.js";
import { type PictureCard, priceChart, tradeCard } from "../../cards/picture.js";
import { amountOf, type Token } from "../../encoding/amount.js";
import { type Fault, isFault, OUTAGES, unlessFault } from "../../fault.js";
import { isProven } from "../../services/intent/intent.js";
import type { Intents } from "../../services/intent/intent-service.js";
import type { Orders } from "../../services/alerts/orders.js";
import { type Allowance, createUserRateLimit } from "../../services/base/rate.js";
import { pairPrice } from "../../services/market/price-tree.js";
import { receiptOf } from "../../services/history/receipt.js";
import type { Pools, WorthReader } from "../../services/market/pools.js";
import { isFine, type Grain, priceBetween, type Prices, pricesOf } from "../../services/market/price-history.js";
import { tradeWords } from "../../services/trade/swap-request.js";
import { unlessUnreadable } from "../../store/store.js";
import { counterOf } from "../../services/market/token-list.js";
import type { BotBase, BotContext } from "../context.js";
import { answering, type Feature } from "../feature.js";
import { typedLine } from "../intents/intent-cards.js";
import { catchUserError, showPicture, replyCard } from "../reply.js";

interface PictureParts {
  readonly base: BotBase;
  readonly botName: () => string;
  readonly intents: Intents;
  readonly orders: Orders;
  readonly pools: Pools;
  readonly prices: Prices;
  readonly quoteAllowance: Allowance;
  readonly worth: WorthReader;
}

/** Maximum age of the reserves behind the current price, in milliseconds. */
const POOLS_MAX_AGE_MS = 10_000;

/** `/chart`, and the pictures that buttons open: a pair's price, an order's fills, a trade to share. */
export function pictureFeature(parts: PictureParts): Feature {
  const { base, botName, intents, orders, quoteAllowance } = parts;
  const { store, tokens, settings, clock, log } = base;
  const allowance = createUserRateLimit({ clock, burst: 20, refillSeconds: 2 });

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
    const now = await priceNow(parts, tokenIn, tokenOut);
    const pair = { tokenIn: tokenIn.id, tokenOut: tokenOut.id };
    // A pair's history is no user's own data: if it is unreadable, show the current price without it.
    const onFault = (err: Fault) => log.error({ err }, "Prices unreadable");
    const seen = (await unlessUnreadable(() => pricesOf(store.db, pair, grain, clock.now()), onFault)) ?? [];
    const points = now === undefined ? seen : [...seen, { ...now, at: clock.now() }];
    const drawn = priceChart({ tokenIn, tokenOut, grain }, points, ctx.view);
    return drawn ?? ctx.words.picture.noPrice(`${tokenIn.id}/${tokenOut.id}`);
  };

  const fills = async (ctx: BotContext, id: string) => {
    quoteAllowance.take(ctx.userId);
    const known = await orders.fills(id);
    const order = await orders.look(ctx.userId, id).catch((error: unknown) => {
      if (known === undefined || !isFault(error, ...OUTAGES)) throw error;
      return known.order;
    });
    const { fills = [], seenAt = clock.now() } = (await orders.fills(id)) ?? {};
    return fillsChart(order, fills, seenAt, ctx.view);
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
      fills: answering((ctx, id) => show(ctx, () => fills(ctx, id))),
      shareTrade: answering((ctx, id) =>
        show(ctx, async () => {
          const intent = await intents.find(ctx.userId, id);
          const trade = intent && isProven(intent) && receiptOf(intent, settings.returnDataEncoding);
          const isKnown = typeof trade === "object" && !trade.isPaidAtMost;
          return isKnown ? tradeCard(trade, botName(), ctx.view) : ctx.words.common.oldButton;
        }),
      ),
    },
  };
}

/** The current price, measured like the pair's history; undefined if unavailable. */
async function priceNow({ pools, prices, worth }: PictureParts, tokenIn: Token, tokenOut: Token) {
  if (tokenIn.precision === undefined) return undefined;
  const graph = await unlessFault(() => pools.fresh(POOLS_MAX_AGE_MS));
  const byPools = graph && pairPrice(graph, tokenIn.id, tokenOut.id);
  if (byPools !== undefined) {
    prices.note([byPools], true);
    return byPools;
  }
  // A cheap token's price has enough digits only for many of them.
  for (const times of [1n, 1_000n, 1_000_000n]) {
    const amount = amountOf(tokenIn, times * 10n ** BigInt(tokenIn.precision));
    const valued = await unlessFault(() => worth(amount, tokenOut, POOLS_MAX_AGE_MS));
    const price = valued && priceBetween(amount, valued);
    if (price !== undefined && isFine(price)) return prices.noteQuote(price) ? price : undefined;
  }
  return undefined;
}
