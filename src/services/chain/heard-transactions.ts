import type { Clock } from "../../clock.js";
import { createLoop, readOrLog, type Basics, type DueTimes, type LoopRunner } from "../../loop.js";
import { createBudget } from "../base/budget.js";
import { SLOT_MS } from "./block-trail.js";
import type { NodeFeed } from "./node-feed.js";
import type { Movements } from "./transfers.js";

interface HeardParts extends Basics {
  readonly feed: Pick<NodeFeed, "watch">;
  /** Undefined if the node doesn't know the hash. */
  readonly read: (hash: string) => Promise<Movements | undefined>;
  /** The number of the node's newest block. */
  readonly height: () => Promise<bigint>;
}

/** A transaction that the chain has, with a block on top. */
export interface ReadTransaction extends Movements {
  readonly hash: string;
  /** When the feed told of it, in milliseconds since 1970. */
  readonly heardAt: number;
}

type OnRead = (transaction: ReadTransaction) => Promise<void>;

/** Transactions of addresses that a node's feed tells of, read at the node: of what it says, only the hash is used. */
export interface HeardTransactions extends Pick<LoopRunner, "run"> {
  /** Of each address once. @returns a function that ends it. */
  readonly listen: (address: string, onRead: OnRead) => () => void;
  /** When more was told of than could be read, last, in milliseconds since 1970. */
  readonly missedAt: (address: string) => number | undefined;
}

interface Heard {
  readonly hash: string;
  readonly heardAt: number;
  /** The same by the monotonic clock. */
  readonly since: number;
  readonly addresses: Set<string>;
  dueAt: number;
  looks: number;
  /** The number of the node's newest block at the last look. */
  height?: bigint;
}

/** By then there usually is a block on top of its own. */
const ON_TOP_MS = SLOT_MS + 1000;
/** A hash that the chain doesn't have after so many looks, or has without a block on top, isn't waited for any longer. */
const MOST_LOOKS = 5;
/** Of one address, and of all: the rest isn't read. */
const MOST_OF_ONE = 100;
const MOST_OF_ALL = 10_000;
/** Each read is one request, within the node's limits, and there is one about its height in a second at most. */
const HEARD_PER_SECOND = 5;
const HEIGHT_MS = 1000;
/** What was in an older block when the feed told of it is no news, whatever that says. */
const OLDEST_BLOCKS = 30;

export function createHeardTransactions(parts: HeardParts): HeardTransactions {
  const { clock, feed } = parts;
  const budget = createBudget({ service: "node", clock, requestsPerSecond: HEARD_PER_SECOND });
  const listeners = new Map<string, OnRead>();
  const heard = createHeardHashes(clock);
  let top = { height: 0n, at: Number.NEGATIVE_INFINITY };

  /** As it was when the last second began. */
  const heightNow = async (): Promise<bigint> => {
    if (clock.monotonic() - top.at >= HEIGHT_MS) top = { height: await parts.height(), at: clock.monotonic() };
    return top.height;
  };
  const run = async (item: Heard): Promise<void> => {
    await budget.poll();
    item.dueAt = clock.now() + ON_TOP_MS;
    // Undefined if the node didn't answer.
    const answer = await readOrLog(parts, "A transaction that the node's feed told of could not be read", async () => {
      const height = await heightNow();
      return { height, found: await parts.read(item.hash) };
    });
    const { height = 0n, found } = answer ?? {};
    const isIn = found !== undefined && found.block !== 0n;
    if (isIn && found.block < height) {
      const told = { ...found, hash: item.hash, heardAt: item.heardAt };
      const blocksSince = Math.ceil((clock.monotonic() - item.since) / SLOT_MS);
      const isNews = height - found.block <= BigInt(OLDEST_BLOCKS + blocksSince);
      for (const address of isNews ? item.addresses : []) await listeners.get(address)?.(told);
      heard.end(item, "read");
      return;
    }
    // While the chain stands still, no block comes on top.
    if (!isIn || height !== item.height) item.looks += 1;
    item.height = height;
    if (item.looks >= MOST_LOOKS) heard.end(item, answer === undefined || isIn ? "missed" : "absent");
  };

  const loop = createLoop(parts, {
    name: "heard-transactions",
    width: 2,
    horizon: ON_TOP_MS,
    keyOf: ({ hash }: Heard) => hash,
    due: (...asked) => Promise.resolve(heard.due(...asked)),
    run,
    times: () => Promise.resolve(heard.times()),
  });
  return {
    listen: (address, onRead) => {
      listeners.set(address, onRead);
      const unwatch = feed.watch(
        address,
        () => Promise.resolve(true),
        (hash) => {
          const dueAt = heard.hear(address, hash);
          if (dueAt !== undefined) loop.wakeBy(dueAt);
        },
      );
      return () => {
        unwatch();
        listeners.delete(address);
        heard.forget(address);
      };
    },
    missedAt: heard.missedAt,
    run: (signal) => {
      signal.addEventListener("abort", budget.stop);
      return loop.run(signal);
    },
  };
}

