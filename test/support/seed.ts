import { crc32 } from "node:zlib";
import { createRandom } from "../../sandbox/exchange/random.js";

/**
 * Returns a generator of numbers from 0 to below 1 that follow from `use` and the seed of the run, which
 * `vitest.config.ts` prints: `SEED=… npx vitest run` repeats them.
 */
export function seededRandom(use: string): () => number {
  return createRandom(crc32(`${process.env["SEED"]} ${use}`));
}
