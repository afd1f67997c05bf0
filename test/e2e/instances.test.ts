import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { nested } from "../encoding/nested.js";
import { accepted, asRead } from "../support/as-read.js";
import { bundled } from "../support/bundled.js";
import { addresses, goodEnvironment, secrets } from "../support/desk.js";
import { startPostgres } from "../support/postgres.js";
import { startProgram, type Program } from "../support/process.js";
import { seededRandom } from "../support/seed.js";
import type { Answer, Received } from "../support/http-stub.js";
import { startExchangeStub } from "../support/stub-exchange.js";
import { answered, carriedOut, startServicesStub } from "../support/stub-services.js";
import { startTelegramStub, type BotMessage, type Person } from "../support/stub-telegram.js";
import { until } from "../support/until.js";

/**
 * `INSTANCES_KILLS=60 INSTANCES_PEOPLE=200` is the long run, of a minute where a start takes less than a second: each second one
 * of those that serve is killed, while another one serves. The short one kills and freezes once. A machine that is busy with
 * other things needs more time between two kills.
 */
const KILLS = Number(process.env["INSTANCES_KILLS"] ?? 1);
const KILL_EVERY_SECONDS = Number(process.env["INSTANCES_KILL_EVERY"] ?? 1);
const PEOPLE = Number(process.env["INSTANCES_PEOPLE"] ?? 15);
/** Each order is watched by so many. */
const WATCHERS = 2;
const FROZEN_MILLISECONDS = KILLS > 1 ? 15_000 : 9_500;
const OPERATOR = 9_000;
const REQUESTS_PER_SECOND = 20;
const ALERTS_PER_SECOND = 30;
/** On a busy machine what left within a second's budget can be a tenth of a second on its way. */
const WINDOW_MILLISECONDS = 900;
/** Much longer than it takes the others to take over. */
const PATIENCE_MILLISECONDS = 90_000;

interface Instance {
  readonly port: number;
  program: Program;
  isFrozen: boolean;
  /** Whether it has taken an update since it was started. */
  serves: boolean;
}

/** When a program ended, or stood still. */
interface Trouble {
  readonly at: number;
  /** One that ends by itself has been given up before: nobody knows when. */
  readonly isByItself: boolean;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

async function patiently(holds: () => boolean | Promise<boolean>, complaint: () => string): Promise<void> {
  const end = Date.now() + PATIENCE_MILLISECONDS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(complaint());
    await sleep(50);
  }
}

/** How many of these moments lie within a second's budget of one another, at most. */
function mostAtOnce(moments: readonly number[]): number {
  let most = 0;
  for (let from = 0, to = 0; to < moments.length; to += 1) {
    while (moments[to]! - moments[from]! >= WINDOW_MILLISECONDS) from += 1;
    most = Math.max(most, to - from + 1);
  }
  return most;
}

/** What the contracts answer to a swap, or to a lock of what was paid. */
function answerCall({ json }: Received): Answer {
  if (json?.["funcName"] !== "lockTokens") return carriedOut;
  const [, units = "0"] = String(json["value"]).split("=");
  return answered(nested.payment({ tokenId: "LKTOK-1A2B", nonce: 7n, units: BigInt(units) }));
}

