import { crc32 } from "node:zlib";
import { createRandom } from "../../sandbox/exchange/random.js";

/**
 * Numbers from 0 up to 1 that follow from the seed of the run, which `vitest.config.ts` prints, and from what they are for:
 * `SEED=… npx vitest run` repeats them.
 */
export function seededRandom(use: string): () => number {
  return createRandom(crc32(`${process.env["SEED"]} ${use}`));
}
