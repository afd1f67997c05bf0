import { randomUUID } from "node:crypto";
import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Api, GrammyError } from "grammy";
import { systemClock, type Clock } from "../../clock.js";
import type { Config } from "../../config.js";
import { type Asking, whileConnected } from "../../app/connect.js";
import { parseAmount } from "../../encoding/typed.js";
import type { Token } from "../../encoding/amount.js";
import { isFault } from "../../fault.js";
import { operatorSentence, type ServicePlaces } from "../../operator-sentence.js";
import { knowsQuotes } from "../../services/telegram/older-server.js";
import { tokenFile } from "../../services/market/token-list.js";
import { refusedLinks, refusedLinkSentence } from "../../refused-links.js";
import { type UnknownVariable, unknownSentence } from "../../unknown-variables.js";
import { chainReader } from "../../services/chain/read-block.js";
import { examineBlocks } from "./blocks.js";
import { targetsOf } from "./calls.js";
import { placedIn } from "./placed.js";
import { examineReach } from "./reach.js";
import { examineData } from "./data.js";
import { isOlder, tried } from "./tried.js";

export interface Finding {
  readonly subject: string;
  /** `fault`: the bot can't work. `note`: it can, but something is missing. */
  readonly verdict: "ok" | "note" | "fault";
  /** For the operator, without secrets. */
  readonly text: string;
}

/** Returns only a sentence if all is well. */
type Check = () => Promise<string | Omit<Finding, "subject">>;

/** Cards expire within seconds, and Telegram's times are compared with ours. */
const MAX_CLOCK_DIFFERENCE_SECONDS = 30;
const MIN_FREE_BYTES = 200 * 1024 * 1024;
/** Checks of what the bot can work without: nodes need not have views. */
const optional = new Set(["webhook", "clock", "pairs", "lock", "referral", "dialect", "reach", "blocks", "feed"]);

const note = (text: string) => ({ verdict: "note", text }) as const;
const fault = (text: string) => ({ verdict: "fault", text }) as const;

/** Checks everything the bot needs, without changing anything or trading. A failed check doesn't hide the others. */
export function examine(
  config: Config,
  unknown: readonly UnknownVariable[] = [],
  clock: Clock = systemClock,
): Promise<readonly Finding[]> {
  const places: ServicePlaces = {
    telegram: ["TELEGRAM_API_ROOT", config.telegramApiRoot],
    node: ["NODE_URL", config.nodeUrl],
    quotation: ["QUOTATION_URL", config.quotationUrl],
    exchange: ["ORDER_URL", config.orderUrl],
  };
  return whileConnected(config, clock, async (asking) => {
    const run = async ([subject, check]: [string, Check]): Promise<Finding> => {
      try {
        const found = await check();
        return { subject, ...(typeof found === "string" ? { verdict: "ok", text: found } : found) };
      } catch (error) {
        const text = asking.connections.hide(sentenceFor(error, places));
        return { subject, verdict: optional.has(subject) ? "note" : "fault", text };
      }
    };
    const tokens = tokenFile(config.tokensFile).read;
    const checks = Object.entries({
      ...telegramChecks(asking),
      ...serviceChecks(asking, tokens),
      ...blockCheck(asking),
    });
    const found = saidOnce(await Promise.all(checks.map(run)));
    return [
      ...variableFindings(unknown),
      ...linkFindings(config),
      ...accessFindings(config),
      runtimeFinding(process.versions),
      ...found,
    ];
  });
}

function variableFindings(unknown: readonly UnknownVariable[]): readonly Finding[] {
  return unknown.map((each) => ({
    subject: "variables",
    verdict: each.isFault ? "fault" : "note",
    text: unknownSentence(each),
  }));
}

const linkFindings = (config: Config): readonly Finding[] =>
  refusedLinks(config).map((name) => ({ subject: "links", ...fault(refusedLinkSentence(name)) }));

/** Most ids that are listed. */
const MAX_IDS = 5;

