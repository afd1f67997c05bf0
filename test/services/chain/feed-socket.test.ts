import pino from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { feedDialects } from "../../../sandbox/node/feed-messages.js";
import { createNodeFeed } from "../../../src/services/chain/node-feed.js";
import { createSwiftClock } from "../../support/swift-clock.js";
import { until } from "../../support/until.js";
import { alice, realNodeDesk } from "../../sandbox/node/real-node.js";

// Over real connections to the sandbox's node, whose blocks come twenty times as fast.

async function liveWorld() {
  const clock = createSwiftClock(20);
  const desk = await realNodeDesk(undefined, clock);
  const url = `${desk.sandbox.url.replace("http", "ws")}/subscribe`;
  const feed = createNodeFeed({ url, clock, log: pino({ level: "silent" }) });
  const stopping = new AbortController();
  let running = Promise.resolve();
  onTestFinished(async () => {
    stopping.abort();
    await running;
  });
  let looks = 0;
  feed.watch(alice, async () => {
    looks += 1;
    return true;
  });
  return {
    ...desk,
    feed,
    node: desk.real.feed,
    start: () => void (running = feed.run(stopping.signal)),
    kind: () => feed.state().kind,
    looks: () => looks,
  };
}

describe("a node's feed", () => {
  it.each(feedDialects)("of form %s wakes who watches the sender of a transaction", async (dialect) => {
    const { feed, node, start, kind, looks, sendSwap } = await liveWorld();
    node.set({ dialect });
    start();
    await until(() => kind() === "live" && feed.covers(alice));
    await until(() => looks() === 1);
    await sendSwap();
    await until(() => looks() === 2);
    expect(feed.state()).toMatchObject({ dialect: dialect === "A" ? "oldest" : "requests", watched: 1, left: 0 });
  });

  it("is tried again after it was refused, cut, or silent, and then everything is looked at", async () => {
    const { feed, node, start, kind, looks } = await liveWorld();
    node.set({ faults: ["refuse"] });
    start();
    await until(() => feed.counts().connections > 2);
    expect([kind(), looks()]).toEqual(["connecting", 0]);
    node.set({ faults: [] });
    await until(() => looks() === 1);
    node.cut();
    await until(() => looks() === 2);
    node.set({ faults: ["mute"] });
    await until(() => kind() === "connecting");
    node.set({ faults: [] });
    await until(() => looks() === 3);
    expect(kind()).toBe("live");
  });

  it("may double, shuffle, delay or lose what it says, or send old blocks", async () => {
    const { node, start, kind, looks, sendSwap, real } = await liveWorld();
    start();
    await until(() => looks() === 1);
    node.set({ faults: ["double", "shuffle", "delay"] });
    await sendSwap();
    await until(() => looks() > 1);
    node.replay();
    node.set({ faults: ["lose"] });
    const before = looks();
    // An undone block is told of by the one that takes its place.
    real.node.rollBack(1);
    await until(() => looks() > before);
    expect(kind()).toBe("live");
  });
});
