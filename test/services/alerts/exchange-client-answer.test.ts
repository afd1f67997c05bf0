import { describe, expect, it } from "vitest";
import { readOrder, readOrderId } from "../../../src/services/alerts/exchange-client.js";
import { messages } from "../../../src/locales/messages.js";
import { faultOf } from "../../encoding/fault-of.js";

const id = "1989652f-be77-4179-924e-b71c03a4198a";

/** The example in the exchange's own documentation (docs.bitcoin.me, Order, orderStatus). */
const sample = {
  orderId: id,
  status: "CANCELED",
  symbol: "KLV-USDT",
  side: "BUY",
  price: "0.006780",
  averagePrice: "0.006736",
  quantity: "100",
  filled: "80",
  typeOrder: "LIMIT",
  typeTrade: "TAKER",
  fee: "0.00006874",
  feeToken: "KLV",
  feePayWithKLV: "0.000006874",
  createdAt: 1708459934,
  updatedAt: 1708459940,
};

const answer = (fields: object = {}): string => JSON.stringify({ success: true, data: { ...sample, ...fields } });

describe("an order's answer", () => {
  it("is read with every figure as written", () => {
    expect(readOrder(answer(), id)).toEqual({
      id,
      status: "CANCELED",
      symbol: "KLV-USDT",
      side: "BUY",
      price: "0.006780",
      averagePrice: "0.006736",
      quantity: "100",
      filled: "80",
      type: "LIMIT",
      trade: "TAKER",
      fee: "0.00006874",
      feeToken: "KLV",
      nativeFee: { amount: "0.000006874", token: "KLV" },
      createdAt: 1708459934,
      updatedAt: 1708459940,
    });
  });

  it("keeps every digit of figures that come as JSON numbers", () => {
    const text = answer()
      .replace('"quantity":"100"', '"quantity":123456789012345678.123456789012345678')
      .replace('"fee":"0.00006874"', '"fee":6.874e-5');
    expect(readOrder(text, id)).toMatchObject({ quantity: "123456789012345678.123456789012345678", fee: "0.00006874" });
  });

  it("may have unknown fields and values, and the native token's ticker in a field's name", () => {
    const { feePayWithKLV: _old, ...rest } = sample;
    const text = JSON.stringify({
      success: true,
      trace: 7,
      data: { ...rest, status: "SUSPENDED", side: "SHORT", typeOrder: "ICEBERG", feePayWithABC: 0.5, more: { a: [1] } },
    });
    expect(readOrder(text, id)).toMatchObject({
      status: "SUSPENDED",
      side: "SHORT",
      type: "ICEBERG",
      nativeFee: { amount: "0.5", token: "ABC" },
    });
  });

  it("may lack optional fields, or have unreadable ones", () => {
    const { orderId, status, symbol, side, quantity, filled } = sample;
    const bare = JSON.stringify({ success: true, data: { orderId, status, symbol, side, quantity, filled } });
    expect(readOrder(bare, id)).toEqual({ id, status, symbol, side, quantity, filled });
    const odd = answer({ price: null, averagePrice: "", fee: "n/a", createdAt: "yesterday", feePayWithKLV: null });
    expect(readOrder(odd, id)).toMatchObject({ status: "CANCELED", quantity: "100" });
    expect(readOrder(odd, id).price).toBeUndefined();
  });

  it("may give its times in seconds, milliseconds or finer, and keeps their order", () => {
    const timeOf = (updatedAt: unknown) => readOrder(answer({ updatedAt }), id).updatedAt;
    expect(timeOf(1708459940)).toBe(1708459940);
    expect(timeOf("1708459940")).toBe(1708459940);
    expect(timeOf(1708459940000)).toBe(1708459940);
    expect(timeOf("1708459940123")).toBe(1708459940.123);
    expect(timeOf(1708459940123456)).toBe(1708459940.123456);
    expect(timeOf("1708459940123456789")).toBeCloseTo(1708459940.123456, 5);
    expect(timeOf("1708459940.5")).toBe(1708459940.5);
    for (const odd of ["", "-5", 0, 99_999_999_999, 100_000_000_000, "1e12", "2024-02-20", "1".repeat(20), null]) {
      expect(timeOf(odd)).toBeUndefined();
    }
  });

  it.each(["0", "0.000", 0, "0e5"])("doesn't take %j for a price", (nothing) => {
    const read = readOrder(answer({ averagePrice: nothing, price: nothing }), id);
    expect([read.averagePrice, read.price, read.filled]).toEqual([undefined, undefined, "80"]);
  });

  it("is cleaned of invisible characters", () => {
    expect(readOrder(answer({ status: "OP\u202eEN\n!" }), id).status).toBe("OP EN !");
  });

  it.each([
    ["no JSON", "<html>"],
    ["half an answer", answer().slice(0, 90)],
    ["an array", "[]"],
    ["no success", JSON.stringify({ data: sample })],
    ["another order", answer({ orderId: "6725ce5a-af91-4dea-850b-09968fb551f8" })],
  ])("is unreadable: %s", (_name, text) => {
    expect(faultOf(() => readOrder(text, id))).toBe("answer-unreadable");
  });

  it.each([
    ["a negative figure", { filled: "-1" }, "filled"],
    ["a figure in words", { quantity: "many" }, "quantity"],
    ["a giant exponent", { quantity: "1e999999999" }, "quantity"],
    ["no status", { status: "" }, "status"],
    ["fills as a list, and a status as an object", { filled: [], status: {} }, "status, filled"],
    ["a symbol of two parts", { symbol: { base: "KLV", quote: "USDT" }, side: null }, "symbol, side"],
  ])("is refused in words, with the fields: %s", (_name, changed, fields) => {
    expect(() => readOrder(answer(changed), id)).toThrow(
      expect.objectContaining({ code: "order-unreadable", parameters: { fields } }),
    );
    expect(messages.en.faults["order-unreadable"]({ fields })).toContain(`(${fields})`);
  });

  it("is a refusal if it says so, with its reason", () => {
    const refused = (body: object): unknown => {
      try {
        return readOrder(JSON.stringify(body), id);
      } catch (fault) {
        return fault;
      }
    };
    expect(refused({ success: false, message: "Not yours" })).toMatchObject({
      code: "order-refused",
      parameters: { reason: "Not yours" },
    });
    expect(refused({ success: false })).toMatchObject({ code: "order-refused", parameters: { reason: "" } });
  });
});

describe("an order id", () => {
  it("is accepted in upper and lower case", () => {
    expect(readOrderId(` ${id.toUpperCase()}\n`)).toBe(id);
  });
  it.each(["", "123", `${id}0`, `../${id}`, id.replace("-", ""), `${id}?x=1`, "g".repeat(36)])("is not %j", (text) => {
    expect(faultOf(() => readOrderId(text))).toBe("order-id-invalid");
  });
});
