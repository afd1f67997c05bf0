import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { botEnvironment } from "../../../sandbox/bot-environment.js";
import { startSandbox, type Sandbox } from "../../../sandbox/sandbox.js";
import { systemClock } from "../../../src/clock.js";
import { readConfig } from "../../../src/config.js";
import { examine } from "../../../src/commands/doctor/examine.js";
import { serve } from "../../services/base/server.js";
import { buildWhenNeeded, project, startProgram } from "../../support/process.js";

let sandbox: Sandbox;
let environment: Readonly<Record<string, string>>;
let folder: string;

beforeAll(async () => {
  sandbox = await startSandbox({ wallet: true });
  folder = mkdtempSync(join(tmpdir(), "swapdesk-doctor-"));
  const tokensFile = join(folder, "tokens.json");
  writeFileSync(tokensFile, JSON.stringify(sandbox.world.tokens));
  environment = {
    ...botEnvironment(sandbox, { storeDir: join(folder, "store"), tokensFile }),
    HTTP_TIMEOUT_SECONDS: "2",
  };
  // Its first answer takes longest.
  await fetch(`${environment["TELEGRAM_API_ROOT"]}/bot${environment["BOT_TOKEN"]}/getMe`);
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

async function faultsWith(changes: Readonly<Record<string, string>> = {}, clock = systemClock) {
  const read = readConfig({ ...environment, ...changes });
  if (!read.ok) throw new Error(read.faults.join("\n"));
  const findings = await examine(read.config, [], clock);
  return findings.filter(({ verdict }) => verdict === "fault").map(({ subject, text }) => `${subject}: ${text}`);
}

/** The URL of a server that answers every request in the same way. */
async function stranger(status: number, body: string): Promise<string> {
  return (await serve({ status, body })).url;
}

describe("npm run doctor", () => {
  it("finds no fault if all is well", async () => {
    // Its first requests take longest, all at once on a busy machine.
    expect(await faultsWith({ HTTP_TIMEOUT_SECONDS: "60" })).toEqual([]);
  });

  const nobody = "http://127.0.0.1:9";
  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ["a token that Telegram doesn't know", { BOT_TOKEN: "1000:another" }, /^telegram: Telegram refuses BOT_TOKEN$/],
    ["a Telegram that is away", { TELEGRAM_API_ROOT: nobody }, /^telegram: Telegram can't be reached/],
    ["a node that is away", { NODE_URL: nobody }, /^node: /],
    ["an exchange that is away", { ORDER_URL: nobody }, /^exchange: /],
    ["a quotation service that is away", { QUOTATION_URL: nobody }, /^quotation: /],
    ["a key that the exchange refuses", { ORDER_API_KEY: "wrong" }, /^exchange: The exchange refuses ORDER_API_KEY$/],
    ["a missing token list", { TOKENS_FILE: "/nowhere/tokens.json" }, /^tokens: .*\/nowhere\/tokens\.json/],
    ["a folder that can't be written", { STORE_DIR: "/dev/null/store" }, /^store: STORE_DIR can't be written/],
    [
      "a link that Telegram takes in no button",
      { EXPLORER_URL: "http://explorer:3000" },
      /^links: EXPLORER_URL has a host/,
    ],
    ["another chain", { CHAIN_ID: "999" }, /^chain: CHAIN_ID is 999, but the node belongs to chain/],
  ])("reports %s", async (_, changes, expected) => {
    const faults = await faultsWith(changes);
    expect(faults).toContainEqual(expect.stringMatching(expected));
    expect(faults.join()).not.toContain("planted");
  });

  it("reports a router that is not the referral contract's", async () => {
    expect(await faultsWith({ ROUTER_CONTRACT: sandbox.world.simpleLock.address })).toContainEqual(
      "referral: ROUTER_CONTRACT is not the router of REFERRAL_CONTRACT",
    );
  });

  it("reports an address that is another contract's, with the variable's name", async () => {
    const { ROUTER_CONTRACT = "", REFERRAL_CONTRACT = "", LOCK_CONTRACT = "" } = environment;
    const swapped = "Are two addresses swapped?";
    expect(await faultsWith({ ROUTER_CONTRACT: REFERRAL_CONTRACT, REFERRAL_CONTRACT: ROUTER_CONTRACT })).toEqual([
      `referral: REFERRAL_CONTRACT is no referral contract: it answers as a router. ${swapped}`,
      `pairs: ROUTER_CONTRACT is no router: it answers as a referral contract. ${swapped}`,
    ]);
    expect(await faultsWith({ LOCK_CONTRACT: ROUTER_CONTRACT })).toEqual([
      `lock: LOCK_CONTRACT is no lock contract: it answers as a router. ${swapped}`,
    ]);
    const { address } = sandbox.chain.pools()[0]!;
    expect(await faultsWith({ LOCK_CONTRACT: address })).toEqual([
      `lock: LOCK_CONTRACT is no lock contract: it answers as a pair. ${swapped}`,
    ]);
    expect(LOCK_CONTRACT).not.toBe("");
  });

  it("notes operators who never pressed Start", async () => {
    const read = readConfig({ ...environment, ADMIN_USER_IDS: "1001,1002" });
    sandbox.telegram.sendText(1001, "/start");
    const found = read.ok ? await examine(read.config) : [];
    expect(found).toContainEqual({
      subject: "reach",
      verdict: "note",
      text: "Nothing reaches these operators until they press Start in the bot's chat: 1002",
    });
  });

  it("reports a quotation service that answers something else", async () => {
    const QUOTATION_URL = await stranger(200, "<html>hello</html>");
    expect(await faultsWith({ QUOTATION_URL })).toContainEqual(expect.stringMatching(/^quotation: /));
  });

  it("reports a Bot API server that is too old for what every card has", async () => {
    sandbox.telegram.setLacking(["expandable_blockquote"]);
    onTestFinished(() => sandbox.telegram.setLacking([]));
    expect(await faultsWith({})).toEqual([
      "bot-api: The Bot API server is too old: it doesn't know expandable quotes, so no card could be sent",
    ]);
  });

  it.each([
    ["v1.7.14-0-g1/go1.25.3", "note dialect: The node is klever-go 1.7.14; the bot was written for 1.7.15"],
    ["v1.7.15-0-gc1de9106/go1.25.3/linux-amd64/adc9ec9168", "ok dialect: The node is klever-go 1.7.15"],
    ["v1.10.0", "ok dialect: The node is klever-go 1.10.0"],
    ["undefined", "note dialect: The node does not say its version of klever-go"],
    ["", "note dialect: The node does not say its version of klever-go"],
    ["v".repeat(60_000), "note dialect: The node does not say its version of klever-go"],
  ])("notes a node that is older than the bot was written for: %.20s", async (klv_app_version, expected) => {
    const NODE_URL = await stranger(200, JSON.stringify({ data: { metrics: { klv_app_version } }, error: "" }));
    const read = readConfig({ ...environment, NODE_URL });
    const findings = read.ok ? await examine(read.config) : [];
    const said = findings.filter(({ subject }) => subject === "dialect");
    expect(said.map(({ subject, verdict, text }) => `${verdict} ${subject}: ${text.replace(/ \(.*/, "")}`)).toEqual([
      expected,
    ]);
  });

  it("says how large the node's last blocks are, and what is wrong with them, which is no fault", async () => {
    const blocksWith = async (clock = systemClock) => {
      const read = readConfig(environment);
      if (!read.ok) throw new Error(read.faults.join("\n"));
      const found = await examine(read.config, [], clock);
      return found.filter(({ subject }) => subject === "blocks").map(({ verdict, text }) => `${verdict}: ${text}`);
    };
    await expect
      .poll(blocksWith, { timeout: 10_000 })
      .toEqual([
        expect.stringMatching(/^ok: NODE_URL shows blocks, up to \d+; the last \d+ take 1 kB each, at most 1$/),
      ]);
    const { node } = sandbox.real!;
    onTestFinished(() => node.set({ blockFault: undefined }));
    node.set({ blockFault: "closed" });
    expect(await blocksWith()).toEqual([
      expect.stringMatching(/^note: NODE_URL doesn't serve \/block\/by-nonce: nobody can/),
    ]);
    node.set({ blockFault: undefined });
    const ahead = { ...systemClock, now: () => Date.now() + 60_000 };
    expect(await blocksWith(ahead)).toEqual([expect.stringMatching(/^note: NODE_URL's newest block isn't of now/)]);
  });

  it("says who may use the bot and who operates it, and which variables it doesn't know", async () => {
    const said = async (changes: Readonly<Record<string, string>>) => {
      const read = readConfig({ ...environment, ...changes });
      const unknown = [{ name: "ALLOWED_USERS_IDS", meant: "ALLOWED_USER_IDS", isFault: true }];
      const found = read.ok ? await examine(read.config, unknown) : [];
      return found.slice(0, 3).map(({ subject, verdict, text }) => `${verdict} ${subject}: ${text}`);
    };
    expect(await said({})).toEqual([
      "fault variables: ALLOWED_USERS_IDS is no variable of Swapdesk: did you mean ALLOWED_USER_IDS?",
      "note access: Everybody may use the bot, since ALLOWED_USER_IDS is unset",
      "note operators: Nobody operates the bot, since ADMIN_USER_IDS is unset: no /admin, and nobody is told of trouble",
    ]);
    expect((await said({ ALLOWED_USER_IDS: "1,2,3,4,5,6,7", ADMIN_USER_IDS: "1003" })).slice(1)).toEqual([
      "ok access: Only 1, 2, 3, 4, 5 and 2 more may use the bot, and whom operators admit",
      "ok operators: Operated by 1003",
    ]);
  });

  it("reports one fault once, and says what could not be checked for it", async () => {
    const nowhere = { BOT_TOKEN: "1000:another", TOKENS_FILE: "/nowhere/tokens.json" };
    expect(await faultsWith(nowhere)).toEqual([
      "telegram: Telegram refuses BOT_TOKEN",
      expect.stringMatching(/^tokens: .*\/nowhere\/tokens\.json does not exist .*npm run tokens -- add/),
    ]);
    const read = readConfig({ ...environment, ...nowhere });
    const notes = (read.ok ? await examine(read.config) : []).filter(({ text }) => text.startsWith("Not checked"));
    expect(notes.map(({ subject, text }) => `${subject}: ${text}`)).toEqual(
      expect.arrayContaining(["webhook: Not checked: see telegram", "quotation: Not checked: see tokens"]),
    );
  });

  it("reports a wrong clock, and by how much it is wrong", async () => {
    const ahead = { ...systemClock, now: () => Date.now() + 95_000 };
    expect((await faultsWith({}, ahead)).join()).toMatch(/clock: The clock is 9[456] seconds ahead of Telegram's/);
  });

  it("runs as a program with the exit codes 0, 1, 64 and 78", async () => {
    await buildWhenNeeded();
    const run = async (environment: Readonly<Record<string, string>>, ...args: readonly string[]) => {
      const command = [process.execPath, join(project, "dist/commands/doctor.js"), ...args] as const;
      const program = startProgram(command, { environment, folder: tmpdir() });
      return { code: await program.ended, output: program.output() };
    };
    const well = await run({ ...environment, NODE_FEED_URL: `${sandbox.url.replace("http", "ws")}/subscribe` });
    expect(well.output).toContain("ok    telegram: ");
    expect(well.output).toMatch(/^(?:ok|note ) +blocks: /m);
    expect(well.code).toBe(0);
    expect((await run({ ...environment, BOT_TOKEN: "1000:another" })).code).toBe(1);
    const unconfigured = await run({});
    expect(unconfigured.output).toContain("fault configuration: BOT_TOKEN is missing");
    expect(unconfigured.output).toContain("docs/deployment.md says where each comes from");
    expect(unconfigured.code).toBe(78);
    const trial = await run(environment, "--as", sandbox.real!.wallet.accounts[0]!);
    expect(trial.output).toMatch(/^proven \| swap +\| Built, simulated/m);
    expect(trial.code).toBe(0);
    expect((await run(environment, "--as", "klv1bad")).output).toMatch(
      /^failed \| address +\| “klv1bad” isn't a valid address/m,
    );
    const misused = await run(environment, "--for", "klv1bad");
    expect([misused.code, misused.output]).toEqual([64, expect.stringContaining("Usage: npm run doctor")]);
  });
});
