import type { Address } from "./address.js";

/**
 * The contracts as data: every function that Swapdesk may call, and no other. Sources:
 * docs.defi.bitcoin.me/smart-contracts; for the pair and the read-only views multiversx/mx-exchange-sc, from which the
 * contracts were ported.
 */

/** Prefixes of values in the documented body, by type. */
export const wirePrefixes = {
  Address: "address",
  u32: "u64",
  u64: "u64",
  BigUint: "BigUint",
  TokenIdentifier: "string",
  bytes: "string",
} as const;
export type InputType = keyof typeof wirePrefixes;

export interface Input {
  readonly name: string;
  readonly type: InputType;
  /** Omitted if it has no value. Only trailing inputs can be optional. */
  readonly optional?: true;
  readonly minimum?: bigint;
  readonly maximum?: bigint;
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

export interface FunctionDeclaration<Output extends string = OutputType> {
  readonly mutability: "mutable" | "readonly";
  /**
   * `any`: one payment of any asset; `fungible`: one without nonce; `semi-fungible`: one with a nonce; `pool-pair`: one
   * of each of the pair's tokens.
   */
  readonly payment: "none" | "any" | "fungible" | "semi-fungible" | "pool-pair";
  readonly inputs: readonly Input[];
  readonly variadic?: { readonly name: string; readonly group: readonly Input[] };
  /** One per entry of `returnData`. */
  readonly outputs: readonly Output[];
  /** The type of every entry if their number varies. */
  readonly variadicOutput?: Output;
}

const address = <Name extends string>(name: Name) => ({ name, type: "Address" }) as const;
const destination = <Name extends string>(name: Name) => ({ ...address(name), optional: true }) as const;
const tokenInput = <Name extends string>(name: Name) => ({ name, type: "TokenIdentifier" }) as const;
const bytesInput = <Name extends string>(name: Name) => ({ name, type: "bytes" }) as const;
/** A minimum of zero would leave the trade unprotected. */
const minimum = <Name extends string>(name: Name) => ({ name, type: "BigUint", minimum: 1n }) as const;

const pairAddress = address("pair_address");
const pairTokens = [tokenInput("first_token_id"), tokenInput("second_token_id")] as const;

const changing = { mutability: "mutable", payment: "none", inputs: [], outputs: [] } as const;
const view = { mutability: "readonly", payment: "none", inputs: [], outputs: [] } as const;

export const contracts = {
  referral: {
    swap: {
      ...changing,
      payment: "any",
      inputs: [
        address("referral_address"),
        { name: "referral_percentage", type: "u32", minimum: 100n, maximum: 5000n },
        tokenInput("token_in"),
        tokenInput("token_out"),
        minimum("amount_out_min"),
        destination("amount_out_destination"),
      ],
      // The ABI declares none; the documented answer has the referral amount and the user's amount.
      outputs: ["BigUint", "BigUint"],
    },
    getRouterAddress: { ...view, outputs: ["Address"] },
  },

  router: {
    createPair: { ...changing, inputs: pairTokens, outputs: ["Address"] },
    issueLpToken: {
      ...changing,
      inputs: [pairAddress, bytesInput("lp_token_display_name"), bytesInput("lp_token_ticker")],
    },
    setLocalRoles: { ...changing, inputs: [pairAddress] },
    setSwapEnabledByUser: { ...changing, payment: "semi-fungible", inputs: [pairAddress] },
    multiPairSwap: {
      ...changing,
      payment: "fungible",
      variadic: {
        name: "swap_operations",
        group: [
          pairAddress,
          { ...bytesInput("function"), oneOf: ["swapTokensFixedInput", "swapTokensFixedOutput"] },
          tokenInput("token_wanted"),
          minimum("amount_wanted"),
        ],
      },
      outputs: ["List<KdaTokenPayment>"],
    },
    getPair: { ...view, inputs: pairTokens, outputs: ["Address"] },
    getAllPairContractMetadata: { ...view, variadicOutput: "PairContractMetadata" },
    getCommonTokensForUserPairs: { ...view, variadicOutput: "TokenIdentifier" },
    getEnableSwapByUserConfig: { ...view, inputs: [tokenInput("token_id")], outputs: ["EnableSwapByUserConfig"] },
  },

  simpleLock: {
    lockTokens: {
      ...changing,
      payment: "any",
      inputs: [{ name: "unlock_epoch", type: "u64" }, destination("opt_destination")],
      outputs: ["KdaTokenPayment"],
    },
    unlockTokens: {
      ...changing,
      payment: "semi-fungible",
      inputs: [destination("opt_destination")],
      outputs: ["KdaTokenPayment"],
    },
    getLockedTokenId: { ...view, outputs: ["TokenIdentifier"] },
  },

  pair: {
    addInitialLiquidity: {
      ...changing,
      payment: "pool-pair",
      outputs: ["KdaTokenPayment", "KdaTokenPayment", "KdaTokenPayment"],
    },
    getReservesAndTotalSupply: { ...view, outputs: ["BigUint", "BigUint", "BigUint"] },
    getFirstTokenId: { ...view, outputs: ["TokenIdentifier"] },
    getLpTokenIdentifier: { ...view, outputs: ["TokenIdentifier"] },
    getTotalFeePercent: { ...view, outputs: ["u64"] },
    getState: { ...view, outputs: ["State"] },
    // The reference contract has this typo.
    getInitialLiquidtyAdder: { ...view, outputs: ["Option<Address>"] },
  },
} as const satisfies Record<string, Record<string, FunctionDeclaration>>;

export type ContractName = keyof typeof contracts;
export type FunctionName<Contract extends ContractName> = keyof (typeof contracts)[Contract] & string;

export function declarationOf(contract: ContractName, functionName: string): FunctionDeclaration | undefined {
  const functions: Record<string, FunctionDeclaration> = contracts[contract];
  return Object.hasOwn(functions, functionName) ? functions[functionName] : undefined;
}

type ArgumentValues = { Address: Address; TokenIdentifier: string; bytes: string } & Record<
  "u32" | "u64" | "BigUint",
  bigint
>;

export type InputValue<Declared extends Input> = Declared extends { oneOf: readonly (infer Text)[] }
  ? Text
  : ArgumentValues[Declared["type"]];

type NamedInputs<Inputs extends readonly Input[]> = {
  [Declared in Exclude<Inputs[number], { optional: true }> as Declared["name"]]: InputValue<Declared>;
} & {
  [Declared in Extract<Inputs[number], { optional: true }> as Declared["name"]]?: InputValue<Declared> | undefined;
};

type Flat<T> = { [Key in keyof T]: T[Key] };

export type InputsOfDeclaration<Declaration> = Flat<
  (Declaration extends { inputs: infer Inputs extends readonly Input[] } ? NamedInputs<Inputs> : never) &
    (Declaration extends {
      variadic: { name: infer Group extends string; group: infer Inputs extends readonly Input[] };
    }
      ? { [Key in Group]: readonly Flat<NamedInputs<Inputs>>[] }
      : unknown)
>;

export type InputsOf<Contract extends ContractName, Name extends FunctionName<Contract>> = InputsOfDeclaration<
  (typeof contracts)[Contract][Name]
>;
