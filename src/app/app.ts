import { EventEmitter } from "node:events";
import { statfs } from "node:fs/promises";
import { Api, Bot } from "grammy";
import type { DestinationStream, Logger } from "pino";
import { handleUpdates } from "../bot/bot.js";
import type { BotContext } from "../bot/context.js";
import { tellForgotten } from "../bot/features/security.js";
import { closeOpenCards, intentTopics, showClosed, showEnd } from "../bot/intents/card.js";
import { publishCommands } from "../bot/features/start.js";
import { createHandledNotes, type HandledNotes } from "../bot/receive/handled.js";
import { createInbox } from "../bot/receive/inbox.js";
import { createMetrics } from "../bot/receive/metrics.js";
import { createOrigin } from "../bot/receive/origin.js";
import { startReceiving } from "../bot/receive/receive.js";
import { apiTransformers, deliverBy, noted, paced } from "../bot/send.js";
import { signingView } from "../bot/signing/page.js";
import type { Card } from "../cards/card.js";
import { systemClock, type Clock } from "../clock.js";
import { secretsOf, type Config } from "../config.js";
import { connect } from "./connect.js";
import type { Fault } from "../fault.js";
import { createFeatures } from "./features.js";
import { createLog, hideSecrets } from "../log.js";
import { isConfigured } from "../services/chain/checks.js";
import { createHealth, isOutNow, type RequestResult } from "../services/base/health.js";
import { knowsRich } from "../services/telegram/older-server.js";
import type { Intent } from "../services/intent/intent.js";
import { createIntents } from "../services/intent/intent-service.js";
import { EXPIRY_GRACE_MS } from "../services/intent/trade-kind.js";
import { createUserRateLimit } from "../services/base/rate.js";
import { createOperator, createTradingPause } from "../services/operator/operator.js";
import { createOrders } from "../services/alerts/orders.js";
import { unknownZones } from "../services/person/person.js";
import { createPacer } from "../services/telegram/pacer.js";
import { createSendOutcomes } from "../services/telegram/send-outcomes.js";
import { createOutbox } from "../services/telegram/outbox-sender.js";
import { createDelays } from "../services/operator/delays.js";
import { tokenFile, tokenListOf } from "../services/market/token-list.js";
import { watchedAssets, flowOf, tradeKind } from "../services/trade/kinds.js";
import { openStore } from "../store/sqlite.js";
import type { Store } from "../store/store.js";
import { type Base, type Events, newId } from "./base.js";
import { openMarket } from "./market.js";
import { createSigning } from "./signing.js";

/** A running bot. */
export interface App {
  /** Resolves once the bot has stopped; rejects with the error that ended it, such as a token that Telegram refuses. */
  readonly done: Promise<void>;
  /** Finishes what is in progress, updates within {@link STOP_DEADLINE_MS}, and closes everything. */
  readonly stop: () => Promise<void>;
}

export interface AppOptions {
  readonly clock?: Clock;
  /** Defaults to standard output. */
  readonly logTo?: DestinationStream;
  /** Aborts the wait for the lease while another process holds it. */
  readonly signal?: AbortSignal;
  /** Whether the node itself verifies callers, as the sandbox's does. */
  readonly nodeProvesCallers?: boolean;
}

/** Milliseconds that updates in progress may take to finish when the bot stops. */
const STOP_DEADLINE_MS = 15_000;

/**
 * Composes and starts the bot from a configuration. Production, the sandbox and the tests all start here.
 * @throws Fault `store-…`, `token-list-invalid`.
 */
