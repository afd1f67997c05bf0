import pino from "pino";
import type { Basics } from "../loop.js";
import type { Clock } from "../clock.js";
import { secretsOf, type Config } from "../config.js";
import { hideSecrets } from "../log.js";
import { createChainCheck } from "../services/chain/checks.js";
import { createExchange } from "../services/alerts/exchange-client.js";
import type { RequestResult } from "../services/base/health.js";
import { createHttp } from "../services/base/http.js";
import { createQuotation } from "../services/market/quotation.js";
import { createTelegramClient } from "../services/telegram/telegram-client.js";
import { createBalances, createQueryGateway, type ContractGateway } from "../services/chain/query-gateway.js";
import { createChainNode } from "../services/signing/chain-node.js";
import { createWalletGateway } from "../services/signing/prepare.js";

/** Clients of everything outside of the process. */
export type Connections = ReturnType<typeof connect>;

/** What programs that run once ask with. */
export interface Asking {
  readonly connections: Connections;
  readonly config: Config;
  readonly clock: Clock;
}

/** Connects without a log, runs `ask` and disconnects, for programs that run once. */
export async function whileConnected<Found>(config: Config, clock: Clock, ask: (asking: Asking) => Promise<Found>) {
  const connections = connect(config, { clock, log: pino({ level: "silent" }) });
  try {
    return await ask({ connections, config, clock });
  } finally {
    await connections.close();
  }
}

interface ConnectParts extends Basics {
  readonly onRequestDone?: (asked: RequestResult) => void;
}

/** Connects to Telegram, the node with its contracts, the quotation service and the exchange. */
export function connect(config: Config, { clock, log, onRequestDone = () => undefined }: ConnectParts) {
  const { nodeUrl, httpTimeoutSeconds: timeoutSeconds, callIncludesCaller, returnDataEncoding } = config;
  const hide = hideSecrets(secretsOf(config));
  const http = createHttp({ timeoutSeconds, onRequestDone, clock, log });
  const telegram = createTelegramClient({
    apiRoot: config.telegramApiRoot,
    timeoutSeconds,
    onRequestDone,
    onDate: (at) => clock.doubt.compare(clock.now() - at),
    links: { "rejected-explorer-url": config.explorerUrl, "rejected-public-url": config.publicUrl },
    log,
  });
  const node = createChainNode({ nodeUrl, http, clock, hide });
  const chainCheck =
    config.gateway.kind === "wallet"
      ? createChainCheck({ node, chainId: config.gateway.chainId, clock, log })
      : undefined;
  const gateway = (): ContractGateway => {
    if (config.gateway.kind === "query" || chainCheck === undefined)
      return createQueryGateway({ nodeUrl, http, hide, returnDataEncoding, callIncludesCaller });
    const { chainId, maxNetworkFee, signSeconds } = config.gateway;
    return createWalletGateway({
      chainId,
      maxNetworkFee,
      signSeconds,
      chainCheck,
      nodeUrl,
      node,
      http,
      hide,
      clock,
      log,
    });
  };
  return {
    /** Replaces secrets in text. */
    hide,
    http,
    telegram,
    node,
    /** Undefined unless wallets sign. */
    chainCheck,
    gateway: gateway(),
    balances: createBalances({ nodeUrl, http, clock, log }),
    quotation: createQuotation({ url: config.quotationUrl, http, retry: true }),
    /** Never retries, since callers count their requests. */
    polled: createQuotation({ url: config.quotationUrl, http, retry: false }),
    exchange: createExchange({ url: config.orderUrl, apiKey: config.orderApiKey, http, hide }),
    close: async (): Promise<void> => {
      await Promise.all([http.close(), telegram.close()]);
    },
  };
}
