import { stringify } from "lossless-json";
import { describe, expect, it, test } from "vitest";
import { readTransaction } from "../../../src/services/wallet/node.js";
import { account, pair, router } from "../../encoding/samples.js";
import { faultOf } from "../../encoding/fault-of.js";
import { goldenCalls, swapCall, swapHash } from "../../encoding/golden-transactions.js";
import { swapTerms } from "../../cards/arrange.js";
import { walletTransaction } from "../../support/wallet-transaction.js";

const hex = (text: string) => Buffer.from(text).toString("hex");
const [[, raw, , signature]] = goldenCalls as [(typeof goldenCalls)[number]];
const inHex = Buffer.from(signature, "base64").toString("hex");
const terms = { ...swapTerms, payout: account };
const of = { call: swapCall, terms, transaction: walletTransaction({ hash: swapHash }) };
const read = (text: string) => readTransaction(text, of, (words) => words);

/** What klever-go writes around a transaction, with what is said of it; fields that nobody asks for are there too. */
function answer(said: string, signed = `"Signature":["${signature}"]`, rawData: object = raw): string {
  return `{"data":{"transaction":{"RawData":${stringify(rawData)},"Receipts":[{"Data":["AA=="]}],"GasLimit":9007199254740993,
      "GasMultiplier":10,"hash":"00","signature":["00"],${signed}${said}}},"error":"","code":"successful"}`;
}
const event = (identifier: string, data: string, address: string = pair) =>
  `{"address":"${address}","identifier":"${identifier}","topics":[],"data":${data}}`;
const logs = (...events: string[]) =>
  `,"Block":9007199254740993,"status":"onChain","logs":{"address":"${pair}","contractId":0,"events":[${events.join()}]}`;

describe("what a node says of a transaction", () => {
  it("that waits has neither block nor result", () => {
    const waiting = { block: 0n, isOk: true, returnData: [], signature: inHex };
    for (const said of ["", ',"logs":null', ',"Block":0,"status":"pending","logs":{"events":null}']) {
      expect(read(answer(said))).toEqual(waiting);
    }
  });

  it("that was carried out ends with the data that the node, not the contract, says it returned", () => {
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
      "a refusal of the contract's",
      57,
      "\n\truntime.go:856 [user error] [swap]\n\truntime.go:853 [user error] [Slippage exceeded]\n",
      { text: "Slippage exceeded" },
    ],
    ["no brackets", 58, "not enough gas", { text: "not enough gas", code: 58 }],
    [
      "the machine's own end, which has the function's name last",
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
    ["a number that nobody knows", 4711, "\n\tx.go:1 [strange]", { text: "strange", code: 4711 }],
  ])(
    "that failed has its reason, and the number where the words aren't the contract's: %s",
    (_what, code, trace, failure) => {
      const said = `,"Result":1,"ResultCode":${code}${logs(event("internalVMErrors", `["${hex("[planted]")}"]`), event("internalVMErrors", `["${hex(trace)}"]`, router))}`;
      expect(read(answer(said))).toMatchObject({ isOk: false, failure });
      expect(read(answer(said)).failure).toEqual(failure);
    },
  );

  it("that failed without a word has the number of its reason", () => {
    for (const said of [',"Block":7', logs(), logs(event("internalVMErrors", "[]"))]) {
      expect(read(answer(`,"Result":1,"ResultCode":37${said}`)).failure).toEqual({ text: "", code: 37 });
    }
  });

  it("is unreadable where a number is a text, a fraction, or the transaction is missing", () => {
    for (const text of [answer(',"Block":"5"'), answer(',"Block":5.5'), answer(',"Result":"SUCCESS"'), "{}", ""]) {
      expect(faultOf(() => read(text))).toBe("answer-unreadable");
    }
  });

  it("is unreadable where it is another transaction, whatever hash stands beside it", () => {
    const [, other] = goldenCalls as [unknown, (typeof goldenCalls)[number]];
    expect(faultOf(() => read(answer("", `"Signature":["${other[3]}"]`, other[1])))).toBe("answer-unreadable");
  });

  it("is unreadable where its sender has not signed it", () => {
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

  it("of which a block and a status say different things is unreadable, and so is a proxy's form", () => {
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
