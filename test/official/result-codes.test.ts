import { TXResultCode } from "@klever/connect-encoding";
import { expect, it } from "vitest";
import { resultCodeNamed } from "../../src/encoding/result.js";

it("the bot's result codes are the chain's", () => {
  const theirs = Object.entries(TXResultCode).filter(([, code]) => typeof code === "number");
  const known = theirs.flatMap(([name]) => {
    const number = resultCodeNamed(name);
    return number === undefined ? [] : [[name, number]];
  });
  expect(known).toEqual(theirs.filter(([name]) => resultCodeNamed(name) !== undefined));
  expect(known.map(([, number]) => number)).toEqual([1, 4, 5, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 99]);
});
