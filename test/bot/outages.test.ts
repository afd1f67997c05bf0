import { Api, Bot, type Transformer } from "grammy";
import type { Update } from "grammy/types";
import { describe, expect, it, onTestFinished } from "vitest";
import type { BotContext } from "../../src/bot/context.js";
import { errorBoundary, userQueue } from "../../src/bot/middleware/handling.js";
import { createMetrics } from "../../src/services/operator/metrics.js";
import { startPolling, startWebhook } from "../../src/bot/receive/receive.js";
import { answered, apiTransformers, noted, paced } from "../../src/services/telegram/api-transformers.js";
import { amountOf } from "../../src/encoding/amount.js";
import { createHealth, isOutNow } from "../../src/services/base/health.js";
import { createTelegramClient } from "../../src/services/telegram/telegram-client.js";
import { lockTopic, remindOfLocks } from "../../src/services/trade/lock-record.js";
import { broadcastTopic, createBroadcast } from "../../src/services/operator/broadcast.js";
import { createOperatorNotifications } from "../../src/services/operator/incidents.js";
import { createOrders, orderTopic } from "../../src/services/alerts/orders.js";
import { noticeTopic, type Notice, type Topic } from "../../src/services/telegram/outbox.js";
import { createAway } from "../../src/services/telegram/away.js";
import { createPacer } from "../../src/services/telegram/pacer.js";
import { createSendOutcomes } from "../../src/services/telegram/send-outcomes.js";
import { createOutbox } from "../../src/services/telegram/outbox-sender.js";
import { createPriceAlerts, priceAlertTopic } from "../../src/services/alerts/price-alerts.js";
import { createPriceWatches } from "../../src/services/price-watches/price-watches.js";
import { toJson } from "../../src/store/store.js";
import { kfi, klv, silent } from "../services/samples.js";
import { storeLocks } from "../services/trade/stored-locks.js";
import { order } from "../services/alerts/orders-world.js";
import { people } from "../support/documents.js";
import { type Answer, startHttpStub } from "../support/http-stub.js";
import { createMemoryDisk } from "../support/memory-store.js";
import { seededRandom } from "../support/seed.js";
import { failure } from "../support/stub-telegram.js";
import { createVirtualClock, outstanding } from "../support/virtual-clock.js";
import { botInfo, testInbox, text } from "./receive/updates.js";

const token = "1000:test-token-that-opens-nothing";
const users = [1001, 1002, 1003];
const OPERATOR = 1;

/**
 * A bot whose every answer from Telegram comes over HTTP, with all that writes to people unprompted: each of three has
 * an order, a price alert and a lock. Its clock waits for the answers.
 */
