import {
  contracts as called,
  type ContractName,
  type FunctionDeclaration,
  type OutputType,
  type InputsOfDeclaration,
} from "../../src/encoding/contracts.js";

export type { ContractName } from "../../src/encoding/contracts.js";

export type Output = OutputType | "bool";
export type Declaration = FunctionDeclaration<Output>;

const view = { mutability: "readonly", payment: "none" } as const;
const token = <Name extends string>(name: Name) => ({ name, type: "TokenIdentifier" }) as const;
const units = <Name extends string>(name: Name) => ({ name, type: "BigUint" }) as const;

/** Functions that the bot never calls, but other people and programs do. */
const others = {
  referral: {},
  router: {
    configEnableByUserParameters: {
      mutability: "mutable",
      payment: "none",
      inputs: [
        token("common_token_id"),
        token("locked_token_id"),
        units("min_locked_token_value"),
        { name: "min_lock_period_epochs", type: "u64" },
      ],
      outputs: [],
    },
    getState: { ...view, inputs: [], outputs: ["bool"] },
  },
  simpleLock: {},
  pair: {
    addLiquidity: {
      mutability: "mutable",
      payment: "pool-pair",
      inputs: [units("first_token_amount_min"), units("second_token_amount_min")],
      outputs: ["KdaTokenPayment", "KdaTokenPayment", "KdaTokenPayment"],
    },
    removeLiquidity: {
      mutability: "mutable",
      payment: "fungible",
      inputs: [units("first_token_amount_min"), units("second_token_amount_min")],
      outputs: ["KdaTokenPayment", "KdaTokenPayment"],
    },
    swapTokensFixedInput: {
      mutability: "mutable",
      payment: "fungible",
      inputs: [token("token_out"), units("amount_out_min")],
      outputs: ["KdaTokenPayment"],
    },
    swapTokensFixedOutput: {
      mutability: "mutable",
      payment: "fungible",
      inputs: [token("token_out"), units("amount_out")],
      outputs: ["KdaTokenPayment", "KdaTokenPayment"],
    },
    getAmountOut: { ...view, inputs: [token("token_in"), units("amount_in")], outputs: ["BigUint"] },
    getAmountIn: { ...view, inputs: [token("token_wanted"), units("amount_wanted")], outputs: ["BigUint"] },
    getEquivalent: { ...view, inputs: [token("token_in"), units("amount_in")], outputs: ["BigUint"] },
    getTokensForGivenPosition: {
      ...view,
      inputs: [units("liquidity")],
      outputs: ["KdaTokenPayment", "KdaTokenPayment"],
    },
  },
} as const satisfies Record<ContractName, Record<string, Declaration>>;

/** Every function of the local chain's contracts. */
export const contracts = {
  referral: { ...called.referral, ...others.referral },
  router: { ...called.router, ...others.router },
  simpleLock: { ...called.simpleLock, ...others.simpleLock },
  pair: { ...called.pair, ...others.pair },
};

export type FunctionName<Contract extends ContractName> = keyof (typeof contracts)[Contract] & string;

export type InputsOf<Contract extends ContractName, Name extends FunctionName<Contract>> = InputsOfDeclaration<
  (typeof contracts)[Contract][Name]
>;

/** The names of each function's inputs, those of a repeated group last, for the inspector's wire view. */
export function inputNames(): Record<string, { names: string[]; repeated: string[] }> {
  const functions = Object.values(contracts).flatMap((each) => Object.entries<Declaration>(each));
  return Object.fromEntries(
    functions.map(([name, { inputs, variadic }]) => [
      name,
      { names: inputs.map((input) => input.name), repeated: (variadic?.group ?? []).map((input) => input.name) },
    ]),
  );
}

/** Whether a call of this function changes anything, whichever contract's it is. */
export function isMutable(functionName: unknown): boolean {
  const functions = Object.values(contracts).flatMap((each) => Object.entries<Declaration>(each));
  return functions.some(([name, { mutability }]) => name === functionName && mutability === "mutable");
}

/** The declaration of a contract's function, if there is one. */
export function declarationOf(contract: ContractName, functionName: string): Declaration | undefined {
  const functions: Record<string, Declaration> = contracts[contract];
  return Object.hasOwn(functions, functionName) ? functions[functionName] : undefined;
}
