import { parse } from "lossless-json";
import { describe, expect, it, test } from "vitest";
import { readTransaction } from "../../../src/services/wallet-gateway/transaction-answer.js";
import { pair, router } from "../../encoding/samples.js";
import { faultOf } from "../../encoding/fault-of.js";

const hex = (text: string) => Buffer.from(text).toString("hex");
const signature = Buffer.alloc(64, 9);

/** What klever-go writes around a transaction, with what is said of it; `null` and fields that nobody asks for are there too. */
function answer(said: string): unknown {
  return parse(
    `{"data":{"transaction":{"RawData":{"Nonce":7,"Sender":"AA==","Contract":null,"KAppFee":2000000},
      "Receipts":[{"Data":["AA=="]}],"GasLimit":9007199254740993,"GasMultiplier":10,"status":"pending","hash":"00",
      "signature":["${signature.toString("hex")}"],"Signature":["${signature.toString("base64")}"]${said}}},"error":"","code":"successful"}`,
    null,
    (digits) => (/^-?[0-9]+$/.test(digits) ? BigInt(digits) : digits),
  );
}
const event = (identifier: string, data: string, address: string = pair) =>
  `{"address":"${address}","identifier":"${identifier}","topics":[],"data":${data}}`;
const logs = (...events: string[]) =>
  `,"Block":9007199254740993,"logs":{"address":"${pair}","contractId":0,"events":[${events.join()}]}`;

describe("what a node says of a transaction", () => {
  it("that waits has neither block nor result", () => {
    const waiting = { block: 0n, isOk: true, returnData: [], text: "", signature: signature.toString("hex") };
    for (const said of ["", ',"logs":null', ',"Block":0,"logs":{"events":null}']) {
      expect(readTransaction(answer(said), pair)).toEqual(waiting);
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
    expect(readTransaction(answer(said), pair)).toMatchObject({
      block: 9007199254740993n,
      isOk: true,
      returnData: ["01", "63"],
      text: "",
    });
    expect(readTransaction(answer(logs(event("ReturnData", "null"))), pair).returnData).toEqual([]);
  });

  test.each([
    [
      "the last brackets",
      "\n\truntime.go:856 [user error] [swap]\n\truntime.go:853 [user error] [Slippage exceeded]\n",
      "Slippage exceeded",
    ],
    ["no brackets", "not enough gas", "not enough gas"],
  ])("that failed has the contract's words in %s of the node's last trace", (_what, trace, words) => {
    const said = `,"Result":1,"ResultCode":57${logs(event("internalVMErrors", `["${hex("[planted]")}"]`), event("internalVMErrors", `["${hex(trace)}"]`, router))}`;
    expect(readTransaction(answer(said), pair)).toMatchObject({ isOk: false, text: words });
  });

  it("that failed without a word has the number of its reason", () => {
    for (const said of ["", logs(), logs(event("internalVMErrors", "[]"))]) {
      expect(readTransaction(answer(`,"Result":1,"ResultCode":37${said}`), pair).text).toBe("result code 37");
    }
  });

  it("is unreadable where a number is a text, a fraction, or the transaction is missing", () => {
    for (const json of [answer(',"Block":"5"'), answer(',"Block":5.5'), answer(',"Result":"SUCCESS"'), {}, undefined]) {
      expect(faultOf(() => readTransaction(json, pair))).toBe("answer-unreadable");
    }
  });

  it("has a signature only where that can be one", () => {
    const json = (text: string) => ({ data: { transaction: { Signature: [text] } } });
    expect(readTransaction(json(signature.toString("hex").toUpperCase()), pair).signature).toBe(
      signature.toString("hex"),
    );
    expect(readTransaction(json("AAAA"), pair)).not.toHaveProperty("signature");
    expect(readTransaction({ data: { transaction: {} } }, pair)).not.toHaveProperty("signature");
  });
});
