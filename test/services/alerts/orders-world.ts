import { GrammyError } from "grammy";
import { Fault } from "../../../src/fault.js";
import { type Notice, noticeTopic } from "../../../src/services/telegram/outbox.js";
import type { Exchange, Order } from "../../../src/services/alerts/exchange-client.js";
import { createOrders, orderTopic, outageTopic, type Orders } from "../../../src/services/alerts/orders.js";
import type { OrderAlert } from "../../../src/services/alerts/watched-order.js";
import type { Outbox } from "../../../src/services/telegram/outbox-sender.js";
import { personIn, type Person } from "../../../src/services/person/person.js";
import { people } from "../../support/documents.js";
import { createMemoryDisk, type MemoryStore } from "../../support/memory-store.js";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.js";
import { outboxTo } from "../telegram/noticed.js";
import { silent } from "../samples.js";

export function orderId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

export function order(fields: Partial<Order> = {}): Order {
  return {
    id: orderId(1),
    status: "OPEN",
    symbol: "KLV-USDT",
    side: "BUY",
    price: "0.0068",
    averagePrice: "0",
    quantity: "100",
    filled: "0",
    type: "LIMIT",
    trade: "MAKER",
    fee: "0",
    feeToken: "KLV",
    createdAt: 1000,
    updatedAt: 1000,
    ...fields,
  };
}

/** What one message says. */
export type Alert = OrderAlert | { readonly what: Notice["what"] };

/** A message that arrived, with the fields that tests check. */
export interface Arrived {
  readonly chatId: number;
  readonly at: number;
  readonly isSilent: boolean;
  readonly alert: Alert;
}

/** An error as Telegram sends it. */
export function telegramError(code: number, description: string, retryAfter?: number): GrammyError {
  const parameters = retryAfter === undefined ? {} : { retry_after: retryAfter };
  return new GrammyError("", { ok: false, error_code: code, description, parameters }, "sendMessage", {});
}

/** A message in one line: `1001 PARTIALLY 40`, `1001 gone` or `1001` and the notice's kind. */
export function inShort({ chatId, alert }: Arrived): string {
  if ("what" in alert) return `${chatId} ${alert.what.kind}`;
  return `${chatId} ${alert.isGone ? "gone" : `${alert.order.status} ${alert.order.filled}`}`;
}

/** The world around the orders: an exchange, a Telegram and a disk that outlive each process. */
export interface World {
  readonly clock: VirtualClock;
  /** The orders at the exchange, by id. */
  readonly exchange: Map<string, Order>;
  /** Every request to the exchange. */
  readonly asked: { readonly at: number; readonly id: string }[];
  /** While set, what the exchange answers instead; "hang" is the client's time-out after ten seconds. */
  exchangeFault: Fault | "hang" | ((id: string) => Fault | undefined) | undefined;
  /** Messages that arrived at Telegram, in order. */
  readonly arrived: Arrived[];
  /** Called before each delivery: an error is thrown, "hang" is a time-out after ten seconds. */
  telegramFault: (chatId: number) => Error | "hang" | undefined;
  /** Time between Telegram's accepting a message and its answer. */
  telegramMilliseconds: number;
  /** Number of messages Telegram refused. */
  refusals: number;
  /** Duration of a write. */
  diskMilliseconds: number;
  /** Creates a process: new parts on the same disk. */
  readonly run: () => Process;
  readonly shorts: () => string[];
}

export interface Process {
  readonly orders: Orders;
  readonly outbox: Outbox;
  /** Starts sending and polling. */
  readonly start: () => Promise<void>;
  /** A message from a user; `before` is their record when it came in, by default the current one. */
  readonly hears: (userId: number, before?: Person) => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly store: MemoryStore;
  /** SIGKILL: stops everything the process began. */
  readonly kill: () => void;
  readonly person: (userId: number, fields: Partial<Person>) => Promise<void>;
  /** Looks up an order and watches it. */
  readonly watch: (userId: number, id?: string) => Promise<"watching" | "over">;
}

