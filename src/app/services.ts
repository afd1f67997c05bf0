import { statfs } from "node:fs/promises";
import { Api, Bot } from "grammy";
import type { BotContext } from "../bot/context.js";
import { clockCheck } from "../services/operator/clock-check.js";
import { createMetrics } from "../services/operator/metrics.js";
import { deliverBy } from "../bot/send.js";
import { answered, apiTransformers, noted, paced } from "../services/telegram/api-transformers.js";
import type { Card } from "../cards/card.js";
import { connect } from "./connect.js";
import { newId } from "../services/base/new-id.js";
import { createHealth } from "../services/base/health.js";
import { createTokenPosition } from "../services/history/token-position.js";
import { countUnspent } from "../services/intent/intent-row.js";
import { createIntents } from "../services/intent/intent-service.js";
import { createOperator, createTradingPause } from "../services/operator/operator.js";
import { createOrders } from "../services/alerts/orders.js";
import { countStanding } from "../services/standing/standing-queries.js";
import { percentTaken } from "../services/standing/standing-share.js";
import { noteStandingChange, standingObjection } from "../services/standing/standing-claims.js";
import { createAway } from "../services/telegram/away.js";
import { createPacer } from "../services/telegram/pacer.js";
import { createSendOutcomes } from "../services/telegram/send-outcomes.js";
import { createOutbox } from "../services/telegram/outbox-sender.js";
import type { Base, Events } from "./base.js";
import { openMarket } from "./market.js";

/** What the bot's own parts build on, by name. */
export type Services = Awaited<ReturnType<typeof createServices>>;

export async function createServices(base: Base, events: Events) {
  const { config, clock, log, store } = base;
  const [run, metrics] = [newId(), createMetrics(clock)];
  const health = createHealth(clock, metrics.asked);
  const connections = connect(config, { clock, log, onRequestDone: health.note });
  const { chainCheck, exchange, gateway, telegram } = connections;
  const pacer = createPacer({ clock });
  const [outcomes, away] = [createSendOutcomes({ clock }), createAway({ clock })];
  const bot = new Bot<BotContext>(config.botToken, { client: telegram.options });
  // API calls pass through them from the last to the first.
  bot.api.config.use(answered(away), noted(outcomes), paced(pacer), ...apiTransformers(clock), ...telegram.olderServer);
  // A separate API: only the outbox paces and retries alerts.
  const alerts = new Api(config.botToken, telegram.optionsForAlerts);
  alerts.config.use(answered(away), ...telegram.olderServer);
  const deliver = deliverBy(bot.api, alerts, log);
  const noteError = (error: unknown) => events.emit("damaged", error);
  const outbox = createOutbox<Card>({ pacer, outcomes, away, deliver, noteError, run, store, clock, log });
  metrics.outbox(outbox.waiting);
  metrics.unspent(() => countUnspent(store.db));
  const market = await openMarket(base, connections, outbox, noteError);
  const { blocks, pools, priceWatches, rights, swaps } = market;
  metrics.blocks(blocks);

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
    isListed: (id) => base.tokens.byId(id) !== undefined,
    checks: [clockCheck(base), ...market.checks, ...telegram.refusedButtons, ...[chainCheck ?? []].flat()],
    overdue: { "late-prices": priceWatches.overdue, "late-orders": orders.overdue, "late-blocks": blocks.overdue },
    taken: { "full-orders": () => percentTaken(store.db, config.standingMax) },
    reading: blocks.state,
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
  const tokenPosition = createTokenPosition({ events, intents, pools, rights, swaps, settings: config, clock, log });
  return {
    connections,
    market,
    bot,
    pacer,
    away,
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