/** Hashes that wait to be read, in bounded memory whatever is heard. */
function createHeardHashes(clock: Pick<Clock, "monotonic" | "now">) {
  const byHash = new Map<string, Heard>();
  /** Addresses in turn, with what waits for them. */
  const turns = new Map<string, Set<Heard>>();
  /** The last ones that were read, for each address, so that copies aren't read again. */
  const over = new Set<string>();
  const missed = new Map<string, number>();
  const leave = (item: Heard, address: string): void => {
    item.addresses.delete(address);
    if (item.addresses.size === 0) byHash.delete(item.hash);
    const own = turns.get(address);
    own?.delete(item);
    if (own?.size === 0) turns.delete(address);
  };

  return {
    missedAt: (address: string) => missed.get(address),
    times: () => [...byHash.values()].map(({ dueAt }) => dueAt),
    /** @returns when it is to be read, unless it is known. */
    hear: (address: string, hash: string): number | undefined => {
      const heard = byHash.get(hash);
      const own = turns.get(address) ?? new Set();
      if (heard?.addresses.has(address) === true || over.has(`${address} ${hash}`)) return undefined;
      const now = clock.now();
      if (own.size >= MOST_OF_ONE || (heard === undefined && byHash.size >= MOST_OF_ALL)) {
        missed.set(address, now);
        return undefined;
      }
      const since = clock.monotonic();
      const item = heard ?? { hash, heardAt: now, since, addresses: new Set(), dueAt: now + ON_TOP_MS, looks: 0 };
      item.addresses.add(address);
      byHash.set(hash, item);
      turns.set(address, own.add(item));
      return item.dueAt;
    },
    /**
     * @param how `absent`: the chain doesn't have it, so that it may come again; `missed`: the node didn't answer, or
     * showed no block on top.
     */
    end: (item: Heard, how: "read" | "absent" | "missed"): void => {
      for (const address of item.addresses) {
        if (how === "read") over.add(`${address} ${item.hash}`);
        if (how === "missed") missed.set(address, clock.now());
        leave(item, address);
      }
      for (const key of over) if (over.size > MOST_OF_ALL) over.delete(key);
    },
    forget: (address: string): void => {
      missed.delete(address);
      for (const item of turns.get(address) ?? []) leave(item, address);
    },
    /** One of each address, before a second one of any. */
    due: (then: DueTimes, limit: number, running: readonly string[]): readonly Heard[] => {
      const isDue = ({ hash, dueAt }: Heard) =>
        !running.includes(hash) && ("until" in then ? dueAt <= then.until : dueAt > then.after);
      const chosen = new Set<Heard>();
      for (const [address, own] of [...turns]) {
        const next = [...own].find((item) => isDue(item) && !chosen.has(item));
        if (next === undefined) continue;
        chosen.add(next);
        turns.delete(address);
        turns.set(address, own);
        if (chosen.size === limit) break;
      }
      return [...chosen];
    },
  };
}
