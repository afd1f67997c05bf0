import { describe, expect, it, test } from "vitest";
import { parseAddress } from "../../../src/encoding/address.js";
import { contractCall } from "../../../src/encoding/call.js";
import { readRawData, writeRawData, type RawData } from "../../../src/encoding/transaction.js";
import { isFault } from "../../../src/fault.js";
import { checkTransaction, type Expected } from "../../../src/services/wallet-gateway/check.js";
import { isSignatureOf } from "../../../src/services/wallet-gateway/signature.js";
import {
  accountKeyHex,
  goldenCalls,
  swapContractHex,
  swapHash,
  swapTransaction,
} from "../../encoding/golden-transactions.js";
import { signHash } from "../../support/signer.js";
import { account, otherAccount, pair, router } from "../../encoding/samples.js";

const expected: Expected = {
  call: contractCall(
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
  ),
  sender: account,
  nonce: 7n,
  chainId: "109",
  hash: swapHash,
};

/** What keeps the transaction from being offered: the field that differs, or that it cannot be read. */
function refusalOf(raw: () => RawData): string | undefined {
  try {
    checkTransaction(raw(), expected);
  } catch (error) {
    if (isFault(error, "transaction-altered")) return error.parameters.field;
    if (isFault(error, "transaction-unreadable")) return "unreadable";
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
        Type: change.Type ?? contract!.Type,
        Parameter: {
          type_url: change.type_url ?? contract!.Parameter!.type_url,
          value: change.hex === undefined ? contract!.Parameter!.value : new Uint8Array(Buffer.from(change.hex, "hex")),
        },
      },
    ],
  });
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, "utf8"));

  it("is offered when it says what the card says", () => {
    expect(refusalOf(() => swapTransaction)).toBeUndefined();
    expect(refusalOf(() => withContract({ type_url: "" }))).toBe("txHash");
  });

  test.each<[field: string, what: string, raw: RawData]>([
    ["Contract", "no contract", { ...swapTransaction, Contract: [] }],
    ["Contract", "two contracts", { ...swapTransaction, Contract: [contract!, contract!] }],
    [
      "Contract",
      "a contract that does nothing",
      { ...swapTransaction, Contract: [{ Type: 63n, Parameter: undefined }] },
    ],
    ["Type", "a transfer", withContract({ Type: 0n })],
    ["Type", "another type's name", withContract({ type_url: "type.googleapis.com/proto.TransferContract" })],
    ["SCType", "a deployment", withContract({ hex: `0801${swapContractHex}` })],
    ["Address", "another contract", withContract({ hex: swapContractHex.replace("b7b4a14e", "b7b4a14f") })],
    ["CallValue", "more", withContract({ hex: swapContractHex.replace("80c2d72f", "81c2d72f") })],
    ["CallValue", "another asset", withContract({ hex: swapContractHex.replace("4b4c56", "4b4649") })],
    ["CallValue", "a second asset", withContract({ hex: `${swapContractHex}1a090a034b464912020801` })],
    ["CallValue", "nothing", withContract({ hex: swapContractHex.slice(0, 68) })],
    [
      "Royalties",
      "royalties",
      withContract({ hex: swapContractHex.replace("1a0c0a034b4c561205", "1a0e0a034b4c561207").concat("1005") }),
    ],
    ["Data", "another minimum", { ...swapTransaction, Data: [bytes("swap@00")] }],
    ["Data", "no data", { ...swapTransaction, Data: [] }],
    ["Data", "more data", { ...swapTransaction, Data: [...swapTransaction.Data, bytes("@00")] }],
    ["Sender", "another sender", { ...swapTransaction, Sender: bytes("e41b") }],
    ["Nonce", "another nonce", { ...swapTransaction, Nonce: 8n }],
    ["ChainID", "another chain", { ...swapTransaction, ChainID: bytes("108") }],
    ["Version", "another version", { ...swapTransaction, Version: 2n }],
    ["PermissionID", "a permission", { ...swapTransaction, PermissionID: 1n }],
    ["txHash", "another fee than the hash was made of", { ...swapTransaction, KAppFee: 2_000_001n }],
    ["KDAFee", "a fee in a token", { ...swapTransaction, KDAFee: { KDA: bytes("KFI"), Amount: 1n } }],
  ])("is refused for %s: %s", (field, _what, raw) => {
    expect(refusalOf(() => raw)).toBe(field);
  });

  it("is refused whichever single bit of it changes", () => {
    const original = writeRawData(swapTransaction);
    for (let bit = 0; bit < original.length * 8; bit += 1) {
      const changed = Uint8Array.from(original);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(
        refusalOf(() => readRawData(changed)),
        `bit ${bit}`,
      ).toBeDefined();
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
