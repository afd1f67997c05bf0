import type { Address } from "./address.js";
import type { contracts, ContractName, FunctionName, Input } from "./contracts.js";

/** The TypeScript value of one declared input. */
export type InputValue<Declared extends Input> = Declared extends { oneOf: readonly (infer Text)[] }
  ? Text
  : Declared["type"] extends "Address"
    ? Address
    : Declared["type"] extends "u32" | "u64" | "BigUint"
      ? bigint
      : string;

type Named<Inputs extends readonly Input[]> = {
  [Declared in Exclude<Inputs[number], { optional: true }> as Declared["name"]]: InputValue<Declared>;
} & {
  [Declared in Extract<Inputs[number], { optional: true }> as Declared["name"]]?: InputValue<Declared> | undefined;
};

type Flat<T> = { [Key in keyof T]: T[Key] };

/** The named inputs of a declared function; a repeated group is an array under the group's name. */
export type InputsOfDeclaration<Declaration> = Flat<
  (Declaration extends { inputs: infer Inputs extends readonly Input[] } ? Named<Inputs> : never) &
    (Declaration extends {
      variadic: { name: infer Group extends string; group: infer Inputs extends readonly Input[] };
    }
      ? { [Key in Group]: readonly Flat<Named<Inputs>>[] }
      : unknown)
>;

/** The inputs of a function that may be called. */
export type InputsOf<Contract extends ContractName, Name extends FunctionName<Contract>> = InputsOfDeclaration<
  (typeof contracts)[Contract][Name]
>;
