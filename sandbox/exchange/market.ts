import { createSignal } from "../signal.js";
import { type Clock, unixSeconds } from "../telegram/clock.js";
import { readFixed } from "./decimal.js";
import { cancelOrder, fillOrder, isOver, newOrder, orderSeed, type MarketOrder, type OrderSeed } from "./order.js";
import { createRandom, randomId } from "./random.js";

export type Market = ReturnType<typeof createMarket>;

/** How an order that moves by itself goes: so many fills, and then done or canceled. */
interface Path {
  fillsLeft: number;
  readonly end: "DONE" | "CANCELED";
}

/** In a step each order takes its next turn with this chance, so that they don't march in line. */
const MOVE_CHANCE = 0.4;
const MAX_FILLS = 4;
const PRICE_SPREAD = 50n;
const STEP_MS = 5000;

/** A small market: orders that move go all the ways an order can go, by seeded chance. It stands still until it is started or stepped. */
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

  /** A change by hand takes an order out of the market's own doings. */
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

  /** At once, in several fills, or canceled before or after some. */
  function choosePath(order: MarketOrder): Path {
    if (order.typeOrder === "MARKET") return { fillsLeft: 1, end: "DONE" };
    const end = random() < 0.6 ? "DONE" : "CANCELED";
    const fewest = end === "DONE" ? 1 : 0;
    return { end, fillsLeft: fewest + Math.floor(random() * MAX_FILLS) };
  }

  /** From a fifth to three fifths of what is left, so that something stays; at least the smallest amount. */
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
    /** All orders, the newest first. */
    orders: () => [...orders.values()].reverse(),
    order: (orderId: string) => orders.get(orderId.toLowerCase()),
    /** @throws Error for an order that is not well formed, or whose id is taken. */
    add: (seed: OrderSeed) => add(seed),
    /** Fills a part by hand, at the order's price unless told otherwise. @throws Error when that can't be. */
    fill: (orderId: string, quantity: string, price?: string) =>
      byHand(orderId, (order) =>
        fillOrder(order, readFixed(quantity), price === undefined ? order.price : readFixed(price), unixSeconds(clock)),
      ),
    cancel: (orderId: string) => byHand(orderId, (order) => cancelOrder(order, unixSeconds(clock))),
    /** Lets every order that moves take its next step, if it has one now. */
    step,
    keep: () => ({ orders: [...orders.values()], paths }),
    restore: (kept: { orders: readonly MarketOrder[]; paths: ReadonlyMap<string, Path> }): void => {
      orders.clear();
      for (const order of kept.orders) orders.set(order.orderId, order);
      for (const [orderId, path] of kept.paths) paths.set(orderId, path);
    },
    /** Steps every few seconds until it is stopped. */
    start: (): void => {
      if (running !== undefined) return;
      running = new AbortController();
      void run(running.signal);
    },
    stop: (): void => {
      running?.abort();
      running = undefined;
    },
    /** Is told each order that is added or changes. */
    subscribe: changed.subscribe,
  };
}
