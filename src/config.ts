import * as z from "zod";
import { parseAddress, parseContractAddress } from "./encoding/address.js";
import { splitCredentials } from "./encoding/credentials.js";

/** The part of a swap's output that the referral contract lets an operator take, in base 100000. */
export const REFERRAL_PERCENTAGE_RANGE = { minimum: 100, maximum: 5000 } as const;

const wholeVariable = numberVariable("a whole number", /^[0-9]{1,15}$/);
const decimalNumber = numberVariable("a number", /^[0-9]{1,9}(?:\.[0-9]{1,6})?$/);

/** A number in plain digits that matches `form`; `unit` completes the sentence of its fault. */
function numberVariable(what: string, form: RegExp) {
  return (minimum: number, maximum: number, unit = "") => {
    const sentence = `must be ${what} from ${minimum} to ${maximum}${unit}`;
    const isWithin = (value: number) => value >= minimum && value <= maximum;
    return textVariable(form, sentence).transform(Number).refine(isWithin, sentence);
  };
}

function textVariable(form: RegExp, sentence: string) {
  return z.string().regex(form, sentence);
}

/** A service's base URL, without trailing slashes. */
function url(...protocols: readonly string[]) {
  const sentence = `must be a URL that begins with ${protocols.join(" or ")} and has no ? or #`;
  const isAllowed = (text: string) => protocols.includes(`${new URL(text).protocol}//`) && !/[?#]/.test(text);
  return z
    .string()
    .refine((text) => URL.canParse(text) && !/\s/.test(text) && isAllowed(text), sentence)
    .pipe(readBy(baseOf, "must write a % in a user or password as %25"));
}

function baseOf(text: string): string {
  splitCredentials(text);
  return text.replace(/\/+$/, "");
}

/** Transforms text with `read`; if that throws, the issue is `sentence`. */
export function readBy<Value>(read: (text: string) => Value, sentence: string) {
  return z.string().transform((text, context) => {
    try {
      return read(text);
    } catch {
      context.addIssue(sentence);
      return z.NEVER;
    }
  });
}

/** Too long to guess. */
const secret = textVariable(/^[A-Za-z0-9_-]{24,256}$/, "must be 24 to 256 of A-Z a-z 0-9 _ -");

const separated = textVariable(
  /^[0-9]{1,15}(?:\s*,\s*[0-9]{1,15})*$/,
  "must be Telegram user ids, separated by commas",
);
const userIds = separated.transform((ids) => ids.split(",").map(Number));

const flag = z.enum(["true", "false"], "must be true or false").transform((text) => text === "true");

const httpUrl = url("http://", "https://");
const hasNoUser = (text: string) => splitCredentials(text).authorization === undefined;
const isSafeForOthers = ({ protocol, hostname }: URL) => protocol === "https:" || hostname === "127.0.0.1";
/** A URL that leaves this process. */
const openUrl = httpUrl.refine(hasNoUser, "must have no user and no password: others get to see it");
const publicUrl = openUrl
  .refine((text) => isSafeForOthers(new URL(text)), "must begin with https:// (http:// is for 127.0.0.1 only)")
  .refine((text) => !/[&%]/.test(text), "must have no & or %: wallets are given it inside another link");
const accountAddress = readBy(parseAddress, "must be a valid klv1… address");
const contractAddress = readBy(parseContractAddress, "must be the klv1… address of a contract");

const databaseUrl = readBy((text) => {
  if (!/^postgres(ql)?:$/.test(splitCredentials(text).url.protocol)) throw new TypeError("of another database");
  return text;
}, "must be a URL that begins with postgres://, and write a % in a user or password as %25");

const SANDBOX_TOKENS_FILE = "data/tokens.json";

/** Variables that apply in every mode. */
const commonVariables = {
  BOT_TOKEN: textVariable(/^[0-9]+:[A-Za-z0-9_-]+$/, "must be a token as BotFather gives it: digits, a colon, letters"),
  TELEGRAM_API_ROOT: httpUrl.prefault("https://api.telegram.org"),
  NODE_URL: httpUrl,
  QUOTATION_URL: httpUrl,
  ORDER_URL: httpUrl,
  ORDER_API_KEY: textVariable(/^[\x21-\x7e]+$/, "must be printable characters without spaces"),
  REFERRAL_ADDRESS: accountAddress,
  /** Base 100000. */
  REFERRAL_PERCENTAGE: wholeVariable(
    REFERRAL_PERCENTAGE_RANGE.minimum,
    REFERRAL_PERCENTAGE_RANGE.maximum,
    ", in parts of 100000 (1000 means 1%)",
  ),
  REFERRAL_CONTRACT: contractAddress,
  ROUTER_CONTRACT: contractAddress,
  LOCK_CONTRACT: contractAddress,
  /** The default lists the sandbox's tokens, so it is valid with a local node only: see {@link contradictions}. */
  TOKENS_FILE: z.string().prefault(SANDBOX_TOKENS_FILE),
  POOLS_FILE: z.string().optional(),
  QUOTE_TTL_SECONDS: wholeVariable(1, 600, " seconds").prefault("30"),
  DEFAULT_SLIPPAGE_BPS: wholeVariable(0, 9999, " hundredths of a percent").prefault("100"),
  MAX_SLIPPAGE_BPS: wholeVariable(0, 9999, " hundredths of a percent").prefault("1500"),
  BETTER_ROUTE_BPS: wholeVariable(0, 10_000, " hundredths of a percent").prefault("10"),
  LAUNCH_EXTENDED: flag.prefault("false"),
  EPOCH_SECONDS: wholeVariable(1, 31_536_000, " seconds").optional(),
  ORDER_POLL_MIN_SECONDS: decimalNumber(0.05, 3600, " seconds").prefault("2"),
  ORDER_POLL_MAX_SECONDS: decimalNumber(0.05, 86_400, " seconds").prefault("60"),
  ORDER_POLL_RPS: decimalNumber(0.01, 1000, " requests per second").prefault("5"),
  PRICE_POLL_RPS: decimalNumber(0.01, 1000, " requests per second").prefault("2"),
  STANDING_MAX: wholeVariable(0, 100_000, " standing orders").prefault("1000"),
  GUARD_DELAY_SECONDS: wholeVariable(0, 604_800, " seconds").prefault("3600"),
  SERVICE_OUTAGE_SECONDS: decimalNumber(0.1, 86_400, " seconds").prefault("120"),
  HTTP_TIMEOUT_SECONDS: decimalNumber(0.1, 300, " seconds").prefault("10"),
  ALLOWED_USER_IDS: userIds.optional(),
  ADMIN_USER_IDS: userIds.optional(),
  SUPPORT_CONTACT: textVariable(
    /^(?:@[A-Za-z0-9_]{5,32}|https:\/\/[^\s"<>]{3,100}|[^\s@"<>]{1,64}@[^\s@"<>]{3,100})$/,
    "must be a Telegram @name, an https URL or an e-mail address",
  ).optional(),
  PORT: wholeVariable(0, 65_535).optional(),
  HOST: z.string().prefault("127.0.0.1"),
  METRICS_TOKEN: secret.optional(),
  RETURN_DATA_ENCODING: z.enum(["hex", "base64"], "must be hex or base64").prefault("hex"),
  CALL_INCLUDES_CALLER: flag.prefault("false"),
  EXPLORER_URL: openUrl.optional(),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], "must be a level of pino, such as info")
    .prefault("info"),
};

/** Variables that select a mode, or that webhooks need. */
const ofModes = {
  STORE_DIR: z.string().prefault("data/store"),
  DATABASE_URL: databaseUrl.optional(),
  WEBHOOK_URL: url("https://", "http://").optional(),
  WEBHOOK_SECRET: secret.optional(),
  CALL_GATEWAY: z.enum(["query", "wallet"], "must be query or wallet").prefault("query"),
};

/** Variables that are needed if wallets sign. */
const ofWallets = {
  PUBLIC_URL: publicUrl.optional(),
  CHAIN_ID: textVariable(/^[0-9]{1,10}$/, "must be the number of a chain, such as 109").optional(),
  WALLET_NODE_URL: openUrl.optional(),
  WALLET_API_URL: openUrl.optional(),
  MAX_NETWORK_FEE: wholeVariable(1, 1_000_000_000_000, " smallest units of KLV").transform(BigInt).prefault("50000000"),
  SIGN_SECONDS: wholeVariable(1, 3600, " seconds").prefault("300"),
};

/** Every variable, with its parser and default. `.env.example` explains them to operators. */
export const variables = { ...commonVariables, ...ofModes, ...ofWallets };

type Variables = typeof variables;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;

/** Parsed values: `botToken` is the value of `BOT_TOKEN`, and so on. */
type ConfigValues = { readonly [Name in keyof Variables as CamelCase<Name>]: z.output<Variables[Name]> };

/** Parsed values of some variables, all of them set. */
type AllOf<Names extends keyof Variables> = {
  readonly [Name in Names as CamelCase<Name>]: NonNullable<z.output<Variables[Name]>>;
};

/** The operator's configuration, validated as a whole. */
export type Config = Pick<ConfigValues, CamelCase<keyof typeof commonVariables>> &
  Readonly<ReturnType<typeof readModes>>;
/** Settings of the gateway if wallets sign. */
export type WalletConfig = Extract<Config["gateway"], { readonly kind: "wallet" }>;

const WEBHOOK_NEEDS = ["WEBHOOK_URL", "WEBHOOK_SECRET", "PORT"] as const;
const WALLET_NEEDS = ["PORT", ...z.object(ofWallets).keyof().options] as const;

/**
 * Reads the environment. Empty variables count as unset.
 * @returns the configuration, or all faults at once: each is the variable's name and a sentence, never its value.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>) {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(variables)) {
    const text = env[name]?.trim() || undefined;
    const read = schema.safeParse(text);
    if (read.success) values[camelCase(name)] = read.data;
    else faults.push(`${name} ${text ? (read.error.issues[0]?.message ?? "is invalid") : "is missing"}`);
  }
  faults.push(...contradictions(values));
  const modes = readModes(values, faults);
  if (faults.length > 0) return { ok: false, faults } as const;
  const kept = Object.keys(commonVariables).map((name) => [camelCase(name), values[camelCase(name)]]);
  return { ok: true, config: { ...Object.fromEntries(kept), ...modes } as Config } as const;
}

/**
 * The modes that the operator selected, each with the variables it needs. Missing ones are added to `faults`;
 * unreadable ones are there already.
 */
function readModes(values: Partial<ConfigValues>, faults: string[]) {
  const all = <Name extends keyof Variables>(mode: string, ...names: readonly Name[]): AllOf<Name> => {
    const found = names.map((name) => [name, camelCase(name)] as const);
    const missing = found.filter(([, key]) => key in values && values[key as keyof ConfigValues] === undefined);
    faults.push(...missing.map(([name]) => `${name} is missing: ${mode} needs it`));
    return Object.fromEntries(found.map(([, key]) => [key, values[key as keyof ConfigValues]])) as AllOf<Name>;
  };
  const { callGateway, callIncludesCaller = false, databaseUrl, storeDir = "", webhookUrl } = values;
  const wallet = callGateway === "wallet" ? all("CALL_GATEWAY=wallet", ...WALLET_NEEDS) : undefined;
  return {
    /** Whether the user's account is the caller of their calls, as it always is if wallets sign. */
    callIncludesCaller: callIncludesCaller || wallet !== undefined,
    /** Base URL of the signing page; undefined unless wallets sign. */
    publicUrl: wallet?.publicUrl,
    /** Base URL at which programs propose trades; undefined unless there is a port for them. */
    proposalUrl: values.port === undefined ? undefined : values.publicUrl,
    /** KLV kept back for the network fee, in base units. */
    keptForFees: wallet?.maxNetworkFee ?? 0n,
    /** Whether payments reach a contract sorted by asset, as on a real chain, instead of in the call's order. */
    paymentsAreSorted: wallet !== undefined,
    updates:
      webhookUrl === undefined
        ? ({ kind: "polling" } as const)
        : ({ kind: "webhook", ...all("WEBHOOK_URL", ...WEBHOOK_NEEDS) } as const),
    /** How calls are sent: through the documented interface, or signed by users' wallets. */
    gateway: wallet === undefined ? ({ kind: "query" } as const) : ({ kind: "wallet", ...wallet } as const),
    store:
      databaseUrl === undefined
        ? ({ kind: "sqlite", directory: storeDir } as const)
        : ({ kind: "postgres", url: databaseUrl, directory: storeDir } as const),
  };
}

/** Maximum length of a user in a URL that isn't treated as a key. */
const MAX_URL_USER_LENGTH = 15;

/** Everything that must never appear in a log or a message. */
export function secretsOf(config: Config): readonly string[] {
  const { botToken, orderApiKey, metricsToken = "", store, updates } = config;
  const webhookSecret = updates.kind === "webhook" ? updates.webhookSecret : "";
  // Only the part of the bot token after the colon is secret; the part before it is the bot's public id.
  const botSecret = botToken.slice(botToken.indexOf(":") + 1);
  const { telegramApiRoot, nodeUrl, quotationUrl, orderUrl } = config;
  const services = [telegramApiRoot, nodeUrl, quotationUrl, orderUrl];
  const urls = store.kind === "postgres" ? [...services, store.url] : services;
  const secrets = [botToken, botSecret, orderApiKey, webhookSecret, metricsToken, ...urls.flatMap(credentialsOf)];
  return [...new Set(secrets)].filter((secret) => secret !== "");
}

/** A URL's credentials: as written there, decoded, and as sent in a header. */
function credentialsOf(url: string): string[] {
  const { user, password, authorization } = splitCredentials(url);
  if (authorization === undefined) return [];
  const written = new URL(url);
  // A user without a password is a key, and one that is too long for a name may be.
  const names = password === "" || user.length > MAX_URL_USER_LENGTH ? [written.username, user] : [];
  return [...names, written.password, password, authorization.replace("Basic ", "")];
}

/** In each pair, the first variable must not be above the second. */
const ORDERED = [
  ["DEFAULT_SLIPPAGE_BPS", "MAX_SLIPPAGE_BPS"],
  ["ORDER_POLL_MIN_SECONDS", "ORDER_POLL_MAX_SECONDS"],
] as const;

/** Faults of variables that are valid alone, but not together. Skips those that could not be read. */
function contradictions(values: Readonly<Record<string, unknown>> & Partial<ConfigValues>): string[] {
  const valueOf = (name: string) => Number(values[camelCase(name)]);
  const reversed = ORDERED.filter(([lower, upper]) => valueOf(lower) > valueOf(upper));
  const { tokensFile = "", nodeUrl } = values;
  const areTaken = nodeUrl !== undefined && usesSandboxTokens(tokensFile, nodeUrl);
  const sandboxTokens = `${SANDBOX_TOKENS_FILE} lists the sandbox's tokens, and is used with a local node only`;
  return [
    ...reversed.map(([lower, upper]) => `${lower} must not be above ${upper}`),
    ...(areTaken ? [`TOKENS_FILE is missing: ${sandboxTokens}`] : []),
  ];
}

/** Whether the sandbox's token list is used with a node that isn't on this machine. */
export function usesSandboxTokens(tokensFile: string, nodeUrl: string): boolean {
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(nodeUrl).hostname);
  return tokensFile === SANDBOX_TOKENS_FILE && !isLocal;
}

function camelCase(name: string): string {
  return name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
