import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { nested } from "../encoding/nested.js";
import { accepted, asRead } from "../support/as-read.js";
import { bundled } from "../support/bundled.js";
import { addresses, goodEnvironment, secrets } from "../support/desk.js";
import { startPostgres } from "../support/postgres.js";
import { startProgram, type Program } from "../support/process.js";
import { seededRandom } from "../support/seed.js";
import type { Answer } from "../support/http-stub.js";
import { startExchangeStub } from "../support/stub-exchange.js";
import { answered, carriedOut, startServicesStub } from "../support/stub-services.js";
import { startTelegramStub, type BotMessage, type Person } from "../support/stub-telegram.js";

/**
 * `INSTANCES_KILLS=60 INSTANCES_PEOPLE=200` is the long run, of a minute where a start takes less than a second: each second one
 * of those that serve is killed, while another one serves. The short one kills and freezes once.
 */
const KILLS = Number(process.env["INSTANCES_KILLS"] ?? 1);
const PEOPLE = Number(process.env["INSTANCES_PEOPLE"] ?? 15);
/** Each order is watched by so many. */
const WATCHERS = 2;
const FROZEN_MILLISECONDS = KILLS > 1 ? 15_000 : 9_500;
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

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

async function patiently(holds: () => boolean, complaint: () => string): Promise<void> {
  const end = Date.now() + PATIENCE_MILLISECONDS;
  while (!holds()) {
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

/** What the contract answers to a lock of that payment. */
function locked(payment: string): Answer {
  const [, units = "0"] = payment.split("=");
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
    WEBHOOK_URL: "http://127.0.0.1:9/updates",
    ORDER_POLL_RPS: String(REQUESTS_PER_SECOND),
    ORDER_POLL_MIN_SECONDS: "0.5",
    ORDER_POLL_MAX_SECONDS: "3",
    QUOTE_TTL_SECONDS: "600",
    LOG_LEVEL: "warn",
  };
  const start = (port: number) =>
    startProgram([process.execPath, main], { environment: { ...environment, PORT: String(port) }, folder });
  services.onCall = ({ json }) => (json?.["funcName"] === "lockTokens" ? locked(String(json["value"])) : carriedOut);
  const instances: Instance[] = [];
  let isOver = false;
  // As a function, because the compiler can't see that what is awaited may change it.
  const hasEnded = (): boolean => isOver;
  let next = 0;

  async function keepRunning(instance: Instance): Promise<void> {
    while (!hasEnded()) {
      await instance.program.ended;
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
  onTestFinished(async () => {
    isOver = true;
    for (const { program } of instances) program.kill("SIGKILL");
    await Promise.all(instances.map(({ program }) => program.ended));
    await Promise.all([telegram.close(), services.close(), exchange.close()]);
    await postgres.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { telegram, services, exchange, instances };
}

it("keeps every promise while instances are killed and frozen", { timeout: 600_000 }, async () => {
  const { telegram, services, exchange, instances } = await startInstances();
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
    // Where the exchange has no room for another request, the answer says so, and a person tries again.
    const look = async (): Promise<BotMessage> => {
      person.says(`/order ${id}`);
      const shown = await reads(/^Status: |Too many requests/m);
      return /Too many/.test(shown.text) ? sleep(5_000).then(look) : shown;
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
      await sleep(5_000);
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

  const kills: number[] = [];

  /** One is frozen for so long that the others give it up; then each second one is killed, while another one serves. */
  async function trouble(): Promise<void> {
    const [frozen] = instances;
    await patiently(
      () => instances.every(({ serves }) => serves),
      () => "not all instances serve",
    );
    frozen!.isFrozen = true;
    frozen!.program.kill("SIGSTOP");
    const thawed = sleep(FROZEN_MILLISECONDS).then(() => {
      frozen!.isFrozen = false;
      frozen!.program.kill("SIGCONT");
    });
    while (kills.length < KILLS) {
      const serving = instances.filter(({ isFrozen, serves }) => !isFrozen && serves);
      await sleep(serving.length < 2 ? 20 : 1_000);
      const victim = serving[Math.floor(random() * serving.length)];
      if (serving.length < 2 || victim === undefined) continue;
      victim.serves = false;
      kills.push(Date.now());
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
    return told.filter(({ percent }, at) => percent === told[at + 1]?.percent);
  });
  // Twice only where its sender died before it could note it.
  for (const { at } of doubled) expect(kills.some((moment) => moment >= at && moment < at + 1_000)).toBe(true);
  expect(doubled.length).toBeLessThanOrEqual(kills.length / 4);

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
    kills: kills.length,
    ...outcomes,
    alerts: alerts.length,
    doubled: doubled.length,
    requests,
    pace,
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
});
