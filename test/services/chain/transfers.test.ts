import { describe, expect, it } from "vitest";
import { addressToBytes } from "../../../src/encoding/address.js";
import { Fault } from "../../../src/fault.js";
import { readMoved } from "../../../src/services/chain/read-block.js";
import { poolAddress } from "../market/pool-samples.js";
import { alice } from "../samples.js";

const hash = "ab".repeat(32);
const base64 = (...data: readonly (Buffer | string | null)[]) => ({
  Data: data.map((each) => (each === null ? null : Buffer.from(each as string).toString("base64"))),
});
const [sender, pair] = [alice, poolAddress(1)].map((each) => Buffer.from(addressToBytes(each))) as [Buffer, Buffer];
const [TRANSFER, SIGNED_BY] = [Buffer.of(0, 0), Buffer.of(19, 255)];
const paid = base64(TRANSFER, sender, pair, "12000000000", "KLV", null, Buffer.of(0));
const signed = base64(SIGNED_BY, sender, "1");
const text64 = (bytes: Buffer) => bytes.toString("base64");

/** Reads what a node answers with. */
function read(transaction: object, { status = 200, error = "" } = {}) {
  const asked: string[] = [];
  const http = {
    request: async ({ url }: { readonly url: string }) => {
      asked.push(url);
      const body = error === "" ? { data: { transaction }, error: "", code: "successful" } : { data: null, error };
      return { status, text: JSON.stringify(body) };
    },
  };
  const moved = readMoved({ nodeUrl: "http://node", http: http as never }, hash);
  return { moved, asked };
}

describe("what a transaction moved", () => {
  it("is read from the node's own form, in which zeros are left out", async () => {
    const own = { hash, status: "onChain", Block: 7, RawData: {}, Receipts: [signed, paid] };
    const { moved, asked } = read(own);
    expect(await moved).toEqual({
      hash,
      block: 7,
      isOk: true,
      transfers: [{ from: text64(sender), to: text64(pair), asset: "KLV", units: 12_000_000_000n }],
    });
    expect(asked).toEqual([`http://node/transaction/${hash}`]);
    expect(await read({ hash, status: "pending" }).moved).toEqual({ hash, block: 0, isOk: true, transfers: [] });
  });

  it("has a nonce in a token's name, and units that no floating point holds", async () => {
    const units = "9223372036854775807";
    const receipt = base64(TRANSFER, pair, sender, units, "LKTOK-1A2B", "7", Buffer.of(2));
    const { transfers } = (await read({ hash, Block: 7, Receipts: [receipt] }).moved)!;
    expect(transfers).toMatchObject([{ asset: "LKTOK-1A2B/7", units: 9223372036854775807n }]);
  });

  it.each([{ Result: 1, ResultCode: 57 }, { Result: 1 }, { ResultCode: 58 }])(
    "isn't done after a failure: %j",
    async (failed) => {
      expect((await read({ hash, Block: 7, ...failed, Receipts: [signed] }).moved)?.isOk).toBe(false);
    },
  );

  it("isn't read from a proxy's form, in which it would be in no block for ever", async () => {
    const other = { hash, status: "success", blockNum: 7, resultCode: "Ok", receipts: [{ type: 0, assetId: "KLV" }] };
    await expect(read(other).moved).rejects.toMatchObject({ code: "answer-unreadable" });
  });

  it("is nothing for a hash that the node doesn't know", async () => {
    const error = "getting transaction failed: transaction not found";
    expect(await read({}, { status: 500, error }).moved).toBeUndefined();
  });

  it.each([
    ["another transaction", { hash: "cd".repeat(32), Block: 7, Receipts: [paid] }],
    ["no hash", { Block: 7, Receipts: [paid] }],
    ["a proxy's receipts", { hash, Block: 7, Receipts: [{ type: 0, from: alice, to: pair }, { Data: ["AAA="] }] }],
    ["no sender", { hash, Block: 7, Receipts: [base64(TRANSFER, "", pair, "1", "KLV", null, Buffer.of(0))] }],
    ["a part of a unit", { hash, Block: 7, Receipts: [base64(TRANSFER, sender, pair, "1.5", "KLV")] }],
    ["less than nothing", { hash, Block: 7, Receipts: [base64(TRANSFER, sender, pair, "-1", "KLV")] }],
    ["no token", { hash, Block: 7, Receipts: [base64(TRANSFER, sender, pair, "1", "")] }],
  ])("can't be read from an answer with %s", async (_, transaction) => {
    await expect(read(transaction).moved).rejects.toThrow(Fault);
  });
});
