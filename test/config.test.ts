import { readFileSync } from "node:fs";
import { parse } from "dotenv";
import { describe, expect, it } from "vitest";
import { readConfig, secretsOf, variables, type Config } from "../src/config.js";

const operator = "klv1fpwjz234gy8aaae3gx0e8q9f52vymzzn3z5q0s5h60pvktzx0n0qwvtux5";
const contract = "klv1qqqqqqqqqqqqqpgqk762znj9v7nyky3wucdcw9awz83ppqy6c0nqhe2qaz";

const required = {
  BOT_TOKEN: "123456:planted-token",
  NODE_URL: "http://127.0.0.1:9001/",
  QUOTATION_URL: "https://quotation.example/base",
  ORDER_URL: "https://user:planted%2Dpass@orders.example",
  ORDER_API_KEY: "planted-key",
  REFERRAL_ADDRESS: operator,
  REFERRAL_PERCENTAGE: "1000",
  REFERRAL_CONTRACT: contract,
  ROUTER_CONTRACT: contract,
  LOCK_CONTRACT: contract,
};

function configOf(env: Record<string, string | undefined> = {}): Config {
  const read = readConfig({ ...required, ...env });
  if (!read.ok) throw new Error(read.faults.join("\n"));
  return read.config;
}

function faultsOf(env: Record<string, string | undefined>): readonly string[] {
  const read = readConfig({ ...required, ...env });
  return read.ok ? [] : read.faults;
}

