import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import * as z from "zod";
import { addressFromBytes, addressToBytes, parseAddress, type Address } from "../../src/encoding/address.js";
import { isTokenId, parseAssetId } from "../../src/encoding/amount.js";
import { callData, contractCall, type ContractCall } from "../../src/encoding/call.js";
import { declarationOf, type Input } from "../../src/encoding/contracts.js";
import { decodeOutputs, readAnswer } from "../../src/encoding/result.js";
import { faultOf } from "./fault-of.js";

/** What contracts written with klever-sc read and answered on the official machine; the file names its source. */
const contract = z.enum(["referral", "router", "simpleLock", "pair"]);
const hexText = z.string().transform((hex) => Buffer.from(hex, "hex").toString());
const call = z.object({
  row: z.string(),
  contract: contract.or(z.literal("probe")),
  data: z.string(),
  payments: z.array(z.tuple([z.string(), z.string()])),
  decoded: z.array(z.tuple([z.string(), z.unknown()])),
});
const view = z.object({
  view: z.string(),
  contract: contract.optional(),
  returnData: z.array(z.string()).nullable(),
  returnCode: z.string().default("Ok"),
  returnMessage: z.string().optional(),
  meaning: z.unknown().optional(),
});
const vectors = z
  .object({
    calls: z.array(call),
    views: z.array(view),
    tokenIds: z.array(z.object({ id: z.string(), official: z.boolean(), note: z.string().optional() })),
    addresses: z.array(z.object({ hex: z.string(), text: z.string() })),
  })
  .parse(JSON.parse(readFileSync(new URL("../vectors/framework.json", import.meta.url), "utf8")));

describe("call data", () => {
  // The bot sends only token ids of printable characters, and never calls the probe contract.
  const sendable = vectors.calls.filter(
    ({ row, contract: name }) => name !== "probe" && !/any text|encoder only/.test(row),
  );

  it("is compared for every function that changes state", () => {
    expect(new Set(sendable.map(({ row }) => row))).toEqual(
      new Set([
        ...["swap", "createPair", "issueLpToken", "setLocalRoles", "setSwapEnabledByUser"],
        ...["multiPairSwap", "lockTokens", "unlockTokens", "addInitialLiquidity"],
      ]),
    );
    expect(sendable.length).toBeGreaterThan(100);
  });

  test.each(sendable.map((each) => [each.data, each] as const))("%s", (data, record) => {
    expect(callData(encoded(record))).toBe(data);
  });
});

/** The call with the values that the contract decoded. */
function encoded({ contract: name, row, payments, decoded }: z.output<typeof call>): ContractCall {
  const kind = contract.parse(name);
  const { inputs, variadic } = declarationOf(kind, row)!;
  const values = decoded.filter(([input, value]) => !/payment/.test(input) && value !== null);
  const single = Object.fromEntries(
    values.filter(([input]) => inputs.some((each) => each.name === input)).map(typed(inputs)),
  );
  const rest = values.slice(Object.keys(single).length);
  const size = variadic?.group.length ?? 1;
  const groups = Array.from({ length: rest.length / size }, (_, index) =>
    Object.fromEntries(rest.slice(index * size, (index + 1) * size).map(typed(variadic?.group ?? []))),
  );
  const all = variadic === undefined ? single : { ...single, [variadic.name]: groups };
  return contractCall(
    { contract: kind, address: "" as Address },
    row as never,
    all as never,
    payments.map(([asset, units]) => ({ ...parseAssetId(asset), units: BigInt(units) })),
  );
}

const typed =
  (inputs: readonly Input[]) =>
  ([name, value]: readonly [string, unknown]): [string, unknown] => {
    const { type } = inputs.find((input) => input.name === name)!;
    const text = z.string().parse(value);
    if (type === "Address") return [name, addressFromBytes(Buffer.from(text, "hex"))];
    return [name, type === "TokenIdentifier" || type === "bytes" ? hexText.parse(text) : BigInt(text)];
  };

describe("answers", () => {
  const readable = vectors.views.filter(({ contract: name, meaning }) => name !== undefined && meaning !== undefined);

  test.each(readable.map((each) => [`${each.view} ${each.returnData?.join() ?? ""}`, each] as const))(
    "%s",
    (_, each) => {
      const body = { data: { data: { returnData: each.returnData, returnCode: each.returnCode } }, error: "" };
      const { returnData } = readAnswer(body);
      const outputs = decodeOutputs(each.contract!, each.view as never, returnData, "base64") as readonly unknown[];
      expect(outputs.map(asWritten)).toEqual(each.meaning);
    },
  );

  it("have payments with amounts of every length", () => {
    const payments = vectors.views.filter((each) => each.view === "a KdaTokenPayment");
    expect(payments).toHaveLength(27);
    for (const { returnData, meaning } of payments) {
      expect(decodeOutputs("simpleLock", "lockTokens", returnData!, "base64").map(asWritten)).toEqual([meaning]);
    }
  });

  it("are a fault if they mean nothing: no pair, or a storage decode error", () => {
    const odd = vectors.views.filter(({ contract: name, meaning }) => name !== undefined && meaning === undefined);
    expect(odd.map(({ view: name }) => name)).toEqual(["getRouterAddress", "getPair"]);
    const [refused, nobody] = odd;
    const { returnData, returnCode, returnMessage } = refused!;
    expect(
      readAnswer({
        data: { data: { returnData, returnCode, returnMessage } },
        error: `${returnCode}:${returnMessage}`,
      }),
    ).toMatchObject({ ok: false, returnCode: "VMUserError", message: "storage decode error: bad array length" });
    expect(faultOf(() => decodeOutputs("router", "getPair", nobody!.returnData!, "base64"))).toBe("address-zero");
  });
});

/** Numbers as decimal text, absent values as null. */
function asWritten(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, asWritten(part)]));
}

test.each(vectors.tokenIds.filter(({ note }) => note === undefined))(
  "$id is a token id: $official",
  ({ id, official }) => {
    expect(isTokenId(id)).toBe(official);
  },
);

it("refuses an empty token id, which the framework reads as KLV", () => {
  const odd = vectors.tokenIds.filter(({ note }) => note !== undefined);
  expect(odd.map(({ id, official }) => [id, official, isTokenId(id)])).toEqual([["", true, false]]);
});

test.each(vectors.addresses)("$text", ({ hex, text }) => {
  expect(addressFromBytes(Buffer.from(hex, "hex"))).toBe(text);
  expect(Buffer.from(addressToBytes(parseAddress(text))).toString("hex")).toBe(hex);
});
