import { describe, expect, it, onTestFinished } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { createHttp } from "../../../src/services/base/http.js";
import { createQuotation, readQuote } from "../../../src/services/market/quotation.js";
import { dvk, kfi, klv, silent, testClock } from "../samples.js";
import { serve, type Answer } from "../base/server.js";

describe("the quotation request", () => {
  async function quotation(...answers: readonly Answer[]) {
    const server = await serve(...answers);
    const http = createHttp({ timeoutSeconds: 5, clock: testClock(), log: silent });
    onTestFinished(() => http.close());
    return { server, quote: createQuotation({ url: server.url, http, retry: true }).quote };
  }

  it("has exactly the documented fields, all of them strings", async () => {
    const { server, quote } = await quotation({ body: '{"amountOut":"12.5"}' });
    expect(await quote(amountOf(klv, 100_100_000n), kfi)).toEqual({
      token: kfi,
      units: 12_500_000n,
    });
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatchObject({
      method: "POST",
      path: "/quotation",
      headers: { "content-type": "application/json" },
      body: '{"amountIn":"100.1","tokenIn":"KLV","tokenOut":"KFI"}',
    });
  });

  it("is retried after a fault, as it is a read", async () => {
    const { server, quote } = await quotation({ status: 502 }, { body: '{"amountOut":"1"}' });
    expect((await quote(amountOf(klv, 1_000_000n), kfi)).units).toBe(1_000_000n);
    expect(server.received).toHaveLength(2);
  });

  it.each([
    [400, "service-status"],
    [401, "service-unauthorized"],
    [429, "service-rate-limited"],
    [500, "service-status"],
  ])("answered with status %i, fails with %s, whatever the body says", async (status, code) => {
    const { quote } = await quotation({ status, body: '{"amountOut":"1"}' });
    await expect(quote(amountOf(klv, 1_000_000n), kfi)).rejects.toMatchObject({
      code,
      parameters: { service: "quotation" },
    });
  });

  it("without a quote fails naming both tokens", async () => {
    const { quote } = await quotation({ status: 404 });
    await expect(quote(amountOf(klv, 1_000_000n), kfi)).rejects.toMatchObject({
      code: "quote-none",
      parameters: { from: "KLV", to: "KFI" },
    });
  });
});

describe("a quote", () => {
  it.each([
    ['{"amountOut":"12.5"}', 12_500_000n],
    ['{"amountOut":12.5}', 12_500_000n],
    ['{"data":{"amountOut":"12.5","tokenOutPrecision":6}}', 12_500_000n],
    ['{"amountOut":"12.5","tokenOutPrecision":"6","tokenInPrecision":6,"amountOutUsd":1e3}', 12_500_000n],
    ['{"amountOut":"1","tokenOutPrecision":null}', 1_000_000n],
    // A number keeps every digit down to the base unit; the rest is dropped.
    ['{"amountOut":123456789012345678.123456}', 123_456_789_012_345_678_123_456n],
    ['{"amountOut":0.0000019}', 1n],
  ])("is read from %s", (text, units) => {
    expect(readQuote(text, klv, kfi)).toEqual({ token: kfi, units });
  });

  it.each([
    "",
    "<html>",
    "[]",
    "null",
    "12",
    "{}",
    '{"data":null}',
    '{"data":[]}',
    '{"error":"no route"}',
    '{"amountOut":null}',
    '{"amountOut":""}',
    '{"amountOut":"abc"}',
    '{"amountOut":"-1"}',
    '{"amountOut":-1}',
    '{"amountOut":"1e3"}',
    '{"amountOut":1e3}',
    '{"amountOut":"0x10"}',
    '{"amountOut":"1,5"}',
    '{"amountOut":"1."}',
    '{"amountOut":" 1"}',
    '{"amountOut":"Infinity"}',
    '{"amountOut":true}',
    '{"amountOut":["1"]}',
    '{"amountOut":{"value":"1"}}',
    '{"amountOut":{"isLosslessNumber":true,"value":"1"}}',
    `{"amountOut":"${"9".repeat(500)}"}`,
    '{"amountOut":"1","amountOut":"2"}',
    '{"amountOut":"1","tokenOutPrecision":8}',
    '{"amountOut":"1","tokenInPrecision":8}',
    '{"amountOut":"1","tokenOutPrecision":6.5}',
    '{"amountOut":"1","tokenOutPrecision":"six"}',
    '{"amountOut":"1","tokenOutPrecision":-6}',
    '{"amountOut":"1","tokenOutPrecision":true}',
    '{"amountOut":"","data":{"amountOut":"1"}}',
  ])("is unreadable in %s", (text) => {
    expect(() => readQuote(text, klv, kfi)).toThrow("quote-unreadable");
  });

  it.each(['{"amountOut":"0"}', '{"amountOut":0}', '{"amountOut":"0.0000009"}'])("of zero is refused: %s", (text) => {
    expect(() => readQuote(text, klv, kfi)).toThrow(/^quote-zero.*KFI/);
  });

  it("supplies a precision that the token list lacks", () => {
    expect(readQuote('{"amountOut":"1.5","tokenOutPrecision":8}', klv, dvk)).toEqual({
      token: { ...dvk, precision: 8 },
      units: 150_000_000n,
    });
    expect(() => readQuote('{"amountOut":"1.5"}', klv, dvk)).toThrow("token-precision-unknown");
  });
});
