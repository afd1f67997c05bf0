import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { Address } from "../../src/encoding/address.js";
import { callData, callSchema, contractCall, wireBody } from "../../src/encoding/call.js";
import { contracts, declarationOf, type FunctionDeclaration, type InputsOf } from "../../src/encoding/contracts.js";
import { fromJson, toJson } from "../../src/store/store.js";
import { faultOf } from "./fault-of.js";
import { account, lock, pair, router } from "./samples.js";
import { fc, property } from "../support/property.js";

const referral = { contract: "referral", address: lock } as const;
const routerTarget = { contract: "router", address: router } as const;
const simpleLock = { contract: "simpleLock", address: lock } as const;
const pairTarget = { contract: "pair", address: pair } as const;

const swapInputs = {
  referral_address: account,
  referral_percentage: 1000n,
  token_in: "KLV",
  token_out: "KFI",
  amount_out_min: 1n,
};
const payment = { tokenId: "KLV", units: 1n };
const lockedToken = { tokenId: "LKTOK-1A2B", nonce: 1n, units: 1n };
const swap = (changes: object) => contractCall(referral, "swap", { ...swapInputs, ...changes }, [payment]);

/** The arguments in the form of the documented body. */
const argumentsOf = (...call: Parameters<typeof wireBody>) => wireBody(...call).args;

describe("numbers", () => {
  test.each([
    [0n, "00"],
    [128n, "80"],
    [255n, "ff"],
    [256n, "0100"],
    [2n ** 63n - 1n, "7fffffffffffffff"],
    [2n ** 64n - 1n, "ffffffffffffffff"],
    [2n ** 64n, "010000000000000000"],
    [2n ** 128n - 1n, "ff".repeat(16)],
    [2n ** 128n, `01${"00".repeat(16)}`],
  ])("%s is %s in a transaction", (value, hex) => {
    if (value > 0n)
      expect(
        callData(swap({ amount_out_min: value }))
          .split("@")
          .at(-1),
      ).toBe(hex);
    if (value >= 2n ** 64n) return;
    const call = contractCall(simpleLock, "lockTokens", { unlock_epoch: value }, [payment]);
    expect(callData(call)).toBe(`lockTokens@${hex}`);
  });

  test.each([
    ["referral_percentage", 99n],
    ["referral_percentage", 5001n],
    ["referral_percentage", -1n],
    ["amount_out_min", 0n],
    ["amount_out_min", -1n],
    ["amount_out_min", 2n ** 256n],
  ])("a swap with %s %s is refused", (name, value) => {
    expect(faultOf(() => swap({ [name]: value }))).toBe("value-out-of-range");
  });

  test("the bounds themselves are accepted", () => {
    expect(argumentsOf(swap({ referral_percentage: 100n }))[1]).toBe("u64:100");
    expect(argumentsOf(swap({ referral_percentage: 5000n, amount_out_min: 2n ** 256n - 1n })).slice(1)).toEqual([
      "u64:5000",
      "string:KLV",
      "string:KFI",
      `BigUint:${2n ** 256n - 1n}`,
    ]);
  });

  property("an epoch is sent as it is, or refused", [fc.bigInt(-(2n ** 70n), 2n ** 70n)], (epoch) => {
    const encode = () => contractCall(simpleLock, "lockTokens", { unlock_epoch: epoch }, [payment]);
    if (epoch < 0n || epoch >= 2n ** 64n) expect(faultOf(encode)).toBe("value-out-of-range");
    else {
      expect(argumentsOf(encode())).toEqual([`u64:${epoch}`]);
      expect(BigInt(`0x${callData(encode()).split("@")[1] ?? ""}`)).toBe(epoch);
    }
  });

  property("an amount is sent as it is, or refused", [fc.bigInt(-(2n ** 260n), 2n ** 260n)], (amount) => {
    const encode = () => swap({ amount_out_min: amount });
    if (amount < 1n || amount >= 2n ** 256n) expect(faultOf(encode)).toBe("value-out-of-range");
    else expect(argumentsOf(encode())[4]).toBe(`BigUint:${amount}`);
  });
});

