/**
 * What it costs that people are told what arrives: a hundred thousand of them, each with forty tokens, in a store on the
 * disk, with a node that answers at once and a feed that has just come back, so that nobody knows what anybody missed.
 * Prints the start, the memory, and for a minute the looks and their CPU, and how long somebody waits of whom the feed
 * tells meanwhile. `npx tsx --expose-gc bench/arrivals.ts [people]`
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { systemClock } from "../src/clock.js";
import { addressFromBytes } from "../src/encoding/address.js";
import { createArrivals } from "../src/services/history/arrivals.js";
import { newPerson, putPerson } from "../src/services/person/person.js";
import { createPace } from "../src/services/signing/pace.js";
import { tokenListOf } from "../src/services/market/token-list.js";
import { openStore } from "../src/store/sqlite.js";
import { toJson } from "../src/store/store.js";

const people = Number(process.argv[2] ?? 100_000);
const MINUTE = 60_000;
const directory = await mkdtemp(join(tmpdir(), "arrivals-"));
const store = openStore({ directory });
const addressOf = (number: number) => {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(28, number);
  return addressFromBytes(bytes);
};
const ids = Array.from({ length: 40 }, (_, number) => `TOK-${String(number).padStart(4, "0")}`);
const known = Object.fromEntries(ids.map((id, number) => [id, 1_000_000_007n * BigInt(number)]));
const seen = toJson({ known, height: 0n, since: 0, mark: "the same", small: 0, wholeAt: 0 });
for (let from = 1; from <= people; from += 500) {
  await store.write(async (tx) => {
    for (let id = from; id < from + 500; id += 1) {
      await putPerson(tx, id, { ...newPerson(id), wallet: { address: addressOf(id), since: 0 } });
      const watch = { user_id: id, address: addressOf(id), due_at: id, seen };
      await tx.insertInto("arrival_watches").values(watch).execute();
    }
  });
}

const looks = new Map<string, (block?: number) => Promise<boolean>>();
const looked = new Map<string, () => void>();
let marks = 0;
const log = pino({ level: "silent" });
const arrivals = createArrivals({
  feed: {
    watch: (address, look) => {
      looks.set(address, look);
      return () => looks.delete(address);
    },
  },
  pace: createPace(systemClock),
  readMark: async (address) => {
    marks += 1;
    looked.get(address)?.();
    return "the same";
  },
  balances: { read: async () => ({}) },
  height: async () => 1n,
  pools: { known: async () => undefined },
  tokens: tokenListOf([]),
  returnDataEncoding: "hex",
  outbox: { wake: () => undefined },
  noteError: (error) => console.error(error),
  store,
  clock: systemClock,
  log,
});
const heap = () => {
  globalThis.gc?.();
  return Math.round(process.memoryUsage().heapUsed / 1e6);
};
const before = heap();
const [begun, cpuAtBegin] = [performance.now(), process.cpuUsage()];
const stopping = new AbortController();
const running = arrivals.loops.map((loop) => loop(stopping.signal));
while (looks.size < people) await new Promise((resolve) => setTimeout(resolve, 5));
const atStart = process.cpuUsage(cpuAtBegin);
console.log(
  `start: ${Math.round(performance.now() - begun)} ms, ${Math.round((atStart.user + atStart.system) / 1000)} ms of CPU`,
);
console.log(`memory: ${heap() - before} MB (${before} MB before)`);

const atLoss = performance.now();
for (const look of looks.values()) void look();
console.log(`all missed: ${Math.round(performance.now() - atLoss)} ms`);
const [cpu, from, waits] = [process.cpuUsage(), marks, [] as number[]];
const until = performance.now() + MINUTE;
for (let id = people; performance.now() < until; id -= 7) {
  const address = addressOf(id);
  const told = performance.now();
  const wait = new Promise<number>((resolve) => looked.set(address, () => resolve(performance.now() - told)));
  void looks.get(address)!(1);
  waits.push(await wait);
  await new Promise((resolve) => setTimeout(resolve, 500));
}
const { user, system } = process.cpuUsage(cpu);
const count = marks - from;
const sorted = waits.toSorted((one, other) => one - other);
console.log(
  `${count} looks in a minute, ${((user + system) / 1000 / count).toFixed(2)} ms of CPU each; all take ${(((people / count) * 60) / 3600).toFixed(1)} hours`,
);
console.log(
  `told of: median ${Math.round(sorted[sorted.length >> 1]!)} ms, longest ${Math.round(sorted.at(-1)!)} ms, of ${sorted.length}`,
);
stopping.abort();
await Promise.all(running);
await store.close();
await rm(directory, { recursive: true });
