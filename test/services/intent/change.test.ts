import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import { intentStates, type Intent, type IntentState } from "../../../src/services/intent/intent.js";
import { isExpired, isUnderWay, timeLeft } from "../../../src/services/intent/machine.js";
import { testClock } from "../samples.js";
import { arrange, type Arranged, chatId, draft, holds, opened, owner } from "./arrange.js";

const intentIn = (state: IntentState): Intent => ({
  ...draft,
  id: "intent",
  owner,
  chatId,
  quotedAt: 1,
  expiresAt: 2,
  state,
  run: "an earlier run",
  times: { QUOTED: 1, [state]: 5 },
});

describe("a call", () => {
  it("may be on its way only while it is claimed, being signed or sent", () => {
    expect(intentStates.filter(isUnderWay)).toEqual(["CLAIMED", "SIGNING", "SENT"]);
  });
});

describe("a card", () => {
  const opened = (clock: ReturnType<typeof testClock>): Intent => ({
    ...intentIn("QUOTED"),
    run: "run",
    quotedAt: clock.now(),
    expiresAt: clock.now() + 30_000,
    openedAt: clock.monotonic(),
  });

  it("lives no longer if the time of day steps back, in the same run or a later one", () => {
    const clock = testClock();
    const card = opened(clock);
    clock.advance(29_999);
    expect(isExpired(card, { clock, run: "run" })).toBe(false);
    clock.step(-3_600_000);
    expect(isExpired(card, { clock, run: "run" })).toBe(false);
    expect(isExpired(card, { clock, run: "another" })).toBe(true);
    clock.advance(1);
    expect(isExpired(card, { clock, run: "run" })).toBe(true);
  });

  it("expires when its time of day has come", () => {
    const clock = testClock();
    const card = opened(clock);
    clock.step(30_000);
    expect(isExpired(card, { clock, run: "run" })).toBe(true);
  });

  it("has what its times leave it in a later run, and nothing before it was opened", () => {
    const clock = testClock(0);
    const left = (at: number) => {
      clock.step(at - clock.now());
      return timeLeft({ ...opened(testClock(1_000)) }, { clock, run: "another" });
    };
    expect([999, 1_000, 21_000, 31_000, 99_000].map(left)).toEqual([0, 30_000, 10_000, 0, 0]);
  });

  it("has what the run that opened it has measured, whatever the time of day", () => {
    const clock = testClock();
    clock.advance(5_000);
    const card = opened(clock);
    clock.advance(20_000);
    clock.step(-3_600_000);
    expect(timeLeft(card, { clock, run: "run" })).toBe(10_000);
  });
});

describe("the news of a change", () => {
  const queued = async ({ store }: Arranged) => {
    const rows = await store.db.selectFrom("outbox").select(["topic", "subject"]).orderBy("subject").execute();
    return rows.map(({ topic, subject }) => `${topic} ${subject}`);
  };

  it("are on the card alone if the gateway gave no clear answer: only an interruption is a message, too", async () => {
    const fault = new Fault("service-unreachable", { service: "node" });
    const { id, ...intents } = await opened({ send: async () => ({ kind: "unknown", fault }) });
    await intents.attachMessage(id, 77);
    await intents.confirm(owner, id, holds);
    expect((await intents.find(owner, id))?.state).toBe("UNKNOWN");
    expect(await queued(intents)).toEqual([`card ${id}`]);
  });

  it("are of the card that a message shows now, not of the one that it took over from", async () => {
    const intents = arrange();
    const [first, second] = [await intents.open(owner, chatId, draft), await intents.open(owner, chatId, draft)];
    await intents.attachMessage(first.id, 77);
    await intents.store.write((tx) => tx.deleteFrom("outbox").execute());
    await intents.replace(owner, first.id, second.id);
    expect(await queued(intents)).toEqual([`card ${second.id}`]);
  });
});
