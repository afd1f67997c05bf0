import { describe, expect, it, onTestFinished } from "vitest";
import { createOperatorNotifications, watchForIncidents } from "../../../src/services/operator/incidents.js";
import * as rows from "../../../src/services/telegram/outbox-rows.js";
import { type Notice, noticeTopic } from "../../../src/services/telegram/outbox.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { telegramError } from "../alerts/orders-world.js";
import { silent } from "../samples.js";
import { outboxTo, quiet } from "./noticed.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const refusal = telegramError(403, "Forbidden: something new");
const OPERATOR = 9;

/** An outbox whose "let-in" to user 1 Telegram refuses with `world.refusal`. */
async function arrange(topic: Partial<typeof noticeTopic> = {}) {
  const clock = createVirtualClock(1_700_000_000_000);
  const disk = createMemoryDisk();
  const world = { refusal: refusal as Error | undefined };
  const tries: number[] = [];
  const arrived: string[] = [];
  let runs = 0;
  const run = () => {
    runs += 1;
    const store = disk.open();
    const deliver = async (userId: number, what: Notice["what"]) => {
      if (userId === 1 && what.kind === "let-in") tries.push(clock.now());
      if (userId === 1 && what.kind === "let-in" && world.refusal !== undefined) throw world.refusal;
      return arrived.push(`${userId} ${what.kind === "operator" ? what.event.about : what.kind}`);
    };
    const { outbox, pacer } = outboxTo({ store, deliver, clock, run: `run ${runs}` });
    outbox.use([{ ...noticeTopic, ...topic }]);
    outbox.start();
    const kill = () => {
      store.kill();
      pacer.stop();
      void outbox.stop();
    };
    onTestFinished(kill);
    const notify = (userId: number, kind: "let-in" | "test") => outbox.notify(userId, { id: kind, what: { kind } });
    return { store, outbox, kill, notify };
  };
  const first = run();
  await first.notify(1, "let-in");
  await clock.advance(10_000);
  return { ...first, clock, world, tries, arrived, run };
}

describe("a message that Telegram refuses in words that are not known", () => {
  it("is tried again ever later, up to once a day, while others are sent, to the same user too", async () => {
    const { clock, world, tries, arrived, notify, outbox } = await arrange();
    // Telegram is asked until it has repeated the refusal after two seconds.
    expect(tries.map((at) => at - tries[0]!)).toEqual([0, 2_100]);
    for (const userId of [1, 2]) await notify(userId, "test");
    await clock.advance(5_000);
    expect(arrived).toEqual(["1 test", "2 test"]);
    // It holds up no broadcast, and doesn't count as late.
    expect(await outbox.waiting()).toEqual({ count: 0, oldestMilliseconds: 0 });
    // Tried after 36 and 60 hours, with the longest pause in between.
    await clock.advance(64 * HOUR);
    const pauses = tries.slice(1).map((at, index) => (at - tries[index]!) / MINUTE);
    const long = pauses.filter((pause) => pause > 0.5);
    for (const [index, minutes] of [1, 1, 2, 4, 8, 17, 34].entries()) expect(long[index]).toBeCloseTo(minutes, -0.5);
    expect(Math.round(Math.max(...long) / 60)).toBe(24);
    expect(tries.length).toBeLessThan(40);
    world.refusal = undefined;
    await clock.advance(24 * HOUR);
    expect(arrived.slice(2)).toEqual(["1 let-in"]);
    expect(await outbox.refusedSince()).toBeUndefined();
  });

  it("is reported to the operators after four hours, once, also across a restart", async () => {
    const { clock, arrived, run, ...first } = await arrange();
    const watch = ({ store, outbox }: Pick<typeof first, "store" | "outbox">) => {
      const stopping = new AbortController();
      onTestFinished(() => stopping.abort());
      const tell = createOperatorNotifications({ clock, log: silent }, [OPERATOR]);
      void watchForIncidents({ ...quiet, store, outbox, clock }, tell, stopping.signal);
    };
    watch(first);
    await clock.advance(4 * HOUR - MINUTE);
    expect(arrived).toEqual([]);
    await clock.advance(2 * MINUTE);
    expect(arrived).toEqual([`${OPERATOR} incident`]);
    first.kill();
    watch(run());
    await clock.advance(HOUR);
    expect(arrived).toEqual([`${OPERATOR} incident`]);
  });

  it("is sent after a restart even if it must not be sent twice, as it certainly hasn't been", async () => {
    const { clock, world, arrived, kill, run } = await arrange({ isOnce: true });
    kill();
    world.refusal = undefined;
    run();
    await clock.advance(HOUR);
    expect(arrived).toEqual(["1 let-in"]);
  });

  it("is sent at once if it changes", async () => {
    const { clock, world, arrived, notify } = await arrange();
    await clock.advance(2 * HOUR);
    world.refusal = undefined;
    await notify(1, "let-in");
    await clock.advance(1_000);
    expect(arrived).toEqual(["1 let-in"]);
  });

  it("is given up after thirty days", async () => {
    const { store } = await arrange();
    const row = await store.db.selectFrom("outbox").selectAll().executeTakeFirstOrThrow();
    const since = row.refused_since!;
    const day = 24 * HOUR;
    const isGivenUp = (now: number) => store.write((tx) => rows.putOffRefused(tx, row, now));
    expect(await isGivenUp(since + 30 * day - 1)).toBe(false);
    expect(await isGivenUp(since + 30 * day)).toBe(true);
    // A clock that was wrong when it was refused first doesn't make it wait longer.
    expect(await isGivenUp(since - 90 * day)).toBe(false);
    const { retry_at } = await store.db.selectFrom("outbox").select("retry_at").executeTakeFirstOrThrow();
    expect(retry_at).toBe(since - 90 * day + MINUTE);
  });

  it.each([-48 * HOUR, 48 * HOUR])("is tried again in time after the time of day steps by %d ms", async (step) => {
    const { clock, world, arrived } = await arrange();
    clock.step(step);
    world.refusal = undefined;
    await clock.advance(2 * MINUTE);
    expect(arrived).toEqual(["1 let-in"]);
  });
});
