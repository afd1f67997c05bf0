import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseUnits, Transaction as ConnectTransaction } from "@klever/connect";
import { decodeByType, encodeByType } from "@klever/connect-contracts";
import { abiDecoder, abiEncoder, Transaction as SdkTransaction } from "@klever/sdk-node";
import { describe, expect, it, test } from "vitest";
import { addressToBytes, type Address } from "../../src/encoding/address.js";
import { callData, contractCall, type ContractCall } from "../../src/encoding/call.js";
import { decodeOutputs } from "../../src/encoding/result.js";
import { transactionHash } from "../../src/encoding/transaction.js";
import { parseAmount } from "../../src/encoding/typed.js";
import { account, kleverAbi, lock, pair, router } from "../encoding/samples.js";

/** Runs the tables of docs/compatibility.md: each cell that isn't "=" is what a package does, so that a change is noticed. */
const page = readFileSync(join(import.meta.dirname, "../../docs/compatibility.md"), "utf8");

function rowsAfter(heading: string): string[][] {
  const [, part = ""] = page.split(`\n${heading}\n\n`);
  const [table = ""] = part.split("\n\n");
  const cells = (line: string) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim());
  return table.split("\n").slice(2).map(cells);
}

const bare = (cell = "") => cell.replace(/^≈ /, "").replaceAll("`", "").replace("(nothing)", "");
/** What a cell says a package does, given what is right. */
const said = (cell: string | undefined, right: string) => (cell === "=" ? right : bare(cell));

/** In hex, or as text; "refused" if it throws. */
function told(run: () => unknown): string {
  try {
    const result = run();
    return result instanceof Uint8Array ? Buffer.from(result).toString("hex") : String(result);
  } catch {
    return "refused";
  }
}

const isHalf = (hex: string) => hex.length % 2 === 1;
const hexOnly = (hex: string) => (/^[0-9a-f]*$/.test(hex) ? hex : "refused");

function valueOf(type: string, cell = ""): unknown {
  const value: unknown = JSON.parse(bare(cell));
  return typeof value === "string" && /(?:u64|i64|Big\w+)>?$/.test(type) ? BigInt(value) : value;
}

/** connect takes bytes as bytes, and sdk-node as text. */
function inConnect(value: unknown, type: string, isPart: boolean) {
  const bytes = !isPart && type === "bytes" ? Buffer.from(value as string) : value;
  return told(() => encodeByType(bytes, type, kleverAbi, isPart));
}

const routerTarget = { contract: "router", address: router } as const;
const payment = { tokenId: "KLV", units: 1n };

/** The bot's last argument, which has this type. */
function ours(value: unknown, type: string): string {
  const inputs: Readonly<Record<string, () => ContractCall>> = {
    u64: () =>
      contractCall({ contract: "simpleLock", address: lock }, "lockTokens", { unlock_epoch: value as bigint }, [
        payment,
      ]),
    BigUint: () => {
      const hop = { pair_address: pair, function: "swapTokensFixedInput", token_wanted: "KFI" } as const;
      const swap_operations = [{ ...hop, amount_wanted: value as bigint }];
      return contractCall(routerTarget, "multiPairSwap", { swap_operations }, [payment]);
    },
    bytes: () => {
      const names = { lp_token_display_name: "x", lp_token_ticker: value as string };
      return contractCall(routerTarget, "issueLpToken", { pair_address: pair, ...names });
    },
    TokenIdentifier: () =>
      contractCall(routerTarget, "createPair", { first_token_id: "KFI", second_token_id: value as string }),
    Address: () => contractCall(routerTarget, "setLocalRoles", { pair_address: value as Address }),
  };
  const call = inputs[type];
  return told(() => call && callData(call()).split("@").at(-1));
}