describe("the configuration", () => {
  it("requires only variables without a default", () => {
    expect(configOf()).toEqual({
      botToken: "123456:planted-token",
      telegramApiRoot: "https://api.telegram.org",
      nodeUrl: "http://127.0.0.1:9001",
      quotationUrl: "https://quotation.example/base",
      orderUrl: "https://user:planted%2Dpass@orders.example",
      orderApiKey: "planted-key",
      referralAddress: operator,
      referralPercentage: 1000,
      referralContract: contract,
      routerContract: contract,
      lockContract: contract,
      tokensFile: "data/tokens.json",
      poolsFile: undefined,
      quoteTtlSeconds: 30,
      defaultSlippageBps: 100,
      maxSlippageBps: 1500,
      betterRouteBps: 10,
      launchExtended: false,
      epochSeconds: undefined,
      orderPollMinSeconds: 2,
      orderPollMaxSeconds: 60,
      orderPollRps: 5,
      pricePollRps: 2,
      standingMax: 1000,
      guardDelaySeconds: 3600,
      serviceOutageSeconds: 120,
      httpTimeoutSeconds: 10,
      allowedUserIds: undefined,
      adminUserIds: undefined,
      port: undefined,
      host: "127.0.0.1",
      metricsToken: undefined,
      supportContact: undefined,
      returnDataEncoding: "hex",
      callIncludesCaller: false,
      publicUrl: undefined,
      keptForFees: 0n,
      paymentsAreSorted: false,
      updates: { kind: "polling" },
      gateway: { kind: "query" },
      store: { kind: "sqlite", directory: "data/store" },
      explorerUrl: undefined,
      logLevel: "info",
    });
  });

  it("reads every variable", () => {
    const config = configOf({
      TELEGRAM_API_ROOT: "http://127.0.0.1:8080//",
      TOKENS_FILE: "tokens.json",
      POOLS_FILE: "pools.json",
      STORE_DIR: "/var/store",
      QUOTE_TTL_SECONDS: "1",
      DEFAULT_SLIPPAGE_BPS: "0",
      MAX_SLIPPAGE_BPS: "9999",
      BETTER_ROUTE_BPS: "0",
      LAUNCH_EXTENDED: "true",
      EPOCH_SECONDS: "21600",
      ORDER_POLL_MIN_SECONDS: "0.5",
      ORDER_POLL_MAX_SECONDS: "1.25",
      ORDER_POLL_RPS: "0.2",
      GUARD_DELAY_SECONDS: "0",
      SERVICE_OUTAGE_SECONDS: "1.5",
      HTTP_TIMEOUT_SECONDS: "0.5",
      ALLOWED_USER_IDS: "1001, 1002,1003",
      ADMIN_USER_IDS: " 1001 ",
      WEBHOOK_URL: "https://bot.example/hook",
      WEBHOOK_SECRET: "planted_secret_of_the_webhook",
      PORT: "8443",
      METRICS_TOKEN: "planted_token_of_the_metrics",
      HOST: "0.0.0.0",
      RETURN_DATA_ENCODING: "base64",
      CALL_INCLUDES_CALLER: "true",
      CALL_GATEWAY: "wallet",
      PUBLIC_URL: "https://bot.example/",
      CHAIN_ID: "109",
      WALLET_NODE_URL: "https://node.example",
      WALLET_API_URL: "https://api.example",
      MAX_NETWORK_FEE: "9000000",
      SIGN_SECONDS: "60",
      EXPLORER_URL: "https://explorer.example/",
      SUPPORT_CONTACT: "@swapdesk_help",
      LOG_LEVEL: "debug",
    });
    expect(config).toMatchObject({
      gateway: {
        kind: "wallet",
        publicUrl: "https://bot.example",
        chainId: "109",
        walletNodeUrl: "https://node.example",
        walletApiUrl: "https://api.example",
        maxNetworkFee: 9_000_000n,
        signSeconds: 60,
      },
      updates: {
        kind: "webhook",
        webhookUrl: "https://bot.example/hook",
        webhookSecret: "planted_secret_of_the_webhook",
        port: 8443,
      },
      store: { kind: "sqlite", directory: "/var/store" },
      telegramApiRoot: "http://127.0.0.1:8080",
      quoteTtlSeconds: 1,
      orderPollMinSeconds: 0.5,
      orderPollRps: 0.2,
      httpTimeoutSeconds: 0.5,
      allowedUserIds: [1001, 1002, 1003],
      supportContact: "@swapdesk_help",
      adminUserIds: [1001],
      port: 8443,
      epochSeconds: 21_600,
      launchExtended: true,
      callIncludesCaller: true,
      publicUrl: "https://bot.example",
      keptForFees: 9_000_000n,
      paymentsAreSorted: true,
    });
  });

  it("treats an empty variable as unset", () => {
    const empty = Object.fromEntries(Object.keys(variables).map((name) => [name, " "]));
    expect(configOf({ ...empty, ...required })).toEqual(configOf());
  });

  it("reports every fault at once", () => {
    const read = readConfig({ REFERRAL_PERCENTAGE: "99", QUOTE_TTL_SECONDS: "soon", MAX_SLIPPAGE_BPS: "50" });
    if (read.ok) throw new Error("no fault");
    expect(read.faults).toEqual([
      "BOT_TOKEN is missing",
      "NODE_URL is missing",
      "QUOTATION_URL is missing",
      "ORDER_URL is missing",
      "ORDER_API_KEY is missing",
      "REFERRAL_ADDRESS is missing",
      "REFERRAL_PERCENTAGE must be a whole number from 100 to 5000, in parts of 100000 (1000 means 1%)",
      "REFERRAL_CONTRACT is missing",
      "ROUTER_CONTRACT is missing",
      "LOCK_CONTRACT is missing",
      "QUOTE_TTL_SECONDS must be a whole number from 1 to 600 seconds",
      "DEFAULT_SLIPPAGE_BPS must not be above MAX_SLIPPAGE_BPS",
    ]);
  });

  it.each([
    ["BOT_TOKEN", "planted"],
    ["BOT_TOKEN", "12:planted token"],
    ["NODE_URL", "127.0.0.1:9001/planted"],
    ["NODE_URL", "ftp://planted"],
    ["NODE_URL", "http://node/?key=planted"],
    ["NODE_URL", "http://node/#planted"],
    ["NODE_URL", "http://user:planted%@node"],
    ["ORDER_URL", "http://planted%zz@orders"],
    ["QUOTATION_URL", "http://user:planted%ff@quotation"],
    ["ORDER_API_KEY", "planted\nkey"],
    ["REFERRAL_ADDRESS", "klv1planted"],
    ["REFERRAL_ADDRESS", operator.replace(/5$/, "4")],
    ["REFERRAL_ADDRESS", "klv1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpgm89z"],
    ["REFERRAL_CONTRACT", operator],
    ["ROUTER_CONTRACT", operator],
    ["LOCK_CONTRACT", operator],
    ["REFERRAL_PERCENTAGE", "5001"],
    ["REFERRAL_PERCENTAGE", "1e3"],
    ["REFERRAL_PERCENTAGE", "1000.5"],
    ["REFERRAL_PERCENTAGE", "0x3e8"],
    ["QUOTE_TTL_SECONDS", "0"],
    ["MAX_SLIPPAGE_BPS", "10000"],
    ["BETTER_ROUTE_BPS", "-1"],
    ["LAUNCH_EXTENDED", "yes"],
    ["EPOCH_SECONDS", "0"],
    ["ORDER_POLL_RPS", "0"],
    ["ORDER_POLL_MIN_SECONDS", ".5"],
    ["ORDER_POLL_MAX_SECONDS", "1s"],
    ["SERVICE_OUTAGE_SECONDS", "never"],
    ["HTTP_TIMEOUT_SECONDS", "0"],
    ["ALLOWED_USER_IDS", "1001;1002"],
    ["ALLOWED_USER_IDS", "@planted"],
    ["ADMIN_USER_IDS", "1001,,1002"],
    ["WEBHOOK_URL", "bot.example"],
    ["WEBHOOK_SECRET", "planted secret of the webhook"],
    ["WEBHOOK_SECRET", "planted_secret_23_chars"],
    ["METRICS_TOKEN", "planted_token"],
    ["PORT", "65536"],
    ["RETURN_DATA_ENCODING", "planted"],
    ["CALL_INCLUDES_CALLER", "1"],
    ["CALL_GATEWAY", "planted"],
    ["PUBLIC_URL", "http://planted.example"],
    ["PUBLIC_URL", "https://planted@bot.example"],
    ["PUBLIC_URL", "https://bot.example/planted%20"],
    ["CHAIN_ID", "planted"],
    ["WALLET_NODE_URL", "https://user:planted@node.example"],
    ["WALLET_API_URL", "planted"],
    ["MAX_NETWORK_FEE", "0.5"],
    ["SIGN_SECONDS", "0"],
    ["EXPLORER_URL", "ftp://planted"],
    ["SUPPORT_CONTACT", "planted"],
    ["LOG_LEVEL", "loud"],
  ])("refuses %s=%s without repeating it", (name, value) => {
    const webhook = name.startsWith("WEBHOOK_")
      ? { WEBHOOK_URL: "https://x", WEBHOOK_SECRET: "x".repeat(24), PORT: "1" }
      : {};
    const faults = faultsOf({ ...webhook, [name]: value });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name} must`));
    expect(faults[0]).not.toContain("planted");
  });

  it("drops the slashes at the end of a service's URL, so that paths can be added", () => {
    for (const url of ["http://node/v1", "http://node/v1/", "http://node/v1//"])
      expect(configOf({ ORDER_URL: url }).orderUrl).toBe("http://node/v1");
  });

  it("accepts only a PostgreSQL URL for the database", () => {
    const url = "postgres://user:planted@db/bot";
    expect(configOf({ DATABASE_URL: url }).store).toMatchObject({ kind: "postgres", url });
    expect(faultsOf({ DATABASE_URL: "" })).toEqual([]);
    for (const url of ["mysql://user:planted@db/bot", "postgres://user:planted%zz@db/bot", "planted"]) {
      expect(faultsOf({ DATABASE_URL: url })).toEqual([
        "DATABASE_URL must be a URL that begins with postgres://, and write a % in a user or password as %25",
      ]);
    }
  });

  it("refuses variables that contradict or lack each other", () => {
    expect(faultsOf({ WEBHOOK_URL: "https://bot.example" })).toEqual([
      "WEBHOOK_SECRET is missing: WEBHOOK_URL needs it",
      "PORT is missing: WEBHOOK_URL needs it",
    ]);
    expect(faultsOf({ ORDER_POLL_MIN_SECONDS: "3", ORDER_POLL_MAX_SECONDS: "2.5" })).toEqual([
      "ORDER_POLL_MIN_SECONDS must not be above ORDER_POLL_MAX_SECONDS",
    ]);
    expect(faultsOf({ DEFAULT_SLIPPAGE_BPS: "1501" })).toHaveLength(1);
    expect(faultsOf({ DEFAULT_SLIPPAGE_BPS: "1500", ORDER_POLL_MAX_SECONDS: "2" })).toEqual([]);
    expect(faultsOf({ PORT: "8080", WEBHOOK_SECRET: "x".repeat(24) })).toEqual([]);
    // The default list has the sandbox's tokens, which must not be traded anywhere else.
    const tokensMissing = [expect.stringMatching(/^TOKENS_FILE is missing: /)];
    for (const NODE_URL of ["https://node.example", "http://10.0.0.1:8080", "http://127.0.0.1.example"]) {
      expect(faultsOf({ NODE_URL, TOKENS_FILE: "" })).toEqual(tokensMissing);
      expect(faultsOf({ NODE_URL, TOKENS_FILE: "tokens.json" })).toEqual([]);
    }
    for (const NODE_URL of ["http://localhost:1", "http://127.0.0.1", "http://[::1]:8080"]) {
      expect(faultsOf({ NODE_URL, TOKENS_FILE: "" })).toEqual([]);
    }
    expect(faultsOf({ CALL_GATEWAY: "wallet" })).toEqual(
      ["PORT", "PUBLIC_URL", "CHAIN_ID", "WALLET_NODE_URL", "WALLET_API_URL"].map(
        (name) => `${name} is missing: CALL_GATEWAY=wallet needs it`,
      ),
    );
  });
});

describe("secretsOf", () => {
  it("returns everything that must not be shown", () => {
    const secrets = secretsOf(
      configOf({ WEBHOOK_URL: "https://x", WEBHOOK_SECRET: "planted_secret_of_the_webhook", PORT: "1" }),
    );
    expect(secrets).toEqual([
      "123456:planted-token",
      "planted-token",
      "planted-key",
      "planted_secret_of_the_webhook",
      "planted%2Dpass",
      "planted-pass",
      Buffer.from("user:planted-pass").toString("base64"),
    ]);
  });

  it.each([
    ["without a password", "planted%2Dkey", "", ["planted%2Dkey", "planted-key"]],
    ["longer than a name", "planted-key-of-node", ":pass", ["planted-key-of-node", "pass"]],
    ["that is a name", "operator", ":pass", ["pass"]],
  ])("handles a user in a URL %s", (_, user, password, expected) => {
    const found = secretsOf(configOf({ NODE_URL: `http://${user}${password}@127.0.0.1` }));
    const header = Buffer.from(`${decodeURIComponent(user)}:${password.slice(1)}`).toString("base64");
    expect(found.filter((one) => one !== "planted-key" || expected.includes(one))).toEqual(
      expect.arrayContaining([...expected, header]),
    );
    expect(found).not.toContain("operator");
  });
});

