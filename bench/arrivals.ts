/**
 * How much CPU and memory what arrives takes among many addresses: `npx tsx --expose-gc bench/arrivals.ts [people]`.
 * Blocks have 100 swaps of five movements each, as a node shows them.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { systemClock } from "../src/clock.js";
import { addressFromBytes } from "../src/encoding/address.js";
import { createArrivals } from "../src/services/alerts/arrivals.js";
import type { BelievingListener } from "../src/services/chain/block-listeners.js";
import { readBlock } from "../src/services/chain/read-block.js";
import { hasCalledAround, hasSigned } from "../src/services/intent/queries.js";
import { tokenListOf } from "../src/services/market/token-list.js";
import { openStore } from "../src/store/sqlite.js";

const [PEOPLE, SWAPS, BLOCKS] = [Number(process.argv[2] ?? 100_000), 100, 50];
const directory = mkdtempSync(join(tmpdir(), "swapdesk-arrivals-"));
const bytesOf = (number: number) => Buffer.alloc(32, number % 251).fill(`${number}`.padStart(8, "1"), 0, 8);
const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString("base64");
const heap = () => {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed / 1e6;
};

/** A block as a node shows it, in which one of the people is paid. */
function answerOf(number: number): string {
  const accounts = Array.from({ length: 3 * SWAPS }, (_, at) => bytesOf(10_000_000 + 300 * number + at));
  const move = (from: Buffer, to: Buffer) => ({
    Data: [Buffer.of(0, 0), from, to, "12000000000", "KLV", "", Buffer.of(0)].map(base64),
  });
  const transactions = Array.from({ length: SWAPS }, (_, at) => {
    const [trader, router, pair] = accounts.slice(3 * at, 3 * at + 3) as [Buffer, Buffer, Buffer];
    const payee = at === 0 && number > BLOCKS ? bytesOf(number) : trader;
    const Receipts = [
      move(trader, router),
      move(router, pair),
      move(pair, router),
      move(router, payee),
      move(pair, trader),
    ];
    return { hash: (1000 * number + at).toString(16).padStart(64, "0"), status: "onChain", Block: number, Receipts };
  });
  const TxHashes = transactions.map(({ hash }) => base64(Buffer.from(hash, "hex")));
  const Header = { Nonce: number, ParentHash: base64(Buffer.alloc(32)), Timestamp: 1_700_000_000_000 };
  return JSON.stringify({ data: { block: { Header, TxHashes, hash: "ab".repeat(32), transactions } }, error: "" });
}

const store = openStore({ directory });
for (let from = 0; from < PEOPLE; from += 1000) {
  await store.write(async (tx) => {
    for (let user = from; user < Math.min(PEOPLE, from + 1000); user += 1) {
      const watch = { kind: "arrivals", subject: addressFromBytes(bytesOf(user)), least: "1".padStart(40, "0") };
      const row = { ...watch, user_id: user, since: 0, told: 0, due_at: null, away: null };
      await tx.insertInto("news_watches").values(row).execute();
    }
  });
}

let listener: BelievingListener | undefined;
const never = () => Promise.reject(new Error("not asked"));
const before = heap();
createArrivals({
  calls: { hasSigned, hasCalledAround },
  blocks: {
    believe: (given) => (listener = given),
    isClosed: async () => false,
    state: never as never,
    time: () => 0,
    wake: () => undefined,
  },
  outbox: { giveWay: () => ({ room: async () => 20, moved: () => undefined }), wake: () => undefined },
  pools: { known: async () => undefined },
  tokens: tokenListOf([{ id: "KLV", name: "KLV", precision: 6, kind: "fungible" }]),
  store,
  clock: systemClock,
  log: pino({ level: "silent" }),
});
const answers = Array.from({ length: 2 * BLOCKS }, (_, number) => answerOf(number + 1));
/** Of reading blocks, and of finding whom they concern; of the last half of them, somebody. */
const [reading, finding]: [number[], number[]] = [[], []];
const since = (began: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
};
for (const [at, text] of answers.entries()) {
  const http = { request: async () => ({ status: 200, headers: {}, text }) };
  const began = process.cpuUsage();
  const block = await readBlock({ nodeUrl: "", http: http as never }, at + 1);
  reading.push(since(began));
  if (block === undefined || block.transactions.length !== SWAPS) throw new Error("not read");
  const read = process.cpuUsage();
  await listener!.onBlock(block);
  finding.push(since(read));
}
const told = await store.db.selectFrom("news").select("number").execute();
const half = (some: readonly number[]) =>
  some.toSorted((one, other) => one - other)[Math.floor(some.length / 2)]!.toFixed(2);
process.stdout.write(
  `${PEOPLE} addresses, blocks of ${SWAPS} swaps, ${answers[0]!.length} bytes, half of them at most: ` +
    `${half(reading)} ms of CPU to read one, ${half(finding.slice(0, BLOCKS))} to find that it concerns nobody, ` +
    `${half(finding.slice(BLOCKS))} to publish one payment; ${(heap() - before).toFixed(1)} MB; ${told.length} told\n`,
);
await store.close();
rmSync(directory, { recursive: true });
