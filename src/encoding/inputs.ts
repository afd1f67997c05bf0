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

type DeclarationOf<
  Contract extends ContractName,
  Name extends FunctionName<Contract>,
> = (typeof contracts)[Contract][Name];

/** The named inputs of a contract's function; a repeated group is an array under the group's name. */
export type InputsOf<Contract extends ContractName, Name extends FunctionName<Contract>> = Flat<
  (DeclarationOf<Contract, Name> extends { inputs: infer Inputs extends readonly Input[] } ? Named<Inputs> : never) &
    (DeclarationOf<Contract, Name> extends {
      variadic: { name: infer Group extends string; group: infer Inputs extends readonly Input[] };
    }
      ? { [Key in Group]: readonly Flat<Named<Inputs>>[] }
      : unknown)
>;
