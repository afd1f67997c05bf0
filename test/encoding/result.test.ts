import { describe, expect, expectTypeOf, test } from "vitest";
import type { Address } from "../../src/encoding/address.js";
import type { Payment } from "../../src/encoding/amount.js";
import { decodeEntry, decodeOutputs, readAnswer, type OutputsOf } from "../../src/encoding/result.js";
import { faultOf } from "./fault-of.js";
import { nested } from "./nested.js";
import { account, accountHex, pair, pairHex } from "./samples.js";
import { fc, property } from "../support/property.js";

const base64Of = (hex: string): string => Buffer.from(hex, "hex").toString("base64");

const payments: fc.Arbitrary<Payment> = fc
  .record({
    tokenId: fc.constantFrom("KLV", "KFI", "KFIKLVLP-2GC1", "LKTOK-1A2B"),
    nonce: fc.bigInt(0n, 2n ** 64n - 1n),
    units: fc.oneof(fc.constant(0n), fc.bigInt(0n, 2n ** 256n - 1n)),
  })
  .map(({ nonce, ...payment }) => (nonce === 0n ? payment : { ...payment, nonce }));

describe("an answer", () => {
  const documented = {
    data: { returnData: ["01"], returnCode: "ok", returnMessage: "" },
    error: "",
    code: "successful",
  };

  test.each([
    ["as documented", documented],
    ["as a real node nests it", { ...documented, data: { data: { ...documented.data, returnCode: "Ok" } } }],
    ["with the code in capitals", { data: { returnData: ["01"], returnCode: "OK" } }],
    ["with null for no error", { ...documented, error: null }],
    ["with more fields than documented", { ...documented, extra: 1, data: { ...documented.data, gasRemaining: 5 } }],
  ])("%s is a success", (_, body) => {
    expect(readAnswer(body)).toMatchObject({ ok: true, message: "", returnData: ["01"] });
  });

  test.each([
    ["absent", undefined],
    ["null", null],
    ["empty", []],
  ])("with %s returnData has no entries", (_, returnData) => {
    expect(readAnswer({ data: { returnCode: "Ok", returnData } })).toMatchObject({ ok: true, returnData: [] });
  });

  test.each([
    [
      "a contract's refusal",
      { data: { returnCode: "VMUserError", returnMessage: "Slippage exceeded" } },
      "Slippage exceeded",
    ],
    ["a refusal without a message", { data: { returnCode: "VMOutOfGas" } }, "VMOutOfGas"],
    [
      "a refusal by a real node",
      {
        data: { data: { returnCode: "VMUserError", returnMessage: "Not active", returnData: null } },
        error: "VMUserError:Not active",
        code: "successful",
      },
      "Not active",
    ],
    [
      "a refusal of the request",
      { data: null, error: "executeQuery: no such key", code: "bad_request" },
      "executeQuery: no such key",
    ],
    ["a filled error beside an ok", { ...documented, error: "gone wrong" }, "gone wrong"],
  ])("%s is a failure", (_, body, message) => {
    expect(readAnswer(body)).toMatchObject({ ok: false, message, returnData: [] });
  });

  test.each([
    ["nothing", undefined],
    ["null", null],
    ["a text", "ok"],
    ["a list", [documented]],
    ["an empty object", {}],
    ["no return code", { data: { returnData: ["01"] }, error: "" }],
    ["a return code that is a number", { data: { returnData: ["01"], returnCode: 0 } }],
    ["an error that is an object", { ...documented, error: { message: "gone wrong" } }],
    ["returnData that is a text", { data: { returnCode: "ok", returnData: "01" } }],
    ["returnData of numbers", { data: { returnCode: "ok", returnData: [1] } }],
  ])("%s is unreadable", (_, body) => {
    expect(faultOf(() => readAnswer(body))).toBe("answer-unreadable");
  });
});

describe("an entry", () => {
  test.each([
    ["hex", "03e8", "03e8"],
    ["hex", "03E8", "03e8"],
    ["hex", "", ""],
    ["base64", "A+g=", "03e8"],
    ["base64", "", ""],
    ["base64", "S0xW", "4b4c56"],
    ["base64", "S0ZJ", "4b4649"],
    // An address in base64, recognised by its 44 characters although hex is expected.
    ["hex", "AAAAAAAAAAAFALe0oU5FZ6ZLEi7mG4cXrhHiEICaw+Y=", pairHex],
  ] as const)("%s %j", (encoding, entry, hex) => {
    expect(Buffer.from(decodeEntry(entry, encoding)).toString("hex")).toBe(hex);
  });

  test.each([
    ["hex", "3e8"],
    ["hex", "0x03e8"],
    ["hex", "zz"],
    ["hex", "A+g="],
    ["base64", "A+g"],
    ["base64", "A+g=="],
    ["base64", "A+h="],
    ["base64", "A g="],
    ["base64", "A-g="],
  ] as const)("%s %j is unreadable", (encoding, entry) => {
    expect(faultOf(() => decodeEntry(entry, encoding))).toBe("answer-unreadable");
  });

  property("is read in both encodings", [fc.uint8Array({ maxLength: 80 })], (bytes) => {
    const buffer = Buffer.from(bytes);
    expect(buffer.equals(decodeEntry(buffer.toString("hex"), "hex"))).toBe(true);
    expect(buffer.equals(decodeEntry(buffer.toString("base64"), "base64"))).toBe(true);
  });
});

