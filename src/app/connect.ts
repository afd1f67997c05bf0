import pino from "pino";
import type { Basics } from "../loop.js";
import type { Clock } from "../clock.js";
import { secretsOf, type Config } from "../config.js";
import { hideSecrets } from "../log.js";
import { createChainCheck, type PeriodicCheck } from "../services/chain/checks.js";
import { createExchange, type Exchange } from "../services/alerts/exchange.js";
import type { RequestResult } from "../services/base/health.js";
import { createHttp, type Http } from "../services/base/http.js";
import { createQuotation, type Quotation } from "../services/market/quotation.js";
import { createTelegramClient, type TelegramClient } from "../services/telegram/telegram-client.js";
import {
  type Balances,
  createBalances,
  createQueryGateway,
  type ContractGateway,
} from "../services/chain/query-gateway.js";
import { type ChainNode, createChainNode } from "../services/signing/chain-node.js";
import { createWalletGateway } from "../services/signing/prepare.js";

/** Clients of everything outside of the process. */
export interface Connections {
  /** Replaces secrets in text. */
  readonly hide: (text: string) => string;
  readonly http: Http;
  readonly telegram: TelegramClient;
  readonly node: ChainNode;
  /** Undefined unless wallets sign. */
  readonly chainCheck: PeriodicCheck | undefined;
  readonly gateway: ContractGateway;
  readonly balances: Balances;
  readonly quotation: Quotation;
  /** Never retries, since callers count their requests. */
  readonly polled: Quotation;
  readonly exchange: Exchange;
  readonly close: () => Promise<void>;
}

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
export function connect(config: Config, { clock, log, onRequestDone = () => undefined }: ConnectParts): Connections {
  const { nodeUrl, httpTimeoutSeconds: timeoutSeconds, callIncludesCaller, returnDataEncoding } = config;
  const hide = hideSecrets(secretsOf(config));
  const http = createHttp({ timeoutSeconds, onRequestDone, clock, log });
  const telegram = createTelegramClient({ apiRoot: config.telegramApiRoot, timeoutSeconds, onRequestDone, log });
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
    hide,
    http,
    telegram,
    node,
    chainCheck,
    gateway: gateway(),
    balances: createBalances({ nodeUrl, http, clock, log }),
    quotation: createQuotation({ url: config.quotationUrl, http, retry: true }),
    polled: createQuotation({ url: config.quotationUrl, http, retry: false }),
    exchange: createExchange({ url: config.orderUrl, apiKey: config.orderApiKey, http, hide }),
    close: async (): Promise<void> => {
      await Promise.all([http.close(), telegram.close()]);
    },
  };
}