async function arrange(by: "polling" | "webhook") {
  const clock = createVirtualClock(1_700_000_000_000);
  const store = createMemoryDisk().open();
  const world = {
    /** What a gateway answers instead of Telegram. */
    page: undefined as Answer | undefined,
    /** Calls of these methods don't come through the gateway. */
    through: [] as string[],
    filled: "0",
    price: 1_000_000_000n,
    epoch: 10n,
  };
  const arrived: { readonly chatId: number; readonly kind: string; readonly what: Notice["what"] }[] = [];
  let asked = 0;

  const server = await startHttpStub(({ path, json = {} }) => {
    const method = path.slice(path.lastIndexOf("/") + 1);
    asked += 1;
    if (world.page !== undefined && !world.through.includes(method)) return world.page;
    if (method === "getMe") return { body: { ok: true, result: botInfo } };
    if (method !== "sendMessage") return { body: { ok: true, result: method === "getUpdates" ? [] : true } };
    const chatId = Number(json["chat_id"]);
    const { kind, message } = JSON.parse(String(json["text"])) as { kind: string; message: Notice["what"] };
    arrived.push({ chatId, kind, what: message });
    const result = { message_id: arrived.length, date: 1, chat: { id: chatId, type: "private" } };
    return { body: { ok: true, result } };
  });

  let pending: Update[] = [];
  let wake = new AbortController();
  /** The network, innermost: the clock waits for it. Polls are held on the virtual clock, not by the server. */
  const network: Transformer = async (previous, method, payload, signal) => {
    if (method === "getUpdates" && world.page === undefined) {
      if (pending.length === 0) {
        wake = new AbortController();
        const awaited = AbortSignal.any([wake.signal, signal as AbortSignal]);
        await clock.sleep(10_000, awaited).catch(() => undefined);
      }
      const result = pending;
      pending = [];
      return { ok: true, result: result as never };
    }
    return outstanding(previous(method, payload, signal));
  };

  const health = createHealth(clock);
  const log = silent;
  const http = createTelegramClient({ apiRoot: server.url, timeoutSeconds: 5, onRequestDone: health.note, log });
  const [pacer, outcomes] = [createPacer({ clock }), createSendOutcomes({ clock })];
  const bot = new Bot<BotContext>(token, { client: http.options });
  const away = createAway({ clock });
  bot.api.config.use(network, answered(away), noted(outcomes), paced(pacer), ...apiTransformers(clock));
  const alerts = new Api(token, http.optionsForAlerts);
  alerts.config.use(network, answered(away));

  const written = (kind: string, message: unknown) => toJson({ kind, message });
  const onTopic = <Message>({ render, ...topic }: Topic<Message>): Topic<string> => ({
    ...topic,
    render: async (...about) => {
      const rendered = await render(...about);
      return rendered && { ...rendered, message: written(topic.name, rendered.message) };
    },
  });
  const shared = { store, clock, log };
  const outbox = createOutbox<string>({
    ...shared,
    pacer,
    outcomes,
    away,
    deliver: async (chatId, message) => (await alerts.sendMessage(chatId, message)).message_id,
    noteError: (error) => expect.fail(String(error)),
    run: "run",
  });
  outbox.use(
    [orderTopic, priceAlertTopic, lockTopic, broadcastTopic, noticeTopic].map((topic) => onTopic(topic as never)),
  );

  const orders = createOrders({
    ...shared,
    outbox,
    exchange: { order: async (id) => order({ id, status: "PARTIALLY", filled: world.filled }) },
    pace: { minSeconds: 2, maxSeconds: 60, requestsPerSecond: 25 },
    outageSeconds: 120,
  });
  let ids = 0;
  const priced = {
    ...shared,
    tokens: { byId: (id: string) => [klv, kfi].find((one) => one.id === id) },
    noteError: (error: unknown) => expect.fail(String(error)),
  };
  const priceWatches = createPriceWatches({
    ...priced,
    polled: { quote: async (_amount, out) => amountOf(out, world.price) },
    pace: { requestsPerSecond: 2, everySeconds: 15 },
    prices: { noteQuote: () => true },
  });
  const priceAlerts = createPriceAlerts({
    ...priced,
    quotation: { quote: async (_amount, out) => amountOf(out, 1_000_000_000n) },
    watches: priceWatches,
    newId: () => `id-${++ids}`,
    outbox,
  });
  const tellOperators = createOperatorNotifications(shared, [OPERATOR]);
  const broadcast = createBroadcast(
    { ...shared, outbox },
    () => true,
    tellOperators,
    (error) => expect.fail(String(error)),
  );

  bot.use(userQueue(shared));
  bot.use(
    errorBoundary({
      base: shared,
      outbox,
      metrics: createMetrics(),
      operator: { noteError: (error: unknown) => expect.fail(String(error)) },
    } as never),
  );
  bot.on("message:text", (ctx) => ctx.reply(written("reply", ctx.msg.text)));
  const parts = { bot, inbox: testInbox({ bot, ...shared }), ...shared };
  const webhook = { webhookUrl: "https://bot.example.org/updates/x", webhookSecret: "a-secret" };
  const posted = by === "webhook" ? startWebhook(parts, webhook) : undefined;
  const transport = posted ?? startPolling(parts);
  let end: unknown;
  transport.done.catch((error: unknown) => (end = error));

  const stopping = new AbortController();
  const running = [
    priceWatches.run(stopping.signal),
    priceAlerts.run(stopping.signal),
    broadcast.run(stopping.signal),
    remindOfLocks({ ...shared, lock: { epochStatus: async () => ({ epoch: world.epoch }) }, outbox }, stopping.signal),
  ];
  outbox.start();
  orders.start();
  onTestFinished(async () => {
    stopping.abort();
    pacer.stop();
    await Promise.all([transport.stop(0), outbox.stop(), orders.stop(), ...running]);
    await http.close();
    await server.close();
  });

  for (const id of users) {
    await store.update(people, `${id}`, (person) => [{ ...person, chatId: id }, undefined]);
    await orders.watch(id, order({ status: "PARTIALLY" }));
    await priceAlerts.set(id, { amount: amountOf(kfi, 10_000_000n), out: klv, rule: { way: "above", price: "120" } });
    const locked = { tokenId: "LKTOK-1A2B", nonce: BigInt(id) };
    const amount = { token: kfi, units: 5_000_000n };
    await storeLocks(store, id, [{ locked, amount, unlockEpoch: 12n, lockedAt: 0, isAnswered: true }]);
  }
  await clock.advance(40_000);
  expect(arrived).toEqual([]);
  expect(transport.healthy()).toBe(true);

  let updates = 0;
  return {
    clock,
    world,
    arrived,
    transport,
    bot,
    store,
    asked: () => asked,
    end: () => end,
    isOut: () => health.read().some((service) => isOutNow(service, clock.monotonic())),
    /** A message from a user reaches the bot, whatever becomes of the answer. */
    says: async (id: number, words: string) => {
      const update = text((updates += 1), id, words);
      if (posted !== undefined) expect(await posted.route.receive(update)).toBe(true);
      else {
        pending.push(update);
        wake.abort();
      }
    },
    /** Everything becomes due at once: orders, prices, locks, and an operator's broadcast. */
    happens: async () => {
      Object.assign(world, { filled: "40", price: 1_300_000_000n, epoch: 12n });
      expect(await broadcast.send({ text: "Moving tonight", entities: [] })).toBe(true);
    },
    reachable: async () => {
      const rows = await store.db.selectFrom("users").select(["id", "unreachable_since as since"]).execute();
      return rows.filter(({ since }) => since === null).map(({ id }) => id);
    },
    waiting: () => store.db.selectFrom("outbox").selectAll().execute(),
    kindsFor: (id: number) => arrived.filter(({ chatId }) => chatId === id).map(({ kind }) => kind),
  };
}

