import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { accepted } from "../support/as-read.js";
import { addresses, goodEnvironment, secrets } from "../support/desk.js";
import { startPostgres } from "../support/postgres.js";
import { buildWhenNeeded, startBuiltBot, type Program } from "../support/process.js";
import { seededRandom } from "../support/seed.js";
import { startExchangeStub } from "../support/stub-exchange.js";
import { startServicesStub } from "../support/stub-services.js";
import { startTelegramStub, type BotMessage, type Person } from "../support/stub-telegram.js";

/** `INSTANCES_SECONDS=60 INSTANCES_PEOPLE=200 INSTANCES_KILL_EVERY=1` is the long run; the short one kills and freezes once. */
const SECONDS = Number(process.env["INSTANCES_SECONDS"] ?? 0);
const PEOPLE = Number(process.env["INSTANCES_PEOPLE"] ?? 15);
const KILL_EVERY_SECONDS = Number(process.env["INSTANCES_KILL_EVERY"] ?? 1);
const FROZEN_MILLISECONDS = SECONDS > 0 ? 15_000 : 9_500;
const REQUESTS_PER_SECOND = 20;
/** Much longer than it takes the others to take over. */
const PATIENCE_MILLISECONDS = 90_000;

interface Instance {
  readonly port: number;
  program: Program;
  isFrozen: boolean;
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
    await sleep(20);
  }
}

/** Three built programs on one database, behind a round robin. */
async function startInstances() {
  await buildWhenNeeded();
  const [postgres, telegram, services, exchange, folder] = await Promise.all([
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
  const start = (port: number) => startBuiltBot({ ...environment, PORT: String(port) }, folder);
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
    const instance = { port, program: start(port), isFrozen: false };
    instances.push(instance);
    void keepRunning(instance);
  }
  telegram.post = async (update) => {
    const { port } = instances[next++ % instances.length]!;
    const answer = await fetch(`http://127.0.0.1:${port}/updates`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-telegram-bot-api-secret-token": secrets.webhookSecret },
      body: JSON.stringify(update),
      signal: AbortSignal.timeout(3_000),
    }).catch(() => undefined);
    return answer?.ok === true;
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

it("keeps every promise while instances are killed and frozen", { timeout: 300_000 }, async () => {
  const { telegram, services, exchange, instances } = await startInstances();
  const random = seededRandom("instances");
  const outcomes = { accepted: 0, unknown: 0 };
  const values: string[] = [];
  const watched: { readonly person: Person; readonly id: string }[] = [];

  const sees = async (message: BotMessage, pattern: RegExp) =>
    patiently(
      () => pattern.test(message.text),
      () => `${String(pattern)} is not shown:\n${message.text}`,
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

  async function swap(person: Person, reads: (pattern: RegExp) => Promise<BotMessage>, amount: number) {
    person.says("/swap");
    await reads(/Which token do you pay with/);
    person.says("KLV");
    await reads(/Which token do you want/);
    person.says("KFI");
    await reads(/How much/);
    person.says(String(amount));
    const card = await reads(/KLV → KFI/);
    values.push(`KLV=${amount}000000`);
    person.taps(card, "✅ Confirm");
    await sees(card, new RegExp(`${accepted.source}|unknown`, "i"));
    if (accepted.test(card.text)) outcomes.accepted += 1;
    else outcomes.unknown += 1;
  }

  const end = Date.now() + SECONDS * 1000;
  async function walk(index: number): Promise<void> {
    const person = telegram.person(10_001 + index);
    const reads = reader(person);
    person.says(`/wallet ${addresses.person}`);
    await reads(/klv1usdny/);
    const order = exchange.add(1_000n);
    const look = async (): Promise<BotMessage> => {
      person.says(`/order ${order.id}`);
      const shown = await reads(/open|Too many requests/i);
      return /Too many/.test(shown.text) ? sleep(5_000).then(look) : shown;
    };
    const card = await look();
    person.taps(card, "🔔");
    await patiently(
      () => person.tapAnswers().some((answer) => /watching/i.test(answer)),
      () => `the watch of ${person.id} was not confirmed`,
    );
    watched.push({ person, id: order.id });
    for (let round = 0; round === 0 || Date.now() < end; round += 1) {
      await swap(person, reads, 1_000 + index + 1_000 * round);
      await sleep(random() * 200);
    }
  }

  const walks = Promise.all(Array.from({ length: PEOPLE }, (_, index) => walk(index)));
  let isWalking = true;
  const done = walks.finally(() => {
    isWalking = false;
  });

  /** One is frozen for so long that the others give it up; one after the other is killed. */
  async function trouble(): Promise<number> {
    let kills = 0;
    const frozen = instances[0]!;
    await sleep(2_500);
    frozen.isFrozen = true;
    frozen.program.kill("SIGSTOP");
    const thawed = sleep(FROZEN_MILLISECONDS).then(() => {
      frozen.isFrozen = false;
      frozen.program.kill("SIGCONT");
    });
    for (let at = 1; isWalking && (kills === 0 || Date.now() < end); at += 1) {
      const victim = instances[at % instances.length]!;
      if (!victim.isFrozen) {
        victim.program.kill("SIGKILL");
        kills += 1;
      }
      await sleep(KILL_EVERY_SECONDS * 1000);
    }
    await thawed;
    return kills;
  }
  const [kills] = await Promise.all([trouble(), done]);

  // Every change of every order, once.
  for (const { id } of watched) exchange.fill(id, 400n, 5_000_000n);
  const alertsTo = ({ person }: { readonly person: Person }) =>
    telegram.messagesOf(person.id).filter(({ text }) => /^.*40\s?%/m.test(text) && !/\/order/.test(text));
  await patiently(
    () => watched.every((watch) => alertsTo(watch).length > 0),
    () =>
      `${watched.filter((watch) => alertsTo(watch).length === 0).length} alerts did not come; one chat shows:\n${watched
        .find((watch) => alertsTo(watch).length === 0)
        ?.person.transcript()
        .slice(-3)
        .join("\n---\n")}`,
  );
  const doubled = watched.filter((watch) => alertsTo(watch).length > 1).length;

  const calls = values.map((value) => services.callsOf(value).length);
  expect(calls.filter((count) => count > 1)).toEqual([]);
  expect(outcomes.accepted + outcomes.unknown).toBe(values.length);
  const times = exchange.asked.map(({ at }) => at);
  // On a busy machine a request can be a tenth of a second on its way.
  const inASecond = times.map((from) => times.filter((at) => at >= from && at < from + 900).length);
  expect(Math.max(...inASecond)).toBeLessThanOrEqual(REQUESTS_PER_SECOND);
  expect(doubled).toBe(0);
  const figures = { kills, ...outcomes, alerts: watched.length, most: Math.max(...inASecond) };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
});
