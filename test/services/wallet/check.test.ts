import { blake2b } from "@noble/hashes/blake2.js";
import { describe, expect, it, test } from "vitest";
import { parseAddress } from "../../../src/encoding/address.js";
import { contractCall } from "../../../src/encoding/call.js";
import { bytesOf, hashOf, type RawData, isSignatureOf } from "../../../src/encoding/transaction.js";
import { isFault } from "../../../src/fault.js";
import { checkedTransaction } from "../../../src/services/wallet/prepare.js";
import {
  accountKeyHex,
  goldenCalls,
  swapContractHex,
  swapHash,
  swapTransaction,
} from "../../encoding/golden-transactions.js";
import { signHash } from "../../support/signer.js";
import { account, otherAccount, pair, router } from "../../encoding/samples.js";

const call = contractCall(
  { contract: "referral", address: pair },
  "swap",
  {
    referral_address: account,
    referral_percentage: 1000n,
    token_in: "KLV",
    token_out: "KFI",
    amount_out_min: 123456789n,
  },
  [{ tokenId: "KLV", units: 100_000_000n }],
);
const fees = { KAppFee: 2_000_000n, BandwidthFee: 4_000_000n };
const of = { sender: account, nonce: 7n, chainId: "109" };
const altered = "00".repeat(32);

/** What keeps the transaction from being offered: the field that differs. */
function refusalOf(raw: object, hash: string, paid = fees): string | undefined {
  try {
    checkedTransaction({ raw: { ...raw }, fees: paid, hash }, call, of);
  } catch (error) {
    if (isFault(error, "transaction-altered")) return error.parameters.field;
    throw error;
  }
  return undefined;
}

describe("a transaction that the node built", () => {
  const [contract] = swapTransaction.Contract;
  const withContract = (change: { Type?: bigint; type_url?: string; hex?: string }): RawData => ({
    ...swapTransaction,
    Contract: [
      {
        Type: change.Type ?? contract!.Type!,
        Parameter: {
          type_url: change.type_url ?? contract!.Parameter.type_url,
          value: change.hex === undefined ? contract!.Parameter.value : base64(Buffer.from(change.hex, "hex")),
        },
      },
    ],
  });
  const base64 = (bytes: string | Buffer) => Buffer.from(bytes).toString("base64");

  it("is the one that was built here, when it says what the card says", () => {
    expect(checkedTransaction({ raw: swapTransaction, fees, hash: swapHash }, call, of)).toEqual(swapTransaction);
    const nameless = withContract({ type_url: "" });
    expect(checkedTransaction({ raw: nameless, fees, hash: hashOf(nameless) }, call, of)).toEqual(nameless);
  });

  it("may list payments in any order, and is signed as the node listed them", () => {
    const [, , first, second] = goldenCalls as readonly (readonly [string, RawData, string, string])[];
    const liquidity = contractCall({ contract: "pair", address: pair }, "addInitialLiquidity", {}, [
      { tokenId: "KLV", units: 100_000_000n },
      { tokenId: "DVK-34ZH", units: 2_500_000_000n },
    ]);
    const paid = { KAppFee: 2_000_000n, BandwidthFee: 3_500_000n };
    for (const [, raw, hash] of [first!, second!]) {
      expect(checkedTransaction({ raw, fees: paid, hash }, liquidity, { ...of, nonce: 8n })).toEqual(raw);
    }
  });

  test.each<[field: string, what: string, raw: object]>([
    ["Contract", "no contract", { ...swapTransaction, Contract: [] }],
    ["Contract", "two contracts", { ...swapTransaction, Contract: [contract!, contract!] }],
    ["Contract", "a contract that does nothing", { ...swapTransaction, Contract: [{ Type: 63n }] }],
    ["Contract", "a transfer", withContract({ Type: 0n })],
    ["Contract", "another type's name", withContract({ type_url: "type.googleapis.com/proto.TransferContract" })],
    ["Contract", "a deployment", withContract({ hex: `0801${swapContractHex}` })],
    ["Contract", "another contract", withContract({ hex: swapContractHex.replace("b7b4a14e", "b7b4a14f") })],
    ["Contract", "more", withContract({ hex: swapContractHex.replace("80c2d72f", "81c2d72f") })],
    ["Contract", "another asset", withContract({ hex: swapContractHex.replace("4b4c56", "4b4649") })],
    ["Contract", "a second asset", withContract({ hex: `${swapContractHex}1a090a034b464912020801` })],
    ["Contract", "nothing", withContract({ hex: swapContractHex.slice(0, 68) })],
    [
      "Contract",
      "royalties",
      withContract({ hex: swapContractHex.replace("1a0c0a034b4c561205", "1a0e0a034b4c561207").concat("1005") }),
    ],
    ["Data", "another minimum", { ...swapTransaction, Data: [base64("swap@00")] }],
    ["Data", "no data", { ...swapTransaction, Data: [] }],
    ["Data", "more data", { ...swapTransaction, Data: [...swapTransaction.Data!, base64("@00")] }],
    ["Sender", "another sender", { ...swapTransaction, Sender: base64("e41b") }],
    ["Nonce", "another nonce", { ...swapTransaction, Nonce: 8n }],
    ["ChainID", "another chain", { ...swapTransaction, ChainID: base64("108") }],
    ["Version", "another version", { ...swapTransaction, Version: 2n }],
    ["PermissionID", "a permission", { ...swapTransaction, PermissionID: 1n }],
    ["KDAFee", "a fee in a token", { ...swapTransaction, KDAFee: { KDA: base64("KFI"), Amount: 1n } }],
    ["txHash", "another hash beside what was meant", swapTransaction],
  ])("is refused for %s: %s", (field, _what, raw) => {
    expect(refusalOf(raw, altered)).toBe(field);
  });

  it("is refused for other fees than the hash was made of", () => {
    expect(refusalOf({ ...swapTransaction, KAppFee: 2_000_001n }, swapHash, { ...fees, KAppFee: 2_000_001n })).toBe(
      "txHash",
    );
  });

  it("is refused whichever single bit of it changes", () => {
    const original = bytesOf(swapTransaction);
    for (let bit = 0; bit < original.length * 8; bit += 1) {
      const changed = Uint8Array.from(original);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      const hash = Buffer.from(blake2b(changed, { dkLen: 32 })).toString("hex");
      expect(refusalOf(swapTransaction, hash), `bit ${bit}`).toBe("txHash");
    }
  });
});