describe("as an argument", () => {
  const rows = rowsAfter("As an argument:");
  it("has every row", () => expect(rows.length).toBe(29));

  test.each(rows)("%s %s", (type = "", cell, rightCell, sdk, connect, bot) => {
    const name = bare(type);
    const [value, right] = [valueOf(name, cell), bare(rightCell)];
    expect(hexOnly(told(() => abiEncoder.encodeABIValue(value, name, false)))).toBe(said(sdk, right));
    expect(inConnect(value, name, false)).toBe(said(connect, right));
    if (bot !== "–") expect(ours(value, name)).toBe(said(bot, right));
    if (/^(?:[ui]64|Big\w+)$/.test(name)) {
      const read = numberIn(right, name);
      expect(read).toBe(value);
      for (const other of [(sdk = ""), (connect = "")].filter((each) => each.startsWith("≈"))) {
        expect(numberIn(bare(other), name)).toBe(value);
      }
    }
  });
});

/** As the codec reads a number at the top: signed ones in two's complement of as many bytes as there are. */
function numberIn(hex: string, type: string): bigint {
  if (hex === "" || isHalf(hex)) return 0n;
  const number = BigInt(`0x${hex}`);
  return /^(?:i64|BigInt)$/.test(type) ? BigInt.asIntN(4 * hex.length, number) : number;
}

describe("as a part of others", () => {
  const rows = rowsAfter("As a part of others:");
  it("has every row", () => expect(rows.length).toBe(12));

  test.each(rows)("%s %s", (type = "", cell, rightCell, sdk, connect) => {
    const name = bare(type);
    const [value, right] = [valueOf(name, cell), bare(rightCell)];
    expect(told(() => abiEncoder.encodeABIValue(value, name, true))).toBe(said(sdk, right));
    expect(inConnect(value, name, true)).toBe(said(connect, right));
  });
});

describe("of results", () => {
  const rows = rowsAfter("Of results:");
  it("has every row", () => expect(rows.length).toBe(10));

  test.each(rows)("%s %s", (type = "", cell, rightCell, sdk, connect, bot) => {
    const [name, hex, right] = [bare(type), bare(cell), bare(rightCell)];
    expect(told(() => abiDecoder.decodeValue(hex, name))).toBe(said(sdk, right));
    const theirs = () => decodeByType(Buffer.from(hex, "hex"), name, kleverAbi, 0, false).value;
    expect(told(theirs)).toBe(said(connect, right));
    if (bot === "–") return;
    const read = () =>
      name === "u64"
        ? decodeOutputs("pair", "getTotalFeePercent", [hex], "hex")
        : decodeOutputs("pair", "getReservesAndTotalSupply", [hex, hex, hex], "hex");
    expect(told(() => read()[0])).toBe(said(bot, right));
  });
});

describe("amounts as text", () => {
  const rows = rowsAfter("Amounts as text, by `parseUnits` of `@klever/connect` 0.1.6, and by Swapdesk:");
  it("has every row", () => expect(rows.length).toBe(9));

  test.each(rows)("%s with %s decimals", (cell, decimals, rightCell, connect, bot) => {
    const [text, precision, right] = [JSON.parse(bare(cell)) as string, Number(decimals), bare(rightCell)];
    expect(told(() => parseUnits(text, precision))).toBe(said(connect, right));
    const token = { id: "TOKEN-1A2B", name: "", precision, kind: "fungible" } as const;
    expect(told(() => parseAmount(text, token).units)).toBe(said(bot, right));
  });
});

test.each([[[""]], [["é €"]], [["a", "", "b"]], [["x".repeat(200)]], [[]]])("notes %j are hashed the same", (notes) => {
  const Sender = Buffer.from(addressToBytes(account)).toString("base64");
  const Data = notes.map((note) => Buffer.from(note).toString("base64"));
  const raw = { Sender, Contract: [], Data, Version: 1n, ChainID: Buffer.from("108").toString("base64") };
  const theirs = new SdkTransaction({
    Sender: addressToBytes(account),
    Data: notes.map((note) => Buffer.from(note)),
    Contract: [],
    Version: 1,
    ChainID: Buffer.from("108"),
  });
  const hash = theirs.computeHash();
  expect(ConnectTransaction.fromObject({ RawData: { ...raw, Version: 1 } }).getHash()).toBe(hash);
  expect(transactionHash(raw)).toBe(hash);
});
