import { describe, expect, it, test } from "vitest";
import { addressToBytes } from "../../../src/encoding/address.js";
import type { Fault } from "../../../src/fault.js";
import type { HttpRequest } from "../../../src/services/base/http.js";
import { createChainNode } from "../../../src/services/signing/chain-node.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { swapHash, swapTransaction } from "../../encoding/golden-transactions.js";
import { account } from "../../encoding/samples.js";
import { swapDraft } from "./wallet-world.js";
import { swapTerms } from "../../cards/arrange.js";
import { walletTransaction } from "../../support/wallet-transaction.js";

type Answer = readonly [status: number, body: unknown];

/** A node with this answer to every request, and the requests it received. */
function nodeThat(answer: (request: HttpRequest) => Answer | Promise<Answer>) {
  const requests: HttpRequest[] = [];
  const clock = createVirtualClock();
  const node = createChainNode({
    clock,
    nodeUrl: "http://127.0.0.1:1",
    http: {
      request: async (request) => {
        requests.push(request);
        const [status, body] = await answer(request);
        return { status, headers: {}, text: typeof body === "string" ? body : JSON.stringify(body), receivedAt: 0 };
      },
      close: async () => undefined,
    },
    hide: (text) => text.replaceAll("planted", "…"),
  });
  return { node, requests, clock };
}
const refused = (error: string) => ({ data: null, error, code: "bad_request" });
const { call } = swapDraft();
const terms = { ...swapTerms, payout: account };
const lookedUp = (hash: string) => ({ call, terms, transaction: walletTransaction({ phase: "to-sign" }, { hash }) });
const swap = { raw: swapTransaction, hash: swapHash };
const ownKey = Buffer.from(addressToBytes(account)).toString("base64");

describe("a node", () => {
  it.each([
    ["builds", 2],
    ["looks up", 10],
  ])("%s no more transactions at once than %i, and the others wait", async (what, limit) => {
    const open: (() => void)[] = [];
    let most = 0;
    const { node } = nodeThat(async () => {
      await new Promise<void>((resolve) => (most = Math.max(most, open.push(resolve))));
      return [500, refused("away")];
    });
    const senders = Array.from({ length: 30 }, (_, index) => `${account}${index}` as typeof account);
    const asked = senders.map((each) =>
      (what === "builds" ? node.build(call, each, 0n) : node.transaction(lookedUp(each))).catch(() => "over"),
    );
    await expect.poll(() => open.length).toBe(limit);
    let isOver = false;
    void Promise.all(asked).then(() => (isOver = true));
    await expect
      .poll(() => {
        open.splice(0).forEach((resolve) => resolve());
        return isOver;
      })
      .toBe(true);
    expect(most).toBe(limit);
  });

  it("that hangs times out the requests that wait for a slot", async () => {
    const hung: (() => void)[] = [];
    const { node, requests, clock } = nodeThat(
      () => new Promise((resolve) => hung.push(() => resolve([500, refused("away")]))),
    );
    const senders = Array.from({ length: 30 }, (_, index) => `${account}${index}` as typeof account);
    const ends = senders.map((each) => node.build(call, each, 0n).catch((fault: unknown) => (fault as Fault).code));
    await expect.poll(() => hung.length).toBe(2);
    await clock.advance(10_000);
    hung.forEach((answer) => answer());
    expect((await Promise.all(ends)).slice(2)).toEqual(Array(28).fill("service-timeout"));
    expect(requests).toHaveLength(2);
  });
});

describe("a broadcast", () => {
  const signature = new Uint8Array(64);

  it("is made once, and refused if a 400 gives the reason", async () => {
    const { node, requests } = nodeThat(() => [400, refused("validation error: invalid chain ID planted")]);
    expect(await node.broadcast(swap, signature)).toBe("validation error: invalid chain ID …");
    expect(requests.map(({ retry }) => retry)).toEqual([false]);
  });

  it("is refused by an error with 200, and accepted if the hash comes back", async () => {
    const { node } = nodeThat(() => [200, { ...refused("validation error: invalid chain ID"), data: { txHash: "" } }]);
    expect(await node.broadcast(swap, signature)).toBeTypeOf("string");
    const taking = nodeThat(() => [200, { data: { txHash: swapHash, txCount: 1 }, error: "", code: "successful" }]);
    expect(await taking.node.broadcast(swap, signature)).toBeUndefined();
  });

  it.each([
    ["another hash", { data: { txHash: "00".repeat(32) }, error: "" }],
    ["no hash", { data: {}, error: "" }],
    ["no JSON", "<html>OK</html>"],
  ])("may have been accepted after 200 with %s", async (_what, body) => {
    await expect(nodeThat(() => [200, body]).node.broadcast(swap, signature)).rejects.toMatchObject({
      code: "answer-unreadable",
    });
  });

  test.each<[status: number, body: unknown]>([
    [500, refused("validation error: invalid chain ID")],
    [400, "<html>Bad Request</html>"],
    [400, { data: null, error: "", code: "bad_request" }],
    [429, refused("too many requests for endpoint /transaction/broadcast")],
  ])("may have been accepted after %i %j", async (...answer) => {
    await expect(nodeThat(() => answer).node.broadcast(swap, signature)).rejects.toMatchObject({
      code: answer[0] === 429 ? "service-rate-limited" : "service-status",
    });
  });
});