describe("addresses", () => {
  test.each([
    ["hex", pairHex],
    ["hex", "AAAAAAAAAAAFALe0oU5FZ6ZLEi7mG4cXrhHiEICaw+Y="],
    ["base64", "AAAAAAAAAAAFALe0oU5FZ6ZLEi7mG4cXrhHiEICaw+Y="],
    // `createPair` answers in hex, as documented, whatever the node's encoding is elsewhere.
    ["base64", pairHex],
  ] as const)("createPair, %s %s", (encoding, entry) => {
    expect(decodeOutputs("router", "createPair", [entry], encoding)).toEqual([pair]);
  });

  test("of a wrong length, or zero, are refused", () => {
    expect(faultOf(() => decodeOutputs("router", "createPair", [pairHex.slice(2)], "hex"))).toBe("answer-unreadable");
    expect(faultOf(() => decodeOutputs("router", "createPair", ["00".repeat(32)], "hex"))).toBe("address-zero");
  });

  test("may be absent if they are optional", () => {
    const decode = (entry: string) => decodeOutputs("pair", "getInitialLiquidtyAdder", [entry], "hex");
    expect(decode("")).toEqual([undefined]);
    expect(decode("00")).toEqual([undefined]);
    expect(decode(`01${accountHex}`)).toEqual([account]);
    expect(faultOf(() => decode(`02${accountHex}`))).toBe("answer-unreadable");
    expect(faultOf(() => decode("01"))).toBe("answer-unreadable");
  });
});

describe("payments", () => {
  /** klever-vm-sdk-rs `kda_token_payment.rs`: token id, nonce, amount. */
  test.each<[Payment, string, string]>([
    [{ tokenId: "KLV", units: 1000n }, "000000034b4c5600000000000000000000000203e8", "AAAAA0tMVgAAAAAAAAAAAAAAAgPo"],
    [
      { tokenId: "KFIKLVLP-2GC1", units: 1_000_000n },
      "0000000d4b46494b4c564c502d324743310000000000000000000000030f4240",
      "AAAADUtGSUtMVkxQLTJHQzEAAAAAAAAAAAAAAAMPQkA=",
    ],
    [
      { tokenId: "LOCKED-1A2B", nonce: 1n, units: 1_000_000n },
      "0000000b4c4f434b45442d314132420000000000000001000000030f4240",
      "AAAAC0xPQ0tFRC0xQTJCAAAAAAAAAAEAAAADD0JA",
    ],
    [{ tokenId: "KFI", units: 0n }, "000000034b4649000000000000000000000000", "AAAAA0tGSQAAAAAAAAAAAAAAAA=="],
  ])("%o", (payment, hex, base64) => {
    expect(decodeOutputs("simpleLock", "lockTokens", [hex], "hex")).toEqual([payment]);
    expect(decodeOutputs("simpleLock", "lockTokens", [base64], "base64")).toEqual([payment]);
  });

  property("a list of them is one entry", [fc.array(payments, { maxLength: 5 })], (list) => {
    const hex = list.map(nested.payment).join("");
    expect(decodeOutputs("router", "multiPairSwap", [hex], "hex")).toEqual([list]);
    expect(decodeOutputs("router", "multiPairSwap", [base64Of(hex)], "base64")).toEqual([list]);
  });

  property("one that is cut off anywhere is unreadable", [payments, fc.nat(100)], (payment, cut) => {
    const hex = nested.payment(payment);
    fc.pre(cut * 2 < hex.length);
    expect(faultOf(() => decodeOutputs("simpleLock", "unlockTokens", [hex.slice(0, cut * 2)], "hex"))).toBe(
      "answer-unreadable",
    );
  });

  test.each([
    ["more bytes than a payment has", `${nested.payment({ tokenId: "KLV", units: 5n })}00`],
    ["a token id that is none", nested.payment({ tokenId: "klv!", units: 5n })],
    ["no token id", nested.payment({ tokenId: "", units: 5n })],
    ["bytes that are no text", `00000003ff4c56${nested.u64(0n)}${nested.bigUint(1n)}`],
    ["a length beyond the end", "ffffffff4b4c56"],
    ["an amount of 65 bytes", `${nested.text("KLV")}${nested.u64(0n)}00000041${"01".repeat(65)}`],
  ])("%s are unreadable", (_, hex) => {
    expect(faultOf(() => decodeOutputs("simpleLock", "lockTokens", [hex], "hex"))).toBe("answer-unreadable");
  });
});