describe(".env.example", () => {
  const text = readFileSync(".env.example", "utf8");
  /** With the commented-out defaults as settings. */
  const shown = parse(text.replace(/^# ([A-Z_]+=.*)$/gm, "$1"));

  it("has every variable once, and no other", () => {
    const names = [...text.matchAll(/^(?:# )?([A-Z_]+)=/gm)].map((match) => match[1]);
    expect(names.toSorted()).toEqual(Object.keys(variables).toSorted());
  });

  it("shows the actual defaults", () => {
    expect(configOf({ ...shown, ...required })).toEqual(configOf());
    const optional = Object.entries(shown).filter(([name, value]) => !(name in required) && value !== "");
    for (const [name, value] of optional) {
      const schema = variables[name as keyof typeof variables];
      expect([name, schema.safeParse(value).data]).toEqual([name, schema.safeParse(undefined).data]);
    }
    const withDefault = Object.entries(variables).filter(
      ([, schema]) => schema.safeParse(undefined).data !== undefined,
    );
    expect(optional.map(([name]) => name).toSorted()).toEqual(withDefault.map(([name]) => name).toSorted());
  });

  it("leaves exactly the required variables uncommented", () => {
    const open = Object.keys(parse(text));
    expect(open.toSorted()).toEqual(Object.keys(required).toSorted());
  });
});
