import { randomBytes } from "node:crypto";
import { statfs } from "node:fs/promises";
import { Api, Context, type Transformer } from "grammy";
import type { Update } from "grammy/types";
import type { DestinationStream, Logger } from "pino";
import { createBot, overtakes, tellOfOutage, tellToSlowDown } from "./bot/bot.js";
import { publishCommands } from "./bot/publish-commands.js";
import type { BotContext, Parts } from "./bot/context.js";
import { movedAssets, movementOf } from "./bot/intents/holdings.js";
import { kinds } from "./bot/kinds.js";
import { tellInterrupted } from "./bot/intents/interrupted.js";
import { createInbox } from "./bot/transport/inbox.js";
import { createMetrics } from "./bot/transport/metrics.js";
import { startReceiving } from "./bot/transport/receive.js";
import { sendCardTo } from "./bot/send.js";
import { describeError } from "./services/telegram-errors.js";
import { noticeCard, orderAlertCard } from "./cards/alert.js";
import type { Card } from "./cards/card.js";
import { systemClock, type Clock } from "./clock.js";
import { hostOf, secretsOf, walletModeOf, webhookOf, type Config } from "./config.js";
import { isFault, type Fault } from "./fault.js";
import { messagesIn } from "./locales/messages.js";
import type { Incident } from "./model/operator-event.js";
import { isUnderWay, type Intent } from "./model/intent.js";
import { findingOf } from "./model/movement.js";
import type { Person } from "./model/person.js";
import { createAlerts } from "./services/alerts/alerts.js";
import { createNotices } from "./services/alerts/notices.js";
import { createPacer } from "./services/alerts/pacer.js";
import { createBalances } from "./services/clients/balances.js";
import { reportedReplies } from "./services/alerts/reported-replies.js";
import { alone, type Lead, type News } from "./services/lead.js";
import { isSigned } from "./services/intents/requests.js";
import type { createUpdateQueue } from "./bot/transport/update-queue.js";

import { createAllowance } from "./services/allowance.js";
import { createExchange } from "./services/clients/exchange.js";
import { createHealth, isOutNow, type Asked } from "./services/clients/health.js";
import { isConfigured } from "./services/configured-contracts.js";
import { createHttp } from "./services/clients/http.js";
import { createIntents } from "./services/intents/intents.js";
import { createLog, hideSecrets } from "./services/log.js";
import { createLaunching } from "./services/launch/launching.js";
import { createMarket } from "./services/launch/market.js";
import { createLocking } from "./services/locks/locking.js";
import { createReminders } from "./services/alerts/reminders.js";
import { countedStore } from "./services/operator/counted.js";
import { createOperator } from "./services/operator/operator.js";
import { createMultihop } from "./services/multihop/multihop.js";
import { createOrders } from "./services/orders/orders.js";
import { createPools, loadPools } from "./services/chain/pools.js";
import { createRouterCheck } from "./services/chain/router-check.js";
import { createQuotation } from "./services/clients/quotation.js";
import { withFeesOf } from "./services/swap/fees.js";
import type { CheckAnswer } from "./services/standing-check.js";
import { createReferralSwap } from "./services/swap/referral-swap.js";
import { startTracing, tracedGateway, tracedHttp, tracedTelegram } from "./services/clients/tracing.js";
import { createTelegramHttp } from "./services/clients/telegram-http.js";
import { loadTokens, type TokenList } from "./services/tokens.js";
import { createChainCheck } from "./services/wallet-gateway/chain-check.js";
import { createTrading } from "./services/trading.js";
import { createDesk, type Desk } from "./services/wallet-gateway/desk.js";
import { createFollower } from "./services/wallet-gateway/follower.js";
import { createLinks } from "./services/wallet-gateway/links.js";
import { createWalletGateway } from "./services/wallet-gateway/gateway.js";
import { createChainNode } from "./services/wallet-gateway/node.js";
import { deskView } from "./bot/signing/view.js";
import { presentSoon } from "./bot/intents/present.js";
import { createWireGateway } from "./services/clients/wire-gateway.js";
import { createEmbeddedStore } from "./store/embedded.js";
import { createPatientStore } from "./store/patient.js";
import type { Shared } from "./store/postgres/share.js";
import type { Store } from "./store/store.js";

