import { describe, expect, it } from "vitest";
import { addressToBytes } from "../../../src/encoding/address.js";
import { Fault } from "../../../src/fault.js";
import { readBlock, readMoved } from "../../../src/services/chain/read-block.js";
import { poolAddress } from "../market/pool-samples.js";
import { alice } from "../samples.js";

const [one, two, own, below] = ["a1", "b2", "c3", "d4"].map((byte) => byte.repeat(32)) as [
  string,
  string,
  string,
  string,
];
const of64 = (hex: string) => Buffer.from(hex, "hex").toString("base64");
const receipt = (...data: readonly (Buffer | string)[]) => ({
  Data: data.map((each) => Buffer.from(each as string).toString("base64")),
});
const [sender, pair] = [alice, poolAddress(1)].map((each) => Buffer.from(addressToBytes(each))) as [Buffer, Buffer];
const paid = receipt(Buffer.of(0, 0), sender, pair, "12000000000", "KLV", "", Buffer.of(0));
const transfer = { from: sender.toString("base64"), to: pair.toString("base64"), asset: "KLV", units: 12_000_000_000n };
const Timestamp = 1_700_000_004_000;
const header = { Nonce: 7, ParentHash: of64(below), Timestamp };
const moving = (hash: string, more: object = {}) => ({ hash, status: "onChain", Block: 7, Receipts: [paid], ...more });

type Asked = {
  readonly url: string;
  readonly retry: boolean;
  readonly maximumBytes?: number;
  readonly isLast?: boolean;
};

/** A node that answers with these, one after the other; a number is a status with klever-go's words. */
function node(...answers: readonly (object | string | Fault | 404 | 500)[]) {
  const asked: string[] = [];
  /** Whether each request was retried, and the last one of its connection. */
  const how: { readonly retry: boolean; readonly isLast: boolean }[] = [];
  const http = {
    request: async ({ url, retry, maximumBytes = 0, isLast = false }: Asked) => {
      asked.push(url.replace("http://node/", ""));
      how.push({ retry, isLast });
      const next = answers[asked.length - 1]!;
      if (next instanceof Fault) throw next;
      if (next === 404) return { status: 404, headers: {}, text: "404 page not found" };
      const isBlock = url.includes("/block/");
      const error = isBlock
        ? "getting block failed: key 07 not found in HdrNonceHashDataUnit"
        : "transaction not found";
      if (next === 500) return { status: 500, headers: {}, text: JSON.stringify({ data: null, error }) };
      const text = typeof next === "string" ? next : JSON.stringify({ data: next, error: "" });
      if (text.length > maximumBytes) throw new Fault("answer-unreadable", { reason: "an answer that is too long" });
      return { status: 200, headers: {}, text };
    },
  };
  return { parts: { nodeUrl: "http://node", http: http as never }, asked, how };
}

const block = (transactions: readonly unknown[], more: object = {}) => ({
  block: { Header: header, TxHashes: [of64(one), of64(two)], hash: own, status: "on-chain", transactions, ...more },
});