describe("numbers, states and texts", () => {
  test("a number has any size, and no bytes mean zero", () => {
    expect(decodeOutputs("referral", "swap", ["", "075bcd15"], "hex")).toEqual([0n, 123456789n]);
    expect(decodeOutputs("referral", "swap", ["AA==", "B1vNFQ=="], "base64")).toEqual([0n, 123456789n]);
    expect(decodeOutputs("pair", "getReservesAndTotalSupply", ["01", "ff".repeat(32), ""], "hex")).toEqual([
      1n,
      2n ** 256n - 1n,
      0n,
    ]);
  });

  test("a u64 has at most 8 bytes", () => {
    expect(decodeOutputs("pair", "getTotalFeePercent", ["012c"], "hex")).toEqual([300n]);
    expect(decodeOutputs("pair", "getTotalFeePercent", ["ff".repeat(8)], "hex")).toEqual([2n ** 64n - 1n]);
    expect(faultOf(() => decodeOutputs("pair", "getTotalFeePercent", ["01".repeat(9)], "hex"))).toBe(
      "answer-unreadable",
    );
  });

  test("the states of a pair", () => {
    expect(decodeOutputs("pair", "getState", [""], "hex")).toEqual(["Inactive"]);
    expect(decodeOutputs("pair", "getState", ["01"], "hex")).toEqual(["Active"]);
    expect(decodeOutputs("pair", "getState", ["02"], "hex")).toEqual(["PartialActive"]);
    expect(faultOf(() => decodeOutputs("pair", "getState", ["03"], "hex"))).toBe("answer-unreadable");
  });

  test("a token id", () => {
    expect(decodeOutputs("pair", "getFirstTokenId", ["4b4c56"], "hex")).toEqual(["KLV"]);
    expect(faultOf(() => decodeOutputs("pair", "getFirstTokenId", ["0a"], "hex"))).toBe("answer-unreadable");
  });
});

describe("structs and lists of the router", () => {
  test("the conditions for enabling swaps", () => {
    const hex = nested.text("LKTOK-1A2B") + nested.bigUint(5_000_000n) + nested.u64(720n);
    expect(decodeOutputs("router", "getEnableSwapByUserConfig", [hex], "hex")).toEqual([
      { lockedTokenId: "LKTOK-1A2B", minLockedTokenValue: 5_000_000n, minLockPeriodEpochs: 720n },
    ]);
  });

  test("a list of pairs has an entry for each", () => {
    const tokens = nested.text("KLV") + nested.text("KFI");
    const [firstTokenId, secondTokenId] = ["KLV", "KFI"];
    const entry = { firstTokenId, secondTokenId, address: pair };
    const decode = (entries: string[]) => decodeOutputs("router", "getAllPairContractMetadata", entries, "hex");
    expect(decode([])).toEqual([]);
    expect(decode([tokens + pairHex])).toEqual([entry]);
    expect(decode([tokens + pairHex, tokens + accountHex])).toEqual([entry, { ...entry, address: account }]);
    expect(decode([tokens + "00".repeat(32), tokens + pairHex])).toEqual([{ ...entry, address: undefined }, entry]);
    expect(faultOf(() => decodeOutputs("router", "getAllPairContractMetadata", [tokens], "hex"))).toBe(
      "answer-unreadable",
    );
  });
});

test("an answer must have as many entries as declared", () => {
  expect(decodeOutputs("router", "issueLpToken", [], "hex")).toEqual([]);
  expect(faultOf(() => decodeOutputs("router", "issueLpToken", ["01"], "hex"))).toBe("answer-unreadable");
  expect(faultOf(() => decodeOutputs("referral", "swap", ["01"], "hex"))).toBe("answer-unreadable");
  expect(faultOf(() => decodeOutputs("referral", "swap", ["01", "02", "03"], "hex"))).toBe("answer-unreadable");
});

test("a function that the contract does not have is refused", () => {
  expect(faultOf(() => decodeOutputs("referral", "toString" as "swap", [], "hex"))).toBe("answer-unreadable");
});

property("whatever bytes come, they are decoded whole or refused", [fc.uint8Array({ maxLength: 64 })], (bytes) => {
  const hex = Buffer.from(bytes).toString("hex");
  let decoded: readonly Payment[];
  try {
    [decoded] = decodeOutputs("router", "multiPairSwap", [hex], "hex");
  } catch (error) {
    expect(error).toMatchObject({ code: "answer-unreadable" });
    return;
  }
  expect(decoded.map(nested.payment).join("").length).toBeLessThanOrEqual(hex.length);
});

test("the types of the outputs come from the declarations", () => {
  expectTypeOf<OutputsOf<"referral", "swap">>().toEqualTypeOf<readonly [bigint, bigint]>();
  expectTypeOf<OutputsOf<"router", "createPair">>().toEqualTypeOf<readonly [Address]>();
  expectTypeOf<OutputsOf<"router", "multiPairSwap">>().toEqualTypeOf<readonly [readonly Payment[]]>();
  expectTypeOf<OutputsOf<"router", "getCommonTokensForUserPairs">>().toEqualTypeOf<readonly string[]>();
  expectTypeOf<OutputsOf<"router", "issueLpToken">>().toEqualTypeOf<readonly []>();
});
