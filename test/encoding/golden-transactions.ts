import { addressToBytes } from "../../src/encoding/address.js";
import type { NetworkFees, RawData } from "../../src/encoding/transaction.js";
import { contractCall, type ContractCall } from "../../src/encoding/call.js";
import { account, lock, pair, pairHex } from "./samples.js";

/** The private key of {@link account}: a published test key, at m/44'/690'/0'/0'/0' of "abandon … about". */
export const accountKeyHex = "8734062c1158f26a3ca8a4a0da87b527a7c168653f7f4c77045e5cf571497d9d";

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

/** A contract call of {@link account} on chain 109 with the fees of the published samples. */
export function callOf(nonce: bigint, bandwidthFee: bigint, contractHex: string, data: string): RawData & NetworkFees {
  return {
    ...(nonce > 0n && { Nonce: nonce }),
    Sender: base64(addressToBytes(account)),
    Contract: [
      {
        Type: 63n,
        Parameter: {
          type_url: "type.googleapis.com/proto.SmartContract",
          value: base64(Buffer.from(contractHex, "hex")),
        },
      },
    ],
    Data: [base64(Buffer.from(data, "utf8"))],
    KAppFee: 2_000_000n,
    BandwidthFee: bandwidthFee,
    Version: 1n,
    ChainID: base64(Buffer.from("109", "utf8")),
  };
}

export const swapContractHex =
  "122000000000000000000500b7b4a14e4567a64b122ee61b8717ae11e210809ac3e61a0c0a034b4c5612050880c2d72f";
export const swapData =
  "swap@e41b323a571fd955e09cd41660ff4465c3f44693c87f2faea4a0fc408727c8ea@03e8@4b4c56@4b4649@075bcd15";
/** Swaps 100 KLV at the sample pair. */
export const swapTransaction = callOf(7n, 4_000_000n, swapContractHex, swapData);
export const swapHash = "370bc9ef7405fb70a6f3d184e9bafeab259848518b099774c4aa1b5cfa1394cf";

const liquidityData = "addInitialLiquidity";
const klvFirst =
  "122000000000000000000500b7b4a14e4567a64b122ee61b8717ae11e210809ac3e61a0c0a034b4c5612050880c2d72f1a120a0844564b2d33345a4812060880f28ba809";
const dvkFirst =
  "122000000000000000000500b7b4a14e4567a64b122ee61b8717ae11e210809ac3e61a120a0844564b2d33345a4812060880f28ba8091a0c0a034b4c5612050880c2d72f";

const klv = { tokenId: "KLV", units: 100_000_000n };
const dvk = { tokenId: "DVK-34ZH", units: 2_500_000_000n };
export const swapCall = contractCall(
  { contract: "referral", address: pair },
  "swap",
  {
    referral_address: account,
    referral_percentage: 1000n,
    token_in: "KLV",
    token_out: "KFI",
    amount_out_min: 123456789n,
  },
  [klv],
);
export const liquidityCall = contractCall({ contract: "pair", address: pair }, "addInitialLiquidity", {}, [klv, dvk]);
const locking = { contract: "simpleLock", address: lock } as const;

type Golden = readonly [what: string, raw: RawData & NetworkFees, hash: string, signature: string, call: ContractCall];

/** Contract calls as transactions, with the hash of each and the signature of {@link accountKeyHex} over it. */
export const goldenCalls: readonly Golden[] = [
  [
    "a swap",
    swapTransaction,
    swapHash,
    "nyN3hDNjoqSaWlRFnaU5pVR037J/IWEdJeQMH9TcSESS7WAuMMtIYcyD7QdcYt7AjEc9JD6efXd4GKZt9ZDQAQ==",
    swapCall,
  ],
  [
    "a swap with nonce 0, which is left out",
    callOf(0n, 4_000_000n, swapContractHex, swapData),
    "3942733ea5ebede9b9939f4c5b4e67ca356d3cba4c5bc1261e0f3bbd6723fbd6",
    "aW/wBvw4fkI+dqeiuN7euUJbu+M/jYrYPCh5qClCNxfECe7qbGzLYF85ikEqXl4ad14Ai8w8dee4gsdiYsfmAg==",
    swapCall,
  ],
  [
    "first liquidity, KLV first",
    callOf(8n, 3_500_000n, klvFirst, liquidityData),
    "41f3115f52ad3c3c5e5259ebab99f35677681ef2d10e5109c900301a9d7672e6",
    "RrLd4KwEbQNP3XomHOloPirL74WZ1X/s68UAUfXbQYj7MFVdqhpPzaG+BK+lyg76VG8XBc1K329u5YMDqFRQAQ==",
    liquidityCall,
  ],
  [
    "first liquidity, KLV second: the same meaning, another hash",
    callOf(8n, 3_500_000n, dvkFirst, liquidityData),
    "d52623b5bdd78b1a355bee5deff52e5aff9bfccc1e61462838d440c3fb27f2d1",
    "RCQZ39Xvmo/qyN+NcNFByAXMoGg7Af3e637hVogFDlf36Ne2IwEt1bT8Mx5wUz6tvR9ZH+1mP19I80xaQs1/CA==",
    { ...liquidityCall, payments: [dvk, klv] },
  ],
  [
    "a lock",
    callOf(
      9n,
      3_500_000n,
      "1220000000000000000005002e8ba478ded59c31ddea4f6f3a8c39dd5942d167c3e61a150a0d4b46494b4c564c502d32474331120408c0843d",
      "lockTokens@64",
    ),
    "92d04a2441529c8112fe1f43edce08ea76b55687305ef2544524c00947d2868a",
    "kp0b6eoaht2tMd2yJaaS+Ff1LP3A8yuUatpLge251nexpx5Z0nLtkzUuS6WmPf2ozupDQzx1IkMUrcOVkaHvCw==",
    contractCall(locking, "lockTokens", { unlock_epoch: 100n }, [{ tokenId: "KFIKLVLP-2GC1", units: 1_000_000n }]),
  ],
  [
    "an unlock",
    callOf(
      10n,
      3_500_000n,
      "1220000000000000000005002e8ba478ded59c31ddea4f6f3a8c39dd5942d167c3e61a150a0d4c4f434b45442d314132422f31120408c0843d",
      "unlockTokens",
    ),
    "7b0b379cc2f1cfb5485f6d98f8747ca8ca250dfa28adeb1bb15a16fcfc124dca",
    "E9fDtl5lWcOA0EH5vJ6GOBrHeo+slfE12ykXafdHVn21X2N+C8vmV1H/r2JU0Cg4odyU2MH+tKJlrXrc5Sd3BQ==",
    contractCall(locking, "unlockTokens", {}, [{ tokenId: "LOCKED-1A2B", nonce: 1n, units: 1_000_000n }]),
  ],
  [
    "a call without payment",
    callOf(
      11n,
      3_500_000n,
      "122000000000000000000500b7b4a14e4567a64b122ee61b8717ae11e210809ac3e6",
      `setSwapEnabledByUser@${pairHex}`,
    ),
    "fa0b6f54f34ac1556e90721f72663f5992a260e13986cda2e54779abe566850c",
    "za7HWh/j+QizETufRNJa4JNwBhHqjVukixzJ9iojplG0hCSD8C9PGP7k+MnXEUgJSgAZByJqfV9AXWYE2HjMDw==",
    {
      contract: "router",
      address: pair,
      function: "setSwapEnabledByUser",
      inputs: { pair_address: pair },
      payments: [],
    },
  ],
];
