import type { Clock } from "../../clock.js";
import type { FeedFrame } from "./feed-frame.js";

/** `requests`: it answers. `oldest`: it takes no addresses after the handshake, and answers nothing. */
export type FeedDialect = "requests" | "oldest";

/** Limits of a call and of a connection (klever-io/klever-go websocket/config.go). */
const MAX_OF_CALL = 10_000;
export const MAX_ADDRESSES = 50_000;
const ANSWERED_WITHIN_MS = 10_000;

/** For nodes that read one key or the other; each ignores the one that it doesn't know. */
const TYPES = ["blocks", "user_transactions"] as const;
/** The oldest nodes ignore a type that they don't know, others end the connection. */
const OLDEST_TYPES = ["blocks", "user_transaction", "user_transactions"] as const;

interface ConversationParts {
  readonly clock: Pick<Clock, "timer">;
  /** Those to watch, as of now. */
  readonly addresses: Iterable<string>;
  readonly send: (text: string) => void;
  /** A request wasn't answered in time. */
  readonly onSilence: () => void;
  /** The node takes this as a request too many, or can't read it. */
  readonly onRefused: (words: string) => void;
}

/** What is asked of a node over one connection: which addresses it should tell of. */
export interface FeedConversation {
  /** Undefined until the node has answered, or told of a block in the oldest form. */
  readonly dialect: () => FeedDialect | undefined;
  /** Whether it is certain that the node tells of this address. */
  readonly covers: (address: string) => boolean;
  /** Number of addresses that the node wasn't asked for yet, or can't be, since there are too many. */
  readonly left: () => number;
  /** Whether only another handshake helps. */
  readonly isStuck: () => boolean;
  readonly watch: (address: string) => void;
  readonly unwatch: (address: string) => void;
  readonly hearAnswer: (answer: Extract<FeedFrame, { kind: "answer" }>) => void;
  /** The node has told of a block in the oldest form. */
  readonly hearOldest: () => void;
  readonly end: () => void;
}

/** Begins with the handshake, which no node acknowledges, and a request for the same, which all but the oldest do. */
export function createFeedConversation(parts: ConversationParts): FeedConversation {
  const { clock, addresses, send, onSilence, onRefused } = parts;
  /** What the node was asked for, and whether it has agreed. */
  const asked = new Map<string, boolean>();
  const missing = new Set<string>(addresses);
  const unwanted = new Set<string>();
  let dialect: FeedDialect | undefined;
  let requests = 0;
  let open: { readonly id: string; readonly lot: readonly string[]; readonly isAdded: boolean } | undefined;
  let cancel = (): void => undefined;

  const request = (method: "subscribe" | "unsubscribe", types: readonly string[], lot: readonly string[]): void => {
    requests += 1;
    open = { id: String(requests), lot, isAdded: method === "subscribe" };
    cancel = clock.timer(ANSWERED_WITHIN_MS, () => {
      if (dialect !== "oldest") onSilence();
    });
    send(JSON.stringify({ id: open.id, method, params: { types, addresses: lot } }));
  };
  const add = (lot: readonly string[]): void => lot.forEach((address) => asked.set(address, false));
  /** One request at a time: a node handles four at once. */
  const goOn = (): void => {
    if (dialect !== "requests" || open !== undefined) return;
    const removed = takeLot(unwanted, MAX_OF_CALL);
    removed.forEach((address) => asked.delete(address));
    if (removed.length > 0) {
      request("unsubscribe", ["user_transactions"], removed);
      return;
    }
    const added = takeLot(missing, MAX_ADDRESSES - asked.size);
    add(added);
    if (added.length > 0) request("subscribe", TYPES, added);
  };

  const first = takeLot(missing, MAX_OF_CALL);
  add(first);
  send(JSON.stringify({ addresses: first, subcribed_types: OLDEST_TYPES, subscribed_types: TYPES }));
  request("subscribe", TYPES, first);

  return {
    dialect: () => dialect,
    covers: (address) => asked.get(address) === true,
    left: () => missing.size,
    isStuck: () => dialect === "oldest" && missing.size > 0 && asked.size < MAX_OF_CALL,
    watch: (address) => {
      if (!unwanted.delete(address)) missing.add(address);
      goOn();
    },
    unwatch: (address) => {
      if (!missing.delete(address)) unwanted.add(address);
      goOn();
    },
    hearAnswer: ({ id, error }) => {
      const isOwn = id === open?.id;
      // A refused handshake has no id, and ends the connection.
      if (error !== undefined && (isOwn || dialect === undefined)) onRefused(error);
      if (open === undefined || !isOwn) return;
      const { lot, isAdded } = open;
      cancel();
      open = undefined;
      dialect ??= "requests";
      // What was refused isn't asked for again: it is polled, as everything is without a feed.
      if (isAdded && error === undefined) {
        for (const address of lot) if (asked.has(address)) asked.set(address, true);
      }
      goOn();
    },
    hearOldest: () => {
      dialect ??= "oldest";
      if (dialect === "oldest") for (const address of asked.keys()) asked.set(address, true);
    },
    end: () => cancel(),
  };
}

/** Takes up to a call's addresses out of a set. */
function takeLot(from: Set<string>, most: number): readonly string[] {
  const lot: string[] = [];
  for (const address of from) {
    if (lot.length >= Math.min(most, MAX_OF_CALL)) break;
    lot.push(address);
  }
  lot.forEach((address) => from.delete(address));
  return lot;
}