describe("a lookup", () => {
  it("gets a 500 for an unknown hash, and isn't retried", async () => {
    const { node, requests } = nodeThat(() => [500, refused("getting transaction failed: transaction not found")]);
    expect(await node.transaction(lookedUp("00"))).toBeUndefined();
    expect(requests.map(({ url, retry }) => [url, retry])).toEqual([
      ["http://127.0.0.1:1/transaction/00?withResults=true", false],
    ]);
  });

  it("fails if the 500 has another cause", async () => {
    const { node } = nodeThat(() => [500, refused("getting transaction failed: database closed")]);
    await expect(node.transaction(lookedUp("00"))).rejects.toMatchObject({ code: "service-status" });
  });
});

test.each<[words: string, code: string, text: string | undefined, number?: number]>([
  [
    "validation error: invalid argument: VMUserError - (Slippage (1) exceeded)",
    "contract-failed",
    "Slippage (1) exceeded",
  ],
  ["validation error: invalid argument: VMOutOfGas - (not enough gas)", "call-ended", "not enough gas", 58],
  ["validation error: invalid argument: Novel - (something new)", "contract-failed", "something new"],
  ["validation error: insufficient funds, for address: klv1, kda: KLV, wanted 2, have 1", "funds-missing", undefined],
  ["validation error: something planted", "node-refused", "validation error: something …"],
])("a refusal to build worded “%s” becomes its fault", async (words, code, text, number?: number) => {
  const { node } = nodeThat(() => [400, refused(words)]);
  const parameters = text === undefined ? { token: "KLV" } : { text, ...(number !== undefined && { code: number }) };
  await expect(node.build(call, account, 0n)).rejects.toMatchObject({ code, parameters });
});

test.each<[what: string, permissions: unknown, isEnough: boolean]>([
  ["without permissions", undefined, true],
  ["with none", null, true],
  ["whose key suffices", [{ PermissionName: "owner", Threshold: 2, Signers: [{ address: ownKey, weight: 2 }] }], true],
  ["whose key weighs too little", [{ Threshold: 2, Signers: [{ address: ownKey, weight: 1 }] }], false],
  ["that has no signers", [{ Threshold: 1, Signers: null }], false],
  [
    "whose permission is for some calls only",
    [{ Type: 1, Threshold: 1, Signers: [{ address: ownKey, weight: 1 }] }],
    false,
  ],
])("the node tells whether an account %s can sign alone", async (_what, permissions, isEnough) => {
  const described = { Address: ownKey, RootHash: "AA==", Balance: 1, Permissions: permissions };
  const { node } = nodeThat(() => [200, { data: { account: described }, error: "", code: "successful" }]);
  expect(await node.signsAlone(account)).toBe(isEnough);
});

test.each([
  ["needs two signers", 2, false],
  ["can sign alone", 1, true],
])("a proxy's answer in lower-case fields is read for an account that %s", async (_what, threshold, isEnough) => {
  const permissions = [{ id: 0, type: 0, threshold, signers: [{ address: account, weight: 1 }] }];
  const { node } = nodeThat(() => [200, { data: { account: { address: account, permissions } }, error: "" }]);
  expect(await node.signsAlone(account)).toBe(isEnough);
});

it.each([404, 500])("an account unknown to the node is not taken for a node without balances: %i", async (status) => {
  const { node } = nodeThat(() => [status, refused("get balance error: account was not found")]);
  await expect(node.balance(account, "KLV")).rejects.toMatchObject({ code: "account-unknown" });
  const without = nodeThat(() => [404, "404 page not found"]).node;
  await expect(without.balance(account, "KLV")).rejects.toMatchObject({ code: "balances-untold" });
});

it("numbers are read only as a real node writes them", async () => {
  const status = { klv_nonce: 29_146_852, klv_chain_id: "109", klv_is_syncing: 0, klv_load: 0.5 };
  const { node } = nodeThat(() => [200, { data: { metrics: status }, error: "", code: "successful" }]);
  expect(await node.height()).toBe(29_146_852n);
  expect(await node.chainId()).toBe("109");
  const silent = nodeThat(() => [200, { data: { metrics: {} } }]).node;
  await expect(silent.height()).rejects.toMatchObject({ code: "answer-unreadable" });
  expect(await silent.chainId()).toBeUndefined();
  const nonceOf = (nonce: bigint) =>
    nodeThat(() => [200, `{"data":{"firstPendingNonce":0,"nonce":${nonce},"txPending":0},"error":""}`]).node.nonce(
      account,
    );
  expect(await nonceOf(2n ** 53n - 1n)).toEqual({ nonce: 9_007_199_254_740_991n, txPending: 0n });
  // The store keeps the nonce as a number, which would round this one.
  await expect(nonceOf(2n ** 53n)).rejects.toMatchObject({ code: "answer-unreadable" });
  const text = nodeThat(() => [200, { data: { nonce: "7", txPending: 0 } }]).node;
  await expect(text.nonce(account)).rejects.toMatchObject({ code: "answer-unreadable" });
});
