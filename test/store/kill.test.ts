import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { openStore } from "../../src/store/documents.js";
import { startChild } from "./child.js";
import { seededRandom } from "../support/seed.js";
import { series } from "./series.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const KILLS = 25;

/** The last number that the lines tell with this word for a document. */
function lastTold(lines: readonly string[], word: "try" | "ok", id: string): number | undefined {
  const told = lines.findLast((line) => line.startsWith(`${word} ${id} `));
  return told === undefined ? undefined : Number(told.split(" ")[2]);
}

it(`keeps every acknowledged change, and whole documents, through ${KILLS} kills in the middle of writes`, async () => {
  const directory = await temporaryFolder();
  const acknowledged = new Map([
    ["a", 0],
    ["b", 0],
    ["c", 0],
  ]);
  const random = seededRandom("kills in the middle of writes");
  let interrupted = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const child = await startChild("write", directory);
    await child.line((line) => line.startsWith("ok"));
    await sleep(random() * 40);
    await child.kill();

    const store = openStore({ directory });
    for (const [id, before] of acknowledged) {
      const least = lastTold(child.lines(), "ok", id) ?? before;
      const most = Math.max(least, lastTold(child.lines(), "try", id) ?? before);
      const number = (await store.read(series, id))?.number ?? 0;
      expect(number).toBeGreaterThanOrEqual(least);
      expect(number).toBeLessThanOrEqual(most);
      if (most > least) interrupted += 1;
      // What was found once must not be lost later either.
      acknowledged.set(id, number);
    }
    await store.close();
  }
  // Otherwise this test would have shown nothing.
  expect(interrupted).toBeGreaterThan(0);
}, 180_000);