/** The whole bot, running. */
export interface App {
  /** Ends when the bot was stopped. @throws what stopped it otherwise, such as a token that Telegram refuses. */
  readonly done: Promise<void>;
  /** Finishes what is under way, for some seconds at most, and lets go of everything. */
  readonly stop: () => Promise<void>;
}

/** How long updates under way may take to finish at a stop, in milliseconds. */
const STOP_DEADLINE_MILLISECONDS = 15_000;

/**
 * Composes every part from a configuration and starts it. Production, the sandbox and the tests all begin here.
 * @throws Fault `store-…`, `token-list-invalid`, `tracing-missing`.
 */
export async function startApp(config: Config, options: AppOptions = {}): Promise<App> {
  const { clock = systemClock, logTo } = options;
  const secrets = secretsOf(config);
  const hide = hideSecrets(secrets);
  const log = createLog({
    level: config.logLevel,
    secrets,
    ...(logTo !== undefined && { destination: logTo }),
  });
  if (config.callIncludesCaller) {
    log.warn(
      "CALL_INCLUDES_CALLER is on: callers are not proven, so a node that trusts them lets anybody act for anybody",
    );
  }
  const tokens = await loadTokens(config.tokensFile);
  const lost = createLoss();
  const place = await openStore(config, { clock, log, onLost: lost.report });
  try {
    const app = await compose({ config, clock, log, hide, tokens, place });
    return { ...app, done: Promise.race([app.done, lost.happened]) };
  } catch (error) {
    await place.close();
    throw error;
  }
}

/** The store, and this program's place among those that share it. */
interface Place {
  readonly store: Store;
  /** Names this run of the program. */
  readonly run: string;
  readonly lead: Lead;
  /** Says who does the leader's work: called when this instance leads, and whenever others have left something to it. */
  readonly onLead: (duties: Duties) => void;
  readonly shared?: Shared & { readonly createUpdateQueue: typeof createUpdateQueue };
  readonly close: () => Promise<void>;
}

/** What the instance that leads does for all. */
interface Duties {
  /** Takes up whatever is open; does no harm again. */
  readonly takeOver: () => void;
  readonly hear: (news: News) => void;
}

/** The store that the configuration names. The database's client is loaded only where there is one. */
async function openStore(
  { databaseUrl, storeDir }: Config,
  { clock, log, onLost }: { clock: Clock; log: Logger; onLost: (fault: Fault) => void },
): Promise<Place> {
  const run = newId();
  if (databaseUrl === undefined) {
    const store = await createEmbeddedStore({ directory: storeDir, clock, onLost, log });
    return { store, run, lead: alone, onLead: ({ takeOver }) => takeOver(), close: store.close };
  }
  const [{ shareDatabase }, { createUpdateQueue }] = await Promise.all([
    import("./store/postgres/share.js"),
    import("./bot/transport/update-queue.js"),
  ]);
  let duties: Duties | undefined;
  const shared = await shareDatabase({
    url: databaseUrl,
    run,
    clock,
    onBroken: (error) => log.warn({ reason: describeError(error) }, "A connection to the database broke"),
    onTakeOver: () => duties?.takeOver(),
    onNews: (news) => duties?.hear(JSON.parse(news) as News),
    onLost,
  });
  const { store, instance } = shared;
  const tell = (news: News) => {
    instance.tellLeader(JSON.stringify(news)).catch((error: unknown) => {
      log.warn(
        { reason: describeError(error) },
        "The leading instance could not be told; it finds it when it takes over",
      );
    });
  };
  return {
    store,
    run,
    lead: { isLeading: instance.isLeading, tell },
    onLead: (mine) => {
      duties = mine;
      if (instance.isLeading()) mine.takeOver();
    },
    shared: { ...shared, createUpdateQueue },
    close: async () => {
      await store.close();
      await shared.close();
    },
  };
}

/** 16 random bytes. */
function newId(): string {
  return randomBytes(16).toString("base64url");
}

/** Lets those who wait know that another process has taken the store. */
function createLoss() {
  let report: (fault: Fault) => void = () => undefined;
  const happened = new Promise<never>((_, reject) => {
    report = reject;
  });
  // Nobody waits for it before everything has started.
  happened.catch(() => undefined);
  return { report, happened };
}

