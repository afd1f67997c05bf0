import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import WebSocket, { type RawData } from "ws";
import type { FeedDialect } from "../../../sandbox/node/feed-messages.js";
import { until } from "../../support/until.js";
import { addresses } from "../chain/local-chain.js";
import { alice, realNodeDesk } from "./real-node.js";

// What nodes of klever-io/klever-go say, by the sources that sandbox/node/feed-messages.ts lists for each dialect.

interface Said {
  readonly type?: string;
  readonly address?: string;
  readonly hash?: string;
  readonly data?: unknown;
  readonly id?: string;
  readonly error?: string;
}

async function listen(url: string, handshake?: object) {
  const socket = new WebSocket(`${url.replace("http", "ws")}/subscribe`, { autoPong: false });
  onTestFinished(() => socket.terminate());
  const said: Said[] = [];
  let closedWith: number | undefined;
  let [pings, asked] = [0, 0];
  socket.on("message", (data: RawData) => said.push(JSON.parse((data as Buffer).toString("utf8")) as Said));
  socket.on("close", (code) => (closedWith = code));
  socket.on("ping", () => (pings += 1));
  await once(socket, "open");
  if (handshake !== undefined) socket.send(JSON.stringify(handshake));
  return {
    socket,
    said,
    types: () => said.map(({ type, address }) => (address === "" ? type : `${type} ${nameOf(address)}`)),
    ask: async (method: string, params: object, id = `ask ${++asked}`): Promise<Said> => {
      socket.send(JSON.stringify({ id, method, params }));
      await until(() => said.some((each) => each.id === id));
      return said.find((each) => each.id === id)!;
    },
    closedWith: () => closedWith,
    pings: () => pings,
  };
}

function nameOf(address: string | undefined): string {
  const names = { [alice]: "alice", [addresses.referral]: "referral" };
  return names[address ?? ""] ?? "other";
}

async function feedDesk(dialect: FeedDialect) {
  const desk = await realNodeDesk();
  const { feed } = desk.real;
  feed.set({ dialect });
  return {
    ...desk,
    feed,
    listen: (handshake?: object) => listen(desk.sandbox.url, handshake),
    /** Puts a swap of Alice's into the next block. */
    swap: async (change?: Readonly<Record<string, unknown>>) => {
      const hash = await desk.sendSwap(change);
      desk.block();
      return hash;
    },
  };
}
const watching = { addresses: [alice], subscribed_types: ["blocks", "user_transactions"] };

describe("the feed of dialect A", () => {
  it("reads a misspelled key and singular types, and writes data in base64", async () => {
    const desk = await feedDesk("A");
    const heard = await desk.listen({
      addresses: [alice],
      subcribed_types: ["blocks", "user_transaction", "user_transactions", "nonsense"],
    });
    await until(() => desk.feed.watched().length > 0 && desk.feed.watched()[0]!.length === 1);
    const hash = await desk.swap();
    await until(() => heard.said.length >= 2);
    expect(heard.types().slice(0, 2)).toEqual(["blocks", "user_transaction alice"]);
    const [block, transaction] = heard.said.map(({ data }) => JSON.parse(atob(data as string)) as unknown);
    expect(block).toMatchObject({ txCount: 1, txHashes: [hash] });
    expect(transaction).toMatchObject({ hash, sender: alice, status: "success" });
  });

  it("is silent for ever if the key is spelled right, and answers nothing", async () => {
    const desk = await feedDesk("A");
    const right = await desk.listen(watching);
    const wrong = await desk.listen({ addresses: [], subcribed_types: ["blocks"] });
    right.socket.send(JSON.stringify({ id: "1", method: "subscribe", params: { types: ["blocks"] } }));
    await until(() => desk.feed.watched().length === 2);
    await until(() => {
      desk.block();
      return wrong.said.length > 3;
    });
    expect(right.said).toEqual([]);
  });
});

