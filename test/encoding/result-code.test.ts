import { expect, it, test } from "vitest";
import { failureOf, reasonIn, resultCodeNamed } from "../../src/encoding/result.js";
import { stopwatch } from "../support/stopwatch.js";

it("every failure but the contract's own refusal keeps its result code", () => {
  expect(failureOf(57, "Slippage exceeded")).toEqual({ text: "Slippage exceeded" });
  expect(failureOf(undefined, "Slippage exceeded")).toEqual({ text: "Slippage exceeded" });
  for (const code of [0, 1, 5, 55, 58, 62, 99, 4711]) expect(failureOf(code, "")).toEqual({ text: "", code });
});

it("the result codes named by /vm/query have the numbers of those of transactions", () => {
  const names = [
    "OutOfFunds",
    "ContractNotFound",
    "VMFunctionNotFound",
    "vmusererror",
    "VMOutOfGas",
    "VMExecutionFailed",
  ];
  expect(names.map(resultCodeNamed)).toEqual([1, 5, 55, 57, 58, 62]);
  for (const name of ["Ok", "", "toString"]) expect(resultCodeNamed(name)).toBeUndefined();
});

test.each([
  ["[not enough gas] [swap]", "not enough gas"],
  ["\n\truntime.go:856 [error] [swap]\n\truntime.go:853 [error] [Slippage exceeded]\n", "Slippage exceeded"],
  ["[swap]", "swap"],
  ["no brackets", "no brackets"],
  ["[early] and more", "[early] and more"],
  ["[]", ""],
  ["", ""],
])("the reason in the trace %j", (trace, reason) => {
  expect(reasonIn(trace, "swap")).toBe(reason);
});

it("very long traces are read within a second", () => {
  const took = stopwatch();
  for (const unit of ["[", "]", "[]", "[a", " "]) reasonIn(unit.repeat(100_000), "swap");
  expect(took()).toBeLessThan(1000);
});
