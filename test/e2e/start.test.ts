import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { bundled } from "../support/bundled.js";
import { goodEnvironment, secrets, testDesk } from "../support/desk.js";
import { onPostgres } from "../support/engine.js";
import { buildWhenNeeded, project, startProgram } from "../support/process.js";
import { failure, startTelegramStub } from "../support/stub-telegram.js";
import { until } from "../support/until.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** sysexits.h, EX_CONFIG. */
const CONFIG_FAULT = 78;

/** Runs the bot until it exits; if it keeps running, the test times out. */
async function outcomeOf(environment: Readonly<Record<string, string>>, folder?: string) {
  const command = [process.execPath, await bundled("src/main.ts")] as const;
  const program = startProgram(command, { environment, folder: folder ?? (await temporaryFolder()) });
  onTestFinished(() => program.kill("SIGKILL"));
  const code = await program.ended;
  return { code, output: program.output() };
}

const built = join(project, "dist/main.js");

const required = [
  "BOT_TOKEN",
  "NODE_URL",
  "QUOTATION_URL",
  "ORDER_URL",
  "ORDER_API_KEY",
  "REFERRAL_ADDRESS",
  "REFERRAL_PERCENTAGE",
  "REFERRAL_CONTRACT",
  "ROUTER_CONTRACT",
  "LOCK_CONTRACT",
];

/** Invalid values for every variable, easy to find in the output. */
const wrong: Readonly<Record<string, string>> = {
  BOT_TOKEN: "wrong value of BOT_TOKEN",
  TELEGRAM_API_ROOT: "wrong value of TELEGRAM_API_ROOT",
  NODE_URL: "wrong value of NODE_URL",
  QUOTATION_URL: "ftp://wrong.value/QUOTATION_URL",
  ORDER_URL: "http://wrong.value/?ORDER_URL",
  ORDER_API_KEY: "wrong value of ORDER_API_KEY",
  REFERRAL_ADDRESS: "klv1qy352eufzqg3yyc5z5v3wxqeyqsjygeyy5nzw2pfxqcnyve5x5mqfrkqfh",
  REFERRAL_PERCENTAGE: "5001",
  REFERRAL_CONTRACT: "klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy",
  ROUTER_CONTRACT: "klv1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpgm89z",
  LOCK_CONTRACT: "kfi1qy352eufzqg3yyc5z5v3wxqeyqsjygeyy5nzw2pfxqcnyve5x5mq7ze5xk",
  QUOTE_TTL_SECONDS: "0",
  DEFAULT_SLIPPAGE_BPS: "1e2",
  MAX_SLIPPAGE_BPS: "-99",
  ORDER_POLL_MIN_SECONDS: "0x10",
  ORDER_POLL_MAX_SECONDS: "NaN",
  ORDER_POLL_RPS: "0",
  HTTP_TIMEOUT_SECONDS: "1,5",
  ALLOWED_USER_IDS: "@alice",
  ADMIN_USER_IDS: "77;78",
  WEBHOOK_URL: "wrong value of WEBHOOK_URL",
  WEBHOOK_SECRET: "wrong value of WEBHOOK_SECRET",
  PORT: "65536",
  RETURN_DATA_ENCODING: "Base58",
  CALL_INCLUDES_CALLER: "perhaps",
  CALL_GATEWAY: "chequebook",
  PUBLIC_URL: "http://wrong.value/PUBLIC_URL",
  CHAIN_ID: "wrong value of CHAIN_ID",
  WALLET_NODE_URL: "https://wrong:value@127.0.0.1/WALLET_NODE_URL",
  WALLET_API_URL: "wrong value of WALLET_API_URL",
  MAX_NETWORK_FEE: "0.5",
  SIGN_SECONDS: "0",
  EXPLORER_URL: "ftp://wrong.value/EXPLORER_URL",
  SUPPORT_CONTACT: "wrong value of SUPPORT_CONTACT",
  LOG_LEVEL: "verbose",
  DATABASE_URL: "mysql://wrong:value@127.0.0.1/DATABASE_URL",
};