describe("the feed of dialects B to D", () => {
  it.each(["B", "C", "D"] as const)(
    "%s says an unknown type, and ends the connection without a close frame",
    async (dialect) => {
      const desk = await feedDesk(dialect);
      const heard = await desk.listen({ addresses: [], subscribed_types: ["blocks", "user_transaction"] });
      await until(() => heard.closedWith() !== undefined);
      expect(heard.said).toEqual([{ error: "invalid subscription type: user_transaction" }]);
      expect(heard.closedWith()).toBe(1006);
    },
  );

  it("B is silent if the key is misspelled; C says what is missing", async () => {
    const desk = await feedDesk("B");
    const silent = await desk.listen({ addresses: [alice], subcribed_types: ["blocks"] });
    const listening = await desk.listen(watching);
    await until(() => desk.feed.watched().some((each) => each.length > 0));
    desk.block(3);
    await until(() => listening.said.length === 3);
    expect(silent.said).toEqual([]);
    desk.feed.set({ dialect: "C" });
    const told = await desk.listen({ addresses: [alice], subcribed_types: ["blocks"] });
    await until(() => told.closedWith() !== undefined);
    expect(told.said).toEqual([{ error: "subscribed_types must not be empty" }]);
  });

  it("tells of a block, then of its transactions by address, one copy for each receipt, then of accounts", async () => {
    const desk = await feedDesk("B");
    const all = ["blocks", "user_transactions", "transactions", "accounts"];
    const heard = await desk.listen({ addresses: [alice, addresses.referral], subscribed_types: all });
    await until(() => desk.feed.watched()[0]?.length === 2);
    const hash = await desk.swap();
    await until(() => heard.types().includes("accounts referral"));
    const types = heard.types();
    expect(types.filter((type) => type === "user_transactions alice").length).toBeGreaterThan(1);
    const places = ["blocks", "user_transactions alice", "transactions", "accounts alice"].map((each) =>
      types.indexOf(each),
    );
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(heard.said.every((each) => each.hash === "")).toBe(true);
    const own = heard.said
      .filter(({ type }) => type === "user_transactions")
      .map(({ data }) => data as { hash: string });
    expect(new Set(own.map((each) => each.hash))).toEqual(new Set([hash]));
    expect(own[0]).not.toHaveProperty("logs");
    expect(own[0]).toMatchObject({
      resultCode: "Ok",
      receipts: expect.arrayContaining([expect.objectContaining({ from: alice, value: 1_000_000 })]) as unknown,
    });
    expect(heard.said.find(({ type }) => type === "transactions")!.data).toMatchObject([{ hash }]);
    // A read at the same node already sees what it has told.
    expect((await desk.get(`/transaction/${hash}`)).body.data.transaction.status).toBe("onChain");
  });

  it("tells of a failure to its sender alone", async () => {
    const desk = await feedDesk("D");
    const pairs = desk.sandbox.world.pairs.map(({ address }) => address);
    const heard = await desk.listen({ ...watching, addresses: [alice, addresses.referral, ...pairs] });
    await until(() => (desk.feed.watched()[0]?.length ?? 0) > 2);
    desk.real.node.set({ runsOutOfGas: true });
    await desk.swap();
    await until(() => heard.said.length === 2);
    expect(heard.types()).toEqual(["blocks", "user_transactions alice"]);
    expect(heard.said[1]!.data).toMatchObject({ status: "fail", resultCode: "VMOutOfGas", receipts: [] });
  });

  it("reaches each pair of a routed swap", async () => {
    const desk = await feedDesk("D");
    const pair = desk.sandbox.world.pairs.find(
      (each) => [each.firstToken, each.secondToken].sort().join() === "KFI,KLV",
    )!;
    const heard = await desk.listen({ ...watching, addresses: [pair.address] });
    await until(() => desk.feed.watched()[0]?.length === 1);
    await desk.swap();
    await until(() => heard.said.length > 1);
    expect(heard.said[1]).toMatchObject({ type: "user_transactions", address: pair.address });
  });

  it("acknowledges what is asked for later, and stays connected after an error", async () => {
    const desk = await feedDesk("C");
    const heard = await desk.listen({ addresses: [], subscribed_types: ["blocks"] });
    const types = ["user_transactions"];
    expect(await heard.ask("subscribe", { types, addresses: [alice] }, "1")).toEqual({ id: "1", data: "subscribed" });
    expect(await heard.ask("subscribe", { types: ["logs"] })).toMatchObject({
      error: "invalid subscription type: logs",
    });
    expect(await heard.ask("nonsense", {})).toMatchObject({ error: "unknown method: nonsense" });
    const hash = await desk.swap();
    await until(() => heard.types().includes("user_transactions alice"));
    expect(await heard.ask("get_transaction", { hash })).toMatchObject({ data: { hash, status: "onChain" } });
    expect(await heard.ask("get_transaction", { hash: "00" })).toMatchObject({ error: "transaction not found" });
    const { nonce } = heard.said.find(({ type }) => type === "blocks")!.data as { nonce: number };
    expect(await heard.ask("get_block", { nonce })).toMatchObject({ data: { nonce, txHashes: [hash] } });
    expect(await heard.ask("unsubscribe", { types, addresses: [alice] })).toMatchObject({ data: "unsubscribed" });
    expect(desk.feed.watched()).toEqual([[]]);
    desk.feed.set({ dialect: "D" });
    const last = await desk.listen({ addresses: [], subscribed_types: ["blocks"] });
    expect(await last.ask("subscribe", { types: ["logs"], addresses: [addresses.referral] })).toMatchObject({
      data: "subscribed",
    });
    await desk.swap({ nonce: 1 });
    await until(() => last.types().includes("logs referral"));
    expect(last.said.at(-1)!.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it("C takes 10,000 addresses a call, and 50,000 in all", async () => {
    const desk = await feedDesk("C");
    const heard = await desk.listen({ addresses: [], subscribed_types: ["blocks"] });
    const types = ["user_transactions"];
    const many = (from: number, count: number) => Array.from({ length: count }, (_, at) => `klv1${from + at}`);
    expect(await heard.ask("subscribe", { types, addresses: many(0, 10_001) })).toMatchObject({
      error: "too many addresses in a single subscribe: 10001 (max 10000)",
    });
    for (let from = 0; from < 50_000; from += 10_000)
      expect(await heard.ask("subscribe", { types, addresses: many(from, 10_000) })).toMatchObject({
        data: "subscribed",
      });
    expect(await heard.ask("subscribe", { types, addresses: ["klv1one"] })).toMatchObject({
      error: "address subscription limit reached for this connection (max 50000)",
    });
    expect(await heard.ask("subscribe", { types, addresses: ["k".repeat(63)] })).toMatchObject({
      error: "subscription address exceeds the maximum length of 62 bytes",
    });
  });
});

describe("a feed that misbehaves", () => {
  it("refuses a connection", async () => {
    const desk = await feedDesk("D");
    desk.feed.set({ faults: ["refuse"] });
    await expect(desk.listen()).rejects.toThrow("503");
  });

  it("loses all but blocks, doubles, delays by a block, or says nothing", async () => {
    const desk = await feedDesk("D");
    const heard = await desk.listen({ ...watching, subscribed_types: ["blocks", "transactions"] });
    await heard.ask("subscribe", { types: [] });
    heard.said.length = 0;
    desk.feed.set({ faults: ["lose"] });
    await desk.swap();
    desk.feed.set({ faults: ["double"] });
    desk.block();
    await until(() => heard.said.length === 3);
    expect(heard.types()).toEqual(["blocks", "blocks", "blocks"]);
    desk.feed.set({ faults: ["mute"] });
    desk.block();
    desk.feed.set({ faults: ["delay"] });
    desk.block();
    await heard.ask("subscribe", { types: [] });
    expect(heard.said.length).toBe(4);
    desk.block();
    await until(() => heard.said.length === 5);
  });

  it("makes a block again without telling of the one before, and sends old blocks again", async () => {
    const desk = await feedDesk("D");
    const heard = await desk.listen(watching);
    await until(() => desk.feed.watched()[0]?.length === 1);
    await desk.swap();
    desk.real.node.rollBack(1);
    desk.block();
    const told = () =>
      heard.said
        .filter(({ type }) => type === "blocks")
        .map(({ data }) => data as { nonce: number; hash: string; parentHash: string });
    await until(() => told().length === 2);
    const [undone, made] = told();
    expect(made).toMatchObject({ nonce: undone!.nonce, parentHash: undone!.parentHash });
    expect(made!.hash).not.toBe(undone!.hash);
    desk.feed.replay();
    await until(() => told().length === 3);
    expect(told()[2]).toEqual(made);
  });

  it("cuts connections without a close frame", async () => {
    const desk = await feedDesk("D");
    const heard = await desk.listen(watching);
    await heard.ask("subscribe", { types: [] });
    desk.feed.cut();
    await until(() => heard.closedWith() === 1006);
  });
});

describe("the feed's time limits in C and D", () => {
  it.each([
    ["shakes no hands within 30 seconds", undefined],
    ["answers no ping for 30 seconds", watching],
  ])("cuts off who %s", async (_, handshake) => {
    let now = 0;
    const desk = await realNodeDesk(undefined, { now: () => now, sleep: async () => undefined });
    const heard = await listen(desk.sandbox.url, handshake);
    if (handshake !== undefined) await until(() => desk.real.feed.watched()[0]?.length === 1);
    now += 16_000;
    if (handshake !== undefined) await until(() => heard.pings() > 0);
    expect(heard.closedWith()).toBeUndefined();
    now += 16_000;
    await until(() => heard.closedWith() === 1006);
  });
});
