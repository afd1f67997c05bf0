import fc from "fast-check";
import { it } from "vitest";

// What is left to chance follows from the seed of the run.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env["SEED"]) });

/** How many cases of chance there are: all of them in `npm run test:full`, a fifth in `npm test`. */
export const often = (cases: number): number => (process.env["FULL"] === undefined ? cases / 5 : cases);

/** A test that holds for whatever the arbitraries give; a failure tells the simplest values found, and the seed. */
export function property<Values extends [unknown, ...unknown[]]>(
  name: string,
  arbitraries: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  check: (...values: Values) => void,
  parameters: fc.Parameters<Values> = {},
): void {
  it(name, () => fc.assert(fc.property<Values>(...arbitraries, check), parameters));
}

/** Text of any characters; fast-check's own `unit: "binary"` takes a second of processor time for a table of all of Unicode. */
export const anyText = fc.string({
  unit: fc
    .integer({ min: 0, max: 0x10ffff })
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code), codeOf),
});

/** The code of one character, so that fast-check knows how to make its dangerous texts (`__proto__`) of them. */
function codeOf(character: unknown): number {
  const code = typeof character === "string" ? character.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== character) throw new TypeError("not one character");
  return code;
}

export { fc };