describe("an invalid configuration", () => {
  it("exits with 78 and names every missing variable", async () => {
    const { code, output } = await outcomeOf({});
    expect(code).toBe(CONFIG_FAULT);
    for (const name of required) expect(output).toMatch(new RegExp(`\\b${name}\\b`));
    expect(output).not.toMatch(/^\s+at /m);
  });

  it("exits with 78 and names every invalid variable at once, without its value", async () => {
    const { code, output } = await outcomeOf(wrong);
    expect(code).toBe(CONFIG_FAULT);
    for (const [name, value] of Object.entries(wrong)) {
      expect(output).toMatch(new RegExp(`^\\s*${name}\\b`, "m"));
      if (value.length > 6) expect(output).not.toContain(value);
    }
    // The token list is named too, as there is none in this folder.
    expect(output).toMatch(/^\s*TOKENS_FILE\b/m);
    expect(output).not.toMatch(/^\s+at /m);
  });

  it.each([
    ["slippage above its ceiling", { DEFAULT_SLIPPAGE_BPS: "2000", MAX_SLIPPAGE_BPS: "1000" }, "DEFAULT_SLIPPAGE_BPS"],
    ["a wallet's mode without its chain", { CALL_GATEWAY: "wallet", PUBLIC_URL: "https://bot.example" }, "CHAIN_ID"],
    ["a webhook without its secret", { WEBHOOK_URL: "http://127.0.0.1:1", PORT: "0" }, "WEBHOOK_SECRET"],
  ])("names the variable of %s", async (_, environment, name) => {
    const { code, output } = await outcomeOf({ ...goodEnvironment, WEBHOOK_SECRET: "", ...environment });
    expect(code).toBe(CONFIG_FAULT);
    expect(output).toContain(name);
  });

  it("refuses a .env with a misspelt variable, which would be ignored", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, ".env"), "ALLOWED_USERS_IDS=1001\nDOMAIN=bot.example\nFAVOURITE_COLOUR=blue\n");
    const { code, output } = await outcomeOf(goodEnvironment, folder);
    expect(code).toBe(CONFIG_FAULT);
    expect(output).toContain("ALLOWED_USERS_IDS is no variable of Swapdesk: did you mean ALLOWED_USER_IDS?");
    expect(output).not.toMatch(/DOMAIN|1001/);
  });

  it("names the variable of a store that can't be written", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "file"), "");
    const { code, output } = await outcomeOf({ ...goodEnvironment, STORE_DIR: join(folder, "file/store") });
    expect(code).toBe(CONFIG_FAULT);
    expect(output).toContain("STORE_DIR");
    expect(output).not.toMatch(/^\s+at /m);
  });

  it("names the variable of a port that is in use", async () => {
    const taken = await startTelegramStub(secrets.token);
    onTestFinished(() => taken.close());
    const PORT = new URL(taken.url).port;
    const { code, output } = await outcomeOf({ ...goodEnvironment, TELEGRAM_API_ROOT: taken.url, PORT });
    expect(code).toBe(CONFIG_FAULT);
    expect(output).toMatch(/^\s*PORT\b/m);
    expect(output).not.toMatch(/^\s+at /m);
  });

  it.each([
    ["is missing", undefined],
    ["is not JSON", "[{"],
    ["has a token without a precision that can be", '[{"id":"KLV","name":"KLV","precision":-1,"kind":"fungible"}]'],
    ["has a token twice", JSON.stringify(Array(2).fill({ id: "KLV", name: "KLV", precision: 6, kind: "fungible" }))],
  ])("names the variable of a token list that %s", async (_, list) => {
    const folder = await temporaryFolder();
    const TOKENS_FILE = join(folder, "tokens.json");
    if (list !== undefined) await writeFile(TOKENS_FILE, list);
    const { code, output } = await outcomeOf({ ...goodEnvironment, TOKENS_FILE }, folder);
    expect(code).toBe(CONFIG_FAULT);
    expect(output).toContain("TOKENS_FILE");
    expect(output).not.toMatch(/^\s+at /m);
  });
});

describe(".env", () => {
  it("is read, and the environment takes precedence", async () => {
    const folder = await temporaryFolder();
    const lines = Object.entries({ ...goodEnvironment, REFERRAL_PERCENTAGE: "99", LOCK_CONTRACT: "nonsense" });
    await writeFile(join(folder, ".env"), lines.map(([name, value]) => `${name}="${value}"\n`).join(""));
    const { code, output } = await outcomeOf({ REFERRAL_PERCENTAGE: "1000" }, folder);
    expect(code).toBe(CONFIG_FAULT);
    expect(output).toMatch(/^\s*LOCK_CONTRACT/m);
    for (const name of required.filter((name) => name !== "LOCK_CONTRACT")) expect(output).not.toContain(name);
  });

  it.each([
    [
      "holds anything but lines of variables",
      async (path: string) => writeFile(path, Buffer.from([0, 255, 61, 10, 34])),
    ],
    ["is a folder", async (path: string) => mkdir(path)],
  ])("that %s leads to the usual list of missing variables", async (_, make) => {
    const folder = await temporaryFolder();
    await make(join(folder, ".env"));
    const { code, output } = await outcomeOf({}, folder);
    expect(code).toBe(CONFIG_FAULT);
    expect(output).toContain("BOT_TOKEN");
    expect(output).not.toMatch(/^\s+at /m);
  });
});

