import { decodeByType, encodeByType } from "@klever/connect-contracts";
import { bech32 } from "bech32";
import { describe, expect } from "vitest";
import { addressFromBytes, addressToBytes, parseAddress, type Address } from "../../src/encoding/address.js";
import { callData, contractCall } from "../../src/encoding/call.js";
import { decodeOutputs } from "../../src/encoding/result.js";
import { nested } from "./nested.js";
import { account, kleverAbi, lock, router } from "./samples.js";
import { fc, property } from "../support/property.js";

/** Compared with independent code: `bech32` for addresses, Klever's own `@klever/connect-contracts` for arguments. */

const theirs = (value: unknown, type: string): string =>
  Buffer.from(encodeByType(value, type, kleverAbi)).toString("hex");

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((bytes) => bytes.some((byte) => byte !== 0));
const addresses = bytes32.map((bytes) => addressFromBytes(bytes));
const tokenIds = fc.constantFrom("KLV", "KFI", "DVK-34ZH", "KFIKLVLP-2GC1");
const u64 = fc.oneof(fc.bigInt(0n, 300n), fc.bigInt(0n, 2n ** 64n - 1n));
const bigUint = fc.oneof(fc.bigInt(1n, 300n), fc.bigInt(1n, 2n ** 256n - 1n));

describe("addresses", () => {
  property("as text", [bytes32], (bytes) => {
    expect(addressFromBytes(bytes)).toBe(bech32.encode("klv", bech32.toWords(bytes)));
  });

  property("as bytes", [addresses], (address) => {
    expect([...addressToBytes(address)]).toEqual(bech32.fromWords(bech32.decode(address).words));
    expect(Buffer.from(addressToBytes(address)).toString("hex")).toBe(theirs(address, "Address"));
  });

  property(
    "the same texts are refused",
    [addresses, fc.nat(61), fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 })],
    (address, position, character) => {
      const text = address.slice(0, position) + character + address.slice(position + 1);
      fc.pre(text.trim() === text);
      const accepts = (read: () => unknown): boolean => {
        try {
          read();
          return true;
        } catch {
          return false;
        }
      };
      expect(accepts(() => parseAddress(text))).toBe(
        accepts(() => {
          const { prefix, words } = bech32.decode(text);
          if (prefix !== "klv" || bech32.fromWords(words).length !== 32) throw new Error("not of this chain");
        }),
      );
    },
  );
});

describe("call data", () => {
  property(
    "swap",
    [addresses, fc.bigInt(100n, 5000n), tokenIds, tokenIds, bigUint, fc.option(addresses)],
    (referrer, percentage, tokenIn, tokenOut, minimum, destination) => {
      const call = contractCall(
        { contract: "referral", address: lock },
        "swap",
        {
          referral_address: referrer,
          referral_percentage: percentage,
          token_in: tokenIn,
          token_out: tokenOut,
          amount_out_min: minimum,
          ...(destination !== null && { amount_out_destination: destination }),
        },
        [{ tokenId: tokenIn, units: 1n }],
      );
      expect(callData(call).split("@")).toEqual([
        "swap",
        theirs(referrer, "Address"),
        theirs(Number(percentage), "u32"),
        theirs(tokenIn, "TokenIdentifier"),
        theirs(tokenOut, "TokenIdentifier"),
        theirs(minimum, "BigUint"),
        ...(destination === null ? [] : [theirs(destination, "Address")]),
      ]);
    },
  );

  const operations = fc.record({
    pair_address: addresses,
    function: fc.constantFrom("swapTokensFixedInput" as const, "swapTokensFixedOutput" as const),
    token_wanted: tokenIds,
    amount_wanted: bigUint,
  });

  property("multiPairSwap", [fc.array(operations, { minLength: 1, maxLength: 4 })], (swapOperations) => {
    const call = contractCall(
      { contract: "router", address: router },
      "multiPairSwap",
      { swap_operations: swapOperations },
      [{ tokenId: "KLV", units: 1n }],
    );
    expect(callData(call).split("@").slice(1)).toEqual(
      swapOperations.flatMap((operation) => [
        theirs(operation.pair_address, "Address"),
        theirs(operation.function, "String"),
        theirs(operation.token_wanted, "TokenIdentifier"),
        theirs(operation.amount_wanted, "BigUint"),
      ]),
    );
  });

  property("lockTokens", [u64], (epoch) => {
    const inputs = { unlock_epoch: epoch, opt_destination: account };
    const call = contractCall({ contract: "simpleLock", address: lock }, "lockTokens", inputs, [
      { tokenId: "KLV", units: 1n },
    ]);
    expect(callData(call)).toBe(`lockTokens@${theirs(epoch, "u64")}@${theirs(account, "Address")}`);
  });
});

describe("results", () => {
  property("a payment", [tokenIds, u64, fc.oneof(fc.constant(0n), bigUint)], (tokenId, nonce, units) => {
    const written = theirs({ token_identifier: tokenId, token_nonce: nonce, amount: units }, "KdaTokenPayment");
    const payment = nonce === 0n ? { tokenId, units } : { tokenId, nonce, units };
    expect(decodeOutputs("simpleLock", "lockTokens", [written], "hex")).toEqual([payment]);
    // Klever's decoder reads what these tests' own encoder writes.
    expect(decodeByType(Buffer.from(nested.payment(payment), "hex"), "KdaTokenPayment", kleverAbi).value).toEqual({
      token_identifier: tokenId,
      token_nonce: nonce,
      amount: units,
    });
  });

  property("an address", [addresses], (address: Address) => {
    expect(decodeOutputs("router", "createPair", [theirs(address, "Address")], "hex")).toEqual([address]);
  });
});