type Arranged = Awaited<ReturnType<typeof arrange>>;

/** Once it is over: everybody got everything, and the operator a true count. */
async function expectNothingLost(
  { arrived, clock, kindsFor, reachable, waiting }: Arranged,
  answers: readonly string[],
) {
  // More than the longest pause between two attempts.
  await clock.advance(150_000);
  expect(await reachable()).toEqual(users);
  expect(await waiting()).toEqual([]);
  for (const id of users) {
    const kinds = kindsFor(id);
    expect(kinds.filter((kind) => !answers.includes(kind)).sort()).toEqual([
      "broadcast",
      "lock",
      "order",
      "price-alert",
    ]);
    expect(
      kinds.some((kind) => answers.includes(kind)),
      `an answer for ${id}`,
    ).toBe(true);
  }
  const told = arrived.filter(({ chatId }) => chatId === OPERATOR).map(({ what }) => what);
  const event = { about: "broadcast", people: users.length, others: 0 };
  expect(told).toEqual([{ kind: "operator", event }]);
}

const random = seededRandom("gateways' pages");
const all = [400, 401, 403, 404, 429, 500, 502, 503];
/** In `npm test`, one of them, by its seed. */
const statuses = process.env["FULL"] === undefined ? all.toSorted(() => random() - 0.5).slice(0, 1) : all;
const pageOf = (status: number): Answer => ({ status, body: "<html><h1>Blocked</h1></html>" });
const each = statuses.flatMap((status) => (["polling", "webhook"] as const).map((by) => [status, by] as const));

describe.each(each)("a gateway's %d page, with %s", (status, by) => {
  it("for three seconds delays alerts, reminders, a broadcast and replies, and that is all", async () => {
    const desk = await arrange(by);
    const { clock, world, says, happens, kindsFor } = desk;
    world.page = pageOf(status);
    for (const id of users) await says(id, "hello");
    await happens();
    await clock.advance(3_000);
    expect(desk.arrived).toEqual([]);
    world.page = undefined;
    await clock.advance(8_000);
    for (const id of users) expect(kindsFor(id)).toContain("reply");
    await expectNothingLost(desk, ["reply"]);
  });

  it("for ten minutes does the same; who was not answered learns it, and the bot says that Telegram is out", async () => {
    const desk = await arrange(by);
    const { clock, world, says, happens, transport } = desk;
    world.page = pageOf(status);
    for (const id of users) await says(id, "hello");
    await happens();
    await clock.advance(600_000);
    expect(desk.arrived).toEqual([]);
    expect(desk.isOut()).toBe(true);
    if (by === "polling") expect(transport.healthy()).toBe(false);
    expect(desk.end()).toBeUndefined();
    world.page = undefined;
    // By polling, some messages come only afterwards.
    await expectNothingLost(desk, by === "polling" ? ["notice", "reply"] : ["notice"]);
    expect(desk.isOut()).toBe(false);
    expect(transport.healthy()).toBe(true);
    // And it goes on.
    await says(1001, "again");
    await clock.advance(1_000);
    expect(desk.arrived.at(-1)).toEqual({ chatId: 1001, kind: "reply", what: "again" });
  });
});

describe.each([
  ["Forbidden: bot was blocked by the user", 403],
  ["Forbidden: user is deactivated", 403],
  ["Bad Request: chat not found", 400],
  ["Bad Request: message is too long", 400],
  ["Logged out", 400],
  ["Bad Request: something new", 400],
] as const)("if Telegram itself says %s to everybody, for ten minutes", (description, code) => {
  it("it is an outage: nothing is lost, and nobody is marked as gone", async () => {
    const desk = await arrange("webhook");
    const { clock, world, says, happens } = desk;
    world.page = failure(code, description);
    world.through = ["getMe"];
    for (const id of users) await says(id, "hello");
    await happens();
    await clock.advance(600_000);
    world.page = undefined;
    await expectNothingLost(desk, ["notice", "reply"]);
  });
});
