import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { createBot } from "./bot/bot.js";
import { publishCommands } from "./bot/commands.js";
import type { Parts } from "./bot/context.js";
import { tellInterrupted } from "./bot/interrupted.js";
import { createConsumer } from "./bot/transport/consume.js";
import { createInbox } from "./bot/transport/inbox.js";
import { createMetrics } from "./bot/transport/metrics.js";
import { startPolling } from "./bot/transport/polling.js";
import { describeError } from "./bot/transport/telegram-errors.js";
import { systemClock, type Clock } from "./clock.js";
import { secretsOf, type Config } from "./config.js";
import { createHttp } from "./services/http.js";
import { createIntents } from "./services/intents/intents.js";
import { createLog } from "./services/log.js";
import { createLocking } from "./services/locks/locking.js";
import { createMultihop } from "./services/multihop/multihop.js";
import { createPools, loadPools } from "./services/pools.js";
import { createRouterCheck } from "./services/router-check.js";
import { createQuotation } from "./services/quotation.js";
import { createReferralSwap } from "./services/referral-swap.js";
import { createTelegramHttp, longPollSeconds } from "./services/telegram-http.js";
import { loadTokens } from "./services/tokens.js";
import { createWireGateway } from "./services/wire-gateway.js";
import { createEmbeddedStore } from "./store/embedded.js";

/** The whole bot, running. */
export interface App {
  /** Ends when the bot was stopped. @throws what stopped it otherwise, such as a token that Telegram refuses. */
  readonly done: Promise<void>;
  /** Finishes what is under way, for some seconds at most, and lets go of everything. */
  readonly stop: () => Promise<void>;
}

/** How long updates under way may take to finish at a stop, in milliseconds. */
const STOP_DEADLINE = 15_000;

/**
 * Composes every part from a configuration and starts it. Production, the sandbox and the tests all begin here.
 * @throws Fault `store-…`, `token-list-invalid`.
 */
export async function startApp(
  config: Config,
  { clock = systemClock, log = createLog({ level: config.logLevel, secrets: secretsOf(config) }) }: AppOptions = {},
): Promise<App> {
  const startedAt = clock.now();
  const tokens = await loadTokens(config.tokensFile);
  const store = await createEmbeddedStore({ directory: config.storeDir, clock });
  const http = createHttp({ timeoutSeconds: config.httpTimeoutSeconds, clock, log });
  const telegramHttp = createTelegramHttp({ timeoutSeconds: config.httpTimeoutSeconds });

  const gateway = createWireGateway({ ...config, http });
  const quotation = createQuotation({ url: config.quotationUrl, http });
  const fallback = config.poolsFile === undefined ? undefined : await loadPools(config.poolsFile);
  const pools = createPools({ gateway, routerContract: config.routerContract, fallback, clock, log });
  // Read them now, so that the first card can already compare routes.
  pools.known(0);
  const parts: Parts = {
    settings: config,
    store,
    clock,
    log,
    tokens,
    intents: createIntents({
      store,
      gateway,
      clock,
      log,
      newId: () => randomBytes(16).toString("base64url"),
      quoteTtlSeconds: config.quoteTtlSeconds,
    }),
    swaps: createReferralSwap({ quotation, config, clock }),
    multihop: createMultihop({ pools, tokens, clock, config }),
    locking: createLocking({ ...config, chainStatus: () => gateway.chainStatus(), tokens, clock }),
    pools,
    routerCheck: createRouterCheck({ ...config, gateway, clock, log }),
  };

  const metrics = createMetrics();
  const bot = createBot(parts, {
    token: config.botToken,
    client: {
      apiRoot: config.telegramApiRoot,
      // grammY's types ask for the whole of `fetch`; it uses only what the shim has.
      fetch: telegramHttp.fetch as never,
      // A connection that died silently is given up soon after the long poll should have ended.
      timeoutSeconds: longPollSeconds + config.httpTimeoutSeconds,
    },
  });
  const consumer = createConsumer({ bot, metrics, log });
  const transport = startPolling({ bot, consumer, inbox: createInbox({ store, log }), clock, log });

  const inBackground = (what: string, task: Promise<void>) => {
    task.catch((error: unknown) => {
      log.error({ reason: describeError(error) }, what);
    });
  };
  inBackground("Commands could not be published", publishCommands(bot.api));
  inBackground("Interrupted calls could not all be told", tellInterrupted(parts, bot.api, startedAt));

  return {
    done: transport.done,
    stop: async () => {
      await transport.stop(STOP_DEADLINE);
      await Promise.all([http.close(), telegramHttp.close(), store.close()]);
    },
  };
}

export interface AppOptions {
  readonly clock?: Clock;
  readonly log?: Logger;
}
