import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";
import * as z from "zod";
import type { Address } from "../chain/address.js";
import type { BlockTime } from "../chain/block-time.js";
import { createRandom } from "../exchange/random.js";
import type { Block } from "./blocks.js";
import { feedDialects, frameOf, messagesOf, typeAsked } from "./feed-messages.js";
import type { FeedDialect, FeedMessage, FeedType } from "./feed-messages.js";
import type { ChainNode } from "./node.js";
import { writeJson } from "./transaction.js";

/**
 * What can be wrong with a feed, besides its dialect. `drop`: half of all messages; `lose`: all but blocks; `mute`: all;
 * `double`, `shuffle`; `delay`: by a block; `refuse`: 503; `no-pings`: in C and D.
 */
const feedFaults = ["drop", "lose", "mute", "double", "shuffle", "delay", "refuse", "no-pings"] as const;

export const feedSwitches = z.strictObject({
  dialect: z.enum(feedDialects).optional(),
  faults: z.array(z.enum(feedFaults)).optional(),
});

interface FeedState {
  readonly dialect: FeedDialect;
  readonly faults: readonly (typeof feedFaults)[number][];
}

/** Limits of C and D (websocket/config.go at 08c8ceb4, websocket/client.go at 49e9e7be, config/node/config.yaml). */
const LIMITS = {
  addressesOfCall: 10_000,
  addressesOfConnection: 50_000,
  addressBytes: 62,
  frameBytes: 1024 * 1024,
  connections: 1024,
  handshakeMs: 30_000,
  pingMs: 15_000,
  silenceMs: 30_000,
} as const;
/** In real time: the world's clock may stand still or run fast. */
const TICK_MS = 50;

const words = z.array(z.string()).nullish();
const params = z.object({ types: words, addresses: words }).nullish();
const asked = z.object({ hash: z.string().default(""), withResults: z.boolean().default(false) });
const wanted = z.object({ nonce: z.number().optional(), hash: z.string().default("") });
const request = z.object({ id: z.string().default(""), method: z.string().default(""), params: z.unknown() });

interface Client {
  readonly socket: WebSocket;
  readonly dialect: FeedDialect;
  readonly connectedAt: number;
  heardAt: number;
  pingedAt: number;
  hasShakenHands: boolean;
  readonly types: Set<FeedType>;
  readonly addresses: Map<string, Set<FeedType>>;
}

export type Feed = ReturnType<typeof createFeed>;

