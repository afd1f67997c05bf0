import { describe, expect, it, onTestFinished } from "vitest";
import { type Desk, testDesk } from "../support/desk.js";
import type { Answer } from "../support/http-stub.js";
import { startExchangeStub, type ExchangeStub } from "../support/stub-exchange.js";
import { failure, type Person } from "../support/stub-telegram.js";
import { readAlert } from "../support/read-alert.js";
import { until } from "../support/until.js";

const PRICE = 700_000n;

async function begin(environment: Readonly<Record<string, string>> = {}) {
  const exchange = await startExchangeStub();
  onTestFinished(() => exchange.close());
  const desk = await testDesk({
    ORDER_URL: exchange.url,
    ORDER_POLL_MIN_SECONDS: "0.05",
    ORDER_POLL_MAX_SECONDS: "0.2",
    ORDER_POLL_RPS: "200",
    ...environment,
  });
  return { desk, exchange };
}

/** For what never answers: long enough for what does, on a machine that is busy. */
const PATIENCE_MS = 2_000;
const impatient = { HTTP_TIMEOUT_SECONDS: String(PATIENCE_MS / 1000) };

async function watch(person: Person, id: string): Promise<void> {
  const card = await person.asks(id, new RegExp(id));
  person.taps(card, "🔔");
  await person.sees(card, /You're watching this order/);
}

async function stop(desk: Desk): Promise<void> {
  desk.program().kill("SIGTERM");
  expect(await desk.program().ended).toBe(0);
}

/** Waits until the exchange was asked about an order `times` more times. */
async function polled(exchange: ExchangeStub, id: string, times = 3): Promise<void> {
  const before = exchange.asked.length;
  await until(() => exchange.asked.slice(before).filter((one) => one.id === id).length >= times);
}

/** The order alerts that a user received, one line each. */
function told(person: Person): readonly string[] {
  const alerts = person.transcript().filter((text) => /^(?:🟡|✅ Filled|✖️)/.test(text));
  return alerts.map(readAlert).map(({ orderId, to, since }) => `${orderId.slice(-1)} ${to.status} +${since}`);
}

const isFull = process.env["FULL"] !== undefined;

/** Tries each kind of trouble with its own desk, all in parallel, since most of it is waiting. */
async function burst(
  troubles: Readonly<Record<string, Answer>>,
  attempt: (answer: Answer) => Promise<void>,
): Promise<void> {
  const attempts = Object.entries(troubles).map(async ([name, answer]) => {
    try {
      await attempt(answer);
    } catch (error) {
      if (error instanceof Error) error.message = `${name}: ${error.message}`;
      throw error;
    }
  });
  await Promise.all(attempts);
}

describe("if Telegram answers 502, a proxy's page, 429 or nothing", () => {
  const troubles = {
    "a proxy's page": { status: 502, body: "<html>Bad Gateway</html>" },
    "429": failure(429, "Too Many Requests: retry after 1", { retry_after: 1 }),
    // In `npm test`, outbox.test.ts covers these.
    ...(isFull && { "502": failure(502, "Bad Gateway"), nothing: "hang" as const }),
  };

  async function trouble(answer: Answer): Promise<void> {
    const { desk, exchange } = await begin(answer === "hang" ? impatient : {});
    const [first, second, third] = [exchange.add(100n).id, exchange.add(100n).id, exchange.add(100n).id];
    const people = [desk.stranger(), desk.stranger()];
    for (const person of people) for (const id of [first, second, third]) await watch(person, id);

    const refused = new Map<unknown, number>();
    desk.telegram.intercept = ({ method, parameters }) => {
      if (method !== "sendMessage") return undefined;
      refused.set(parameters["chat_id"], (refused.get(parameters["chat_id"]) ?? 0) + 1);
      return answer;
    };
    exchange.fill(second, 5n, PRICE);
    await until(() => people.every(({ id }) => (refused.get(id) ?? 0) > 0));
    // By the second answer, the first has been dealt with. An order that has ended isn't asked for again.
    exchange.fill(first, 40n, PRICE);
    await polled(exchange, first, 2);
    exchange.cancel(third);
    await polled(exchange, third, 1);
    await polled(exchange, first, 2);
    exchange.fill(first, 60n, PRICE);
    // Every message is refused repeatedly, and the exchange is polled all the time.
    await until(() => people.every(({ id }) => (refused.get(id) ?? 0) > 1));
    await polled(exchange, second, 10);
    for (const person of people) expect(told(person)).toEqual([]);

    desk.telegram.intercept = () => undefined;
    for (const person of people)
      await until(
        () => told(person).length >= 3,
        () => person.transcript().join("\n"),
      );
    exchange.fill(second, 95n, PRICE);
    for (const person of people) {
      await person.reads(/✅ Filled · 95 KLV/);
      // Waiting alerts arrive in the order of their first changes, with both changes of one order in one message.
      expect(told(person)).toEqual(["2 PARTIALLY +5", "1 DONE +100", "3 CANCELED +0", "2 DONE +95"]);
    }
  }

  it("loses no alert, keeps their order within a chat, and goes on watching", () => burst(troubles, trouble));

  it("sends an alert once, even if Telegram confirms it long after the timeout of a reply", async () => {
    const { desk, exchange } = await begin(impatient);
    const { id } = exchange.add(100n);
    const person = desk.stranger();
    await watch(person, id);
    const taken: unknown[] = [];
    desk.telegram.intercept = ({ method, parameters }) => {
      if (method !== "sendMessage" || !String(parameters["text"]).includes("🟡")) return undefined;
      taken.push(parameters["text"]);
      // The message is sent, but the answer takes four times the timeout of a reply.
      const result = { message_id: 4000 + taken.length, date: 1, chat: { id: person.id, type: "private" }, text: "" };
      return { body: { ok: true, result }, delay: 4 * PATIENCE_MS };
    };
    exchange.fill(id, 40n, PRICE);
    await until(() => taken.length > 0);
    exchange.fill(id, 60n, PRICE);
    // The next message in a chat waits until the previous one is confirmed.
    await person.reads(/✅ Filled/);
    expect(taken).toHaveLength(1);
    expect(told(person)).toEqual([expect.stringMatching(/DONE \+60$/)]);
  });
});

describe("an exchange outage", () => {
  const OUTAGE = /can't reach the exchange \(since/;
  const RETURN = /The exchange is back \(down since/;
  const OUTAGE_MS = 1000;

  async function switchOff(person: Person): Promise<void> {
    const page = await person.asks("/settings", /Settings/);
    person.taps(page, "Order alerts");
    await person.sees(page, /^Order alerts/);
    for (const mode of ["🔔", "🔕"]) {
      const label = `Exchange outages: ${mode}`;
      person.taps(page, label);
      await until(() => !page.buttons.some(({ text }) => text.startsWith(label)));
    }
  }

  async function outage(answer: Answer): Promise<void> {
    const { desk, exchange } = await begin({
      SERVICE_OUTAGE_SECONDS: String(OUTAGE_MS / 1000),
      ...(answer === "hang" && impatient),
    });
    const { id } = exchange.add(100n);
    const [alice, bob, carol, dave] = [desk.stranger(), desk.stranger(), desk.stranger(), desk.stranger()];
    for (const person of [alice, bob, carol]) await watch(person, id);
    await switchOff(carol);
    await dave.asks("/start", /./);
    const count = (person: Person, pattern: RegExp) => person.transcript().filter((text) => pattern.test(text)).length;
    const counts = (pattern: RegExp) => [alice, bob, carol, dave].map((person) => count(person, pattern));

    exchange.instead = answer;
    for (const person of [alice, bob]) await person.reads(OUTAGE);
    await restart(desk, exchange);
    exchange.fill(id, 10n, PRICE);
    expect(counts(OUTAGE)).toEqual([1, 1, 0, 0]);
    exchange.instead = undefined;
    for (const person of [alice, bob]) await person.reads(RETURN);
    for (const person of [alice, bob, carol]) await until(() => told(person).length === 1);
    await restart(desk, exchange);
    expect(counts(OUTAGE)).toEqual([1, 1, 0, 0]);
    expect(counts(RETURN)).toEqual([1, 1, 0, 0]);

    // Another outage is announced again.
    exchange.instead = answer;
    for (const person of [alice, bob]) await person.reads(OUTAGE);
    expect(counts(OUTAGE)).toEqual([2, 2, 0, 0]);
    for (const person of [alice, bob, carol]) expect(told(person)).toEqual(["1 PARTIALLY +10"]);
  }

  it("is announced once to each watcher, and so is its end, across restarts", () =>
    // In `npm test`, outage.test.ts covers the others.
    burst({ "broken off": "drop", ...(isFull && { "503": { status: 503 }, nothing: "hang" as const }) }, outage));

  /** Restarts the program, and waits until it has polled for longer than it takes to announce an outage. */
  async function restart(desk: Desk, exchange: ExchangeStub): Promise<void> {
    await stop(desk);
    desk.start();
    const before = exchange.asked.length;
    const isLongAtWork = (): boolean => {
      const asked = exchange.asked.slice(before);
      return asked.length >= 3 && asked.at(-1)!.at - asked[0]!.at > 1.5 * OUTAGE_MS;
    };
    await until(isLongAtWork);
  }
});
