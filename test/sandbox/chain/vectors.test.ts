import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { byFunction } from "./vectors/by-function.js";
import { byId } from "./vectors/by-id.js";
import type { Vector } from "./vectors/vector.js";

const file = new URL("../../vectors/contracts.json", import.meta.url);
const vectors = JSON.parse(readFileSync(file, "utf8")) as Vector[];

/** Vectors that can't be run, with the reason. */
const notApplicable: Readonly<Record<string, string>> = {
  v079: "removeLiquidityAndBuyBackAndBurnToken is not in Klever's pair interface, nor among the declared functions",
  v084: "removePair is not among the declared functions of the router",
};

const runnerOf = (vector: Vector) => byId[vector.id] ?? byFunction[vector.function];
const applied = vectors.filter(({ id }) => !(id in notApplicable));

describe("the reference implementations' own cases", () => {
  it.each(applied.map((vector) => [vector.id, vector.function, vector] as const))("%s %s", async (_, __, vector) => {
    const run = runnerOf(vector);
    expect(run, "nothing runs this vector").toBeDefined();
    await run?.(vector);
  });

  it("are all run, or listed with the reason why not", () => {
    const known = new Set(vectors.map(({ id }) => id));
    expect(known.size).toBe(84);
    expect(Object.keys(notApplicable).every((id) => known.has(id))).toBe(true);
    expect(applied.length + Object.keys(notApplicable).length).toBe(84);
    expect(Object.keys(byId).filter((id) => !known.has(id))).toEqual([]);
  });
});
