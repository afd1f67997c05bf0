import { randomUUID } from "node:crypto";
import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Api, GrammyError } from "grammy";
import pino from "pino";
import { systemClock, type Clock } from "./clock.js";
import { webhookOf, walletModeOf, secretsOf, type Config } from "./config.js";
import { isFault } from "./fault.js";
import { messages } from "./locales/messages.js";
import { sentenceOf } from "./locales/sentence.js";
import { createExchange } from "./services/clients/exchange.js";
import { createHttp, endpoint } from "./services/clients/http.js";
import { createQuotation } from "./services/clients/quotation.js";
import { createTelegramClient } from "./services/clients/telegram-client.js";
import { createWireGateway } from "./services/clients/wire-gateway.js";
import { hideSecrets } from "./services/log.js";
import { tokenFile } from "./services/tokens.js";
import { createChainNode } from "./services/wallet-gateway/node.js";

/** What one look at the bot's surroundings showed. */
export interface Finding {
  /** What was looked at, such as `clock`. */
  readonly subject: string;
  /** `fault`: the bot can't do its work. `note`: it can, with something missing. */
  readonly verdict: "ok" | "note" | "fault";
  /** A sentence for the operator, without secrets. */
  readonly text: string;
}

/** A card holds for seconds, and Telegram's times are compared with ours. */
const MAX_CLOCK_DIFFERENCE_SECONDS = 30;
const MIN_FREE_BYTES = 200 * 1024 * 1024;

const ok = (text: string) => ({ verdict: "ok", text }) as const;
const note = (text: string) => ({ verdict: "note", text }) as const;
const fault = (text: string) => ({ verdict: "fault", text }) as const;

/**
 * Tries everything that the bot needs, changes nothing anywhere, and says what is wrong. Each check stands alone: one that fails
 * hides no other. Services are asked once each; nothing is sent that trades.
 */
