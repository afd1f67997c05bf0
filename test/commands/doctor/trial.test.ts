import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, test } from "vitest";
import { botEnvironment } from "../../../sandbox/bot-environment.js";
import { startSandbox, type Sandbox } from "../../../sandbox/sandbox.js";
import { systemClock } from "../../../src/clock.js";
import { readConfig } from "../../../src/config.js";
import { tryAs } from "../../../src/commands/doctor/trial.js";
import { alice, pairAddresses } from "../../sandbox/chain/local-chain.js";
import { serve } from "../../services/base/server.js";
import { createSwiftClock } from "../../support/swift-clock.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const stranger = "klv17maps2h2gecpw24q3mvr3pt3napkkd0cweyj40xpjfq3ravdacdqwsqcm9";

/** The trial against a sandbox in wallet mode, with a line per attempt. */
async function trialDesk() {
  const sandbox = await startSandbox({ wallet: true });
  onTestFinished(() => sandbox.close());
  const folder = await temporaryFolder();
  const tokensFile = join(folder, "tokens.json");
  writeFileSync(tokensFile, JSON.stringify(sandbox.world.tokens));
  const environment = {
    ...botEnvironment(sandbox, { storeDir: join(folder, "store"), tokensFile }),
    HTTP_TIMEOUT_SECONDS: "1",
  };
  const lines = async (as: string = alice, changes: Readonly<Record<string, string>> = {}) => {
    const read = readConfig({ ...environment, ...changes });
    if (!read.ok) throw new Error(read.faults.join("\n"));
    const attempts = await tryAs(read.config, as, { ...createSwiftClock(50), timer: systemClock.timer });
    return attempts.map(
      ({ subject, verdict, text }) => `${verdict} ${subject}: ${text.replace(/[0-9.]+ KLV/g, "… KLV")}`,
    );
  };
  return { sandbox, lines };
}

/** Settings with a wallets' node that answers every request in the same way. */
async function wallets(status: number, body: string): Promise<Readonly<Record<string, string>>> {
  return { WALLET_NODE_URL: (await serve({ status, body })).url };
}

it("proves every kind of call that can be simulated, and says what it can't show", async () => {
  const { sandbox, lines } = await trialDesk();
  expect(await lines()).toMatchInlineSnapshot(`
    [
      "proven address: klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy is an account's address",
      "proven chain: The node says that it belongs to chain 109",
      "proven account: Its next number is 0",
      "proven balance: It holds … KLV",
      "proven permissions: Its own key alone can sign",
      "proven swap: Built, simulated, each field as asked for, and decoded as it is meant",
      "proven multiPairSwap: Built, simulated, each field as asked for, and decoded as it is meant",
      "proven lockTokens: Built, simulated, each field as asked for, and decoded as it is meant",
      "proven unlockTokens: Built, simulated, each field as asked for, and decoded as it is meant",
      "proven createPair: Built, simulated, each field as asked for, and decoded as it is meant",
      "partly issueLpToken: Its bytes are decoded as they are meant. Not simulated: The contract rejected it: “LP Token already issued”.",
      "proven setLocalRoles: Built, simulated, each field as asked for, and decoded as it is meant",
      "partly addInitialLiquidity: Its bytes are decoded as they are meant. Not simulated: The contract rejected it: “Active state”.",
      "partly setSwapEnabledByUser: Its bytes are decoded as they are meant. Not simulated: The contract rejected it: “Pair not in ActiveNoSwaps state”.",
      "proven network fee: At most … KLV; MAX_NETWORK_FEE allows … KLV",
      "open signature, broadcast, wallet: Not tried: nothing was signed or sent, and no wallet was opened",
    ]
  `);
  expect(sandbox.real!.node.transactions()).toEqual([]);
  const asked = sandbox.wireLog.entries().map(({ path }) => path);
  expect(asked.filter((path) => /broadcast|quotation|bot/.test(path))).toEqual([]);
});

it("says what it means if the account never received anything", async () => {
  const { lines } = await trialDesk();
  expect((await lines(stranger)).filter((line) => !line.startsWith("proven"))).toMatchInlineSnapshot(`
    [
      "failed balance: The account klv17maps2h2gecpw24q3mvr3pt3napkkd0cweyj40xpjfq3ravdacdqwsqcm9 doesn't exist on chain yet. Send it some KLV first, or set another address with /wallet.",
      "partly swap: Its bytes are decoded as they are meant. Not simulated: The chain rejected it with result code 62 (“failed transfer (insufficient funds)”).",
      "partly multiPairSwap: Its bytes are decoded as they are meant. Not simulated: The chain rejected it with result code 62 (“failed transfer (insufficient funds)”).",
      "partly lockTokens: Its bytes are decoded as they are meant. Not simulated: The chain rejected it with result code 62 (“failed transfer (insufficient funds)”).",
      "partly unlockTokens: Its bytes are decoded as they are meant. Not simulated: The chain rejected it with result code 62 (“insufficient funds”).",
      "partly createPair: Its bytes are decoded as they are meant. Not simulated: The node rejected it: “validation error: account not found for address klv17maps2h2gecpw24q3mvr3pt3napkkd0cweyj40xpjfq3ravdacdqwsqcm9, err: account was not found”. Nothing was sent.",
      "partly issueLpToken: Its bytes are decoded as they are meant. Not simulated: The contract rejected it: “LP Token already issued”.",
      "partly setLocalRoles: Its bytes are decoded as they are meant. Not simulated: The node rejected it: “validation error: account not found for address klv17maps2h2gecpw24q3mvr3pt3napkkd0cweyj40xpjfq3ravdacdqwsqcm9, err: account was not found”. Nothing was sent.",
      "partly addInitialLiquidity: Its bytes are decoded as they are meant. Not simulated: The chain rejected it with result code 62 (“failed transfer (insufficient funds)”).",
      "partly setSwapEnabledByUser: Its bytes are decoded as they are meant. Not simulated: The chain rejected it with result code 62 (“insufficient funds”).",
      "failed network fee: The node built nothing, so no fee is known",
      "open signature, broadcast, wallet: Not tried: nothing was signed or sent, and no wallet was opened",
    ]
  `);
});