/** Three programs on one database, behind a round robin. */
async function startInstances() {
  const [main, postgres, telegram, services, exchange, folder] = await Promise.all([
    bundled("src/main.ts"),
    startPostgres(),
    startTelegramStub(secrets.token),
    startServicesStub(),
    startExchangeStub(),
    mkdtemp(join(tmpdir(), "swapdesk-instances-")),
  ]);
  const environment = {
    ...goodEnvironment,
    TELEGRAM_API_ROOT: telegram.url,
    NODE_URL: services.nodeUrl,
    QUOTATION_URL: services.quotationUrl,
    ORDER_URL: exchange.url,
    DATABASE_URL: await postgres.newDatabase(),
    ADMIN_USER_IDS: String(OPERATOR),
    WEBHOOK_URL: "http://127.0.0.1:9/updates",
    ORDER_POLL_RPS: String(REQUESTS_PER_SECOND),
    ORDER_POLL_MIN_SECONDS: "0.5",
    ORDER_POLL_MAX_SECONDS: "3",
    QUOTE_TTL_SECONDS: "600",
    LOG_LEVEL: "warn",
  };
  const start = (port: number) =>
    startProgram([process.execPath, main], { environment: { ...environment, PORT: String(port) }, folder });
  services.onCall = answerCall;
  const instances: Instance[] = [];
  const troubles: Trouble[] = [];
  let isOver = false;
  // As a function, because the compiler can't see that what is awaited may change it.
  const hasEnded = (): boolean => isOver;
  let next = 0;

  async function keepRunning(instance: Instance): Promise<void> {
    while (!hasEnded()) {
      const outcome = await instance.program.ended;
      troubles.push({ at: Date.now(), isByItself: outcome !== "SIGKILL" });
      if (!hasEnded()) instance.program = start(instance.port);
    }
  }

  for (const port of await Promise.all([freePort(), freePort(), freePort()])) {
    const instance = { port, program: start(port), isFrozen: false, serves: false };
    instances.push(instance);
    void keepRunning(instance);
  }
  telegram.post = async (update) => {
    const instance = instances[next++ % instances.length]!;
    const answer = await fetch(`http://127.0.0.1:${instance.port}/updates`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-telegram-bot-api-secret-token": secrets.webhookSecret },
      body: JSON.stringify(update),
      signal: AbortSignal.timeout(3_000),
    }).catch(() => undefined);
    if (answer?.ok !== true) return false;
    instance.serves = true;
    return true;
  };
  const close = async () => {
    isOver = true;
    for (const { program } of instances) program.kill("SIGKILL");
    await Promise.all(instances.map(({ program }) => program.ended));
    await Promise.all([telegram.close(), services.close(), exchange.close()]);
    await postgres.close();
    await rm(folder, { recursive: true, force: true });
  };
  for (const { port } of instances) {
    await patiently(
      () => answers(`http://127.0.0.1:${port}/ready`),
      () => `an instance does not start:\n${instances.map(({ program }) => program.output()).join("\n")}`,
    );
  }
  return { telegram, services, exchange, instances, troubles, close };
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

let desk: Awaited<ReturnType<typeof startInstances>>;
beforeAll(async () => {
  desk = await startInstances();
}, PATIENCE_MILLISECONDS);
afterAll(() => desk.close());

