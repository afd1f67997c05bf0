import { createSignal } from "../signal.js";
import { type Clock, unixSeconds } from "../telegram/clock.js";
import { readFixed } from "./decimal.js";
import { cancelOrder, fillOrder, isOver, newOrder, orderSeed, type MarketOrder, type OrderSeed } from "./order.js";
import { createRandom, randomId } from "./random.js";

export type Market = ReturnType<typeof createMarket>;

/** The future of an order that moves: its number of fills, and whether it ends done or canceled. */
interface Path {
  fillsLeft: number;
  readonly end: "DONE" | "CANCELED";
}

/** Probability that an order moves in a step, so that they don't all move at once. */
const MOVE_CHANCE = 0.4;
const MAX_FILLS = 4;
const PRICE_SPREAD = 50n;
const STEP_MS = 5000;

/** A market whose orders take every possible course, by seeded chance. It only moves when stepped or started. */
export function createMarket(seed: number, clock: Clock, seeds: readonly unknown[] = []) {
  const random = createRandom(seed);
  const orders = new Map<string, MarketOrder>();
  const paths = new Map<string, Path>();
  const changed = createSignal<MarketOrder>();
  let running: AbortController | undefined;

  function put(order: MarketOrder): MarketOrder {
    orders.set(order.orderId, order);
    changed.tell(order);
    return order;
  }

  function add(seed: unknown): MarketOrder {
    const read = orderSeed.parse(seed);
    const orderId = read.orderId?.toLowerCase() ?? randomId(random);
    if (orders.has(orderId)) throw new Error(`there is an order ${orderId} already`);
    return put(newOrder(read, orderId, unixSeconds(clock)));
  }

  /** After a manual change, the market no longer moves the order. */
  function byHand(orderId: string, change: (order: MarketOrder) => MarketOrder): MarketOrder {
    const order = orders.get(orderId);
    if (order === undefined) throw new Error(`there is no order ${orderId}`);
    return put({ ...change(order), moves: false });
  }

  function step(): void {
    for (const order of orders.values()) {
      if (order.moves && !isOver(order) && random() < MOVE_CHANCE) put(move(order));
    }
  }

  function move(order: MarketOrder): MarketOrder {
    const now = unixSeconds(clock);
    const path = paths.get(order.orderId) ?? choosePath(order);
    paths.set(order.orderId, path);
    if (path.fillsLeft === 0) return cancelOrder(order, now);
    path.fillsLeft -= 1;
    const left = order.quantity - order.filled;
    const isLast = path.fillsLeft === 0 && path.end === "DONE";
    return fillOrder(order, isLast ? left : part(left), priceNear(order.price), now);
  }

  /** Filled at once or in several fills, or canceled before or after some. */
  function choosePath(order: MarketOrder): Path {
    if (order.typeOrder === "MARKET") return { fillsLeft: 1, end: "DONE" };
    const end = random() < 0.6 ? "DONE" : "CANCELED";
    const fewest = end === "DONE" ? 1 : 0;
    return { end, fillsLeft: fewest + Math.floor(random() * MAX_FILLS) };
  }

  /** From a fifth to three fifths of what is left, so that something remains; at least the smallest amount. */
  function part(left: bigint): bigint {
    const share = (left * BigInt(20 + Math.floor(random() * 41))) / 100n;
    return share > 0n ? share : 1n;
  }

  /** The order's price, up to half a percent away. */
  function priceNear(price: bigint): bigint {
    const away = BigInt(Math.floor(random() * 101)) - PRICE_SPREAD;
    return price + (price * away) / 10_000n;
  }

  async function run(signal: AbortSignal): Promise<void> {
    const waited = async () => clock.sleep(STEP_MS, signal).then(() => true);
    while (await waited().catch(() => false)) step();
  }

  for (const seed of seeds) add(seed);

  return {
    /** All orders, newest first. */
    orders: () => [...orders.values()].reverse(),
    order: (orderId: string) => orders.get(orderId.toLowerCase()),
    /** @throws Error if the order is malformed or its id is taken. */
    add: (seed: OrderSeed) => add(seed),
    /** Fills a part of an order manually, by default at its own price. @throws Error if that is impossible. */
    fill: (orderId: string, quantity: string, price?: string) =>
      byHand(orderId, (order) =>
        fillOrder(order, readFixed(quantity), price === undefined ? order.price : readFixed(price), unixSeconds(clock)),
      ),
    cancel: (orderId: string) => byHand(orderId, (order) => cancelOrder(order, unixSeconds(clock))),
    /** Gives every open order that moves the chance to do so. */
    step,
    keep: () => ({ orders: [...orders.values()], paths }),
    restore: (kept: { orders: readonly MarketOrder[]; paths: ReadonlyMap<string, Path> }): void => {
      orders.clear();
      for (const order of kept.orders) orders.set(order.orderId, order);
      for (const [orderId, path] of kept.paths) paths.set(orderId, path);
    },
    /** Steps every few seconds until `stop`. */
    start: (): void => {
      if (running !== undefined) return;
      running = new AbortController();
      void run(running.signal);
    },
    stop: (): void => {
      running?.abort();
      running = undefined;
    },
    /** Calls the listener with each new or changed order. */
    subscribe: changed.subscribe,
  };
}
