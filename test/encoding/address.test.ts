import { describe, expect, test } from "vitest";
import {
  addressFromBytes,
  addressToBytes,
  isDeployedContract,
  parseAccountAddress,
  parseAddress,
  parseContractAddress,
  shortAddress,
} from "../../src/encoding/address.js";
import { faultOf } from "./fault-of.js";
import { account, accountHex, pair } from "./samples.js";

/** Recomputed from klever-go-sdk `core/address`, docs.defi.bitcoin.me and klever-connect's own tests. */
const golden: readonly [hex: string, text: string, kind: "account" | "contract" | "undeployed"][] = [
  [
    "0123456789101112131415191718192021222324252627282930313233343536",
    "klv1qy352eufzqg3yyc5z5v3wxqeyqsjygeyy5nzw2pfxqcnyve5x5mqfrkqfg",
    "account",
  ],
  [
    "00000000000000000500b7b4a14e4567a64b122ee61b8717ae11e210809ac3e6",
    "klv1qqqqqqqqqqqqqpgqk762znj9v7nyky3wucdcw9awz83ppqy6c0nqhe2qaz",
    "contract",
  ],
  [
    "000000000000000005002e8ba478ded59c31ddea4f6f3a8c39dd5942d167c3e6",
    "klv1qqqqqqqqqqqqqpgq9696g7x76kwrrh02fahn4rpem4v595t8c0nqgxzpmu",
    "contract",
  ],
  [
    "00000000000000000500a302543b85e2013415cab7a83fa72d758fc34a6cc3e6",
    "klv1qqqqqqqqqqqqqpgq5vp9gwu9ugqng9w2k75rlfedwk8uxjnvc0nqeqmkm2",
    "contract",
  ],
  [
    "00000000000000000500be7df4523eec044654e60f2e0baa44b18a7d3a6d2c54",
    "klv1qqqqqqqqqqqqqpgqhe7lg537aszyv48xpuhqh2jykx986wnd932qrd2478",
    "contract",
  ],
  [accountHex, "klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy", "account"],
  [
    "485d212a35410fdef731419f9380a9a2984d885388a807c297d3c2cb2c467cde",
    "klv1fpwjz234gy8aaae3gx0e8q9f52vymzzn3z5q0s5h60pvktzx0n0qwvtux5",
    "account",
  ],
  [
    "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29",
    "klv18d4z00xwk6jz6c4r4rgz5mcdwdjny9thrh3y8f36cpy2rz6emg5scllvd2",
    "account",
  ],
  // Byte 8 is not 5: a contract to the virtual machine, but not a deployed one.
  [
    `000000000000000001${"00".repeat(23)}`,
    "klv1qqqqqqqqqqqqqqgqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqdtr49",
    "undeployed",
  ],
  // Not deployed either: byte 9 is not 0.
  [
    `00000000000000000501${"00".repeat(22)}`,
    "klv1qqqqqqqqqqqqqpgpqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqk39wrg",
    "undeployed",
  ],
];

describe("golden vectors", () => {
  test.each(golden)("%s is %s (%s)", (hex, text, kind) => {
    const address = parseAddress(text);
    expect(address).toBe(text);
    expect(Buffer.from(addressToBytes(address)).toString("hex")).toBe(hex);
    expect(addressFromBytes(Buffer.from(hex, "hex"))).toBe(text);
    const account = () => parseAccountAddress(text);
    if (kind === "account") expect(account()).toBe(text);
    else expect(faultOf(account)).toBe("address-is-contract");
    expect(isDeployedContract(address)).toBe(kind === "contract");
  });

  test.each([
    ["a wrong checksum", "klv1qy352eufzqg3yyc5z5v3wxqeyqsjygeyy5nzw2pfxqcnyve5x5mqfrkqfh", "address-invalid"],
    ["another chain", "kfi1qy352eufzqg3yyc5z5v3wxqeyqsjygeyy5nzw2pfxqcnyve5x5mq7ze5xk", "address-wrong-chain"],
    ["Ethereum", "0x52908400098527886E0F7030069857D2E4169EE7", "address-wrong-chain"],
    ["bad padding", "klv1d05ju9jaj6u99zph0ant9jjv3jkq", "address-invalid"],
    ["three bytes", "klv1xqcrqt6vdma", "address-invalid"],
    ["a short one with a wrong checksum", "klv1d05ju9jaj6u99zph0ant9jh7gksg", "address-invalid"],
    // It matches every simple pattern, and Klever's own tests use it as a mock.
    [
      "the right shape, a wrong checksum",
      "klv1qqqqqqqqqqqqqpgqfzydpd30f6gy0ylqvgr5wgk3qhkxfms6z8vspns0pz",
      "address-invalid",
    ],
    ["the zero address", "klv1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpgm89z", "address-zero"],
    ["mixed case", "klv1Usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy", "address-invalid"],
    ["nothing", "", "address-invalid"],
    ["a name", "alice", "address-invalid"],
    ["white space inside", "klv1usdnywjhrlv4tcyu6stxpl6yv hplg35nepljlt4y5r7yppe8er4qujlazy", "address-invalid"],
    ["a page of text", "klv1".repeat(500), "address-invalid"],
  ])("%s is refused", (_, text, code) => {
    expect(faultOf(() => parseAddress(text))).toBe(code);
  });
});

describe("what a user types", () => {
  test("surrounding white space is dropped, and capitals are lowered", () => {
    expect(parseAddress(` ${account.toUpperCase()}\n`)).toBe(account);
  });

  test("an account is not accepted as a contract, nor a contract as an account", () => {
    expect(parseAccountAddress(account)).toBe(account);
    expect(parseContractAddress(pair)).toBe(pair);
    expect(faultOf(() => parseAccountAddress(pair))).toBe("address-is-contract");
    expect(faultOf(() => parseContractAddress(account))).toBe("address-not-contract");
    const undeployed = golden.flatMap(([, text, kind]) => (kind === "undeployed" ? [text] : []));
    expect(undeployed.map((text) => faultOf(() => parseAccountAddress(text)))).toEqual([
      "address-is-contract",
      "address-is-contract",
    ]);
    expect(undeployed.map((text) => faultOf(() => parseContractAddress(text)))).toEqual([
      "address-not-contract",
      "address-not-contract",
    ]);
  });

  test("a fault quotes at most 70 characters of it", () => {
    expect(() => parseAddress("x".repeat(71))).toThrow(`"${"x".repeat(70)}…"`);
    expect(() => parseAddress("x".repeat(70))).toThrow(`"${"x".repeat(70)}"`);
  });
});

test("only 32 bytes that are not all zero become an address", () => {
  expect(faultOf(() => addressFromBytes(new Uint8Array(31).fill(1)))).toBe("answer-unreadable");
  expect(faultOf(() => addressFromBytes(new Uint8Array(33).fill(1)))).toBe("answer-unreadable");
  expect(faultOf(() => addressFromBytes(new Uint8Array(32)))).toBe("address-zero");
});

test("a short form keeps the beginning and the end", () => {
  expect(shortAddress(account)).toBe("klv1usdny…ujlazy");
});
