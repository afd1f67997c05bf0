import { randomUUID } from "node:crypto";
import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Api, GrammyError } from "grammy";
import pino from "pino";
import { systemClock, type Clock } from "./clock.js";
import { secretsOf, type Config } from "./config.js";
import { parseAmount } from "./encoding/typed.js";
import type { Token } from "./encoding/token.js";
import { isFault } from "./fault.js";
import { messages } from "./locales/messages.js";
import { sentenceOf } from "./locales/sentence.js";
import { createExchange } from "./services/clients/exchange.js";
import { createHttp, endpoint, type Http } from "./services/clients/http.js";
import { createQuotation } from "./services/clients/quotation.js";
import { createTelegramClient } from "./services/clients/telegram-client.js";
import { createWireGateway } from "./services/gateway/query.js";
import { hideSecrets } from "./log.js";
import { tokenFile } from "./services/token/list.js";
import { createChainNode } from "./services/wallet/node.js";
import { targetsOf } from "./trial-calls.js";

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

type Check = () => Promise<Omit<Finding, "subject">>;
type Checks = Readonly<Record<string, Check>>;

interface Surroundings {
  readonly config: Config;
  readonly clock: Clock;
  readonly http: Http;
  readonly hide: (text: string) => string;
  readonly tokens: Promise<readonly Token[]>;
}

/**
 * Tries everything that the bot needs, changes nothing anywhere, and says what is wrong. Each check stands alone: one that fails
 * hides no other. Services are asked once each; nothing is sent that trades.
 */
export async function examine(config: Config, clock: Clock = systemClock): Promise<readonly Finding[]> {
  const { telegramApiRoot: apiRoot, httpTimeoutSeconds: timeoutSeconds } = config;
  const hide = hideSecrets(secretsOf(config));
  const log = pino({ level: "silent" });
  const http = createHttp({ timeoutSeconds, clock, log });
  const telegramHttp = createTelegramClient({ apiRoot, timeoutSeconds, log });
  const tokens = tokenFile(config.tokensFile).read();
  tokens.catch(() => undefined);
  const around = { config, clock, http, hide, tokens };
  const checks = {
    ...telegramChecks(around, new Api(config.botToken, telegramHttp.options)),
    ...contractChecks(around),
    ...marketChecks(around),
    store: () => checkStore(config),
    chain: () => checkChain(around),
  };
  const run = async ([subject, check]: [string, Check]): Promise<Finding> => {
    try {
      return { subject, ...(await check()) };
    } catch (error) {
      return { subject, verdict: optional.has(subject) ? "note" : "fault", text: hide(sentenceFor(error)) };
    }
  };
  try {
    return await Promise.all(Object.entries(checks).map(run));
  } finally {
    await Promise.all([http.close(), telegramHttp.close()]);
  }
}

function telegramChecks({ config, clock, http, hide, tokens }: Surroundings, telegram: Api): Checks {
  return {
    telegram: async () => ok(`BOT_TOKEN belongs to @${(await telegram.getMe()).username}`),
    webhook: async () => {
      const { url, last_error_message: problem } = await telegram.getWebhookInfo();
      const polls = config.updates.kind === "polling";
      if (polls && url !== "") return note("A webhook is set at Telegram; the bot removes it to poll");
      if (problem !== undefined) return note(`Telegram could not deliver to the webhook: ${hide(problem)}`);
      return ok(polls ? "Updates are polled" : "Updates come by webhook");
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
  };
}

function contractChecks({ config, http, hide }: Surroundings): Checks {
  const gateway = createWireGateway({ ...config, http, hide });
  const { referral, router, lock } = targetsOf(config);
  return {
    node: async () => ok(`The node is in epoch ${(await gateway.chainStatus()).epoch}`),
    referral: async () => {
      const [address] = await gateway.query(referral, "getRouterAddress", {});
      if (address === config.routerContract) return ok("The referral contract swaps through ROUTER_CONTRACT");
      return fault("ROUTER_CONTRACT is not the router of REFERRAL_CONTRACT");
    },
    pairs: async () => {
      const { length } = await gateway.query(router, "getAllPairContractMetadata", {});
      return length > 0
        ? ok(`The router lists ${length} pairs`)
        : note("The router lists no pair, so there are no routes");
    },
    lock: async () => {
      const [token] = await gateway.query(lock, "getLockedTokenId", {});
      return ok(`LOCK_CONTRACT gives out ${token}`);
    },
  };
}

function marketChecks({ config, http, hide, tokens }: Surroundings): Checks {
  return {
    quotation: async () => {
      const [tokenIn, tokenOut] = (await tokens).filter(({ precision }) => precision !== undefined);
      if (!tokenIn || !tokenOut) return note("TOKENS_FILE has no two tokens with a precision");
      try {
        await createQuotation({ url: config.quotationUrl, http }).quote(parseAmount("1", tokenIn), tokenOut);
        return ok(`There is a price for 1 ${tokenIn.id} in ${tokenOut.id}`);
      } catch (error) {
        if (!isFault(error, "quote-none", "quote-zero")) throw error;
        return ok(`The quotation service answers; it has no price for 1 ${tokenIn.id} in ${tokenOut.id}`);
      }
    },
    exchange: async () => {
      try {
        await createExchange({ url: config.orderUrl, apiKey: config.orderApiKey, http, hide }).order(randomUUID());
      } catch (error) {
        if (isFault(error, "service-unauthorized")) return fault("The exchange refuses ORDER_API_KEY");
        if (!isFault(error, "order-not-found", "order-refused")) throw error;
      }
      return ok("The exchange takes ORDER_API_KEY");
    },
  };
}

async function checkStore({ store }: Config) {
  if (store.kind === "postgres") return note("DATABASE_URL is not tried: only one program can have it");
  const { directory: storeDir } = store;
  const probe = join(storeDir, `.doctor-${randomUUID()}`);
  await mkdir(storeDir, { recursive: true, mode: 0o700 });
  await writeFile(probe, "");
  await rm(probe);
  const { bavail, bsize } = await statfs(storeDir);
  const megabytes = Math.floor((bavail * bsize) / 1024 / 1024);
  if (bavail * bsize < MIN_FREE_BYTES) return fault(`The disk under STORE_DIR has only ${megabytes} MB left`);
  return ok(`STORE_DIR can be written; the disk has ${megabytes} MB left`);
}

async function checkChain({ config, clock, http, hide }: Surroundings) {
  const { gateway } = config;
  if (gateway.kind === "query") return note("CALL_GATEWAY is query: on a real chain a node only simulates such calls");
  const told = await createChainNode({ ...config, http, clock, hide }).chainId();
  if (told === undefined) return note("The node does not say which chain it belongs to");
  if (told === gateway.chainId) return ok(`The node belongs to chain ${told}`);
  return fault(`CHAIN_ID is ${gateway.chainId}, but the node belongs to chain ${told}`);
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
