import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as z from "zod";
import { decodeByteArguments } from "../../../sandbox/chain/arguments.js";
import { bytesOf, type Address } from "../../../sandbox/chain/address.js";
import { declarationOf } from "../../../sandbox/chain/declarations.js";
import { alice, realNodeDesk } from "../node/real-node.js";
import { addresses, pairAddresses } from "./local-chain.js";

/** What contracts written with klever-sc did with the same bytes on the official machine; the file names its source. */
const contract = z.enum(["referral", "router", "simpleLock", "pair"]);
const payments = z.array(z.tuple([z.string(), z.string()]));
const { calls, refusals, unpaid } = z
  .object({
    calls: z.array(
      z.object({
        row: z.string(),
        contract: contract.or(z.literal("probe")),
        data: z.string(),
        decoded: z.array(z.tuple([z.string(), z.unknown()])),
      }),
    ),
    refusals: z.array(z.object({ what: z.string(), contract, data: z.string(), payments, official: z.string() })),
    unpaid: z.array(z.object({ what: z.string(), official: z.string() })),
  })
  .parse(JSON.parse(readFileSync(new URL("../../vectors/framework.json", import.meta.url), "utf8")));

const contractAt = { ...addresses, pair: pairAddresses[0] };

it("decodes arguments as the framework does", () => {
  const compared = calls.filter((each) => each.contract !== "probe");
  expect(compared).toHaveLength(137);
  for (const call of compared) {
    const [functionName = "", ...args] = call.data.split("@");
    const declaration = declarationOf(contract.parse(call.contract), functionName)!;
    const inputs = decodeByteArguments(
      declaration,
      args.map((arg) => Buffer.from(arg, "hex")),
    );
    const groups = inputs[declaration.variadic?.name ?? ""] as readonly Readonly<Record<string, unknown>>[] | undefined;
    const ours = [
      ...Object.entries(inputs).filter(([, value]) => value !== groups),
      ...(groups ?? []).flatMap((group) => Object.entries(group)),
    ];
    const theirs = call.decoded.filter(([name, value]) => !/payment/.test(name) && value !== null);
    expect([call.data, ours.map(([name, value]) => [name, asWritten(value)])]).toEqual([call.data, theirs]);
  }
});

/** Numbers in decimal, everything else as its bytes in hex. */
function asWritten(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  const text = value as string;
  return (text.startsWith("klv1") ? bytesOf(text as Address) : Buffer.from(text)).toString("hex");
}

/**
 * What the sandbox's contracts answer where they differ from the compared ones, which only read their arguments: those
 * had no pools and no state.
 */
const ownWords: Readonly<Record<string, string>> = {
  "swap: percentage with leading zeros": "Slippage exceeded",
  "swap: percentage with 12 bytes of leading zeros": "Slippage exceeded",
  "swap: minimum with leading zeros": "Slippage exceeded",
  "swap: minimum empty": "Invalid args",
  "swap: minimum 00": "Invalid args",
  "swap: token empty": "Invalid payment token",
  "createPair of an invalid token": "Second Token ID is not a valid esdt token ID",
  "setSwapEnabledByUser without payment": "Pair not in ActiveNoSwaps state",
  "setSwapEnabledByUser that pays KLV": "Pair not in ActiveNoSwaps state",
};

it("refuses in the framework's words and codes", async () => {
  const { post } = await realNodeDesk();
  for (const { what, contract: name, data, payments: paid, official } of refusals) {
    const [funcName, ...args] = data.split("@");
    const value = Object.fromEntries(paid.map(([asset, units]) => [asset, BigInt(units)]));
    const body = { scAddress: contractAt[name], funcName, args, value, caller: alice };
    const { error, data: answered } = (await post("/vm/query", body)).body;
    const own = ownWords[what];
    const expected = official.startsWith("carried out") ? "" : official.replace(": ", ":");
    expect([what, error]).toEqual([what, own === undefined ? expected : `VMUserError:${own}`]);
    expect(answered.data.returnData).toEqual(error === "" ? expect.any(Array) : undefined);
  }
  expect(refusals).toHaveLength(58);
});

it("says in the machine's words that the caller lacks a payment", async () => {
  const { post } = await realNodeDesk();
  const paid = { KLV: "KLV", "another token": "KFI", "an SFT": "LKTOK-1A2B/1" };
  expect(unpaid.map(({ what }) => what)).toEqual(
    Object.keys(paid).map((what) => `paying with ${what} that the caller does not have`),
  );
  for (const [index, asset] of Object.values(paid).entries()) {
    const value = { [asset]: 10n ** 15n };
    const body = { scAddress: addresses.simpleLock, funcName: "lockTokens", args: ["1770"], value, caller: alice };
    expect((await post("/vm/query", body)).body.error).toBe(unpaid[index]!.official.replace(": ", ":"));
  }
});
