import { describe, expect, test } from "vitest";
import { callData, contractCall, wireBody, type ContractCall } from "../../src/encoding/call.js";
import { account, accountHex, lock, otherAccount, pair, pairHex, router, secondPair } from "./samples.js";

/**
 * The body of every function of the documented interface (docs.defi.bitcoin.me/smart-contracts), character by character,
 * and the data of the same call in a real transaction (klever-go `cmd/operator/scDataHandle.go`).
 */
const referralContract = { contract: "referral", address: lock } as const;
const routerContract = { contract: "router", address: router } as const;
const lockContract = { contract: "simpleLock", address: lock } as const;

const swapInputs = {
  referral_address: account,
  referral_percentage: 1000n,
  token_in: "KLV",
  token_out: "KFI",
  amount_out_min: 123456789n,
};
const klv = (units: bigint) => ({ tokenId: "KLV", units });
const lockedToken = { tokenId: "LKTOK-1A2B", nonce: 7n, units: 5_000_000n };

const fixedInput = "swapTokensFixedInput";
const fixedOutput = "swapTokensFixedOutput";
const fixedInputHex = "73776170546f6b656e734669786564496e707574";
const fixedOutputHex = "73776170546f6b656e7346697865644f7574707574";
const secondPairHex = "00000000000000000500a302543b85e2013415cab7a83fa72d758fc34a6cc3e6";
const hops = [
  { pair_address: pair, function: fixedInput, token_wanted: "KFI", amount_wanted: 123456789n },
  { pair_address: secondPair, function: fixedOutput, token_wanted: "DVK-34ZH", amount_wanted: 256n },
  { pair_address: pair, function: fixedOutput, token_wanted: "KLV", amount_wanted: 1n },
  { pair_address: secondPair, function: fixedInput, token_wanted: "BTC-9K3F", amount_wanted: 2n ** 64n },
] as const;
const hopArgs = [
  [`"address:${pair}"`, '"string:swapTokensFixedInput"', '"string:KFI"', '"BigUint:123456789"'],
  [`"address:${secondPair}"`, '"string:swapTokensFixedOutput"', '"string:DVK-34ZH"', '"BigUint:256"'],
  [`"address:${pair}"`, '"string:swapTokensFixedOutput"', '"string:KLV"', '"BigUint:1"'],
  [`"address:${secondPair}"`, '"string:swapTokensFixedInput"', '"string:BTC-9K3F"', '"BigUint:18446744073709551616"'],
];
const hopData = [
  `${pairHex}@${fixedInputHex}@4b4649@075bcd15`,
  `${secondPairHex}@${fixedOutputHex}@44564b2d33345a48@0100`,
  `${pairHex}@${fixedOutputHex}@4b4c56@01`,
  `${secondPairHex}@${fixedInputHex}@4254432d394b3346@010000000000000000`,
];

