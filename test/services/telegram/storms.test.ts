import { describe, expect, it, onTestFinished } from "vitest";
import { createOperatorNotifications } from "../../../src/services/operator/incidents.js";
import { enqueue, type Notice, noticeTopic, type Topic, type TopicRow } from "../../../src/services/telegram/outbox.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { silent } from "../samples.js";
import { outboxTo } from "./noticed.js";

const [SECOND, MINUTE] = [1000, 60_000];
const START = 1_700_000_000_000;

/** Somebody who is told of something that happens again and again, by processes that share a disk. */
function told() {
  const clock = createVirtualClock(START);
  const disk = createMemoryDisk();
  const said: { readonly at: number; readonly what: string }[] = [];
  const world = { isAway: false };
  const topic: Topic<string> = {
    name: "line",
    render: (_db, { storm }: TopicRow) => {
      if (storm === undefined) return Promise.resolve({ message: "crossed" });
      const message = storm.isOver ? `steady: ${storm.count}, last ${(storm.lastAt - START) / SECOND}` : "jumps";
      return Promise.resolve({ message });
    },
  };
  const run = () => {
    const store = disk.open();
    const deliver = async (_userId: number, what: string) => {
      if (world.isAway) throw new Error("away");
      return said.push({ at: (clock.now() - START) / SECOND, what });
    };
    const { outbox, pacer } = outboxTo<string>({ store, deliver, clock });
    outbox.use([topic]);
    outbox.start();
    const kill = () => {
      store.kill();
      pacer.stop();
      void outbox.stop();
    };
    onTestFinished(kill);
    const happen = async (subject = "one") => {
      const key = { user_id: 1, topic: "line", subject };
      await store.write((tx) => enqueue(tx, key, null, clock.now(), { mayStorm: true }));
      outbox.wake();
      await clock.advance(SECOND);
    };
    return { store, outbox, kill, happen };
  };
  const texts = () => said.map(({ what }) => what);
  return { clock, said, texts, world, run };
}

describe("something that goes to and fro", () => {
  it("is told three times in ten minutes, then that it jumps, then nothing until it was steady for ten minutes", async () => {
    const { clock, said, texts, run } = told();
    const { happen, outbox, store } = run();
    for (let count = 0; count < 60; count += 1) {
      await happen();
      await clock.advance(29 * SECOND);
    }
    expect(texts()).toEqual(["crossed", "crossed", "crossed", "jumps"]);
    // What waits for its end isn't late.
    expect((await outbox.waiting()).oldestMilliseconds).toBe(0);
    await clock.advance(9 * MINUTE + 29 * SECOND);
    expect(texts()).toHaveLength(4);
    await clock.advance(3 * SECOND);
    expect(said.at(-1)).toMatchObject({ what: "steady: 60, last 1770" });
    expect(said.at(-1)!.at - 1770).toBeGreaterThanOrEqual(600);
    expect(await store.db.selectFrom("outbox").selectAll().execute()).toEqual([]);
    expect(await store.db.selectFrom("outbox_storms").selectAll().execute()).toEqual([]);
    // From then on it is told again.
    await happen();
    expect(texts().slice(5)).toEqual(["crossed"]);
  });

  it("stays quiet through kills at every moment, and its end comes once", async () => {
    const { clock, texts, run } = told();
    for (let count = 0; count < 40; count += 1) {
      const { happen, kill } = run();
      await happen();
      await clock.advance(14 * SECOND);
      kill();
    }
    run();
    expect(texts()).toEqual(["crossed", "crossed", "crossed", "jumps"]);
    await clock.advance(11 * MINUTE);
    expect(texts().slice(4)).toEqual(["steady: 40, last 585"]);
    await clock.advance(60 * MINUTE);
    expect(texts()).toHaveLength(5);
  });

  it("is no storm if it happens every four minutes, or while it is merged, and others are none of it", async () => {
    const { clock, texts, world, run } = told();
    const { happen, outbox } = run();
    for (let count = 0; count < 10; count += 1) {
      await happen();
      await clock.advance(4 * MINUTE);
    }
    expect(texts()).toEqual(Array.from({ length: 10 }, () => "crossed"));
    world.isAway = true;
    for (let count = 0; count < 10; count += 1) await happen("two");
    world.isAway = false;
    await outbox.onUserReturned(1, { restingSince: 1 } as never);
    await clock.advance(2 * MINUTE);
    expect(texts().slice(10)).toEqual(["crossed"]);
  });

  it("lasts no longer after the clock was set", async () => {
    for (const step of [-30 * 24 * 60 * MINUTE, 30 * 24 * 60 * MINUTE]) {
      const { clock, texts, run } = told();
      const { happen } = run();
      for (let count = 0; count < 6; count += 1) await happen();
      expect(texts()).toHaveLength(4);
      clock.step(step);
      await clock.advance(11 * MINUTE);
      expect(texts().slice(4)).toEqual([expect.stringMatching(/^steady: 6/)]);
      await happen();
      expect(texts().at(-1)).toBe("crossed");
    }
  });
});

it("operators are told of a service that goes to and fro once, of a full disk and unknown outcomes each time", async () => {
  const clock = createVirtualClock(START);
  const store = createMemoryDisk().open();
  const said: string[] = [];
  const deliver = async (_userId: number, what: Notice["what"]) => {
    if (what.kind !== "operator") throw new TypeError("only operators are told");
    const { event, storm } = what;
    return said.push(`${event.about}${storm === undefined ? "" : storm.isOver ? ` steady ${storm.count}` : " jumps"}`);
  };
  const { outbox, pacer } = outboxTo<Notice["what"]>({ store, deliver, clock });
  onTestFinished(() => pacer.stop());
  outbox.use([noticeTopic]);
  outbox.start();
  const tell = createOperatorNotifications({ clock, log: silent }, [9]);
  const since = START;
  for (let round = 0; round < 5; round += 1) {
    await store.write((tx) => tell(tx, "node-outage", { about: "incident", incident: "node-outage", since }, true));
    outbox.wake();
    await clock.advance(20 * SECOND);
    await store.write((tx) => tell(tx, "node-outage", { about: "return", service: "node", since }, true));
    await store.write((tx) => tell(tx, `unknown-${round}`, { about: "unknown", calls: 1, owners: [1] }));
    outbox.wake();
    await clock.advance(20 * SECOND);
  }
  await clock.advance(11 * MINUTE);
  expect(said.filter((what) => what === "unknown")).toHaveLength(5);
  const rest = said.filter((what) => what !== "unknown");
  expect(rest).toEqual(["incident", "return", "incident", "return jumps", "return steady 10"]);
  await outbox.stop();
});