describe("a start", () => {
  it("exits with 78 and names the variable if Telegram refuses the token, without showing it", async () => {
    const telegram = await startTelegramStub("8000000001:AAHexpected_token");
    onTestFinished(() => telegram.close());
    const BOT_TOKEN = "7000000001:AAHanother_planted_token";
    const { code, output } = await outcomeOf({ ...goodEnvironment, TELEGRAM_API_ROOT: telegram.url, BOT_TOKEN });
    expect(code).toBe(CONFIG_FAULT);
    expect(output).toContain("BOT_TOKEN");
    expect(output).not.toContain("AAHanother_planted_token");
    expect(output).not.toMatch(/^\s+at /m);
  });

  // On PostgreSQL it becomes a standby: standby.test.ts.
  it.skipIf(onPostgres)("refuses a store that another process uses", async () => {
    const desk = await testDesk();
    const person = desk.stranger();
    await person.asks("/start", /./);
    const { code, output } = await outcomeOf(desk.environment, desk.folder);
    expect(code).toBe(1);
    expect(output).toMatch(/already running/);
    expect(output).not.toMatch(/^\s+at /m);
    // The running one isn't disturbed.
    await person.asks("/help", /\/swap/);
  });

  it("works with a Bot API server that has only the required methods", async () => {
    const desk = await testDesk();
    await desk.crash();
    const known = ["getMe", "getUpdates", "sendMessage", "editMessageText", "answerCallbackQuery"];
    desk.telegram.intercept = ({ method }) => (known.includes(method) ? undefined : failure(404, "Not Found"));
    desk.start();
    const person = desk.stranger();
    await person.asks("/start", /./);
  });

  it("asks for updates before anything that can wait", async () => {
    const desk = await testDesk();
    await desk.crash();
    const asked = new Set<string>();
    // Which comes first isn't the order in which they were asked: updates have a connection of their own.
    desk.telegram.intercept = ({ method }) => {
      asked.add(method);
      return method.startsWith("setMy") ? "hang" : undefined;
    };
    desk.start();
    await until(() => asked.has("getUpdates") && [...asked].some((method) => method.startsWith("setMy")));
  });

  it("waits until Telegram can be reached", async () => {
    const desk = await testDesk();
    await desk.crash();
    let refusals = 0;
    desk.telegram.intercept = () => (++refusals <= 3 ? "drop" : undefined);
    desk.start();
    const person = desk.stranger();
    await person.asks("/start", /./);
  });
});

describe("the built program", () => {
  beforeAll(buildWhenNeeded);

  it("loads no more than a start needs", async () => {
    const files = "process.getBuiltinModule('node:module')._cache";
    const told = `process.on("exit", () => console.log(JSON.stringify([process.moduleLoadList, Object.keys(${files})])))`;
    const desk = await testDesk({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(told)}` }, built);
    const person = desk.stranger();
    await person.asks("/start", /./);
    desk.program().kill("SIGTERM");
    await desk.program().ended;
    const last = desk.program().output().trimEnd().split("\n").at(-1) ?? "";
    const [builtins, packages] = JSON.parse(last) as [readonly string[], readonly string[]];
    // Each costs milliseconds of every start: HTTP/2, the metrics of the process, the logger's files.
    expect(builtins).not.toContain("NativeModule http2");
    const names = packages.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
    expect([...new Set(names)].toSorted()).toEqual(["@photostructure/sqlite", "node-gyp-build"]);
  });
});

describe("npm start", () => {
  beforeAll(buildWhenNeeded);
  const npmStart = (environment: Readonly<Record<string, string>>) => {
    const program = startProgram(["npm", "start"], { environment, folder: project });
    onTestFinished(() => program.kill("SIGKILL"));
    return program;
  };

  it("exits with the program's own exit code", async () => {
    const program = npmStart({ BOT_TOKEN: "nonsense" });
    expect(await program.ended).toBe(CONFIG_FAULT);
    expect(program.output()).toMatch(/^\s*BOT_TOKEN/m);
  });

  it("runs the bot, and exits with 0 on SIGTERM", async () => {
    const desk = await testDesk();
    await desk.crash();
    const program = npmStart({ ...desk.environment, STORE_DIR: join(desk.folder, "store") });
    const person = desk.stranger();
    await person.asks("/start", /./);
    program.kill("SIGTERM");
    expect(await program.ended).toBe(0);
    expect(program.output()).not.toContain(secrets.token);
  });
});