/** Who may use the bot, and who operates it: unset variables mean everybody, and nobody. */
function accessFindings({ allowedUserIds, adminUserIds }: Config): readonly Finding[] {
  const listed = (ids: readonly number[]) =>
    ids.length <= MAX_IDS ? ids.join(", ") : `${ids.slice(0, MAX_IDS).join(", ")} and ${ids.length - MAX_IDS} more`;
  const access =
    allowedUserIds === undefined
      ? note("Everybody may use the bot, since ALLOWED_USER_IDS is unset")
      : ({ verdict: "ok", text: `Only ${listed(allowedUserIds)} may use the bot, and whom operators admit` } as const);
  const operators =
    adminUserIds === undefined
      ? note("Nobody operates the bot, since ADMIN_USER_IDS is unset: no /admin, and nobody is told of trouble")
      : ({ verdict: "ok", text: `Operated by ${listed(adminUserIds)}` } as const);
  return [
    { subject: "access", ...access },
    { subject: "operators", ...operators },
  ];
}

const PAGE = "docs/compatibility.md";

/** People's zones follow a table of the bot's own; what the runtime has is told, as it was tried with that. */
export function runtimeFinding({ node, tz = "" }: { readonly node: string; readonly tz?: string }): Finding {
  const subject = "runtime";
  const isTried = tried.nodeMajors.some((major) => node.startsWith(`${major}.`));
  if (!isTried)
    return { subject, ...note(`Node ${node} was never tried: ${tried.nodeMajors.join(", ")} were (${PAGE})`) };
  if (tz === "" || isOlder(tz, tried.zoneRules)) {
    const rules = tz === "" ? "has no time zone rules" : `has the time zone rules of ${tz}`;
    return { subject, ...note(`Node ${node} ${rules}; it was tried with ${tried.zoneRules} and later (${PAGE})`) };
  }
  return { subject, verdict: "ok", text: `Node ${node}, time zone rules ${tz}; the bot has a table of its own` };
}

/** What keeps several checks from working is one fault. */
function saidOnce(findings: readonly Finding[]): readonly Finding[] {
  return findings.map((each, index) => {
    const first = findings.slice(0, index).find(({ verdict, text }) => verdict === "fault" && text === each.text);
    return first === undefined ? each : { subject: each.subject, ...note(`Not checked: see ${first.subject}`) };
  });
}

function telegramChecks({ connections, config, clock }: Asking): Readonly<Record<string, Check>> {
  const { http, hide, telegram } = connections;
  const api = new Api(config.botToken, telegram.options);
  return {
    telegram: async () => `BOT_TOKEN belongs to @${(await api.getMe()).username}`,
    "bot-api": async () =>
      (await knowsQuotes(api))
        ? "The Bot API server is new enough"
        : fault("The Bot API server is too old: it doesn't know expandable quotes, so no card could be sent"),
    webhook: async () => {
      const { url, last_error_message: problem } = await api.getWebhookInfo();
      const polls = config.updates.kind === "polling";
      if (polls && url !== "") return note("A webhook is set at Telegram; the bot removes it to poll");
      if (problem !== undefined) return note(`Telegram could not deliver to the webhook: ${hide(problem)}`);
      return polls ? "Updates are polled" : "Updates come by webhook";
    },
    reach: () => examineReach(api, config.adminUserIds ?? []),
    clock: async () => {
      const asked = { service: "telegram", url: `${config.telegramApiRoot}/` } as const;
      const { headers } = await http.request({ ...asked, retry: true });
      const told = Date.parse(String(headers["date"] ?? ""));
      if (Number.isNaN(told)) return note("Telegram's answer has no date, so the clock was not compared");
      const seconds = Math.round((clock.now() - told) / 1000);
      if (Math.abs(seconds) <= MAX_CLOCK_DIFFERENCE_SECONDS) return "The clock agrees with Telegram's";
      return fault(`The clock is ${Math.abs(seconds)} seconds ${seconds > 0 ? "ahead of" : "behind"} Telegram's`);
    },
  };
}

