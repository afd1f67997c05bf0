import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { createMetrics } from "../bot/receive/metrics.js";
import type { Clock } from "../clock.js";
import type { Config } from "../config.js";
import type { Incident } from "../services/outbox/notice.js";
import { poolFile, createPools } from "../services/pool/pools.js";
import { createRouterCheck, type CheckAnswer, createChainCheck } from "../services/chain/checks.js";
import { createBalances } from "../services/gateway/balances.js";
import { createExchange } from "../services/clients/exchange.js";
import { createHealth, type Asked } from "../services/clients/health.js";
import { createHttp } from "../services/clients/http.js";
import { createQuotation } from "../services/clients/quotation.js";
import { createTelegramClient } from "../services/clients/telegram-client.js";
import { createWireGateway } from "../services/gateway/query.js";
import type { TokenList } from "../services/token/list.js";
import { createWalletGateway } from "../services/wallet/prepare.js";
import { createChainNode } from "../services/wallet/node.js";
import type { Store } from "../store/store.js";

/** What everything is made from. */
export interface Foundations {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  /** Takes secrets out of a text. */
  readonly hide: (text: string) => string;
  readonly tokens: TokenList;
  readonly store: Store;
  /** Names this run of the program. */
  readonly run: string;
}

export type Services = Awaited<ReturnType<typeof connectServices>>;

/**
 * What the bot asks: Telegram, the node with its contracts, the quotation service and the exchange.
 * @throws Fault `pools-file-invalid`.
 */
export async function connectServices({ config, clock, log, hide }: Foundations) {
  const health = createHealth(clock);
  const metrics = createMetrics(clock);
  const onAsked = (asked: Asked) => {
    health.note(asked);
    metrics.asked(asked);
  };
  const http = createHttp({ timeoutSeconds: config.httpTimeoutSeconds, clock, log, onAsked });
  const telegram = createTelegramClient({
    apiRoot: config.telegramApiRoot,
    timeoutSeconds: config.httpTimeoutSeconds,
    onAsked,
    log,
  });

  const wallet = config.gateway.kind === "wallet" ? config.gateway : undefined;
  const node = createChainNode({ ...config, http, clock, hide });
  /** What was found to be wrong, or in order again. */
  const reported = new Map<Incident, boolean>();
  const report = (incident: Incident) => (answer: CheckAnswer) => {
    if (answer !== "unknown") reported.set(incident, answer === "mismatch");
  };
  const chainCheck =
    wallet && createChainCheck({ node, chainId: wallet.chainId, clock, log, onAnswer: report("chain-mismatch") });
  const newToken = () => randomBytes(32).toString("base64url");
  const gateway =
    wallet === undefined || chainCheck === undefined
      ? createWireGateway({ ...config, http, hide })
      : createWalletGateway({ ...wallet, nodeUrl: config.nodeUrl, node, chainCheck, http, hide, newToken, clock, log });
  const balances = createBalances({ nodeUrl: config.nodeUrl, http, clock, log });
  // Ask once now, so that nothing is offered that the node cannot report.
  void balances.known(config.referralAddress, ["KLV"]);
  const listedPools = config.poolsFile === undefined ? undefined : poolFile(config.poolsFile);
  const pools = createPools({
    gateway,
    routerContract: config.routerContract,
    fallback: await listedPools?.read(),
    clock,
    log,
  });
  const unwatchPools = listedPools?.watch(pools.replaceFallback, log);
  // Read them now, so that the first card can already compare routes.
  void pools.known(0, 0);

  return {
    health,
    metrics,
    telegram,
    /** What it takes that people's wallets sign; undefined where they don't. */
    wallet,
    // Whose wallet signs makes the call.
    callIncludesCaller: config.callIncludesCaller || wallet !== undefined,
    node,
    chainCheck,
    reported,
    gateway,
    balances,
    pools,
    routerCheck: createRouterCheck({ ...config, gateway, clock, log, onAnswer: report("router-mismatch") }),
    quotation: createQuotation({ url: config.quotationUrl, http }),
    exchange: createExchange({ url: config.orderUrl, apiKey: config.orderApiKey, http, hide }),
    close: async () => {
      unwatchPools?.();
      await Promise.all([http.close(), telegram.close()]);
    },
  };
}
