// What a start costs, and what a long past costs. The built program is started over folders of many people: from the
// process's start to its first poll, to the moment in which everything that was open is resumed, and to the last of 20
// interrupted calls being told; with its peak memory (Linux only).
//   many people: 100,000 of them, 20,000 watched orders, 50 open matters;
//   a long past: 3,000 people with 1,000 ended cards each, beside 3,000 with none, in turns, the median of five starts;
//   /swap: the processor time of a card for somebody with 10,000 ended cards, beside somebody with none; seven rounds of 200 people each.
// Run from the root of the project: npm run build && npx tsx bench/start.ts
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import type { Intent } from "../src/model/intent.js";
import { type Person, people } from "../src/model/person.js";
import { DATA_FILE, openDatabase } from "../src/store/database.js";
import { toJson } from "../src/store/json.js";
import { ledger } from "../src/services/intents/ledger.js";
import { intent, lockTerms, swapTerms } from "../test/cards/arrange.js";
import { fillStore } from "../test/support/stored.js";
import { contractVariables } from "./contract-variables.js";

const TOKEN = "1000:bench-token-that-opens-nothing";
const INTERRUPTED = 20;
const NOTICES = 15;
const LOCKS = 15;
const KEPT = 20;
const PART = 25;
/** People of each kind. */
const SWAPPING = 200;

const lock = {
  locked: { token: lockTerms.amount.token.id, nonce: 1n },
  amount: lockTerms.amount,
  unlockEpoch: lockTerms.unlockEpoch,
  lockedAt: 1,
  intents: ["one"],
} as unknown as NonNullable<Person["locks"]>[string];
const ended = intent(swapTerms, "OK", { kind: "ok", returnData: ["26bf", "0efc3c"] });

const fresh = (id: number): Person => ({ ...people.create(`${id}`), wallet: { address: swapTerms.payout, since: 0 } });
const cards = (count: number, of: number, prefix: string): readonly Intent[] =>
  Array.from({ length: count }, (_, index) => ({
    ...ended,
    id: `${prefix}-${of}-${index}`.padEnd(22, "x"),
    owner: of,
    chatId: of,
    shownState: "OK",
    messageId: index + 1,
  }));
const byId = (intents: readonly Intent[]) => Object.fromEntries(intents.map((intent) => [intent.id, intent]));

