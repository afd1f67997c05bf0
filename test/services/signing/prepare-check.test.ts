import { blake2b } from "@noble/hashes/blake2.js";
import { describe, expect, it, test } from "vitest";
import { parseAddress } from "../../../src/encoding/address.js";
import { bytesOf, transactionHash, isSignatureOf } from "../../../src/encoding/transaction.js";
import { isFault } from "../../../src/fault.js";
import type { Built, ChainNode } from "../../../src/services/signing/chain-node.js";
import { checkedTransaction, prepareTransaction } from "../../../src/services/signing/prepare.js";
import {
  accountKeyHex,
  goldenCalls,
  liquidityCall,
  swapCall,
  swapHash,
  swapTransaction,
} from "../../encoding/golden-transactions.js";
import { signHash } from "../../support/signer.js";
import { account, otherAccount, router } from "../../encoding/samples.js";

const of = { sender: account, nonce: 7n, chainId: "109" };
const altered = "00".repeat(32);

/** Returns the differing field for which the transaction is refused. */
function refusalOf(raw: Built["raw"], hash: string): string | undefined {
  try {
    checkedTransaction({ raw, hash }, swapCall, of);
  } catch (error) {
    if (isFault(error, "transaction-altered")) return error.parameters.field;
    throw error;
  }
  return undefined;
}

describe("a transaction built by the node", () => {
  const base64 = (bytes: string) => Buffer.from(bytes).toString("base64");
  const { Contract, Data = [] } = swapTransaction;
  const { Type, Parameter } = Contract[0]!;

  it("is accepted if it equals the one built here from the card", () => {
    expect(checkedTransaction({ raw: swapTransaction, hash: swapHash }, swapCall, of)).toEqual(swapTransaction);
    const nameless = { ...swapTransaction, Contract: [{ Type: 63n, Parameter: { ...Parameter, type_url: "" } }] };
    expect(checkedTransaction({ raw: nameless, hash: transactionHash(nameless) }, swapCall, of)).toEqual(nameless);
  });

  it("may list payments in any order, and is signed as the node listed them", () => {
    const [, , first, second] = goldenCalls;
    for (const [, raw, hash] of [first!, second!]) {
      expect(checkedTransaction({ raw, hash }, liquidityCall, { ...of, nonce: 8n })).toEqual(raw);
    }
  });

  test.each<[field: string, change: object]>([
    ["Contract", { Contract: [] }],
    ["Contract", { Contract: [...Contract, ...Contract] }],
    ["Contract", { Contract: [{ Type }] }],
    ["Contract", { Contract: [{ Type: 0n, Parameter }] }],
    ["Contract", { Contract: [{ Type, Parameter: { ...Parameter, value: base64("another") } }] }],
    ["Data", { Data: [base64("swap@00")] }],
    ["Data", { Data: [] }],
    ["Data", { Data: [...Data, base64("@00")] }],
    ["Sender", { Sender: base64("e41b") }],
    ["Nonce", { Nonce: 8n }],
    ["ChainID", { ChainID: base64("108") }],
    ["Version", { Version: 2n }],
    ["PermissionID", { PermissionID: 1n }],
    ["KDAFee", { KDAFee: { KDA: base64("KFI"), Amount: 1n } }],
    // The intended transaction with another hash.
    ["txHash", {}],
  ])("is refused for %s: %o", (field, change) => {
    expect(refusalOf({ ...swapTransaction, ...change }, altered)).toBe(field);
  });

  it("is refused if its fees aren't those in the hash", () => {
    expect(refusalOf({ ...swapTransaction, KAppFee: 2_000_001n }, swapHash)).toBe("txHash");
  });

  it("is refused if any single bit changes", () => {
    const original = bytesOf(swapTransaction);
    for (let bit = 0; bit < original.length * 8; bit += 1) {
      const changed = Uint8Array.from(original);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      const hash = Buffer.from(blake2b(changed, { dkLen: 32 })).toString("hex");
      expect(refusalOf(swapTransaction, hash), `bit ${bit}`).toBe("txHash");
    }
  });
});

/** Without the payments that the chain would put in another order. */
const carried = goldenCalls.filter(([, , , , { payments }]) => payments.length < 2 || payments[0]!.tokenId < "KLV");

test.each(carried)(
  "%s is prepared if the account has what it pays, and the fee in KLV, to the unit",
  async (...golden) => {
    const [_what, raw, hash, , call] = golden;
    const { Nonce: nonce = 0n, KAppFee, BandwidthFee } = raw;
    const inNative = call.payments.find(({ tokenId }) => tokenId === "KLV")?.units ?? 0n;
    const least = KAppFee + BandwidthFee + BandwidthFee / 20n;
    const prepared = (held: bigint) => {
      const balance = async (_: unknown, asset: string) => (asset === "KLV" ? held : 10n ** 10n);
      const node = {
        ...{ signsAlone: async () => true, nonce: async () => ({ nonce, txPending: 0n }), balance },
        build: async () => ({ raw, hash }),
      } satisfies Partial<ChainNode> as unknown as ChainNode;
      return prepareTransaction({ node, chainId: "109", maxNetworkFee: 10_000_000n }, call, account);
    };
    const { networkFee, raw: signed, hash: own } = await prepared(inNative + least + 50_000n);
    expect(networkFee.units).toBeGreaterThanOrEqual(least);
    expect(signed).toEqual({ ...raw, BandwidthFee: networkFee.units - KAppFee });
    expect(own).toBe(transactionHash(signed));
    await expect(prepared(inNative + least - 1n)).rejects.toMatchObject({ code: "funds-missing" });
  },
);

describe("a signature", () => {
  test.each(goldenCalls)("of %s is valid only for its sender and its hash", (_what, _raw, hash, signature) => {
    const signed = Buffer.from(signature, "base64").toString("hex");
    expect(Buffer.from(signHash(accountKeyHex, Buffer.from(hash, "hex"))).toString("base64")).toBe(signature);
    expect(isSignatureOf(account, hash, signed)).toBe(true);
    expect(isSignatureOf(otherAccount, hash, signed)).toBe(false);
    expect(isSignatureOf(account, `00${hash.slice(2)}`, signed)).toBe(false);
    expect(isSignatureOf(account, hash, signed.slice(2))).toBe(false);
    expect(isSignatureOf(account, hash, `${signed}00`)).toBe(false);
    expect(isSignatureOf(account, hash, "00".repeat(64))).toBe(false);
    // A contract's address isn't a key.
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
  ])("from a published example is valid for %s", (signer, signature) => {
    const hash = "bd51a21cb8c364f5b1cc20e44684fe1163bc0767a7051dcd34095d77d010bf5e";
    const signed = Buffer.from(signature, "base64").toString("hex");
    expect(isSignatureOf(parseAddress(signer), hash, signed)).toBe(true);
  });
});