test.each<[what: string, as: string, said: string]>([
  ["a contract's address", pairAddresses[0], "This is a contract address"],
  ["a typing mistake", `${alice.slice(0, -1)}q`, "isn't a valid address"],
  ["another chain's address", "kfi1qy352eufzqg3yyc5z5v3wxqeyqsjygeyy5nzw2pfxqcnyve5x5mq7ze5xk", "another chain"],
  ["nothing", "", "isn't a valid address"],
])("refuses %s in a sentence", async (_what, as, said) => {
  const { lines } = await trialDesk();
  const [first, last, ...others] = await lines(as);
  expect(first).toMatch(/^failed address: /);
  expect(first).toContain(said);
  expect(last).toMatch(/^open /);
  expect(others).toEqual([]);
});

type Trouble = (sandbox: Sandbox) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
const elsewhere = { hash: "00", nonce: 0, kAppFee: 1, bandwidthFee: 1, chainID: "109", data: ["00"], contract: [] };
const unknownFee = "failed network fee: The node built nothing, so no fee is known";
const troubles: readonly (readonly [what: string, trouble: Trouble, failed: readonly string[]])[] = [
  [
    "a node that is away",
    () => ({ NODE_URL: "http://127.0.0.1:9" }),
    ["failed chain: I can't reach the node right now. Try again in a moment."],
  ],
  [
    "a node of another chain",
    () => ({ CHAIN_ID: "108" }),
    ["failed chain: CHAIN_ID is 108, the node's is 109: nothing else was tried"],
  ],
  [
    "a node that names no chain",
    async () => ({ NODE_URL: (await serve({ status: 200, body: '{"data":{"metrics":{"klv_nonce":5}}}' })).url }),
    ["failed chain: CHAIN_ID is 109, the node's is (nothing): nothing else was tried"],
  ],
  [
    "a node that answers nonsense",
    ({ faults }) => (faults.set("node", "garbage"), {}),
    ["failed chain: I couldn't read a service's response. Nothing was sent. Try again later."],
  ],
  [
    "a node that pays more than it was asked to",
    ({ real }) => (real!.node.set({ alteration: "amount" }), {}),
    [
      "failed swap: The transaction the node built doesn't match what you confirmed (Contract), so I blocked it. Nothing was sent. Contact the operator.",
      unknownFee,
    ],
  ],
  [
    "a node that names another hash",
    ({ real }) => (real!.node.set({ alteration: "hash" }), {}),
    [
      "failed swap: The transaction the node built doesn't match what you confirmed (txHash), so I blocked it. Nothing was sent. Contact the operator.",
      unknownFee,
    ],
  ],
  [
    "a node that is too busy to build",
    ({ faults }) => (faults.set("node-build", "429"), {}),
    ["failed swap: Too many requests to the node. Try again in 1 s.", unknownFee],
  ],
  [
    "a fee above the limit",
    () => ({ MAX_NETWORK_FEE: "1" }),
    ["failed network fee: The dearest is … KLV, above MAX_NETWORK_FEE of … KLV"],
  ],
  [
    "a wallets' node without the route",
    () => wallets(404, '{"error":"404 page not found"}'),
    [
      "failed swap: WALLET_NODE_URL has no POST /transaction/decode, which the Klever extension asks before it shows anything",
      unknownFee,
    ],
  ],
  [
    "a wallets' node that decodes something else",
    () => wallets(200, JSON.stringify({ data: { tx: elsewhere } })),
    ["failed swap: The wallets' node decodes other bytes: hash differs", unknownFee],
  ],
  [
    "a mode without transactions",
    () => ({ CALL_GATEWAY: "query" }),
    ["failed mode: CALL_GATEWAY is query; transactions are built where it is wallet"],
  ],
];

test.each(troubles)("%s is reported in a sentence", async (_what, trouble, failed) => {
  const { sandbox, lines } = await trialDesk();
  const said = await lines(alice, await trouble(sandbox));
  expect(said.filter((line) => line.startsWith("failed"))).toEqual(failed);
  expect(said.join()).not.toMatch(/could not be tried|undefined/);
});