/** The Bot API, quotations and the exchange, as far as this needs them. */
async function startServices() {
  let poll: ServerResponse | undefined;
  let polledAt: number | undefined;
  let pending: { update_id: number }[] = [];
  const sent: { chatId: number; text: string; at: number }[] = [];
  const me = { id: 1000, is_bot: true, first_name: "Swapdesk", username: "swapdesk_bench_bot" };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      response.setHeader("content-type", "application/json");
      const path = request.url ?? "";
      if (path === "/quotation") return response.end('{"amountOut":"0.99","tokenOutPrecision":6}');
      if (path.startsWith("/v1/order/")) {
        const data = orderOf(path.slice("/v1/order/".length));
        return response.end(JSON.stringify({ success: true, data }));
      }
      if (!path.startsWith("/bot")) return response.writeHead(404).end("{}");
      const answer = (result: unknown) => response.end(JSON.stringify({ ok: true, result }));
      const method = path.split("/").at(-1) ?? "";
      if (method === "getMe") return answer(me);
      if (method === "sendMessage") {
        const { chat_id, text } = JSON.parse(body) as { chat_id: number; text: string };
        answer({ message_id: sent.length + 1, date: 1, chat: { id: chat_id, type: "private" }, from: me, text });
        sent.push({ chatId: chat_id, text, at: performance.now() });
        return;
      }
      if (method !== "getUpdates") return answer(true);
      polledAt ??= performance.now();
      const { offset = 0 } = JSON.parse(body) as { offset?: number };
      pending = pending.filter(({ update_id }) => update_id >= offset);
      if (pending.length > 0) return answer(pending);
      poll = response;
      setTimeout(() => {
        if (poll === response) answer([]);
      }, 5_000).unref();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    polledAt: () => polledAt,
    deliver: (update: { update_id: number }) => {
      pending.push(update);
      const waiting = poll;
      poll = undefined;
      waiting?.end(JSON.stringify({ ok: true, result: pending }));
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function orderOf(id: string) {
  return { orderId: id, id, status: "OPEN", symbol: "KLV-USDT", side: "BUY", price: "1", quantity: "1", filled: "0" };
}

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

/** The time that its threads took on a processor so far, which /proc/<id>/stat tells only in hundredths of a second. */
async function processorMilliseconds({ pid }: ChildProcess): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const texts = await Promise.all(threads.map((id) => readFile(`/proc/${pid}/task/${id}/schedstat`, "utf8")));
  return texts.reduce((sum, text) => sum + Number(text.split(" ")[0]) / 1e6, 0);
}

async function peakMegabytes({ pid }: ChildProcess): Promise<number> {
  return Number(/VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

/** Starts the program over a folder. */
async function startBot(directory: string) {
  const services = await startServices();
  const startedAt = performance.now();
  let takenUpAt: number | undefined;
  const bot = spawn(process.execPath, ["dist/main.js"], {
    env: {
      PATH: process.env["PATH"],
      BOT_TOKEN: TOKEN,
      TELEGRAM_API_ROOT: services.url,
      NODE_URL: services.url,
      QUOTATION_URL: services.url,
      ORDER_URL: services.url,
      ORDER_API_KEY: "bench-key",
      ...(await contractVariables()),
      STORE_DIR: directory,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  bot.stdout.on("data", (chunk: Buffer) => {
    if (chunk.toString().includes("Everything that was open is resumed")) takenUpAt ??= performance.now();
  });
  return {
    services,
    bot,
    /** Milliseconds from the start. */
    times: async (told: number) => {
      await until(() => services.polledAt() !== undefined && takenUpAt !== undefined && services.sent.length >= told);
      const last = Math.max(startedAt, ...services.sent.map(({ at }) => at));
      return { poll: services.polledAt()! - startedAt, takenUp: takenUpAt! - startedAt, told: last - startedAt };
    },
    stop: async () => {
      bot.kill("SIGTERM");
      await once(bot, "exit");
      services.close();
    },
  };
}

async function withFolder<Result>(task: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
  try {
    return await task(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

async function writePeople(directory: string, count: number, personOf: (id: number) => Person) {
  await fillStore(
    directory,
    people,
    ids(count).map((id) => [String(id), personOf(id)]),
  );
}

function writeOrders(directory: string, count: number) {
  const told = toJson({ status: "OPEN", filled: "0" });
  const database = openDatabase(join(directory, DATA_FILE));
  database.exec("BEGIN");
  const order = database.prepare("INSERT INTO orders VALUES (?, ?, 1, 1, 1, 0, NULL, NULL)");
  const watch = database.prepare("INSERT INTO watches VALUES (?, ?, 1, 0, ?)");
  for (const index of ids(count)) {
    const id = randomUUID();
    order.run(id, toJson(orderOf(id)));
    watch.run(1000 + (index % 5000), id, told);
  }
  database.exec("COMMIT");
  database.close();
}

function writeNotices(directory: string) {
  const database = openDatabase(join(directory, DATA_FILE));
  const notice = database.prepare(
    `INSERT INTO outbox VALUES (?, 'notice', 'test', '{"kind":"test"}', 1, 1, 1, 0, NULL)`,
  );
  for (const id of ids(NOTICES)) notice.run(INTERRUPTED + id);
  database.close();
}

/** A person in whose document something is open, for the first ones. */
function withMatter(id: number): Person {
  const person = fresh(id);
  if (id <= INTERRUPTED) return { ...person, intents: byId([{ ...cards(1, id, "sent")[0]!, state: "SENT" }]) };
  return id > INTERRUPTED + NOTICES && id <= INTERRUPTED + NOTICES + LOCKS
    ? { ...person, locks: { one: lock } }
    : person;
}

async function writeLedger(directory: string, owners: readonly number[], parts: number) {
  const part = { version: 1, intents: cards(PART, 1, "past") } as const;
  await fillStore(
    directory,
    ledger,
    owners.flatMap((id) => ids(parts).map((number) => [`${id}-${number}`, part] as const)),
  );
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
const rows: Record<string, string>[] = [];

/** Starts the program over each folder in turn so many times, and notes the medians. */
async function measureStarts(folders: readonly { name: string; directory: string; told: number }[], times: number) {
  const measured = folders.map((folder) => ({ ...folder, runs: [] as number[][] }));
  for (let run = 0; run < times; run += 1) {
    for (const { directory, told, runs } of measured) {
      const { bot, times, stop } = await startBot(directory);
      const { poll, takenUp, told: toldAt } = await times(told);
      runs.push([poll, takenUp, toldAt, await processorMilliseconds(bot), await peakMegabytes(bot)]);
      await stop();
    }
  }
  for (const { name, told, runs } of measured) {
    const middle = Math.floor(runs.length / 2);
    const of = (which: number) => runs.map((run) => run[which]!).sort((one, other) => one - other)[middle]!;
    rows.push({
      start: name,
      "first poll": seconds(of(0)),
      "all resumed": seconds(of(1)),
      "all told": told === 0 ? "" : seconds(of(2)),
      processor: seconds(of(3)),
      "peak memory": `${of(4).toFixed(0)} MB`,
    });
  }
}

await withFolder(async (directory) => {
  await writePeople(directory, 100_000, withMatter);
  writeOrders(directory, 20_000);
  writeNotices(directory);
  await measureStarts([{ name: "100,000 people, 20,000 orders, 50 open", directory, told: INTERRUPTED + NOTICES }], 1);
});

await withFolder((directory) =>
  withFolder(async (other) => {
    const past = (id: number): Person => ({
      ...fresh(id),
      intents: byId(cards(KEPT, id, "kept")),
      ledgerParts: 1_000 / PART,
    });
    await writePeople(directory, 3_000, fresh);
    await writePeople(other, 3_000, past);
    await writeLedger(other, ids(3_000), 1_000 / PART);
    const folders = [
      { name: "3,000 people without a past", directory, told: 0 },
      { name: "3,000 people with 1,000 ended cards each", directory: other, told: 0 },
    ];
    await measureStarts(folders, 5);
  }),
);
console.table(rows);

/** A running program over a folder of its own with so many people, once it and they are warm. */
async function startSwapping(personOf: (id: number) => Person, ledgerParts: number) {
  const directory = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
  await writePeople(directory, SWAPPING, personOf);
  await writeLedger(directory, ids(SWAPPING), ledgerParts);
  const { services, bot, times, stop } = await startBot(directory);
  await times(0);
  let updateId = 0;
  return {
    /** Asks for a card for one person, and waits for it. */
    swap: async (id: number) => {
      const count = services.sent.length;
      updateId += 1;
      const message = {
        message_id: updateId,
        date: Math.floor(Date.now() / 1000),
        from: { id, is_bot: false, first_name: "P" },
        chat: { id, type: "private", first_name: "P" },
        text: "/swap 100 KLV KFI",
        entities: [{ type: "bot_command", offset: 0, length: 5 }],
      };
      services.deliver({ update_id: updateId, message } as { update_id: number });
      await until(() => services.sent.length > count);
    },
    processor: () => processorMilliseconds(bot),
    stop: async () => {
      await stop();
      await rm(directory, { recursive: true });
    },
  };
}

{
  const past = (id: number): Person => ({
    ...fresh(id),
    intents: byId(cards(KEPT, id, "kept")),
    ledgerParts: 10_000 / PART,
  });
  // A program for each kind of people.
  const programs = [await startSwapping(fresh, 0), await startSwapping(past, 10_000 / PART)];
  /** One card for each person of both kinds in turn, and gives the processor time of one of each. */
  const round = async () => {
    const processors = () => Promise.all(programs.map(({ processor }) => processor()));
    const before = await processors();
    for (let id = 1; id <= SWAPPING; id += 1) {
      for (const { swap } of id % 2 === 0 ? programs : programs.toReversed()) await swap(id);
    }
    // The card's message is remembered after it was sent.
    await new Promise((resolve) => setTimeout(resolve, 300));
    return (await processors()).map((after, which) => (after - before[which]!) / SWAPPING);
  };
  // Each person once before, so that the programs are warm and know them.
  await round();
  const rounds: number[][] = [];
  while (rounds.length < 7) rounds.push(await round());
  await Promise.all(programs.map(({ stop }) => stop()));
  const [forNew, forOld] = [0, 1].map((which) => rounds.reduce((sum, each) => sum + each[which]!, 0) / rounds.length);
  const ratios = rounds.map(([one, other]) => other! / one!).sort((one, other) => one - other);
  process.stdout.write(
    `/swap: ${forNew!.toFixed(2)} ms of processor time for somebody new, ${forOld!.toFixed(2)} ms with 10,000 ended cards ` +
      `(${(forOld! / forNew!).toFixed(2)} x; in each round: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")})\n`,
  );
}