function serviceChecks({ connections, config }: Asking, tokens: () => Promise<readonly Token[]>) {
  const { exchange, gateway, node, quotation } = connections;
  const { referral, router, lock } = targetsOf(config);
  const placed = placedIn(gateway);
  return {
    tokens: async () => `TOKENS_FILE lists ${(await tokens()).length} tokens`,
    node: async () => `The node is in epoch ${(await gateway.chainStatus()).epoch}`,
    dialect: async () => {
      const version = await node.version();
      if (version === undefined) return note("The node does not say its version of klever-go");
      if (!isOlder(version, tried.kleverGo)) return `The node is klever-go ${version}`;
      return note(`The node is klever-go ${version}; the bot was written for ${tried.kleverGo} (${PAGE})`);
    },
    referral: placed("REFERRAL_CONTRACT", referral, async () => {
      const [address] = await gateway.query(referral, "getRouterAddress", {});
      if (address === config.routerContract) return "The referral contract swaps through ROUTER_CONTRACT";
      return fault("ROUTER_CONTRACT is not the router of REFERRAL_CONTRACT");
    }),
    pairs: placed("ROUTER_CONTRACT", router, async () => {
      const { length } = await gateway.query(router, "getAllPairContractMetadata", {});
      return length > 0 ? `The router lists ${length} pairs` : note("The router lists no pair, so there are no routes");
    }),
    lock: placed("LOCK_CONTRACT", lock, async () => {
      const [token] = await gateway.query(lock, "getLockedTokenId", {});
      return `LOCK_CONTRACT gives out ${token}`;
    }),
    quotation: async () => {
      const [tokenIn, tokenOut] = (await tokens()).filter(({ precision }) => precision !== undefined);
      if (!tokenIn || !tokenOut) return note("TOKENS_FILE has no two tokens with a precision");
      const pair = `1 ${tokenIn.id} in ${tokenOut.id}`;
      try {
        await quotation.quote(parseAmount("1", tokenIn), tokenOut);
        return `There is a price for ${pair}`;
      } catch (error) {
        if (!isFault(error, "quote-none", "quote-zero")) throw error;
        return `The quotation service answers; it has no price for ${pair}`;
      }
    },
    exchange: async () => {
      try {
        await exchange.order(randomUUID());
      } catch (error) {
        if (isFault(error, "service-unauthorized")) return fault("The exchange refuses ORDER_API_KEY");
        if (!isFault(error, "order-not-found", "order-refused")) throw error;
      }
      return "The exchange takes ORDER_API_KEY";
    },
    store: async () => {
      if (config.store.kind === "postgres") return note("DATABASE_URL is read, but not written: only one program can");
      const { directory } = config.store;
      const probe = join(directory, `.doctor-${randomUUID()}`);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await writeFile(probe, "");
      await rm(probe);
      const { bavail, bsize } = await statfs(directory);
      const megabytes = Math.floor((bavail * bsize) / 1024 / 1024);
      if (bavail * bsize < MIN_FREE_BYTES) return fault(`The disk under STORE_DIR has only ${megabytes} MB left`);
      return `STORE_DIR can be written; the disk has ${megabytes} MB left`;
    },
    data: () => examineData(config.store),
    chain: async () => {
      if (config.gateway.kind === "query") {
        return note("CALL_GATEWAY is query: on a real chain a node only simulates such calls");
      }
      const told = await node.chainId();
      if (told === undefined) return note("The node does not say which chain it belongs to");
      if (told === config.gateway.chainId) return `The node belongs to chain ${told}`;
      return fault(`CHAIN_ID is ${config.gateway.chainId}, but the node belongs to chain ${told}`);
    },
  } satisfies Readonly<Record<string, Check>>;
}

function blockCheck({ connections: { http, node }, config: { nodeUrl }, clock }: Asking) {
  return {
    blocks: async () => {
      const { isWell, text } = await examineBlocks({ ...chainReader({ nodeUrl, http }, node.height), now: clock.now });
      return isWell ? text : note(text);
    },
  } satisfies Readonly<Record<string, Check>>;
}

function sentenceFor(error: unknown, places: ServicePlaces): string {
  if (isFault(error)) return operatorSentence(error, places);
  if (error instanceof GrammyError) {
    return error.error_code === 401 || error.error_code === 404
      ? "Telegram refuses BOT_TOKEN"
      : `Telegram answers: ${error.description}`;
  }
  if (error instanceof Error && error.name === "HttpError") return "Telegram can't be reached at TELEGRAM_API_ROOT";
  if (error instanceof Error && "code" in error) return `STORE_DIR can't be written (${String(error.code)})`;
  return "It could not be checked";
}
