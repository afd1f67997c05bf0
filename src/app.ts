import { randomBytes } from "node:crypto";
import { statfs } from "node:fs/promises";
import { Api, Bot } from "grammy";
import type { DestinationStream } from "pino";
import { handleUpdates } from "./bot/bot.js";
import type { BotContext } from "./bot/context.js";
import type { Feature } from "./bot/feature.js";
import { tellForgotten } from "./bot/features/security.js";
import { closeOpenCards, intentTopics, showClosed, showEnd } from "./bot/intents/card.js";
import { apiTransformers, paced } from "./bot/middleware/api-transformers.js";
import { publishCommands } from "./bot/publish-commands.js";
import { createInbox } from "./bot/receive/inbox.js";
import { createMetrics } from "./bot/receive/metrics.js";
import { startReceiving } from "./bot/receive/receive.js";
import { deliverBy } from "./bot/send.js";
import { deskView } from "./bot/signing/view.js";
import type { Card } from "./cards/card.js";
import { systemClock, type Clock } from "./clock.js";
import { secretsOf, type Config } from "./config.js";
import { connect, type Connections } from "./connect.js";
import type { Fault } from "./fault.js";
import { createFeatures } from "./features.js";
import { createLog, hideSecrets } from "./log.js";
import type { CheckAnswer } from "./services/chain/checks.js";
import { createHealth, isOutNow, type RequestResult } from "./services/clients/health.js";
import { knowsRich } from "./services/clients/rich-form.js";
import { createExpiry } from "./services/intent/end.js";
import type { Intents } from "./services/intent/intents.js";
import { createUserRateLimit } from "./services/limits/rate.js";
import { forget } from "./services/operator/forget.js";
import { createOperator } from "./services/operator/operator.js";
import { createTrading } from "./services/operator/pause.js";
import { createOrders } from "./services/order/watch.js";
import type { Incident } from "./services/outbox/outbox.js";
import { createPacer, type Pacer } from "./services/outbox/pacer.js";
import { createOutbox } from "./services/outbox/sender.js";
import { createDelays } from "./services/security/delays.js";
import { tokenFile, tokenListOf } from "./services/token/list.js";
import { createTrades } from "./services/trade/kinds.js";
import { openStoreOf } from "./standby.js";
import { type Base, createIntentsOf, createListeners, createSigning, openMarket, type Signing } from "./trading.js";

/** The whole bot, running. */
export interface App {
  /** Ends when the bot was stopped. @throws what stopped it otherwise, such as a token that Telegram refuses. */
  readonly done: Promise<void>;
  /** Finishes what is in progress, for some seconds at most, and lets go of everything. */
  readonly stop: () => Promise<void>;
}

export interface AppOptions {
  readonly clock?: Clock;
  /** Standard output unless given. */
  readonly logTo?: DestinationStream;
  /** Ends the wait for the lease, where another process has it. */
  readonly signal?: AbortSignal;
  /** Whether the node makes sure by itself that a caller is who they say, as the sandbox's does. */
  readonly nodeProvesCallers?: boolean;
}

/** How long updates in progress may take to finish at a stop, in milliseconds. */
const STOP_DEADLINE_MS = 15_000;

/**
 * Composes every part from a configuration and starts it. Production, the sandbox and the tests all begin here.
 * @throws Fault `store-…`, `token-list-invalid`.
 */