export async function startApp(
  config: Config,
  { clock = systemClock, logTo, signal = new AbortController().signal, nodeProvesCallers = false }: AppOptions = {},
): Promise<App> {
  const log = createLog(config.logLevel, hideSecrets(secretsOf(config)), logTo);
  if (config.gateway.kind === "query" && config.callIncludesCaller && !nodeProvesCallers) {
    log.warn(
      "CALL_INCLUDES_CALLER is on: caller addresses are not verified; a node that trusts them lets anyone act for anyone",
    );
  }
  const listed = tokenFile(config.tokensFile);
  const tokens = tokenListOf(await listed.read());
  let onLost: (fault: Fault) => void = () => undefined;
  const lost = new Promise<never>((_, reject) => {
    onLost = (err) => {
      log.fatal({ err }, "The store is lost; the bot stops");
      reject(err);
    };
  });
  // Nothing awaits it until everything has started.
  lost.catch(() => undefined);
  const opened = await openStoreOf(config, { log, signal, onLost });
  const handled = createHandledNotes({ store: opened, clock, log });
  const store = { ...opened, write: handled.write };
  try {
    const app = await compose({ config, clock, log, tokens, store }, handled, lost);
    const unwatch = listed.watch(tokens.replace, log);
    return { ...app, stop: () => app.stop().finally(unwatch) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens the store. While another process holds PostgreSQL's lease, this one waits, and its port says so. */
async function openStoreOf(
  { store, port, host }: Config,
  parts: { readonly log: Logger; readonly signal: AbortSignal; readonly onLost: (fault: Fault) => void },
): Promise<Store> {
  const { log, signal, onLost } = parts;
  if (store.kind === "sqlite") return openStore({ directory: store.directory, onLost });
  // Imported on demand, since SQLite doesn't need the driver.
  const { openPostgres } = await import("../store/postgres.js");
  let standby: Promise<() => Promise<void>> | undefined;
  try {
    return await openPostgres({
      url: store.url,
      signal,
      onLost,
      onAway: (err) => log.warn({ err }, "PostgreSQL unreachable; retrying"),
      onStandby: () => {
        log.info("Another instance is active; standing by");
        if (port !== undefined) {
          standby = import("../bot/receive/server.js").then(({ serveStandby }) => serveStandby(port, host));
        }
      },
    });
  } finally {
    await (await standby)?.();
  }
}

/** @param lost rejects once the store is lost. */
async function compose(base: Base, handled: HandledNotes, lost: Promise<never>): Promise<App> {
  const { config, clock, log, store } = base;
  const events: Events = new EventEmitter();
  const { connections, market, ...services } = await createServices(base, events);
  const { bot, pacer, outbox, operator, tradingPause, intents, orders, delays, health, metrics } = services;
  const parts = { settings: config, ...base, ...connections, ...market, ...services };
  // Never throws: failing to show a claim neither delays nor stops its call.
  const present = (intent: Intent) => showEnd(parts, intent);
  events.on("changed", ({ before, after, dueAt }) => {
    if (before?.state !== after.state) metrics.counted(after, flowOf(after, config.returnDataEncoding).fee);
    if (after.state === "QUOTED") intents.expiry.wakeBy(after.expiresAt + EXPIRY_GRACE_MS);
    if (after.state === "CLAIMED") void present(after);
    if (dueAt !== undefined) outbox.wakeBy(dueAt);
  });

  const botName = () => bot.botInfo.username;
  const view = signingView({ ...parts, botName });
  const signing = createSigning(base, { ...parts, events, view, present });
  const quoteAllowance = createUserRateLimit({ clock, burst: 60, refillSeconds: 1 });
  const fees = { estimateFee: signing?.estimateFee, lookUp: signing?.tracker.lookUp };
  const all = { ...parts, ...fees, quoteAllowance, newId, botName };
  const features = createFeatures(all);
  outbox.use([...intentTopics(parts), ...features.flatMap(({ topics = [] }) => topics)]);
  handleUpdates(bot, { ...all, handled, features });

  const origin = createOrigin({ apiRoot: config.telegramApiRoot, store, log });
  const inbox = createInbox({ ...operator, origin, bot, store, handled, metrics, clock, log });
  const isWell = () => !health.read().some((service) => isOutNow(service, clock.monotonic()));
  const owns = async () => {
    await store.assertOwned();
    await tradingPause.pauseNow();
    return true;
  };
  const site = signing && { ...signing.site, supportContact: config.supportContact };
  const transport = await startReceiving({ config, bot, inbox, metrics, owns, isWell, signing: site, clock, log });

  const stopping = new AbortController();
  const { signal } = stopping;
  const ignoreSteps = clock.onStep((step) => log.warn({ seconds: step / 1000 }, "The clock was set ahead or back"));
  const aside = (what: string, task: Promise<unknown>) => {
    task.catch((err: unknown) => {
      if (!signal.aborted) log.error({ err }, what);
    });
  };
  // Message ids of another bot must not be edited in this one's chats.
  void origin.settled.then(outbox.start);
  aside("Commands not published", publishCommands(bot.api, { clock, log, signal }));
  aside("Rich messages not probed", knowsRich(bot.api));
  const zones = unknownZones(store.db).then((unknown) => {
    if (unknown.length > 0) log.warn({ zones: unknown }, "Time zones of some people aren't known: they count as UTC");
  });
  aside("Time zones not read", zones);
  aside("Interrupted transactions not recovered", intents.recover(signal));
  orders.start();
  log.info("Recovery complete");
  const working = Promise.all([
    ...features.flatMap(({ loops = [] }) => loops).map((loop) => loop(signal)),
    intents.expiry.run(signal),
    intents.packing.run(signal),
    signing?.tracker.run(signal),
    delays.run(signal),
  ]);
  const stop = async () => {
    stopping.abort();
    await transport.stop(STOP_DEADLINE_MS);
    // Waits however long a call takes: its outcome is worth it.
    await intents.idle();
    await orders.stop();
    await outbox.stop();
    await working;
    await operator.settled();
    pacer.stop();
    ignoreSteps();
    await market.close();
    await connections.close();
    // Last of all: everything above may still write to it.
    await store.close();
  };
  return { done: Promise.race([transport.done, lost]), stop };
}

/** Creates the services that the features build on. */
async function createServices(base: Base, events: Events) {
  const { config, clock, log, store } = base;
  const shared = { store, clock, log };
  const run = newId();
  const metrics = createMetrics(clock);
  const health = createHealth(clock);
  const onRequestDone = (asked: RequestResult) => {
    health.note(asked);
    metrics.asked(asked);
  };
  const connections = connect(config, { clock, log, onRequestDone });
  const { balances, chainCheck, exchange, gateway, telegram } = connections;
  const pacer = createPacer({ clock });
  const outcomes = createSendOutcomes({ clock });
  const bot = new Bot<BotContext>(config.botToken, { client: telegram.options });
  // API calls pass through them from the last to the first.
  bot.api.config.use(noted(outcomes), paced(pacer), ...apiTransformers(clock), ...telegram.olderServer);
  // A separate API: only the outbox paces and retries alerts.
  const alerts = new Api(config.botToken, telegram.optionsForAlerts);
  alerts.config.use(...telegram.olderServer);
  const deliver = deliverBy(bot.api, alerts);
  const noteError = (error: unknown) => events.emit("damaged", error);
  const outbox = createOutbox<Card>({ ...shared, pacer, outcomes, deliver, noteError, run });
  metrics.outbox(outbox.waiting);
  const market = await openMarket(base, connections, outbox, noteError);

  const { orderPollMinSeconds: minSeconds, orderPollMaxSeconds: maxSeconds, orderPollRps: requestsPerSecond } = config;
  const pace = { minSeconds, maxSeconds, requestsPerSecond };
  const orders = createOrders({ ...shared, exchange, outbox, pace, outageSeconds: config.serviceOutageSeconds });
  const operator = createOperator({
    ...shared,
    outbox,
    operators: config.adminUserIds ?? [],
    allowed: config.allowedUserIds,
    services: health.read,
    updates: metrics.updates,
    checks: chainCheck === undefined ? [market.routerCheck] : [market.routerCheck, chainCheck],
    overdue: { "late-prices": market.priceAlerts.overdue, "late-orders": orders.overdue },
    disk: () => statfs(config.store.kind === "sqlite" ? config.store.directory : "."),
  });
  events.on("damaged", operator.noteError);
  const tradingPause = createTradingPause({ store, clock });

  const { returnDataEncoding: encoding } = config;
  const intents = createIntents({
    ...shared,
    gateway,
    newId,
    run,
    recheck: market.trades.recheck,
    seen: market.trades.seen,
    recordEffects: async (tx, ended) => tradeKind(ended.terms.kind).recordEffects?.(tx, ended, encoding),
    flowOf: (intent) => flowOf(intent, encoding),
    isConfigured: (call) => isConfigured(call, config, market.pools.areListed),
    holdings: (intent) => balances.known(intent.terms.payout, watchedAssets(intent, config)),
    onChanged: (change) => events.emit("changed", change),
    onUnreadable: operator.noteError,
  });
  const closeCards = async (userId: number) => showClosed({ log, outbox }, await closeOpenCards({ intents }, userId));
  const sayGoodbye = tellForgotten.bind(undefined, bot.api, log);
  const delays = createDelays({ ...shared, settings: config, outbox, closeCards, tellForgotten: sayGoodbye });
  return { metrics, health, connections, market, pacer, bot, outbox, operator, orders, delays, tradingPause, intents };
}
