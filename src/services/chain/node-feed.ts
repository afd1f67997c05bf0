import type { Basics } from "../../loop.js";
import { pauseAfter } from "../../clock.js";
import { type BlockNews, createBlockTrail, THREE_SLOTS_MS, SLOT_MS } from "./block-trail.js";
import { hearFeed } from "./feed-connection.js";
import type { FeedConversation, FeedDialect } from "./feed-conversation.js";
import type { FeedBlock, FeedTouch } from "./feed-frame.js";
import type { openFeedSocket } from "./feed-socket.js";
import { createWatchedAddresses, type WatchedAddresses } from "./watched-addresses.js";

/**
 * - `live`: the node tells of each block as it comes.
 * - `behind`: it tells of old blocks, since it catches up, or its clock and this one differ.
 * - `connecting`: nothing has come yet, or no longer does.
 */
type FeedKind = "live" | "behind" | "connecting";

export interface FeedState {
  readonly kind: FeedKind;
  /** In milliseconds since 1970. */
  readonly since: number;
  readonly dialect: FeedDialect | undefined;
  /** Addresses that are watched, and those of them which the node wasn't asked for yet, or can't be. */
  readonly watched: number;
  readonly left: number;
}

/** Counts since the start. */
export interface FeedCounts {
  readonly frames: number;
  readonly looks: number;
  readonly connections: number;
}

/**
 * A node's own feed. All that it says means only that it is worth looking now: what it says isn't believed, and what it
 * doesn't say is found by polling, as without it.
 */
export interface NodeFeed {
  /**
   * Looks when the address is in a transaction of a block, once for each block and once more after the next one unless
   * that was all; and whenever nobody can know what was missed. `hear` gets the hash of each transaction, at once.
   * @returns a function that ends it.
   */
  readonly watch: WatchedAddresses["add"];
  /** Whether the node tells of this address at present, as far as anybody can know. */
  readonly covers: (address: string) => boolean;
  /** Calls a function whenever it is no longer live. */
  readonly onLost: (listener: () => void) => void;
  readonly state: () => FeedState;
  readonly counts: () => FeedCounts;
  /** Listens until the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

interface NodeFeedParts extends Basics {
  readonly url: string;
  readonly random?: () => number;
  /** Replaces the connection in tests. */
  readonly open?: typeof openFeedSocket;
}

/** Between connections. */
const BACK_OFF = { first: 1000, longest: 60_000 };
/** A connection that has lived so long wasn't a failure. */
const STABLE_MS = 60_000;

/** Connects once for the process, and again after growing pauses. Without a connection, everything is polled as ever. */
export function createNodeFeed(parts: NodeFeedParts): NodeFeed {
  const { url, clock, log, random = Math.random } = parts;
  const watched = createWatchedAddresses({ log });
  const news = createFeedNews({ watched, clock, log });
  let talk: FeedConversation | undefined;
  let [frames, connections] = [0, 0];

  const hear = async (open: typeof openFeedSocket, signal: AbortSignal) => {
    connections += 1;
    const ending = await hearFeed(
      {
        url,
        clock,
        open,
        addresses: watched.addresses,
        onOpen: (opened) => (talk = opened),
        onRefused: (words) => log.warn({ words }, "The node's feed refused a request"),
        onFrame: () => (frames += 1),
        onBlock: (block) => news.hearBlock(block, talk?.dialect() !== undefined),
        onTouch: news.hearTouch,
      },
      signal,
    );
    talk = undefined;
    news.become("connecting");
    return ending;
  };

  return {
    watch: (address, look, hear) => {
      const isNew = !watched.has(address);
      const end = watched.add(address, look, hear);
      if (isNew) talk?.watch(address);
      return () => {
        if (!watched.has(address)) return;
        end();
        if (!watched.has(address)) talk?.unwatch(address);
      };
    },
    covers: (address) => news.state().kind === "live" && talk?.covers(address) === true,
    onLost: news.onLost,
    state: () => ({ ...news.state(), dialect: talk?.dialect(), watched: watched.size(), left: talk?.left() ?? 0 }),
    counts: () => ({ frames, looks: watched.looks(), connections }),
    run: async (signal) => {
      // Loaded now, since a start without a feed has no use for it.
      const open = parts.open ?? (await import("./feed-socket.js")).openFeedSocket;
      for (let failures = 0; !signal.aborted; ) {
        const begunAt = clock.monotonic();
        const ending = await hear(open, signal);
        failures = clock.monotonic() - begunAt >= STABLE_MS ? 1 : failures + 1;
        const pause = ending === "new addresses" ? 0 : pauseAfter(failures, BACK_OFF) * (1 - random() / 2);
        if (ending !== "stopped") log.info({ ending, pause }, "The connection to the node's feed has ended");
        await clock.sleep(pause, signal).catch(() => undefined);
      }
      news.stop();
    },
  };
}

/** What to look at after what a feed has said, over all its connections. */
function createFeedNews({ watched, clock, log }: Basics & { readonly watched: WatchedAddresses }) {
  const trail = createBlockTrail();
  const listeners: (() => void)[] = [];
  let kind: FeedKind = "connecting";
  let since = clock.now();
  /** When a block came that was new; monotonic, as the next one. */
  let freshAt = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let cancelLook: (() => void) | undefined;

  const become = (next: FeedKind): void => {
    if (next === kind) return;
    log.info({ feed: next }, "The node's feed has changed");
    const wasLive = kind === "live";
    [kind, since] = [next, clock.now()];
    if (wasLive) for (const listener of listeners) listener();
  };
  /** At most once in a slot, so that a node that lies about blocks can't make more of it. */
  const lookAtAll = (why: BlockNews): void => {
    if (cancelLook !== undefined) return;
    const look = (): void => {
      cancelLook = undefined;
      lookedAt = clock.monotonic();
      log.info({ why, addresses: watched.size() }, "Looking at all that the node's feed is watched for");
      watched.lookAtAll(trail.last() ?? 0);
    };
    const wait = lookedAt + SLOT_MS - clock.monotonic();
    if (wait > 0) cancelLook = clock.timer(wait, look);
    else look();
  };

  return {
    become,
    onLost: (listener: () => void): void => void listeners.push(listener),
    state: () => ({ kind, since }),
    stop: (): void => cancelLook?.(),
    /** @param isSure whether the node has shown that it took the addresses. */
    hearBlock: (block: FeedBlock, isSure: boolean): boolean => {
      const news = trail.note(block, clock.now());
      if (news === "again") return false;
      if (news === "old") {
        // One that keeps up may repeat itself.
        if (clock.monotonic() - freshAt < THREE_SLOTS_MS) return false;
        become("behind");
        return true;
      }
      freshAt = clock.monotonic();
      if (!isSure) return true;
      const wasLive = kind === "live";
      become("live");
      if (news === "next" && wasLive) watched.repeat();
      else lookAtAll(news);
      return true;
    },
    hearTouch: ({ address, block, hash }: FeedTouch): void => {
      const last = trail.last();
      // While it isn't live, everything is looked at as soon as it is.
      if (kind !== "live" || last === undefined) return;
      // What is said of other blocks is worth one look a block, too.
      watched.touch(address, block === last + 1 ? block : last, hash);
    },
  };
}