const cases: readonly [name: string, call: ContractCall, body: string, data: string][] = [
  [
    "swap without a destination",
    contractCall(referralContract, "swap", swapInputs, [klv(100_000_000n)]),
    `{"scAddress":"${lock}","funcName":"swap","args":["address:${account}","u64:1000","string:KLV","string:KFI","BigUint:123456789"],"value":"KLV=100000000"}`,
    `swap@${accountHex}@03e8@4b4c56@4b4649@075bcd15`,
  ],
  [
    "swap with a destination",
    contractCall(referralContract, "swap", { ...swapInputs, amount_out_destination: otherAccount }, [
      klv(100_000_000n),
    ]),
    `{"scAddress":"${lock}","funcName":"swap","args":["address:${account}","u64:1000","string:KLV","string:KFI","BigUint:123456789","address:${otherAccount}"],"value":"KLV=100000000"}`,
    `swap@${accountHex}@03e8@4b4c56@4b4649@075bcd15@485d212a35410fdef731419f9380a9a2984d885388a807c297d3c2cb2c467cde`,
  ],
  [
    "getRouterAddress",
    contractCall(referralContract, "getRouterAddress", {}),
    `{"scAddress":"${lock}","funcName":"getRouterAddress","args":[]}`,
    "getRouterAddress",
  ],
  [
    "createPair",
    contractCall(routerContract, "createPair", { first_token_id: "KLV", second_token_id: "KFI" }),
    `{"scAddress":"${router}","funcName":"createPair","args":["string:KLV","string:KFI"]}`,
    "createPair@4b4c56@4b4649",
  ],
  [
    "issueLpToken",
    contractCall(routerContract, "issueLpToken", {
      pair_address: pair,
      lp_token_display_name: "KFIKLVLP",
      lp_token_ticker: "KFIKLVLP",
    }),
    `{"scAddress":"${router}","funcName":"issueLpToken","args":["address:${pair}","string:KFIKLVLP","string:KFIKLVLP"]}`,
    `issueLpToken@${pairHex}@4b46494b4c564c50@4b46494b4c564c50`,
  ],
  [
    "setSwapEnabledByUser",
    contractCall(routerContract, "setSwapEnabledByUser", { pair_address: pair }, [lockedToken]),
    `{"scAddress":"${router}","funcName":"setSwapEnabledByUser","args":["address:${pair}"],"value":"LKTOK-1A2B/7=5000000"}`,
    `setSwapEnabledByUser@${pairHex}`,
  ],
  ...[1, 2, 3, 4].map((count): [string, ContractCall, string, string] => [
    `multiPairSwap over ${count} pairs`,
    contractCall(routerContract, "multiPairSwap", { swap_operations: hops.slice(0, count) }, [klv(1_000n)]),
    `{"scAddress":"${router}","funcName":"multiPairSwap","args":[${hopArgs.slice(0, count).flat().join(",")}],"value":"KLV=1000"}`,
    `multiPairSwap@${hopData.slice(0, count).join("@")}`,
  ]),
  [
    "lockTokens without a destination",
    contractCall(lockContract, "lockTokens", { unlock_epoch: 100n }, [{ tokenId: "KFIKLVLP-2GC1", units: 1_000_000n }]),
    `{"scAddress":"${lock}","funcName":"lockTokens","args":["u64:100"],"value":"KFIKLVLP-2GC1=1000000"}`,
    "lockTokens@64",
  ],
  [
    "lockTokens with a destination",
    contractCall(lockContract, "lockTokens", { unlock_epoch: 5417n, opt_destination: account }, [lockedToken]),
    `{"scAddress":"${lock}","funcName":"lockTokens","args":["u64:5417","address:${account}"],"value":"LKTOK-1A2B/7=5000000"}`,
    `lockTokens@1529@${accountHex}`,
  ],
  [
    "unlockTokens without a destination",
    contractCall(lockContract, "unlockTokens", {}, [lockedToken]),
    `{"scAddress":"${lock}","funcName":"unlockTokens","args":[],"value":"LKTOK-1A2B/7=5000000"}`,
    "unlockTokens",
  ],
  [
    "unlockTokens with a destination",
    contractCall(lockContract, "unlockTokens", { opt_destination: account }, [lockedToken]),
    `{"scAddress":"${lock}","funcName":"unlockTokens","args":["address:${account}"],"value":"LKTOK-1A2B/7=5000000"}`,
    `unlockTokens@${accountHex}`,
  ],
];

describe.each(cases)("%s", (_, call, body, data) => {
  test("as the documented body", () => {
    expect(JSON.stringify(wireBody(call))).toBe(body);
  });

  test("as the data of a transaction", () => {
    expect(callData(call)).toBe(data);
  });
});

test("the body names the caller only if there is one", () => {
  const call = contractCall(lockContract, "unlockTokens", {}, [lockedToken]);
  expect(JSON.stringify(wireBody(call, account))).toBe(
    `{"scAddress":"${lock}","funcName":"unlockTokens","args":[],"value":"LKTOK-1A2B/7=5000000","caller":"${account}"}`,
  );
});