describe("texts", () => {
  const issue = (name: string) =>
    contractCall(routerTarget, "issueLpToken", {
      pair_address: pair,
      lp_token_display_name: name,
      lp_token_ticker: "LP",
    });

  test("a text may contain the separators of both wire forms", () => {
    expect(argumentsOf(issue("a:b@c"))[1]).toBe("string:a:b@c");
    expect(callData(issue("a:b@c"))).toContain(`@${Buffer.from("a:b@c").toString("hex")}@`);
  });

  test.each(["", "a\nb", "é", "x".repeat(65)])("%j cannot be sent", (name) => {
    expect(faultOf(() => issue(name))).toBe("arguments-invalid");
  });

  test("a token id is checked", () => {
    expect(faultOf(() => swap({ token_in: "klv" }))).toBe("asset-invalid");
    expect(faultOf(() => swap({ token_out: `KFI@${"x".repeat(100)}` }))).toBe("asset-invalid");
  });

  test("a hop can name only swapTokensFixedInput or swapTokensFixedOutput", () => {
    const operation = { pair_address: pair, token_wanted: "KFI", amount_wanted: 1n };
    const encode = (name: string) =>
      contractCall(
        routerTarget,
        "multiPairSwap",
        { swap_operations: [{ ...operation, function: name as "swapTokensFixedInput" }] },
        [payment],
      );
    expect(argumentsOf(encode("swapTokensFixedOutput"))[1]).toBe("string:swapTokensFixedOutput");
    expect(faultOf(() => encode("swapNoFeeAndForward"))).toBe("arguments-invalid");
  });
});

describe("addresses", () => {
  test("are validated again", () => {
    const wrong = account.replace(/.$/, "q") as Address;
    expect(faultOf(() => swap({ referral_address: wrong }))).toBe("address-invalid");
    expect(faultOf(() => swap({ amount_out_destination: `klv1${"q".repeat(52)}pgm89z` }))).toBe("address-zero");
  });
});

describe("inputs that are missing or of the wrong kind", () => {
  test.each([
    ["an address", { referral_address: undefined }],
    ["a number", { referral_percentage: undefined }],
    ["a number, written as text", { referral_percentage: "1000" }],
    ["a floating-point number", { referral_percentage: 1000 }],
    ["a null in an optional place", { amount_out_destination: null }],
  ])("%s is refused", (_, changes) => {
    expect(faultOf(() => swap(changes))).toBe("arguments-invalid");
  });

  test("a number instead of an address is refused", () => {
    expect(faultOf(() => swap({ referral_address: 5n }))).toBe("value-out-of-range");
  });

  test("a route without hops is refused", () => {
    expect(faultOf(() => contractCall(routerTarget, "multiPairSwap", { swap_operations: [] }, [payment]))).toBe(
      "arguments-invalid",
    );
  });

  test("a function that the contract does not have is refused", () => {
    for (const name of ["withdraw", "toString", "__proto__"]) {
      expect(faultOf(() => contractCall(referral, name as "getRouterAddress", {}))).toBe("arguments-invalid");
      expect(declarationOf("referral", name)).toBeUndefined();
    }
  });
});

describe("payments", () => {
  test("must be as many as declared", () => {
    expect(faultOf(() => contractCall(referral, "swap", swapInputs))).toBe("arguments-invalid");
    expect(faultOf(() => contractCall(referral, "swap", swapInputs, [payment, payment]))).toBe("arguments-invalid");
    expect(faultOf(() => contractCall(referral, "getRouterAddress", {}, [payment]))).toBe("arguments-invalid");
    expect(faultOf(() => contractCall(pairTarget, "addInitialLiquidity", {}, [payment]))).toBe("arguments-invalid");
  });

  test("must be of the declared kind", () => {
    expect(faultOf(() => contractCall(simpleLock, "unlockTokens", {}, [payment]))).toBe("arguments-invalid");
    expect(
      faultOf(() =>
        contractCall(
          routerTarget,
          "multiPairSwap",
          {
            swap_operations: [
              { pair_address: pair, function: "swapTokensFixedInput", token_wanted: "KFI", amount_wanted: 1n },
            ],
          },
          [lockedToken],
        ),
      ),
    ).toBe("arguments-invalid");
    expect(faultOf(() => contractCall(pairTarget, "addInitialLiquidity", {}, [payment, lockedToken]))).toBe(
      "arguments-invalid",
    );
    expect(wireBody(contractCall(simpleLock, "lockTokens", { unlock_epoch: 1n }, [lockedToken])).value).toBe(
      "LKTOK-1A2B/1=1",
    );
  });

  test("for liquidity are two, in the pair's order", () => {
    const call = contractCall(pairTarget, "addInitialLiquidity", {}, [
      { tokenId: "KLV", units: 5n },
      { tokenId: "KFI", units: 7n },
    ]);
    expect(wireBody(call).value).toBe("KLV=5,KFI=7");
  });
});

