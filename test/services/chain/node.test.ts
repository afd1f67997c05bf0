import { describe, expect, it, onTestFinished } from "vitest";
import { createHealth, isOutNow, type RequestResult } from "../../../src/services/base/health.js";
import { createHttp } from "../../../src/services/base/http.js";
import { askNode, isNotFound } from "../../../src/services/chain/node.js";
import { createBalances } from "../../../src/services/chain/query-gateway.js";
import { createChainNode } from "../../../src/services/signing/chain-node.js";
import { parseAddress } from "../../../src/encoding/address.js";
import { realNodeDesk } from "../../sandbox/node/real-node.js";
import { walletTransaction } from "../../support/wallet-transaction.js";
import { swapDraft } from "../signing/wallet-world.js";
import { swapTerms } from "../../cards/arrange.js";
import { silent, testClock } from "../samples.js";
import { serve, type Answer } from "../base/server.js";

function asking(nodeUrl: string) {
  const clock = testClock();
  const health = createHealth(clock);
  const results: RequestResult[] = [];
  const onRequestDone = (result: RequestResult) => {
    results.push(result);
    health.note(result);
  };
  const http = createHttp({ timeoutSeconds: 5, clock, log: silent, random: () => 1, onRequestDone });
  onTestFinished(() => http.close());
  const node = () => health.read().find(({ service }) => service === "node")!;
  return { nodeUrl, http, clock, results, node };
}

const inGo = (status: number, error: string, data: unknown = null): Answer => ({
  status,
  body: JSON.stringify({ data, error, code: status === 500 ? "internal_issue" : "bad_request" }),
});

describe("an answer of the node", () => {
  it.each([
    ["account", inGo(500, "get balance error: account was not found", { balance: 0 })],
    ["account", inGo(500, "get balance error: account not found")],
    ["transaction", inGo(500, "getting transaction failed: transaction not found")],
    ["asset", inGo(500, "could not get requested asset: asset was not found")],
    ["asset", inGo(500, "could not get requested asset: invalid ticker name")],
    ["asset", inGo(500, "could not get requested asset: invalid ticker random sequence length: 3")],
    ["transaction", inGo(404, "transaction not found")],
  ] as const)("that there is no such %s is one, and neither a failure nor retried: %j", async (what, answer) => {
    const server = await serve(answer);
    const { node, results, ...parts } = asking(server.url);
    const told = await askNode(parts, "anything");
    expect(isNotFound(told, what)).toBe(true);
    expect(server.received).toHaveLength(1);
    expect(results.map(({ status }) => status)).toEqual(["not-found"]);
    expect(node()).toMatchObject({ failures: 0, answeredAt: 1_000_000 });
    for (const other of ["account", "transaction", "asset"] as const) {
      expect(isNotFound(told, other)).toBe(other === what);
    }
  });

  it.each([
    ["another failure", inGo(500, "get balance error: nil AccountsAdapter")],
    ["a failure that only mentions them", inGo(500, "account was not found because the trie is closed")],
    ["a page", { status: 500, body: "<html>account was not found</html>" }],
    ["a page that is no object", { status: 500, body: '"transaction not found"' }],
    ["a gateway's failure", inGo(502, "transaction not found")],
    ["an outage", inGo(503, "account was not found")],
    ["a flood", { status: 500, body: JSON.stringify({ error: `${"x".repeat(5000)}: transaction not found` }) }],
    ["nothing", { status: 500, body: "" }],
  ])("that is %s is a failure, and retried", async (_, answer) => {
    const server = await serve(answer);
    const { node, ...parts } = asking(server.url);
    expect(isNotFound(await askNode(parts, "anything"))).toBe(false);
    expect(server.received).toHaveLength(3);
    expect(node().failures).toBe(3);
  });

  it("is never taken for one of success", async () => {
    const server = await serve({ body: '{"data":{"balance":5},"error":"account was not found"}' });
    expect(isNotFound(await askNode(asking(server.url), "anything"))).toBe(false);
  });
});

it("a newcomer's wallet and transactions that nobody knows don't make a real node count as out", async () => {
  const { sandbox } = await realNodeDesk();
  const { node, results, ...parts } = asking(sandbox.url);
  const balances = createBalances({ ...parts, log: silent });
  const chain = createChainNode({ ...parts, hide: (text) => text });
  const newcomer = parseAddress("klv17maps2h2gecpw24q3mvr3pt3napkkd0cweyj40xpjfq3ravdacdqwsqcm9");
  const asset = (index: number) => `TOKEN${index}-1A2B`;
  const asked = () => sandbox.wireLog.entries().filter(({ path }) => path.endsWith("/balance")).length;
  for (const round of [1, 2, 3]) {
    await balances.known(newcomer, ["KLV", ...Array.from({ length: 40 }, (_, index) => asset(index))]);
    await expect.poll(() => results.length).toBe(42 * round - 1);
    const lookedUp = { call: swapDraft().call, terms: swapTerms, transaction: walletTransaction({ phase: "to-sign" }) };
    expect(await chain.transaction(lookedUp)).toBeUndefined();
    expect([node().failures, isOutNow(node(), parts.clock.now())]).toEqual([0, false]);
    // As long as an outage has to last to be one.
    await parts.clock.sleep(6_000);
  }
  expect(asked()).toBe(3 * 41);
});
