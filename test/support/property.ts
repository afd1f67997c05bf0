import fc from "fast-check";
import { it } from "vitest";
import { seededRandom } from "./seed.js";

// Random values follow from the seed of the run.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env["SEED"]) });

/** Number of random cases: all of them in `npm run test:full`, a fifth in `npm test`. */
export const often = (cases: number): number => (process.env["FULL"] === undefined ? cases / 5 : cases);

/** Like `it`, for what takes long: always in `npm run test:full`, and in a third of the runs of `npm test`, by its seed. */
export function sometimes(name: string, test: () => Promise<void>): void {
  it.runIf(process.env["FULL"] !== undefined || seededRandom(name)() < 1 / 3)(name, test);
}

/** A test that must hold for all values of the arbitraries; a failure shows the simplest values found, and the seed. */
export function property<Values extends [unknown, ...unknown[]]>(
  name: string,
  arbitraries: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  check: (...values: Values) => void,
  parameters: fc.Parameters<Values> = {},
): void {
  it(name, () => fc.assert(fc.property<Values>(...arbitraries, check), parameters));
}

/** Text of any characters. fast-check's `unit: "binary"` would spend a second of CPU on a table of all of Unicode. */
export const anyText = fc.string({
  unit: fc
    .integer({ min: 0, max: 0x10ffff })
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code), codeOf),
});

/** Maps a character back to its code point, so that fast-check can generate its dangerous strings (`__proto__`). */
function codeOf(character: unknown): number {
  const code = typeof character === "string" ? character.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== character) throw new TypeError("not one character");
  return code;
}

export { fc };
