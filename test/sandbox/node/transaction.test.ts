import { describe, expect, it } from "vitest";
import { bytesOf, readAddress } from "../../../sandbox/chain/address.js";
import { addressOfKey, isSignedBy, sign } from "../../../sandbox/node/key.js";
import {
  decodeSmartContract,
  encodeRaw,
  encodeSmartContract,
  hashOf,
  readJson,
  writeJson,
  type RawData,
} from "../../../sandbox/node/transaction.js";
import { alice, keys } from "./real-node.js";
import { transfer, transferOfTwo } from "../../vectors/transactions.js";

const pair = bytesOf(readAddress("klv1qqqqqqqqqqqqqpgqk762znj9v7nyky3wucdcw9awz83ppqy6c0nqhe2qaz"));
const lock = bytesOf(readAddress("klv1qqqqqqqqqqqqqpgq9696g7x76kwrrh02fahn4rpem4v595t8c0nqgxzpmu"));
const base64 = (text: string) => Buffer.from(text).toString("base64");

interface Golden {
  readonly nonce: bigint;
  readonly contract: Buffer;
  readonly data: string;
  readonly bandwidthFee: bigint;
  readonly value: string;
  readonly hash: string;
  readonly signature: string;
}

/** Transactions of key #1, with hashes and signatures made by Klever's own libraries. */
const swap = {
  contract: pair,
  data: `swap@${bytesOf(alice).toString("hex")}@03e8@4b4c56@4b4649@075bcd15`,
  bandwidthFee: 4_000_000n,
  value: "122000000000000000000500b7b4a14e4567a64b122ee61b8717ae11e210809ac3e61a0c0a034b4c5612050880c2d72f",
};
const deposit = { nonce: 8n, contract: pair, data: "addInitialLiquidity", bandwidthFee: 3_500_000n };
const goldens: readonly (readonly [string, Golden])[] = [
  [
    "a swap",
    {
      ...swap,
      nonce: 7n,
      hash: "370bc9ef7405fb70a6f3d184e9bafeab259848518b099774c4aa1b5cfa1394cf",
      signature: "nyN3hDNjoqSaWlRFnaU5pVR037J/IWEdJeQMH9TcSESS7WAuMMtIYcyD7QdcYt7AjEc9JD6efXd4GKZt9ZDQAQ==",
    },
  ],
  [
    "nonce 0, which is left out",
    {
      ...swap,
      nonce: 0n,
      hash: "3942733ea5ebede9b9939f4c5b4e67ca356d3cba4c5bc1261e0f3bbd6723fbd6",
      signature: "aW/wBvw4fkI+dqeiuN7euUJbu+M/jYrYPCh5qClCNxfECe7qbGzLYF85ikEqXl4ad14Ai8w8dee4gsdiYsfmAg==",
    },
  ],
  [
    "two payments",
    {
      ...deposit,
      value:
        "122000000000000000000500b7b4a14e4567a64b122ee61b8717ae11e210809ac3e61a0c0a034b4c5612050880c2d72f1a120a0844564b2d33345a4812060880f28ba809",
      hash: "41f3115f52ad3c3c5e5259ebab99f35677681ef2d10e5109c900301a9d7672e6",
      signature: "RrLd4KwEbQNP3XomHOloPirL74WZ1X/s68UAUfXbQYj7MFVdqhpPzaG+BK+lyg76VG8XBc1K329u5YMDqFRQAQ==",
    },
  ],
  [
    "the same payments in the other order: another hash",
    {
      ...deposit,
      value:
        "122000000000000000000500b7b4a14e4567a64b122ee61b8717ae11e210809ac3e61a120a0844564b2d33345a4812060880f28ba8091a0c0a034b4c5612050880c2d72f",
      hash: "d52623b5bdd78b1a355bee5deff52e5aff9bfccc1e61462838d440c3fb27f2d1",
      signature: "RCQZ39Xvmo/qyN+NcNFByAXMoGg7Af3e637hVogFDlf36Ne2IwEt1bT8Mx5wUz6tvR9ZH+1mP19I80xaQs1/CA==",
    },
  ],
  [
    "a lock",
    {
      nonce: 9n,
      contract: lock,
      data: "lockTokens@64",
      bandwidthFee: 3_500_000n,
      value:
        "1220000000000000000005002e8ba478ded59c31ddea4f6f3a8c39dd5942d167c3e61a150a0d4b46494b4c564c502d32474331120408c0843d",
      hash: "92d04a2441529c8112fe1f43edce08ea76b55687305ef2544524c00947d2868a",
      signature: "kp0b6eoaht2tMd2yJaaS+Ff1LP3A8yuUatpLge251nexpx5Z0nLtkzUuS6WmPf2ozupDQzx1IkMUrcOVkaHvCw==",
    },
  ],
  [
    "an unlock",
    {
      nonce: 10n,
      contract: lock,
      data: "unlockTokens",
      bandwidthFee: 3_500_000n,
      value:
        "1220000000000000000005002e8ba478ded59c31ddea4f6f3a8c39dd5942d167c3e61a150a0d4c4f434b45442d314132422f31120408c0843d",
      hash: "7b0b379cc2f1cfb5485f6d98f8747ca8ca250dfa28adeb1bb15a16fcfc124dca",
      signature: "E9fDtl5lWcOA0EH5vJ6GOBrHeo+slfE12ykXafdHVn21X2N+C8vmV1H/r2JU0Cg4odyU2MH+tKJlrXrc5Sd3BQ==",
    },
  ],
  [
    "a call without payment",
    {
      nonce: 11n,
      contract: pair,
      data: `setSwapEnabledByUser@${pair.toString("hex")}`,
      bandwidthFee: 3_500_000n,
      value: "122000000000000000000500b7b4a14e4567a64b122ee61b8717ae11e210809ac3e6",
      hash: "fa0b6f54f34ac1556e90721f72663f5992a260e13986cda2e54779abe566850c",
      signature: "za7HWh/j+QizETufRNJa4JNwBhHqjVukixzJ9iojplG0hCSD8C9PGP7k+MnXEUgJSgAZByJqfV9AXWYE2HjMDw==",
    },
  ],
];