export async function startApp(
  config: Config,
  { clock = systemClock, logTo, signal = new AbortController().signal, nodeProvesCallers = false }: AppOptions = {},
): Promise<App> {
  const secrets = secretsOf(config);
  const hide = hideSecrets(secrets);
  const log = createLog({ level: config.logLevel, secrets, ...(logTo !== undefined && { destination: logTo }) });
  if (config.gateway.kind === "query" && config.callIncludesCaller && !nodeProvesCallers) {
    log.warn(
      "CALL_INCLUDES_CALLER is on: caller addresses are not verified; a node that trusts them lets anyone act for anyone",
    );
  }
  const listed = tokenFile(config.tokensFile);
  const tokens = tokenListOf(await listed.read());
  let onLost: (fault: Fault) => void = () => undefined;
  const lost = new Promise<never>((_, reject) => {
    onLost = reject;
  });
  // Nobody waits for it before everything has started.
  lost.catch(() => undefined);
  const store = await openStoreOf(config, { log, signal, onLost });
  try {
    const app = await compose({ config, clock, log, hide, tokens, store }, lost);
    const unwatch = listed.watch(tokens.replace, log);
    return { ...app, stop: () => app.stop().finally(unwatch) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** What everything is made from. */
interface BaseParts extends Base {
  /** Takes secrets out of a text. */
  readonly hide: (text: string) => string;
}

/** @param lost is rejected once the disk has failed. */
async function compose(base: BaseParts, lost: Promise<never>): Promise<App> {
  const { config, clock, log, tokens, store } = base;
  const run = newId();
  const stopping = new AbortController();
  const monitor = createMonitor(clock);
  const services = await createServices(base, monitor, run);
  const { connections, market, bot, outbox, operator, orders, delays, trading } = services;
  const { metrics } = monitor;

  const { intents, changes } = createIntentsOf(base, { ...services, metrics, run, newId });
  const { balances, chainCheck, gateway } = connections;
  const { lock, pools, routerCheck, swaps, worth } = market;
  const shared = { settings: config, store, clock };
  const asked = { balances, gateway, lock, pools, routerCheck, swaps, worth };
  const trades = createTrades({ ...shared, ...asked, tokens, newId, log });
  const showing = { ...shared, intents, outbox, log };
  const expiry = createExpiry({ intents, store, clock, log });
  changes.add(({ after }) => {
    if (after.state === "QUOTED") expiry.wake();
    outbox.wake();
  });
  const botName = () => bot.botInfo.username;
  const chat = { view: deskView({ ...showing, trades, botName }), present: showEnd.bind(undefined, showing) };
  const signing = createSigning(base, { connections, market, intents, changes, trading, chat });
  const { estimateFee, lookUp } = signing ?? {};
  const quoteAllowance = createUserRateLimit({ clock, burst: 60, refillSeconds: 1 });
  const cards = { ...showing, balances, trading, trades, quoteAllowance, chainCheck, estimateFee, lookUp };
  const features = createFeatures({ cards, market, orders, outbox, operator, delays, tokens, botName });
  outbox.use([...intentTopics(shared), ...features.flatMap(({ topics = [] }) => topics)]);
  const { pacer } = services;
  handleUpdates(bot, { ...shared, log, features, cards, operator, orders, outbox, pacer, metrics });
  const { noteError, tellOfGivenUp } = operator;
  const inbox = createInbox({ bot, store, metrics, clock, log, noteError, tellOfGivenUp });
  const serves = () => store.assertOwned().then(trading.pauseNow).then(monitor.isWell);
  const site = signing && { ...signing.site, supportContact: config.supportContact };
  const receiving = { bot, inbox, metrics, serves, signing: site, clock, log, ...servingOf(config) };
  const transport = await startReceiving(receiving);

  const { signal } = stopping;
  const operating = startBackground(base, { bot, intents, outbox, orders, delays, expiry, features, signing, signal });
  const stop = async () => {
    stopping.abort();
    await transport.stop(STOP_DEADLINE_MS);
    // However long a call takes, its outcome is worth waiting for.
    await intents.idle();
    await orders.stop();
    await outbox.stop();
    await operating;
    await services.close();
    // The last of all: until now something could still have to be written.
    await store.close();
  };
  return { done: Promise.race([transport.done, lost]), stop };
}

/** What people's trades and chats are built on. */
async function createServices(base: BaseParts, monitor: Monitor, run: string) {
  const { config, clock, log, hide, store } = base;
  const { metrics, onRequestDone, report } = monitor;
  const onChain = report("chain-mismatch");
  const connections = connect(config, { clock, log, hide, onRequestDone, onChain });
  const market = await openMarket(base, { connections, newId, onRouter: report("router-mismatch") });
  const pacer = createPacer({ clock });
  const bot = createTelegramBot(config, connections, pacer);
  const shared = { store, clock, log };
  const damage = createListeners<unknown>();
  const deliver = deliverBy(bot.api, createAlertApi(config, connections));
  const outbox = createOutbox<Card>({ ...shared, pacer, deliver, noteError: damage.tell, run });
  const operator = createOperator({ ...shared, ...monitor.figures, ...operatingOf(config), outbox });
  damage.add(operator.noteError);
  metrics.outbox(outbox.waiting);
  const orders = createOrders({ ...shared, ...pollingOf(config), exchange: connections.exchange, outbox });
  const delays = createDelays({
    ...shared,
    forget: (userId, mayGo) => forget(store, userId, clock.now(), mayGo),
    outbox,
  });
  const trading = createTrading({ store, clock });
  const close = async () => {
    await operator.settled();
    pacer.stop();
    await market.close();
    await connections.close();
  };
  return { connections, market, pacer, bot, outbox, operator, orders, delays, trading, close };
}

type Services = Awaited<ReturnType<typeof createServices>>;
type Monitor = ReturnType<typeof createMonitor>;

/** Begins what goes on beside people's updates. @returns what ends once it has, after the signal was aborted. */
function startBackground(
  { clock, log }: BaseParts,
  parts: Pick<Services, "bot" | "outbox" | "orders" | "delays"> & {
    readonly intents: Intents;
    readonly expiry: ReturnType<typeof createExpiry>;
    readonly features: readonly Feature[];
    readonly signing: Signing | undefined;
    readonly signal: AbortSignal;
  },
): Promise<unknown> {
  const { bot, intents, outbox, orders, delays, expiry, features, signing, signal } = parts;
  const aside = (what: string, task: Promise<unknown>) => {
    task.catch((err: unknown) => {
      if (!signal.aborted) log.error({ err }, what);
    });
  };
  outbox.start();
  aside("Commands not published", publishCommands(bot.api, { clock, log, signal }));
  aside("Rich messages not probed", knowsRich(bot.api));
  aside("Interrupted transactions not recovered", intents.recover());
  orders.start();
  log.info("Recovery complete");
  const closeCards = async (userId: number) => showClosed(parts, await closeOpenCards(parts, userId));
  const delaying = delays.run({ closeCards, tellForgotten: tellForgotten.bind(undefined, bot.api, log) }, signal);
  const loops = features.flatMap((feature) => feature.loops ?? []).map((loop) => loop(signal));
  return Promise.all([...loops, expiry.run(signal), signing?.tracker.run(signal), delaying]);
}

/** What shows how the bot and its services do. */
function createMonitor(clock: Clock) {
  const metrics = createMetrics(clock);
  const health = createHealth(clock);
  /** What was found to be wrong, or in order again. */
  const reported = new Map<Incident, boolean>();
  return {
    metrics,
    onRequestDone: (asked: RequestResult): void => {
      health.note(asked);
      metrics.asked(asked);
    },
    report: (incident: Incident) => (answer: CheckAnswer) => {
      if (answer !== "unknown") reported.set(incident, answer === "mismatch");
    },
    /** Whether every service answers. */
    isWell: (): boolean => !health.read().some((service) => isOutNow(service, clock.now())),
    figures: { services: health.read, updates: metrics.updates.waiting, reported },
  };
}

/** The bot at Telegram, whose calls go in the pace that Telegram allows. */
function createTelegramBot({ botToken }: Config, { telegram }: Connections, pacer: Pacer): Bot<BotContext> {
  const bot = new Bot<BotContext>(botToken, { client: telegram.options });
  // A call passes them from the last to the first.
  bot.api.config.use(paced(pacer), ...apiTransformers(), ...telegram.olderServer);
  return bot;
}

/** An API of its own: alerts are paced and tried again by their sender alone. */
function createAlertApi({ botToken }: Config, { telegram }: Connections): Api {
  const api = new Api(botToken, telegram.optionsForAlerts);
  api.config.use(...telegram.olderServer);
  return api;
}

function operatingOf({ adminUserIds, allowedUserIds, store }: Config) {
  const disk = () => statfs(store.kind === "sqlite" ? store.directory : ".");
  return { operators: adminUserIds ?? [], allowed: allowedUserIds, disk };
}

function pollingOf({ orderPollMinSeconds, orderPollMaxSeconds, orderPollRps, serviceOutageSeconds }: Config) {
  const pace = { minSeconds: orderPollMinSeconds, maxSeconds: orderPollMaxSeconds, requestsPerSecond: orderPollRps };
  return { pace, outageSeconds: serviceOutageSeconds };
}

function servingOf({ updates, port, host, metricsToken }: Config) {
  const webhook = updates.kind === "webhook" ? { url: updates.webhookUrl, secret: updates.webhookSecret } : undefined;
  return { webhook, port, host, metricsToken };
}

/** 16 random bytes in base64url. */
function newId(): string {
  return randomBytes(16).toString("base64url");
}
