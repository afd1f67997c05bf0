import { statfs } from "node:fs/promises";
import { Api, Bot } from "grammy";
import type { BotContext } from "../bot/context.js";
import { createMetrics, type Metrics } from "../services/operator/metrics.js";
import { deliverBy } from "../bot/send.js";
import { apiTransformers, noted, paced } from "../services/telegram/api-transformers.js";
import type { Card } from "../cards/card.js";
import { connect, type Connections } from "./connect.js";
import { newId } from "../services/base/new-id.js";
import { createNodeFeed, type NodeFeed } from "../services/chain/node-feed.js";
import { createHealth, type Health } from "../services/base/health.js";
import { createTokenPosition, type ReadTokenPosition } from "../services/history/token-position.js";
import { createIntents, type Intents } from "../services/intent/intent-service.js";
import { createOperator, createTradingPause, type Operator, type TradingPause } from "../services/operator/operator.js";
import { createOrders, type Orders } from "../services/alerts/orders.js";
import { countStanding } from "../services/standing/standing-queries.js";
import { noteStandingChange, standingObjection } from "../services/standing/standing-claims.js";
import { createPacer, type Pacer } from "../services/telegram/pacer.js";
import { createSendOutcomes } from "../services/telegram/send-outcomes.js";
import { createOutbox, type Outbox } from "../services/telegram/outbox-sender.js";
import type { Base, Events } from "./base.js";
import { type Market, openMarket } from "./market.js";

/** What the bot's own parts build on, by name. */
export interface Services {
  readonly connections: Connections;
  /** Undefined unless it is configured. */
  readonly feed: NodeFeed | undefined;
  readonly market: Market;
  readonly bot: Bot<BotContext>;
  readonly pacer: Pacer;
  readonly outbox: Outbox<Card>;
  readonly intents: Intents;
  readonly tokenPosition: ReadTokenPosition;
  readonly orders: Orders;
  readonly operator: Operator;
  readonly tradingPause: TradingPause;
  readonly health: Health;
  readonly metrics: Metrics;
}

export async function createServices(base: Base, events: Events): Promise<Services> {
  const { config, clock, log, store } = base;
  const run = newId();
  const metrics = createMetrics(clock);
  const health = createHealth(clock, metrics.asked);
  const connections = connect(config, { clock, log, onRequestDone: health.note });
  const { chainCheck, exchange, gateway, telegram } = connections;
  const { nodeFeedUrl: url } = config;
  const feed = url === undefined ? undefined : createNodeFeed({ url, clock, log });
  if (feed !== undefined) metrics.feed(feed);
  const pacer = createPacer({ clock });
  const outcomes = createSendOutcomes({ clock });
  const bot = new Bot<BotContext>(config.botToken, { client: telegram.options });
  // API calls pass through them from the last to the first.
  bot.api.config.use(noted(outcomes), paced(pacer), ...apiTransformers(clock), ...telegram.olderServer);
  // A separate API: only the outbox paces and retries alerts.
  const alerts = new Api(config.botToken, telegram.optionsForAlerts);
  alerts.config.use(...telegram.olderServer);
  const deliver = deliverBy(bot.api, alerts, log);
  const noteError = (error: unknown) => events.emit("damaged", error);
  const outbox = createOutbox<Card>({ pacer, outcomes, deliver, noteError, run, store, clock, log });
  metrics.outbox(outbox.waiting);
  const market = await openMarket(base, connections, feed, outbox, noteError);

  const { orderPollMinSeconds: minSeconds, orderPollMaxSeconds: maxSeconds, orderPollRps: requestsPerSecond } = config;
  const pace = { minSeconds, maxSeconds, requestsPerSecond };
  const outageSeconds = config.serviceOutageSeconds;
  const orders = createOrders({ exchange, outbox, pace, outageSeconds, store, clock, log });
  const operator = createOperator({
    outbox,
    operators: config.adminUserIds ?? [],
    allowed: config.allowedUserIds,
    settings: config,
    standing: () => countStanding(store.db),
    services: health.read,
    updates: metrics.updates,
    checks: chainCheck === undefined ? [market.routerCheck] : [market.routerCheck, chainCheck],
    overdue: { "late-prices": market.priceWatches.overdue, "late-orders": orders.overdue },
    feed: feed?.state,
    disk: () => statfs(config.store.kind === "sqlite" ? config.store.directory : "."),
    store,
    clock,
    log,
  });
  events.on("damaged", operator.noteError);
  const tradingPause = createTradingPause({ store, clock });

  const intents = createIntents({
    store,
    clock,
    log,
    gateway,
    newId,
    run,
    kinds: market.trades,
    objection: standingObjection(clock.now),
    noteChange: noteStandingChange(clock.now),
    events,
    outbox,
    onUnreadable: operator.noteError,
  });
  events.on("changed", metrics.countChanges(config.returnDataEncoding));
  const { pools, swaps } = market;
  const tokenPosition = createTokenPosition({ events, intents, pools, swaps, settings: config, clock, log });
  return {
    connections,
    feed,
    market,
    bot,
    pacer,
    outbox,
    intents,
    tokenPosition,
    orders,
    operator,
    tradingPause,
    health,
    metrics,
  };
}