it("keeps every promise while instances are killed and frozen", { timeout: 600_000 }, async () => {
  const { telegram, services, exchange, instances, troubles } = desk;
  const random = seededRandom("instances");
  const outcomes = { accepted: 0, unknown: 0 };
  const values: string[] = [];
  const watches: { readonly person: Person; readonly id: string }[] = [];
  const orders = Array.from({ length: Math.ceil(PEOPLE / WATCHERS) }, () => exchange.add(1_000n));
  /** When alerts about changes reached Telegram, by chat and text. */
  const alerts: { readonly chatId: number; readonly percent: number; readonly at: number }[] = [];
  telegram.intercept = ({ method, parameters }) => {
    const [, percent] = /^(?:🟡 |✅ )?(\d+) %/m.exec(asRead(String(parameters["text"]))) ?? [];
    if (method === "sendMessage" && percent !== undefined) {
      alerts.push({ chatId: Number(parameters["chat_id"]), percent: Number(percent), at: Date.now() });
    }
    return undefined;
  };

  const sees = async (message: BotMessage, pattern: RegExp) =>
    patiently(
      () => pattern.test(message.text),
      () => `${String(pattern)} is not shown to ${message.chatId}:\n${message.text}`,
    );

  /** Reads a person's messages one after the other. */
  function reader(person: Person) {
    let read = 0;
    return async (pattern: RegExp): Promise<BotMessage> => {
      const find = () => telegram.messagesOf(person.id).findIndex((one, at) => at >= read && pattern.test(one.text));
      await patiently(
        () => find() !== -1,
        () =>
          `${String(pattern)} did not come to ${person.id}; the chat shows:\n${person.transcript().join("\n---\n")}`,
      );
      const found = find();
      read = found + 1;
      return telegram.messagesOf(person.id)[found]!;
    };
  }
  type Reader = ReturnType<typeof reader>;

  async function confirm(person: Person, card: BotMessage, value: string): Promise<void> {
    values.push(value);
    person.taps(card, "✅ Confirm");
    await sees(card, new RegExp(`${accepted.source}|unknown`, "i"));
    if (accepted.test(card.text)) outcomes.accepted += 1;
    else outcomes.unknown += 1;
  }

  async function swap(person: Person, reads: Reader, amount: number): Promise<void> {
    person.says("/swap");
    await reads(/Which token do you pay with/);
    person.says("KLV");
    await reads(/Which token do you want/);
    // The rest in one go, which makes sense in this order only.
    person.says("KFI");
    person.says(String(amount));
    await confirm(person, await reads(/KLV → KFI/), `KLV=${amount}000000`);
  }

  async function lock(person: Person, reads: Reader, amount: number): Promise<void> {
    person.says(`/lock ${amount} LPKLVKFI-3I0N 5500`);
    const card = await reads(/^Lock/);
    person.taps(card, "I understand");
    await sees(card, /Valid until/);
    await confirm(person, card, `LPKLVKFI-3I0N=${amount}000000`);
  }

  /** Asks for prices of amounts that grow, without waiting for answers. */
  async function quotes(person: Person, reads: Reader, round: number): Promise<void> {
    const amounts = [1, 2, 3].map((index) => 3 * round + index);
    for (const amount of amounts) person.says(`/quote ${amount} KLV KFI`);
    await reads(new RegExp(`You pay: ${amounts.at(-1)} KLV\n`));
  }

  let isTroubled = true;
  // As a function, because the compiler can't see that what is awaited may change it.
  const goesOn = (): boolean => isTroubled;
  async function walk(index: number): Promise<void> {
    const person = telegram.person(10_001 + index);
    const reads = reader(person);
    person.says(`/wallet ${addresses.person}`);
    await reads(/klv1usdny/);
    const { id } = orders[Math.floor(index / WATCHERS)]!;
    // Where the exchange has no room for another request, the answer says so, and when a person may try again.
    const asLongAsSaid = (answer: string): Promise<void> => sleep(1_000 * Number(/in (\d+) s/.exec(answer)![1]));
    const look = async (): Promise<BotMessage> => {
      person.says(`/order ${id}`);
      const shown = await reads(/^Status: |Too many requests/m);
      return /Too many/.test(shown.text) ? asLongAsSaid(shown.text).then(look) : shown;
    };
    const watch = async (card: BotMessage): Promise<void> => {
      const before = person.tapAnswers().length;
      person.taps(card, "🔔");
      await patiently(
        () => person.tapAnswers().length > before,
        () => `${person.id} can't watch; the chat shows:\n${person.transcript().join("\n---\n")}`,
      );
      const [answer = ""] = person.tapAnswers().slice(before);
      if (/watching/i.test(answer)) return;
      expect(answer).toMatch(/Too many requests/);
      await asLongAsSaid(answer);
      await watch(card);
    };
    await watch(await look());
    watches.push({ person, id });
    for (let round = 0; round === 0 || goesOn(); round += 1) {
      const amount = 1_000 + index + 1_000 * round;
      await swap(person, reads, amount);
      await quotes(person, reads, round);
      await lock(person, reads, amount);
      await sleep(random() * 200);
    }
  }

  let kills = 0;

  /** One is frozen for so long that the others give it up; then each second one is killed, while another one serves. */
  async function trouble(): Promise<void> {
    const [frozen] = instances;
    await patiently(
      () => instances.every(({ serves }) => serves),
      () => "not all instances serve",
    );
    frozen!.isFrozen = true;
    frozen!.program.kill("SIGSTOP");
    troubles.push({ at: Date.now(), isByItself: false });
    const thawed = sleep(FROZEN_MILLISECONDS).then(() => {
      frozen!.isFrozen = false;
      frozen!.program.kill("SIGCONT");
    });
    while (kills < KILLS) {
      const serving = () => instances.filter(({ isFrozen, serves }) => !isFrozen && serves);
      await patiently(
        () => serving().length > 1,
        () => "nobody else serves",
      );
      // The time between two kills is what the run is asked for, so that nothing else is waited for.
      await sleep(KILL_EVERY_SECONDS * 1_000);
      const alive = serving();
      const victim = alive[Math.floor(random() * alive.length)];
      if (alive.length < 2 || victim === undefined) continue;
      victim.serves = false;
      kills += 1;
      victim.program.kill("SIGKILL");
    }
    await thawed;
    isTroubled = false;
  }

  /** Orders that are watched are filled by some per cent now and then. */
  async function trade(): Promise<void> {
    while (KILLS > 1 && goesOn()) {
      const { id } = orders[Math.floor(random() * orders.length)]!;
      const { filled } = exchange.order(id);
      if (filled < 900n && watches.some((watch) => watch.id === id)) exchange.fill(id, 50n, 5_000_000n);
      await sleep(100);
    }
  }
  await Promise.all([trouble(), trade(), ...Array.from({ length: PEOPLE }, (_, index) => walk(index))]);

  // Every change of every order, once, the latest last.
  for (const { id, filled } of orders.map((order) => exchange.order(order.id)))
    exchange.fill(id, 950n - filled, 5_000_000n);
  const toldTo = ({ person }: { readonly person: Person }) => alerts.filter(({ chatId }) => chatId === person.id);
  const isTold = (watch: { readonly person: Person }) => toldTo(watch).at(-1)?.percent === 95;
  await patiently(
    () => watches.every(isTold),
    () => {
      const missing = watches.filter((watch) => !isTold(watch));
      return `${missing.length} last alerts did not come; one chat shows:\n${missing[0]?.person.transcript().slice(-3).join("\n---\n")}`;
    },
  );
  const doubled = watches.flatMap((watch) => {
    const told = toldTo(watch);
    const percents = told.map(({ percent }) => percent);
    expect(percents).toEqual(percents.toSorted((one, other) => one - other));
    return told.flatMap((alert, index) => {
      const again = told[index + 1];
      return alert.percent === again?.percent ? [[alert.at, again.at] as const] : [];
    });
  });
  // Twice only where its sender could not note it any more.
  for (const [from, to] of doubled) {
    expect(troubles.filter(({ at, isByItself }) => at >= from && (isByItself || at <= to))).not.toEqual([]);
  }
  expect(doubled.length).toBeLessThanOrEqual(troubles.length);

  const calls = values.map((value) => services.callsOf(value).length);
  expect(calls.filter((count) => count > 1)).toEqual([]);
  expect(outcomes.accepted + outcomes.unknown).toBe(values.length);
  for (const { person } of watches) {
    const asked = person.transcript().flatMap((text) => /^Quote[^]*You pay: (\d+) KLV/.exec(text)?.[1] ?? []);
    const answers = [...new Set(asked)].map(Number);
    expect(answers).toEqual(answers.map((_, at) => at + 1));
  }
  const requests = mostAtOnce(exchange.asked.map(({ at }) => at));
  expect(requests).toBeLessThanOrEqual(REQUESTS_PER_SECOND);
  const pace = mostAtOnce(alerts.map(({ at }) => at));
  expect(pace).toBeLessThanOrEqual(ALERTS_PER_SECOND);
  const figures = {
    kills,
    ...outcomes,
    alerts: alerts.length,
    doubled: doubled.length,
    requests,
    pace,
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
});

it("whichever instance hears of it, a pause holds on all, and an event or a message to everybody comes once", {
  timeout: PATIENCE_MILLISECONDS,
}, async () => {
  const { telegram, services } = desk;
  const operator = telegram.person(OPERATOR);
  const people = [9_001, 9_002, 9_003].map((id) => telegram.person(id));
  const cards = people.map(async (person) => {
    person.says(`/wallet ${addresses.person}`);
    await person.reads(/klv1usdny/);
    person.says("/swap 7 KLV KFI");
    return person.reads(/KLV → KFI/);
  });
  const [first, ...others] = await Promise.all(cards);

  services.onCall = () => "drop";
  people[0]!.taps(first!, "✅ Confirm");
  await operator.reads(/outcome is unknown/);
  services.onCall = answerCall;
  const counts = new Set<string | undefined>();
  for (let asked = 0; asked < 3; asked += 1) {
    operator.says("/admin");
    counts.add(/Today: .*/.exec((await operator.reads(/Trading is open/)).text)?.[0]);
  }
  expect([...counts]).toEqual([expect.stringMatching(/[1-9]\d* unknown/)]);

  operator.says("/admin pause Moving");
  const question = await operator.reads(/Pause trading for everybody/);
  operator.taps(question, "⏸ Pause now");
  await operator.sees(question, /paused since[^]*Moving/);
  for (const [index, card] of others.entries()) people[index + 1]!.taps(card, "✅ Confirm");
  for (const person of people.slice(1)) {
    await until(() => person.tapAnswers().some((answer) => answer.includes("Moving")));
  }
  expect(services.callsOf("KLV=7000000")).toHaveLength(1);
  operator.says("/admin");
  const overview = await operator.reads(/paused since/);
  operator.taps(overview, "▶️");
  await operator.sees(overview, /Let people trade again/);
  operator.taps(overview, "▶️");
  await operator.sees(overview, /Trading is open/);

  operator.says("/broadcast We moved");
  operator.taps(await operator.reads(/^We moved$/), "📣 Send to");
  await operator.reads(/has gone out/);
  for (const person of people) await person.reads(/^We moved$/);
  for (const person of people) expect(person.transcript().filter((text) => text === "We moved")).toHaveLength(1);
  expect(operator.transcript().filter((text) => text.includes("outcome is unknown"))).toHaveLength(1);
});