describe("a signature", () => {
  test.each(goldenCalls)("of %s counts for its sender and its hash alone", (_what, _raw, hash, signature) => {
    const signed = Buffer.from(signature, "base64").toString("hex");
    expect(Buffer.from(signHash(accountKeyHex, Buffer.from(hash, "hex"))).toString("base64")).toBe(signature);
    expect(isSignatureOf(account, hash, signed)).toBe(true);
    expect(isSignatureOf(otherAccount, hash, signed)).toBe(false);
    expect(isSignatureOf(account, `00${hash.slice(2)}`, signed)).toBe(false);
    expect(isSignatureOf(account, hash, signed.slice(2))).toBe(false);
    expect(isSignatureOf(account, hash, `${signed}00`)).toBe(false);
    expect(isSignatureOf(account, hash, "00".repeat(64))).toBe(false);
    // A contract's address is no key at all.
    expect(isSignatureOf(router, hash, signed)).toBe(false);
  });

  test.each([
    [
      "klv1kvl993g53ktvyg5675etu3c5hzyd7hxu75y8kathev6wazpe2tgqxu7xhv",
      "MjztYUmxAYJr6BQRLvlYj5NPkQKhbViXVgqJ31cBnfKV76B69ZZQ61lyMnGGS7Be1UJgm0BvI1wKdSHVT8roDw==",
    ],
    [
      "klv1nk2v6udpmv6v8hhp9eyp99v68zrgzd95c2u6zt799qm7de4vfnjqnngs8x",
      "i9AIua688ler+Cgs8E6uZALZds3Dtp4UZOO0nTxzSQH2XG0z/fXVHO4e+0N4LJyv/1j3utKAetmTekUSVX1/DQ==",
    ],
  ])("that was published counts for %s", (signer, signature) => {
    const hash = "bd51a21cb8c364f5b1cc20e44684fe1163bc0767a7051dcd34095d77d010bf5e";
    const signed = Buffer.from(signature, "base64").toString("hex");
    expect(isSignatureOf(parseAddress(signer), hash, signed)).toBe(true);
  });
});