export function createWorld({ requestsPerSecond = 5, minSeconds = 2, maxSeconds = 60 } = {}): World {
  const clock = createVirtualClock(1_700_000_000_000);
  const disk = createMemoryDisk();
  const world: World = {
    clock,
    exchange: new Map(),
    asked: [],
    exchangeFault: undefined,
    arrived: [],
    telegramFault: () => undefined,
    telegramMilliseconds: 30,
    refusals: 0,
    diskMilliseconds: 0,
    run,
    shorts: () => world.arrived.map(inShort),
  };

  function run(): Process {
    const store = disk.open();
    store.afterWrite = () => (world.diskMilliseconds > 0 ? clock.sleep(world.diskMilliseconds) : Promise.resolve());
    let isAlive = true;
    const ifAlive = async (): Promise<void> => {
      if (!isAlive) await new Promise(() => undefined);
    };

    const exchange: Exchange = {
      order: async (id) => {
        await ifAlive();
        world.asked.push({ at: clock.now(), id });
        await clock.sleep(50);
        if (world.exchangeFault === "hang") {
          await clock.sleep(10_000);
          throw new Fault("service-timeout", { service: "exchange" });
        }
        const fault = typeof world.exchangeFault === "function" ? world.exchangeFault(id) : world.exchangeFault;
        if (fault !== undefined) throw fault;
        const found = world.exchange.get(id);
        if (found === undefined) throw new Fault("order-not-found", { id });
        return found;
      },
    };

    async function deliver(chatId: number, told: OrderAlert | Notice["what"], { isSilent }: { isSilent: boolean }) {
      await ifAlive();
      const fault = world.telegramFault(chatId);
      if (fault === "hang") {
        await clock.sleep(10_000);
        throw new Error("no answer");
      }
      if (fault !== undefined) {
        world.refusals += 1;
        throw fault;
      }
      const alert: Alert = "order" in told ? told : { what: told };
      world.arrived.push({ chatId, at: clock.now(), isSilent, alert });
      await clock.sleep(world.telegramMilliseconds);
      await ifAlive();
      return world.arrived.length;
    }

    const shared = { store, clock, log: silent };
    const { outbox, pacer } = outboxTo({ ...shared, deliver });
    outbox.use([orderTopic, outageTopic, noticeTopic]);
    const orders = createOrders({
      ...shared,
      outbox,
      exchange,
      pace: { minSeconds, maxSeconds, requestsPerSecond },
      outageSeconds: 120,
    });
    const stop = async (): Promise<void> => {
      await orders.stop();
      await outbox.stop();
    };

    return {
      orders,
      outbox,
      start: async () => {
        outbox.start();
        orders.start();
      },
      hears: async (userId, before) => {
        await outbox.onUserReturned(userId, before ?? (await personIn(store.db, userId)));
        orders.wake();
      },
      stop,
      store,
      kill: () => {
        isAlive = false;
        store.kill();
        pacer.stop();
        // Pending work never ends, so this isn't awaited.
        void stop().catch(() => undefined);
      },
      person: (userId, fields) =>
        store.update(people, String(userId), (person) => [{ ...person, chatId: userId, ...fields }, undefined]),
      watch: async (userId, id = orderId(1)) => {
        const looking = orders.look(userId, id);
        await clock.advance(5_000);
        return orders.watch(userId, await looking);
      },
    };
  }

  return world;
}

/** Sets an order at the exchange. */
export function setOrder(world: World, fields: Partial<Order> = {}): void {
  const next = order(fields);
  world.exchange.set(next.id, next);
}

/** Sets an order at the exchange, and lets time pass. */
export async function becomes(world: World, fields: Partial<Order> = {}, milliseconds = 60_000): Promise<void> {
  setOrder(world, fields);
  await world.clock.advance(milliseconds);
}

/** A world with one open order and a user who watches it. */
export async function watching(setup: Parameters<typeof createWorld>[0] = {}) {
  const world = createWorld(setup);
  setOrder(world);
  const run = world.run();
  await run.start();
  await run.watch(1001);
  return { world, run };
}