/** A real node's `GET /subscribe`: what each committed block holds, over WebSockets, and all that can be wrong with it. */
export function createFeed(node: ChainNode, time: BlockTime, clock: { readonly now: () => number }) {
  const server = new WebSocketServer({ noServer: true, maxPayload: LIMITS.frameBytes });
  const random = createRandom(1);
  const clients = new Set<Client>();
  let switches: FeedState = { dialect: "D", faults: [] };
  let held: readonly FeedMessage[] = [];
  let ticking: NodeJS.Timeout | undefined;

  const has = (fault: (typeof feedFaults)[number]): boolean => switches.faults.includes(fault);
  const shuffled = <Item>(items: readonly Item[]): readonly Item[] =>
    items
      .map((item) => ({ item, place: random() }))
      .sort((one, other) => one.place - other.place)
      .map(({ item }) => item);
  const messages = (block: Block) =>
    messagesOf(block, { accounts: node.accounts, epoch: time.epoch(block.nonce), shuffled });

  const isFor = ({ hasShakenHands, types, addresses }: Client, { type, address }: FeedMessage): boolean =>
    hasShakenHands && (address === "" ? types.has(type) : addresses.get(address)?.has(type) === true);
  const send = (told: readonly FeedMessage[]): void => {
    for (const message of told) {
      for (const client of clients) {
        if (isFor(client, message)) client.socket.send(frameOf(client.dialect, message));
      }
    }
  };
  const tell = (block: Block): void => {
    let told = messages(block);
    if (has("mute")) return;
    if (has("lose")) told = told.filter(({ type }) => type === "blocks");
    if (has("drop")) told = told.filter(() => random() < 0.5);
    if (has("double")) told = told.flatMap((message) => [message, message]);
    if (has("shuffle")) told = shuffled(told);
    if (has("delay")) [told, held] = [held, told];
    send(told);
  };
  node.onCommitted(tell);

  /** Makes blocks that are due, and keeps what C and D promise about time. */
  const tick = (): void => {
    node.catchUp();
    const now = clock.now();
    for (const client of clients) {
      if (client.dialect < "C") continue;
      const isLate = !client.hasShakenHands && now - client.connectedAt > LIMITS.handshakeMs;
      // Without a close frame, as the real one ends connections.
      if (isLate || (!has("no-pings") && now - client.heardAt > LIMITS.silenceMs)) client.socket.terminate();
      else if (!has("no-pings") && now - client.pingedAt >= LIMITS.pingMs) {
        client.pingedAt = now;
        client.socket.ping();
      }
    }
  };

  /** @returns what the limits of C say against it. */
  const subscribe = (client: Client, types: readonly FeedType[], addresses: readonly string[]): string | undefined => {
    const scoped = types.filter((type) => type !== "blocks" && type !== "transactions");
    const counted = scoped.length > 0 ? addresses : [];
    if (client.dialect >= "C") {
      const { addressesOfCall, addressesOfConnection, addressBytes } = LIMITS;
      if (counted.length > addressesOfCall)
        return `too many addresses in a single subscribe: ${counted.length} (max ${addressesOfCall})`;
      if (counted.some(({ length }) => length > addressBytes))
        return `subscription address exceeds the maximum length of ${addressBytes} bytes`;
      if (new Set([...client.addresses.keys(), ...counted]).size > addressesOfConnection)
        return `address subscription limit reached for this connection (max ${addressesOfConnection})`;
    }
    for (const type of types) client.types.add(type);
    for (const address of counted) {
      client.addresses.set(address, new Set([...(client.addresses.get(address) ?? []), ...scoped]));
    }
    return undefined;
  };
  const unsubscribe = (client: Client, types: readonly FeedType[], addresses: readonly string[]): void => {
    for (const type of types) if (type === "blocks" || type === "transactions") client.types.delete(type);
    for (const address of addresses) {
      const left = [...(client.addresses.get(address) ?? [])].filter((type) => !types.includes(type));
      if (left.length > 0) client.addresses.set(address, new Set(left));
      else client.addresses.delete(address);
    }
  };

  /** @returns why the connection is ended, if it is. */
  const shakeHands = (client: Client, json: unknown): string | undefined => {
    const { dialect } = client;
    const key = dialect === "A" ? "subcribed_types" : "subscribed_types";
    const { addresses, [key]: given } = z.object({ addresses: words }).catchall(words).parse(json);
    const names = given ?? [];
    const unknown = names.find((name) => typeAsked(dialect, name) === undefined);
    if (dialect !== "A" && unknown !== undefined) return `invalid subscription type: ${unknown}`;
    if (dialect >= "C" && names.length === 0) return "subscribed_types must not be empty";
    const types = names.flatMap((name) => typeAsked(dialect, name) ?? []);
    const problem = subscribe(client, types, addresses ?? []);
    client.hasShakenHands = problem === undefined;
    return problem;
  };

  /** Answers as websocket/message.go at 525b496f and websocket/websocket.go at ff2ce14f. */
  const answerTo = (client: Client, { method, params: given }: Omit<z.output<typeof request>, "id">): object => {
    switch (method) {
      case "subscribe":
      case "unsubscribe": {
        const { types: names, addresses } = params.parse(given) ?? {};
        const unknown = names?.find((name) => typeAsked(client.dialect, name) === undefined);
        if (unknown !== undefined) return { error: `invalid subscription type: ${unknown}` };
        const types = names?.flatMap((name) => typeAsked(client.dialect, name) ?? []) ?? [];
        if (method === "unsubscribe") unsubscribe(client, types, addresses ?? []);
        else {
          const problem = subscribe(client, types, addresses ?? []);
          if (problem !== undefined) return { error: problem };
        }
        return { data: `${method}d` };
      }
      case "get_transaction": {
        const { hash, withResults } = asked.parse(given);
        if (hash === "") return { error: "missing required param: hash" };
        try {
          return { data: node.lookUp(hash, withResults) };
        } catch {
          return { error: "transaction not found" };
        }
      }
      case "get_block": {
        const { nonce, hash } = wanted.parse(given);
        if (nonce === undefined && hash === "") return { error: "must provide nonce or hash" };
        const block = node.recent().find((each) => (nonce === undefined ? each.hash === hash : each.nonce === nonce));
        const [header] = block === undefined ? [] : messages(block);
        return header === undefined ? { error: "block not found" } : { data: header.data };
      }
      default:
        return { error: `unknown method: ${method}` };
    }
  };

  const hearRequest = (client: Client, text: string): object => {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch (error) {
      return { id: "", error: `invalid json: ${(error as Error).message}` };
    }
    const { id, ...asked } = request.parse(json);
    try {
      return { id, ...answerTo(client, asked) };
    } catch (error) {
      return { id, error: `invalid params: ${(error as Error).message}` };
    }
  };
  const hear = (client: Client, text: string): void => {
    const { socket, dialect, hasShakenHands } = client;
    client.heardAt = clock.now();
    // Nothing that follows the handshake is read in A.
    if (hasShakenHands && dialect !== "A") socket.send(writeJson(hearRequest(client, text)));
    if (hasShakenHands) return;
    try {
      const error = shakeHands(client, JSON.parse(text));
      if (error !== undefined) socket.send(writeJson({ error }), () => socket.terminate());
    } catch {
      socket.terminate();
    }
  };

  const welcome = (socket: WebSocket): void => {
    const now = clock.now();
    const client: Client = {
      socket,
      dialect: switches.dialect,
      connectedAt: now,
      heardAt: now,
      pingedAt: now,
      hasShakenHands: false,
      types: new Set(),
      addresses: new Map(),
    };
    clients.add(client);
    ticking ??= setInterval(tick, TICK_MS);
    socket.on("pong", () => (client.heardAt = clock.now()));
    socket.on("message", (data) => hear(client, (data as Buffer).toString("utf8")));
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      clients.delete(client);
      if (clients.size > 0) return;
      clearInterval(ticking);
      ticking = undefined;
    });
  };

  return {
    /** Takes over a connection to `/subscribe`. */
    upgrade: (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
      if (incoming.url !== "/subscribe") return void socket.destroy();
      if (has("refuse") || (switches.dialect >= "C" && clients.size >= LIMITS.connections)) {
        const body = `{"error":"too many websocket connections"}`;
        const headers = `content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close`;
        // Whoever is refused may be gone already.
        socket.on("error", () => socket.destroy());
        return void socket.end(`HTTP/1.1 503 Service Unavailable\r\n${headers}\r\n\r\n${body}`);
      }
      server.handleUpgrade(incoming, socket, head, welcome);
    },
    switches: (): FeedState => switches,
    set: (change: z.output<typeof feedSwitches>): void => {
      switches = {
        ...switches,
        ...(change.dialect && { dialect: change.dialect }),
        ...(change.faults && { faults: change.faults }),
      };
    },
    /** Cuts all connections, without a close frame. */
    cut: (): void => clients.forEach(({ socket }) => socket.terminate()),
    /** Sends the last blocks again, as a node that catches up sends old ones. */
    replay: (): void => node.recent().forEach((block) => send(messages(block))),
    /** Sends what no block holds, such as events for nothing. */
    send,
    /** The addresses that each client gets transactions of. */
    watched: (): readonly (readonly string[])[] =>
      [...clients].map(({ addresses }) =>
        [...addresses].flatMap(([address, types]) => (types.has("user_transactions") ? [address as Address] : [])),
      ),
    close: (): void => {
      clearInterval(ticking);
      for (const { socket } of clients) socket.terminate();
    },
  };
}
