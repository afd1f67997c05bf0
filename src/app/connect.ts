import pino from "pino";
import type { Basics } from "../loop.js";
import type { Clock } from "../clock.js";
import { secretsOf, type Config } from "../config.js";
import { hideSecrets } from "../log.js";
import { createChainCheck } from "../services/chain/checks.js";
import { createExchange } from "../services/alerts/exchange.js";
import type { RequestResult } from "../services/base/health.js";
import { createHttp } from "../services/base/http.js";
import { createQuotation } from "../services/market/quotation.js";
import { createTelegramClient } from "../services/telegram/telegram-client.js";
import { createBalances, createQueryGateway, type ContractGateway } from "../services/chain/query-gateway.js";
import { createChainNode } from "../services/signing/chain-node.js";
import { createWalletGateway } from "../services/signing/prepare.js";

export type Connections = ReturnType<typeof connect>;

export interface Asking extends Connections {
  readonly config: Config;
  readonly clock: Clock;
}

/** Connects without a log, runs `ask` and disconnects, for programs that run once. */
export async function whileConnected<Found>(config: Config, clock: Clock, ask: (asking: Asking) => Promise<Found>) {
  const connections = connect(config, { clock, log: pino({ level: "silent" }) });
  try {
    return await ask({ ...connections, config, clock });
  } finally {
    await connections.close();
  }
}

/** Connects to Telegram, the node with its contracts, the quotation service and the exchange. */
export function connect(config: Config, parts: Basics & { readonly onRequestDone?: (asked: RequestResult) => void }) {
  const { clock, log } = parts;
  const { nodeUrl, httpTimeoutSeconds: timeoutSeconds, callIncludesCaller, returnDataEncoding } = config;
  const hide = hideSecrets(secretsOf(config));
  const http = createHttp({ ...parts, timeoutSeconds });
  const telegram = createTelegramClient({ ...parts, apiRoot: config.telegramApiRoot, timeoutSeconds });
  const node = createChainNode({ nodeUrl, http, clock, hide });
  const wallet = config.gateway.kind === "wallet" ? config.gateway : undefined;
  const chainCheck = wallet && createChainCheck({ node, chainId: wallet.chainId, clock, log });
  const gateway: ContractGateway =
    wallet && chainCheck
      ? createWalletGateway({ ...wallet, chainCheck, nodeUrl, node, http, hide, clock, log })
      : createQueryGateway({ nodeUrl, http, hide, returnDataEncoding, callIncludesCaller });
  return {
    /** Replaces secrets in text. */
    hide,
    http,
    telegram,
    node,
    /** Undefined unless wallets sign. */
    chainCheck,
    gateway,
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