export async function examine(config: Config, clock: Clock = systemClock): Promise<readonly Finding[]> {
  const log = pino({ level: "silent" });
  const hide = hideSecrets(secretsOf(config));
  const http = createHttp({ timeoutSeconds: config.httpTimeoutSeconds, clock, log });
  const telegramHttp = createTelegramClient({
    apiRoot: config.telegramApiRoot,
    timeoutSeconds: config.httpTimeoutSeconds,
  });
  const telegram = new Api(config.botToken, telegramHttp.options);
  const gateway = createWireGateway({ ...config, http, hide });
  const tokens = tokenFile(config.tokensFile).read();
  tokens.catch(() => undefined);

  const checks: Readonly<Record<string, () => Promise<Omit<Finding, "subject">>>> = {
    telegram: async () => ok(`BOT_TOKEN belongs to @${(await telegram.getMe()).username}`),
    webhook: async () => {
      const [{ url, last_error_message: problem }, wanted] = [await telegram.getWebhookInfo(), webhookOf(config)];
      if (wanted === undefined && url !== "") return note("A webhook is set at Telegram; the bot removes it to poll");
      if (problem !== undefined) return note(`Telegram could not deliver to the webhook: ${hide(problem)}`);
      return ok(wanted === undefined ? "Updates are polled" : "Updates come by webhook");
    },
    clock: async () => {
      const asked = { service: "telegram", method: "GET", url: endpoint(config.telegramApiRoot, "") } as const;
      const { headers } = await http.request({ ...asked, retry: true });
      const told = Date.parse(String(headers["date"] ?? ""));
      if (Number.isNaN(told)) return note("Telegram's answer has no date, so the clock was not compared");
      const seconds = Math.round((clock.now() - told) / 1000);
      if (Math.abs(seconds) <= MAX_CLOCK_DIFFERENCE_SECONDS) return ok("The clock agrees with Telegram's");
      return fault(`The clock is ${Math.abs(seconds)} seconds ${seconds > 0 ? "ahead of" : "behind"} Telegram's`);
    },
    tokens: async () => ok(`TOKENS_FILE lists ${(await tokens).length} tokens`),
    node: async () => ok(`The node is in epoch ${(await gateway.chainStatus()).epoch}`),
    referral: async () => {
      const address = config.referralContract;
      const [router] = await gateway.query({ contract: "referral", address }, "getRouterAddress", {});
      if (router === config.routerContract) return ok("The referral contract swaps through ROUTER_CONTRACT");
      return fault("ROUTER_CONTRACT is not the router of REFERRAL_CONTRACT");
    },
    pairs: async () => {
      const router = { contract: "router", address: config.routerContract } as const;
      const pairs = await gateway.query(router, "getAllPairContractMetadata", {});
      return pairs.length > 0
        ? ok(`The router lists ${pairs.length} pairs`)
        : note("The router lists no pair, so there are no routes");
    },
    lock: async () => {
      const lock = { contract: "simpleLock", address: config.lockContract } as const;
      const [token] = await gateway.query(lock, "getLockedTokenId", {});
      return ok(`LOCK_CONTRACT gives out ${token}`);
    },
    quotation: async () => {
      const [tokenIn, tokenOut] = (await tokens).filter(({ precision }) => precision !== undefined);
      if (tokenIn === undefined || tokenOut === undefined)
        return note("TOKENS_FILE has no two tokens with a precision");
      const quotation = createQuotation({ url: config.quotationUrl, http });
      try {
        await quotation.quote({ amountInText: "1", tokenIn, tokenOut });
        return ok(`There is a price for 1 ${tokenIn.id} in ${tokenOut.id}`);
      } catch (error) {
        if (!isFault(error, "quote-none", "quote-zero")) throw error;
        return ok(`The quotation service answers; it has no price for 1 ${tokenIn.id} in ${tokenOut.id}`);
      }
    },
    exchange: async () => {
      const exchange = createExchange({ url: config.orderUrl, apiKey: config.orderApiKey, http, hide });
      try {
        await exchange.order(randomUUID());
      } catch (error) {
        if (isFault(error, "service-unauthorized")) return fault("The exchange refuses ORDER_API_KEY");
        if (!isFault(error, "order-not-found", "order-refused")) throw error;
      }
      return ok("The exchange takes ORDER_API_KEY");
    },
    store: async () => {
      const probe = join(config.storeDir, `.doctor-${randomUUID()}`);
      await mkdir(config.storeDir, { recursive: true, mode: 0o700 });
      await writeFile(probe, "");
      await rm(probe);
      const { bavail, bsize } = await statfs(config.storeDir);
      const megabytes = Math.floor((bavail * bsize) / 1024 / 1024);
      if (bavail * bsize < MIN_FREE_BYTES) return fault(`The disk under STORE_DIR has only ${megabytes} MB left`);
      return ok(`STORE_DIR can be written; the disk has ${megabytes} MB left`);
    },
    chain: async () => {
      const wallet = walletModeOf(config);
      if (wallet === undefined) return note("CALL_GATEWAY is query: on a real chain a node only simulates such calls");
      const told = await createChainNode({ ...config, http, clock, hide }).chainId();
      if (told === undefined) return note("The node does not say which chain it belongs to");
      return told === wallet.chainId
        ? ok(`The node belongs to chain ${told}`)
        : fault(`CHAIN_ID is ${wallet.chainId}, but the node belongs to chain ${told}`);
    },
  };

  try {
    return await Promise.all(
      Object.entries(checks).map(async ([subject, check]): Promise<Finding> => {
        try {
          return { subject, ...(await check()) };
        } catch (error) {
          return { subject, verdict: optional.has(subject) ? "note" : "fault", text: hide(sentenceFor(error)) };
        }
      }),
    );
  } finally {
    await Promise.all([http.close(), telegramHttp.close()]);
  }
}

/** What the bot does without: nodes need not have views. */
const optional = new Set(["webhook", "clock", "pairs", "lock", "referral"]);

function sentenceFor(error: unknown): string {
  if (isFault(error)) return sentenceOf(error, messages.en);
  if (error instanceof GrammyError) {
    return error.error_code === 401 || error.error_code === 404
      ? "Telegram refuses BOT_TOKEN"
      : `Telegram answers: ${error.description}`;
  }
  if (error instanceof Error && error.name === "HttpError") return "Telegram can't be reached at TELEGRAM_API_ROOT";
  if (error instanceof Error && "code" in error) return `STORE_DIR can't be written (${String(error.code)})`;
  return "It could not be checked";
}