describe("a block", () => {
  it("is read from the node's own form, with its transactions in any order", async () => {
    const { parts, asked, how } = node(block([moving(two, { Result: 1, ResultCode: 57 }), moving(one)]));
    const read = await readBlock(parts, 7);
    expect(asked).toEqual(["block/by-nonce/7?withTxs=true"]);
    expect(how).toEqual([{ retry: false, isLast: false }]);
    expect(read).toMatchObject({ number: 7, hash: own, parent: below, at: Timestamp, missing: [] });
    expect(read?.bytes).toBeGreaterThan(500);
    expect(read?.transactions).toEqual([
      { hash: one, block: 7, isOk: true, transfers: [transfer] },
      { hash: two, block: 7, isOk: false, transfers: [transfer] },
    ]);
  });

  it("has zeros and what is empty left out, and its time in seconds by older nodes", async () => {
    const { parts } = node({
      block: { Header: { Nonce: 7, ParentHash: of64(below), Timestamp: 1_700_000_004 }, hash: own },
    });
    expect(await readBlock(parts, 7)).toMatchObject({ at: Timestamp, transactions: [], missing: [] });
  });

  it.each([{ Result: 1 }, { ResultCode: 57 }])("has a transaction that failed: %o", async (said) => {
    const { transactions } = (await readBlock(node(block([moving(one, said), moving(two)])).parts, 7))!;
    expect(transactions.map(({ isOk }) => isOk)).toEqual([false, true]);
  });

  it("is the first of its chain, with none below", async () => {
    const first = { block: { Header: { Timestamp }, hash: own } };
    expect(await readBlock(node(first).parts, 0)).toMatchObject({ number: 0, parent: "" });
  });

  it.each([
    ["left out", [moving(one)]],
    ["said to be in another block", [moving(one), moving(two, { Block: 8 })]],
    ["in another form", [moving(one), { hash: two, block: 7 }, null]],
    [
      "with a transfer that can't be read",
      [moving(one), moving(two, { Receipts: [receipt(Buffer.of(0, 0), sender)] })],
    ],
    [
      "with a token whose bytes aren't in base64",
      [moving(one), moving(two, { Receipts: [{ Data: paid.Data.with(4, "?KLV") }] })],
    ],
  ])("has one of its transactions missing that is %s", async (_, transactions) => {
    const read = await readBlock(node(block(transactions)).parts, 7);
    expect(read).toMatchObject({ transactions: [{ hash: one }], missing: [two] });
  });

  it("has all of them missing if the node shows none", async () => {
    const read = await readBlock(node(block([], { transactions: undefined })).parts, 7);
    expect(read).toMatchObject({ transactions: [], missing: [one, two] });
  });

  it("is read without its transactions if it is too long with them", async () => {
    const { parts, asked } = node("x".repeat(9_000_000), block([], { transactions: undefined }));
    expect(await readBlock(parts, 7)).toMatchObject({ missing: [one, two] });
    expect(asked).toEqual(["block/by-nonce/7?withTxs=true", "block/by-nonce/7?withTxs=false"]);
    const last = node("x".repeat(9_000_000), block([], { transactions: undefined }));
    await readBlock(last.parts, 7, { isLast: true });
    expect(last.how).toEqual(Array(2).fill({ retry: false, isLast: true }));
    // What fails otherwise is asked for once.
    const away = node(new Fault("service-timeout", { service: "node" }));
    await expect(readBlock(away.parts, 7)).rejects.toMatchObject({ code: "service-timeout" });
    expect(away.asked).toHaveLength(1);
    // Too long without them, too, is no block, and asks nothing more.
    const endless = node("x".repeat(9_000_000), "x".repeat(9_000_000));
    await expect(readBlock(endless.parts, 7)).rejects.toMatchObject({ code: "answer-unreadable" });
    expect(endless.asked).toEqual(asked);
  });

  it("isn't there yet, or any more", async () => {
    expect(await readBlock(node(500).parts, 7)).toBeUndefined();
  });

  it.each([
    ["service-status", 404],
    ["answer-unreadable", "<html>"],
    ["answer-unreadable", { block: { Header: { ...header, Nonce: 8 }, hash: own } }],
    ["answer-unreadable", { block: { Header: header, hash: "odd" } }],
    ["answer-unreadable", { block: { Header: header, hash: own, TxHashes: ["?"] } }],
  ] as const)("is refused, as %s", async (code, answer) => {
    await expect(readBlock(node(answer).parts, 7)).rejects.toMatchObject({ code });
  });
});

describe("a transaction", () => {
  it("is read by its hash, whichever block it is in", async () => {
    const { parts, asked, how } = node({ transaction: moving(one) });
    expect(await readMoved(parts, one)).toEqual({ hash: one, block: 7, isOk: true, transfers: [transfer] });
    expect(asked).toEqual([`transaction/${one}`]);
    expect(how).toEqual([{ retry: false, isLast: false }]);
    expect(await readMoved(node({ transaction: { hash: one, status: "pending" } }).parts, one)).toMatchObject({
      block: 0,
    });
  });

  it("isn't known to the node, or to a node that serves none", async () => {
    expect(await readMoved(node(500).parts, one)).toBeUndefined();
    await expect(readMoved(node(404).parts, one)).rejects.toMatchObject({ code: "service-status" });
  });

  it.each([
    ["another one", moving(two)],
    ["a proxy's form, in which it would be in no block for ever", { hash: one, status: "success", blockNum: 7 }],
    ["a transfer that can't be read", moving(one, { Receipts: [receipt(Buffer.of(0, 0), sender, pair, "-1", "KLV")] })],
  ])("isn't read from %s", async (_, transaction) => {
    await expect(readMoved(node({ transaction }).parts, one)).rejects.toMatchObject({ code: "answer-unreadable" });
  });
});