function rawOf({ nonce, value, data, bandwidthFee }: Golden): RawData {
  return {
    Nonce: nonce,
    Sender: bytesOf(alice).toString("base64"),
    Contract: [
      {
        Type: 63n,
        Parameter: {
          type_url: "type.googleapis.com/proto.SmartContract",
          value: Buffer.from(value, "hex").toString("base64"),
        },
      },
    ],
    Data: [base64(data)],
    KAppFee: 2_000_000n,
    BandwidthFee: bandwidthFee,
    Version: 1n,
    ChainID: base64("109"),
  };
}

describe("a transaction", () => {
  it.each(goldens)("has the hash and the signature of Klever's libraries: %s", (_, golden) => {
    const hash = hashOf(rawOf(golden));
    expect(hash.toString("hex")).toBe(golden.hash);
    const signature = sign(keys.alice, hash);
    expect(signature.toString("base64")).toBe(golden.signature);
    expect(isSignedBy(alice, hash, signature)).toBe(true);
    signature.writeUInt8(signature.readUInt8(9) ^ 1, 9);
    expect(isSignedBy(alice, hash, signature)).toBe(false);
  });

  it("has a parameter with contract and payments, which keep their order", () => {
    for (const [, { contract, value }] of goldens) {
      const bytes = Buffer.from(value, "hex").toString("base64");
      const call = decodeSmartContract(bytes);
      expect(call.Address).toBe(contract.toString("base64"));
      expect(encodeSmartContract(call)).toBe(bytes);
    }
  });

  it("is hashed as kos-rs hashes a transfer", () => {
    expect(encodeRaw(transfer.raw).toString("hex")).toMatch(/^08271220e41b323a.*820106313030343230$/);
    expect(hashOf(transfer.raw).toString("hex")).toBe(transfer.hash);
  });

  it("with two signers has the hash in Klever's documentation, and both signatures are valid", () => {
    const hash = hashOf(transferOfTwo.raw);
    expect(hash.toString("hex")).toBe(transferOfTwo.hash);
    const signed = {
      klv1kvl993g53ktvyg5675etu3c5hzyd7hxu75y8kathev6wazpe2tgqxu7xhv:
        "MjztYUmxAYJr6BQRLvlYj5NPkQKhbViXVgqJ31cBnfKV76B69ZZQ61lyMnGGS7Be1UJgm0BvI1wKdSHVT8roDw==",
      klv1nk2v6udpmv6v8hhp9eyp99v68zrgzd95c2u6zt799qm7de4vfnjqnngs8x:
        "i9AIua688ler+Cgs8E6uZALZds3Dtp4UZOO0nTxzSQH2XG0z/fXVHO4e+0N4LJyv/1j3utKAetmTekUSVX1/DQ==",
    };
    for (const [signer, signature] of Object.entries(signed)) {
      expect(isSignedBy(readAddress(signer), hash, Buffer.from(signature, "base64"))).toBe(true);
    }
  });

  it("keeps every digit of its numbers in JSON", () => {
    const text = '{"Nonce":18446744073709551615,"KAppFee":-9223372036854775808}';
    expect(writeJson(readJson(text))).toBe(text);
  });

  it("has the well-known addresses of its keys", () => {
    expect(addressOfKey(keys.alice)).toBe("klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy");
    expect(addressOfKey("00".repeat(32))).toBe("klv18d4z00xwk6jz6c4r4rgz5mcdwdjny9thrh3y8f36cpy2rz6emg5scllvd2");
  });
});
