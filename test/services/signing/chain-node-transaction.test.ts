import { stringify } from "lossless-json";
import { describe, expect, it, test } from "vitest";
import { readTransaction } from "../../../src/services/signing/chain-node.js";
import { account, pair, router } from "../../encoding/samples.js";
import { faultOf } from "../../encoding/fault-of.js";
import { goldenCalls, swapCall, swapHash } from "../../encoding/golden-transactions.js";
import { swapTerms } from "../../cards/arrange.js";
import { walletTransaction } from "../../support/wallet-transaction.js";

const hex = (text: string) => Buffer.from(text).toString("hex");
const [[, raw, , signature]] = goldenCalls as [(typeof goldenCalls)[number]];
const inHex = Buffer.from(signature, "base64").toString("hex");
const terms = { ...swapTerms, payout: account };
const of = { call: swapCall, terms, transaction: walletTransaction({ phase: "to-sign" }, { hash: swapHash }) };
const read = (text: string) => readTransaction(text, of, (words) => words);

/** A transaction as klever-go returns it, with `said` added; it includes fields that the bot doesn't read. */
function answer(said: string, signed = `"Signature":["${signature}"]`, rawData: object = raw): string {
  return `{"data":{"transaction":{"RawData":${stringify(rawData)},"Receipts":[{"Data":["AA=="]}],"GasLimit":9007199254740993,
      "GasMultiplier":10,"hash":"00","signature":["00"],${signed}${said}}},"error":"","code":"successful"}`;
}
const event = (identifier: string, data: string, address: string = pair) =>
  `{"address":"${address}","identifier":"${identifier}","topics":[],"data":${data}}`;
const logs = (...events: string[]) =>
  `,"Block":9007199254740993,"status":"onChain","logs":{"address":"${pair}","contractId":0,"events":[${events.join()}]}`;

describe("a node's answer about a transaction", () => {
  it("has neither block nor result while it is pending", () => {
    const waiting = { block: 0n, isOk: true, returnData: [], signature: inHex };
    for (const said of ["", ',"logs":null', ',"Block":0,"status":"pending","logs":{"events":null}']) {
      expect(read(answer(said))).toEqual(waiting);
    }
  });

  it("has the data that the node, not the contract itself, says the contract returned", () => {
    const said = logs(
      event("ReturnData", '["ff"]'),
      event("swap", "null"),
      event("ReturnData", '["01","63"]'),
      event("ReturnData", '["aa"]', router),
      event("internalVMErrors", `["${hex("[planted]")}"]`, ""),
      event("completedTxEvent", "[]", ""),
    );
    expect(read(answer(said))).toEqual({
      block: 9007199254740993n,
      isOk: true,
      returnData: ["01", "63"],
      signature: inHex,
    });
    expect(read(answer(logs(event("ReturnData", "null")))).returnData).toEqual([]);
  });

  test.each([
    [
      "a refusal by the contract",
      57,
      "\n\truntime.go:856 [user error] [swap]\n\truntime.go:853 [user error] [Slippage exceeded]\n",
      { text: "Slippage exceeded" },
    ],
    ["no brackets", 58, "not enough gas", { text: "not enough gas", code: 58 }],
    [
      "an end by the virtual machine, which has the function's name last",
      58,
      "\n\truntime.go:856 [error signalled by smartcontract] [swap]\n\truntime.go:853 [not enough gas] [swap]",
      { text: "not enough gas", code: 58 },
    ],
    [
      "a missing function",
      55,
      "\n\truntime.go:853 [function not found] [swap]",
      { text: "function not found", code: 55 },
    ],
    ["an unknown number", 4711, "\n\tx.go:1 [strange]", { text: "strange", code: 4711 }],
  ])(
    "has a failure's reason, and the result code if the text isn't the contract's: %s",
    (_what, code, trace, failure) => {
      const said = `,"Result":1,"ResultCode":${code}${logs(event("internalVMErrors", `["${hex("[planted]")}"]`), event("internalVMErrors", `["${hex(trace)}"]`, router))}`;
      expect(read(answer(said))).toMatchObject({ isOk: false, failure });
      expect(read(answer(said)).failure).toEqual(failure);
    },
  );

  it("has the result code of a failure without a text", () => {
    for (const said of [',"Block":7', logs(), logs(event("internalVMErrors", "[]"))]) {
      expect(read(answer(`,"Result":1,"ResultCode":37${said}`)).failure).toEqual({ text: "", code: 37 });
      expect(read(answer(`,"Result":1${said}`)).failure).toEqual({ text: "", code: 0 });
    }
  });

  it("is unreadable if a number is a text or a fraction, or the transaction is missing", () => {
    for (const text of [answer(',"Block":"5"'), answer(',"Block":5.5'), answer(',"Result":"SUCCESS"'), "{}", ""]) {
      expect(faultOf(() => read(text))).toBe("answer-unreadable");
    }
  });

  it("is unreadable for another transaction, whatever hash it states", () => {
    const [, other] = goldenCalls as [unknown, (typeof goldenCalls)[number]];
    expect(faultOf(() => read(answer("", `"Signature":["${other[3]}"]`, other[1])))).toBe("answer-unreadable");
  });

  it("is unreadable if the sender hasn't signed the transaction", () => {
    for (const signed of [
      '"Signature":[]',
      '"Signature":["AAAA"]',
      `"Signature":["${Buffer.alloc(64, 9).toString("base64")}"]`,
      '"Signature":null',
      '"x":0',
    ]) {
      expect(faultOf(() => read(answer("", signed)))).toBe("answer-unreadable");
    }
    expect(read(answer("", `"Signature":["AAAA","${inHex.toUpperCase()}"]`)).signature).toBe(inHex);
  });

  it("is unreadable if its block and status disagree, or in a proxy's form", () => {
    for (const said of [
      ',"status":"onChain"',
      ',"status":"failed"',
      ',"Block":7,"status":"pending"',
      ',"Block":7,"status":"fail"',
    ]) {
      expect(faultOf(() => read(answer(said)))).toBe("answer-unreadable");
    }
    const proxy = { hash: swapHash, blockNum: 7, status: "failed", resultCode: "VMUserError", signature: inHex };
    const told = JSON.stringify({ data: { transaction: proxy }, error: "", code: "successful" });
    expect(faultOf(() => read(told))).toBe("answer-unreadable");
  });
});