interface Foundations {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly hide: (text: string) => string;
  readonly tokens: TokenList;
  readonly place: Place;
}

async function compose({ config, clock, log, hide, tokens, place }: Foundations): Promise<App> {
  const { store, run, lead, shared } = place;
  const stopping = new AbortController();
  // For what goes on in the background: it waits while the store is away.
  const patientStore = createPatientStore(store, clock, stopping.signal);
  const health = createHealth(clock);
  const metrics = createMetrics(clock);
  const onAsked = (asked: Asked) => {
    health.note(asked);
    metrics.asked(asked);
  };
  const { otelExporterOtlpEndpoint: collector } = config;
  const tracing = collector === undefined ? undefined : await startTracing(collector);
  const untracedHttp = createHttp({ timeoutSeconds: config.httpTimeoutSeconds, clock, log, onAsked });
  const http = tracing === undefined ? untracedHttp : tracedHttp(untracedHttp, tracing);
  const telegramHttp = createTelegramHttp({
    token: config.botToken,
    apiRoot: config.telegramApiRoot,
    timeoutSeconds: config.httpTimeoutSeconds,
    onAsked,
  });

  const telegramCall = tracing === undefined ? telegramHttp.call : tracedTelegram(telegramHttp.call, tracing);

  const wallet = walletModeOf(config);
  const node = createChainNode({ ...config, http, hide });
  const newToken = () => randomBytes(32).toString("base64url");
  const reported = new Map<Incident, boolean>();
  const report = (incident: Incident) => (answer: CheckAnswer) => {
    if (answer !== "unknown") reported.set(incident, answer === "mismatch");
  };
  const chainCheck =
    wallet && createChainCheck({ node, chainId: wallet.chainId, clock, log, onAnswer: report("chain-mismatch") });
  const untracedGateway =
    wallet === undefined || chainCheck === undefined
      ? createWireGateway({ ...config, http, hide })
      : createWalletGateway({ ...wallet, nodeUrl: config.nodeUrl, node, chainCheck, http, hide, newToken, clock });
  const gateway = tracing === undefined ? untracedGateway : tracedGateway(untracedGateway, tracing);
  const balances = createBalances({ nodeUrl: config.nodeUrl, http, clock, log });
  // Ask once now, so that nothing is offered that the node cannot tell.
  void balances.known(config.referralAddress, ["KLV"]);
  const quotation = createQuotation({ url: config.quotationUrl, http });
  const fallback = config.poolsFile === undefined ? undefined : await loadPools(config.poolsFile);
  const pools = createPools({ gateway, routerContract: config.routerContract, fallback, clock, log });
  // Read them now, so that the first card can already compare routes.
  void pools.known(0, 0);
  const pacer = createPacer({ clock });
  // An API of its own for alerts: they are paced and tried again by their sender alone.
  const alertApi = new Api(config.botToken);
  alertApi.config.use(telegramCall);
  const alerts = createAlerts<Card>({
    store: patientStore,
    clock,
    log,
    pacer,
    lead,
    deliver: async (chatId, card, { isSilent }) => {
      await shared?.instance.assertHeld();
      return sendCardTo(alertApi, chatId, card, isSilent);
    },
  });
  metrics.outbox(alerts.waiting);
  const orderViewOf = ({ language, timeZone }: Person) => ({ words: messagesIn(language), timeZone });
  const notices = createNotices({
    store: patientStore,
    alerts,
    clock,
    log,
    run,
    render: (notice, person) => noticeCard(notice, orderViewOf(person)),
  });
  const exchange = createExchange({ url: config.orderUrl, apiKey: config.orderApiKey, http, hide });
  const mayAsk = shared?.requestSlots("exchange", config.orderPollRps);
  const orders = createOrders({
    store: patientStore,
    lead,
    exchange: {
      order: async (id) => {
        await mayAsk?.();
        return exchange.order(id);
      },
    },
    clock,
    log,
    pace: {
      minSeconds: config.orderPollMinSeconds,
      maxSeconds: config.orderPollMaxSeconds,
      requestsPerSecond: config.orderPollRps,
    },
    outageSeconds: config.serviceOutageSeconds,
    alerts,
    noticed: notices.noticed,
    render: (alert, person) => orderAlertCard(alert, orderViewOf(person)),
  });
  const locking = createLocking({ ...config, gateway, tokens, clock, log });
  const reminders = createReminders({
    store: patientStore,
    lead,
    epochStatus: locking.epochStatus,
    noticed: notices.noticed,
    clock,
    log,
  });
  let desk: Desk | undefined;
  // Whose wallet signs makes the call.
  const callIncludesCaller = config.callIncludesCaller || wallet !== undefined;
  const trading = createTrading({ store, clock });
  const feesOf = (ended: Intent) => [...withFeesOf([ended], config.returnDataEncoding, new Map()).values()];
  const operator = createOperator({
    operators: config.adminUserIds ?? [],
    allowed: config.allowedUserIds,
    store,
    clock,
    log,
    newId,
    find: (owner, id) => parts.intents.find(owner, id),
    noticed: notices.noticed,
    services: health.read,
    alerts: alerts.waiting,
    isLeading: lead.isLeading,
    reported,
    disk: config.databaseUrl === undefined ? () => statfs(config.storeDir) : undefined,
    feesOf,
    onCounted: metrics.counted,
  });
  const parts: Parts = {
    stopping: stopping.signal,
    botName: () => bot.botInfo.username,
    settings: { ...config, callIncludesCaller, keptForFees: wallet?.maxNetworkFee ?? 0n },
    ...(wallet !== undefined && {
      lookUp: async ({ transaction, call }) => {
        const found = transaction && (await node.transaction(transaction.hash, call.scAddress));
        return found === undefined || found.block === 0n ? undefined : found.isOk;
      },
    }),
    store,
    clock,
    log,
    tokens,
    intents: createIntents({
      store: countedStore(store, clock, operator.note),
      gateway,
      clock,
      log,
      newId,
      run,
      liveRuns: shared?.instance.liveRuns,
      quoteTtlSeconds: config.quoteTtlSeconds,
      book: (person, ended) => kinds[ended.terms.kind].book(person, ended, config.returnDataEncoding),
      isConfigured: (call) => isConfigured(call, config, pools.areListed),
      assertOpen: trading.assertOpen,
      holdings: (intent) => {
        const assets = movedAssets(intent, { ...config, callIncludesCaller });
        return balances.known(intent.terms.payout, assets);
      },
      findingOf: (intent, before, after) => findingOf(movementOf(intent, config), before, after),
      onEnded: ({ owner }) => reminders.note(owner),
      onRequest: (request) => desk?.open(request),
    }),
    swaps: createReferralSwap({ quotation, config, clock }),
    multihop: createMultihop({ pools, tokens, clock, config }),
    locking,
    launching: createLaunching({
      store,
      gateway,
      locking,
      tokens,
      market: createMarket({ pools, quotation }),
      clock,
      newId,
      config: { ...config, callIncludesCaller, paymentsAreSorted: wallet !== undefined },
    }),
    pools,
    routerCheck: createRouterCheck({ ...config, gateway, clock, log, onAnswer: report("router-mismatch") }),
    balances,
    chainCheck,
    alerts,
    notices,
    orders,
    reminders,
    health,
    operator,
    trading,
    updates: metrics.updates,
    quoteAllowance: createAllowance({ clock, atOnce: 60, everySeconds: 1 }),
    testAlertAllowance: createAllowance({ clock, atOnce: 5, everySeconds: 60 }),
    balanceAllowance: createAllowance({ clock, atOnce: 10, everySeconds: 3 }),
    fileAllowance: createAllowance({ clock, atOnce: 3, everySeconds: 60 }),
  };

  // One that was given up while it slept says nothing any more.
  const call: Transformer = async (...request) => {
    await shared?.instance.assertHeld().catch((error: unknown) => {
      if (isFault(error, "store-lost")) throw error;
    });
    return telegramCall(...request);
  };
  const toldOfOutage = new Set<number>();
  const bot = createBot(
    parts,
    { token: config.botToken, call: shared === undefined ? telegramCall : call },
    { pacer: shared === undefined ? pacer : reportedReplies({ pacer, lead, clock }), metrics, tracing, toldOfOutage },
  );
  const follower = createFollower({
    node,
    intents: parts.intents,
    present: (intent) => presentSoon(parts, bot.api, intent),
    clock,
    log,
  });
  if (wallet !== undefined) {
    desk = createDesk({
      ...wallet,
      ...deskView(parts, bot.api),
      assertOpen: trading.assertOpen,
      node,
      intents: parts.intents,
      links: createLinks(store),
      follower: {
        follow: (intent, isFresh = false) => {
          if (lead.isLeading()) follower.follow(intent, isFresh);
          else lead.tell({ about: "transaction", owner: intent.owner, id: intent.id, isFresh });
        },
      },
      clock,
      log,
    });
  }
  const contextOf = (update: Update) => new Context(update, bot.api, bot.botInfo) as BotContext;
  const transport = await startReceiving({
    bot,
    inbox: createInbox({ store, log }),
    shared: shared && {
      lead,
      queue: (consumer) =>
        shared.createUpdateQueue({
          ...shared,
          consumer,
          overtakes: (update) => overtakes(contextOf(update), parts),
          tellToSlowDown: (update) => tellToSlowDown(contextOf(update)),
          toldOfOutage,
          tellOfOutage: (update) => tellOfOutage(contextOf(update)),
          clock,
          log,
        }),
    },
    metrics,
    serves: async () => {
      await store.assertOwned();
      await trading.pauseNow();
      return !health.read().some((service) => isOutNow(service, clock.now()));
    },
    webhook: webhookOf(config),
    port: config.port,
    host: hostOf(config),
    signing: wallet &&
      desk && {
        desk,
        publicUrl: wallet.publicUrl,
        walletOrigins: [new URL(wallet.walletNodeUrl).origin, new URL(wallet.walletApiUrl).origin],
      },
    clock,
    log,
  });

  const inBackground = (what: string, task: Promise<void>) => {
    task.catch((error: unknown) => {
      if (stopping.signal.aborted) return;
      log.error({ reason: describeError(error) }, what);
    });
  };
  const { signal } = stopping;
  const operating = operator.run(signal);
  inBackground("Commands could not be published", publishCommands(bot.api, { clock, log, signal }));
  let telling = Promise.resolve();
  const takeUp = (intent: Intent) => {
    operator.noteFound(intent);
    if (isSigned(intent) && isUnderWay(intent.state)) desk?.open(intent);
  };
  place.onLead({
    takeOver: () => {
      const takenUp = [reminders.start(), orders.start(), notices.start()];
      inBackground(
        "What was open could not be taken up",
        Promise.all(takenUp).then(() => log.info("All is taken up")),
      );
      telling = telling.catch(() => undefined).then(() => tellInterrupted(parts, bot.api, signal, takeUp));
      inBackground("Interrupted calls could not all be told", telling);
    },
    hear: (news) => inBackground("What another instance told was not taken up", hear(news)),
  });

  async function hear(news: News): Promise<void> {
    switch (news.about) {
      case "order":
        return orders.take(news.id);
      case "person":
        reminders.note(news.userId);
        return alerts.take(news.userId);
      case "transaction": {
        const intent = await parts.intents.find(news.owner, news.id);
        if (intent !== undefined && isSigned(intent)) follower.follow(intent, news.isFresh);
        return;
      }
      case "replies":
        pacer.replied(news.chatIds);
    }
  }

  return {
    done: transport.done,
    stop: async () => {
      stopping.abort();
      await transport.stop(STOP_DEADLINE_MILLISECONDS);
      // However long a call takes, its outcome is worth waiting for.
      await parts.intents.idle();
      await follower.stop();
      await reminders.stop();
      await orders.stop();
      await alerts.stop();
      await operating;
      await operator.settled();
      pacer.stop();
      await Promise.all([http.close(), telegramHttp.close(), tracing?.stop()]);
      // The last of all: until now something could still have to be written.
      await place.close();
    },
  };
}

export interface AppOptions {
  readonly clock?: Clock;
  /** Standard output unless given. */
  readonly logTo?: DestinationStream;
}