describe("a stored call", () => {
  const hops = [
    { pair_address: pair, function: "swapTokensFixedInput", token_wanted: "KFI", amount_wanted: 1n },
  ] as const;
  const kept = (call: object): unknown => fromJson(toJson(call));

  test.each([
    swap({ amount_out_destination: account }),
    contractCall(routerTarget, "multiPairSwap", { swap_operations: hops }, [payment]),
    contractCall(simpleLock, "unlockTokens", {}, [lockedToken]),
  ])("$function reads back as it was written", (call) => {
    expect(callSchema.parse(kept(call))).toEqual(call);
  });

  test.each([
    ["of no contract", { contract: "token" }],
    ["to nobody", { address: "klv1" }],
    ["of another function", { function: "withdraw" }],
    ["without its inputs", { inputs: {} }],
    ["of a number that is a text", { inputs: { ...swapInputs, amount_out_min: "1" } }],
    ["that pays nothing", { payments: [] }],
    ["that pays less than a unit", { payments: [{ tokenId: "KLV", units: 0n }] }],
  ])("%s can't be read", (_, changes) => {
    expect(() => callSchema.parse(kept({ ...swap({}), ...changes }))).toThrow();
  });

  test("a route without hops can't be read", () => {
    const call = contractCall(routerTarget, "multiPairSwap", { swap_operations: hops }, [payment]);
    for (const inputs of [{}, { swap_operations: [] }, { swap_operations: "none" }]) {
      expect(() => callSchema.parse(kept({ ...call, inputs }))).toThrow();
    }
  });
});

describe("the declarations", () => {
  const all: [name: string, declaration: FunctionDeclaration][] = Object.entries(contracts).flatMap(
    ([contract, functions]) =>
      Object.entries<FunctionDeclaration>(functions).map(([name, declaration]): [string, FunctionDeclaration] => [
        `${contract}.${name}`,
        declaration,
      ]),
  );

  test("declare only what the bot calls", () => {
    const folder = join(import.meta.dirname, "../../src");
    const source = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith("contracts.ts"))
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join();
    const uncalled = all.filter(([name]) => !source.includes(`"${name.split(".")[1]}"`));
    expect(uncalled.map(([name]) => name)).toEqual([]);
  });

  test.each(all)("%s: only the last inputs are optional, and a view takes no payment", (_, declaration) => {
    const firstOptional = declaration.inputs.findIndex((input) => input.optional);
    if (firstOptional >= 0) {
      expect(declaration.inputs.slice(firstOptional).every((input) => input.optional)).toBe(true);
      expect(declaration.variadic).toBeUndefined();
    }
    if (declaration.mutability === "readonly") expect(declaration.payment).toBe("none");
  });
});

test("the types of the inputs come from the declarations", () => {
  expectTypeOf<InputsOf<"referral", "swap">>().toEqualTypeOf<{
    referral_address: Address;
    referral_percentage: bigint;
    token_in: string;
    token_out: string;
    amount_out_min: bigint;
    amount_out_destination?: Address | undefined;
  }>();
  expectTypeOf<InputsOf<"simpleLock", "unlockTokens">>().toEqualTypeOf<{ opt_destination?: Address | undefined }>();
  expectTypeOf<InputsOf<"router", "multiPairSwap">["swap_operations"][number]["function"]>().toEqualTypeOf<
    "swapTokensFixedInput" | "swapTokensFixedOutput"
  >();
  expectTypeOf(wrongCalls).toBeFunction();
});

/** Never called: only the compiler checks it. */
function wrongCalls(): void {
  // @ts-expect-error The router has no function of that name.
  contractCall(routerTarget, "swap", swapInputs, [payment]);
  // @ts-expect-error An input is missing.
  contractCall(routerTarget, "createPair", { first_token_id: "KLV" });
  // @ts-expect-error An epoch is a bigint.
  contractCall(simpleLock, "lockTokens", { unlock_epoch: 100 }, [payment]);
  // @ts-expect-error A string is not a validated address.
  contractCall(simpleLock, "unlockTokens", { opt_destination: "klv1…" }, [lockedToken]);
  // @ts-expect-error There is no such input.
  contractCall(simpleLock, "unlockTokens", { destination: account }, [lockedToken]);
}
