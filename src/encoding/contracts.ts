/**
 * The contracts as data: every function that Swapdesk may call, and no other. The types of `encodeCall` and of the decoder
 * are inferred from here, so a new contract function is one new entry.
 *
 * Sources: referral, router, simple lock and their wire prefixes as published at docs.defi.bitcoin.me/smart-contracts;
 * the pair and the read-only views as in multiversx/mx-exchange-sc, from which the suite was ported.
 */

export type InputType = "Address" | "u32" | "u64" | "BigUint" | "TokenIdentifier" | "bytes";
export type WirePrefix = "address" | "u64" | "string" | "BigUint";

export interface Input {
  /** As the contract's ABI names it. */
  readonly name: string;
  readonly type: InputType;
  readonly prefix: WirePrefix;
  /** An optional input is left out when it has no value. Only the last ones can be. */
  readonly optional?: true;
  /** Bounds beyond those of the type, both included. */
  readonly minimum?: bigint;
  readonly maximum?: bigint;
  /** The only texts that the contract takes here. */
  readonly oneOf?: readonly string[];
}

export type OutputType =
  | "Address"
  | "Option<Address>"
  | "BigUint"
  | "u64"
  | "TokenIdentifier"
  | "State"
  | "KdaTokenPayment"
  | "List<KdaTokenPayment>"
  | "PairContractMetadata"
  | "EnableSwapByUserConfig";

/**
 * What may be sent along. `any`: one payment of any asset; `fungible`: one without nonce; `semi-fungible`: one with a
 * nonce; `pool-pair`: one of the pair's first token and one of its second.
 */
export type PaymentRule = "none" | "any" | "fungible" | "semi-fungible" | "pool-pair";

export interface FunctionDeclaration<Output extends string = OutputType> {
  readonly mutability: "mutable" | "readonly";
  readonly payment: PaymentRule;
  readonly inputs: readonly Input[];
  /** A group of inputs that is repeated, at least once, after the others. */
  readonly variadic?: { readonly name: string; readonly group: readonly Input[] };
  /** One entry of `returnData` each. */
  readonly outputs: readonly Output[];
  /** The type of each entry where their number is not fixed. */
  readonly variadicOutput?: Output;
}

const view = { mutability: "readonly", payment: "none" } as const;
const pairAddress = { name: "pair_address", type: "Address", prefix: "address" } as const;
const firstToken = { name: "first_token_id", type: "TokenIdentifier", prefix: "string" } as const;
const secondToken = { name: "second_token_id", type: "TokenIdentifier", prefix: "string" } as const;
const minimumOf = <Name extends string>(name: Name) =>
  ({ name, type: "BigUint", prefix: "BigUint", minimum: 1n }) as const;
const optionalDestination = <Name extends string>(name: Name) =>
  ({ name, type: "Address", prefix: "address", optional: true }) as const;

export const contracts = {
  referral: {
    swap: {
      mutability: "mutable",
      payment: "any",
      inputs: [
        { name: "referral_address", type: "Address", prefix: "address" },
        { name: "referral_percentage", type: "u32", prefix: "u64", minimum: 100n, maximum: 5000n },
        { name: "token_in", type: "TokenIdentifier", prefix: "string" },
        { name: "token_out", type: "TokenIdentifier", prefix: "string" },
        // Zero would be a swap without protection.
        minimumOf("amount_out_min"),
        optionalDestination("amount_out_destination"),
      ],
      // The ABI declares none; the documented answer carries the referral amount and the user's amount.
      outputs: ["BigUint", "BigUint"],
    },
    getRouterAddress: { ...view, inputs: [], outputs: ["Address"] },
  },

  router: {
    createPair: { mutability: "mutable", payment: "none", inputs: [firstToken, secondToken], outputs: ["Address"] },
    issueLpToken: {
      mutability: "mutable",
      payment: "none",
      inputs: [
        pairAddress,
        { name: "lp_token_display_name", type: "bytes", prefix: "string" },
        { name: "lp_token_ticker", type: "bytes", prefix: "string" },
      ],
      outputs: [],
    },
    setLocalRoles: { mutability: "mutable", payment: "none", inputs: [pairAddress], outputs: [] },
    setSwapEnabledByUser: { mutability: "mutable", payment: "semi-fungible", inputs: [pairAddress], outputs: [] },
    multiPairSwap: {
      mutability: "mutable",
      payment: "fungible",
      inputs: [],
      variadic: {
        name: "swap_operations",
        group: [
          pairAddress,
          {
            name: "function",
            type: "bytes",
            prefix: "string",
            oneOf: ["swapTokensFixedInput", "swapTokensFixedOutput"],
          },
          { name: "token_wanted", type: "TokenIdentifier", prefix: "string" },
          minimumOf("amount_wanted"),
        ],
      },
      outputs: ["List<KdaTokenPayment>"],
    },
    getPair: { ...view, inputs: [firstToken, secondToken], outputs: ["Address"] },
    getAllPairContractMetadata: { ...view, inputs: [], outputs: [], variadicOutput: "PairContractMetadata" },
    getCommonTokensForUserPairs: { ...view, inputs: [], outputs: [], variadicOutput: "TokenIdentifier" },
    getEnableSwapByUserConfig: {
      ...view,
      inputs: [{ name: "token_id", type: "TokenIdentifier", prefix: "string" }],
      outputs: ["EnableSwapByUserConfig"],
    },
  },

  simpleLock: {
    lockTokens: {
      mutability: "mutable",
      payment: "any",
      inputs: [{ name: "unlock_epoch", type: "u64", prefix: "u64" }, optionalDestination("opt_destination")],
      outputs: ["KdaTokenPayment"],
    },
    unlockTokens: {
      mutability: "mutable",
      payment: "semi-fungible",
      inputs: [optionalDestination("opt_destination")],
      outputs: ["KdaTokenPayment"],
    },
    getLockedTokenId: { ...view, inputs: [], outputs: ["TokenIdentifier"] },
  },

  pair: {
    addInitialLiquidity: {
      mutability: "mutable",
      payment: "pool-pair",
      inputs: [],
      outputs: ["KdaTokenPayment", "KdaTokenPayment", "KdaTokenPayment"],
    },
    getReservesAndTotalSupply: { ...view, inputs: [], outputs: ["BigUint", "BigUint", "BigUint"] },
    getFirstTokenId: { ...view, inputs: [], outputs: ["TokenIdentifier"] },
    getLpTokenIdentifier: { ...view, inputs: [], outputs: ["TokenIdentifier"] },
    getTotalFeePercent: { ...view, inputs: [], outputs: ["u64"] },
    getState: { ...view, inputs: [], outputs: ["State"] },
    // The reference spells it so.
    getInitialLiquidtyAdder: { ...view, inputs: [], outputs: ["Option<Address>"] },
  },
} as const satisfies Record<string, Record<string, FunctionDeclaration>>;

export type ContractName = keyof typeof contracts;
export type FunctionName<Contract extends ContractName> = keyof (typeof contracts)[Contract] & string;

/** The declaration of a contract's function as plain data, or undefined where there is none. */
export function declarationOf(contract: ContractName, functionName: string): FunctionDeclaration | undefined {
  const functions: Record<string, FunctionDeclaration> = contracts[contract];
  return Object.hasOwn(functions, functionName) ? functions[functionName] : undefined;
}
