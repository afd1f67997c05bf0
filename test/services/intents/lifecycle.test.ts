import { describe, expect, it } from "vitest";
import { isUnderWay, type Intent, type IntentOutcome, type IntentState } from "../../../src/model/intent.js";
import { advance, conclude, isExpired } from "../../../src/services/intents/lifecycle.js";
import { testClock } from "../samples.js";
import { chatId, draft, owner } from "./arrange.js";

const states = [
  "QUOTED",
  "CLAIMED",
  "SIGNING",
  "SENT",
  "OK",
  "FAILED",
  "UNKNOWN",
  "EXPIRED",
  "CANCELED",
  "SUPERSEDED",
] as const;

/** The picture of the design, line by line. */
const steps = new Set([
  "QUOTED CLAIMED",
  "QUOTED EXPIRED",
  "QUOTED CANCELED",
  "QUOTED SUPERSEDED",
  "CLAIMED SIGNING",
  "SIGNING SENT",
  "SIGNING EXPIRED",
  "SIGNING CANCELED",
  "SIGNING SUPERSEDED",
  "SIGNING FAILED",
  "EXPIRED SENT",
  "CANCELED SENT",
  "SUPERSEDED SENT",
  // The chain contradicts what a request for a signature ended with.
  "FAILED SENT",
  "UNKNOWN SENT",
  // What was signed and never given to the network.
  "SENT CANCELED",
  "CLAIMED SENT",
  "CLAIMED SUPERSEDED",
  "CLAIMED FAILED",
  "CLAIMED UNKNOWN",
  "SENT OK",
  "SENT FAILED",
  "SENT UNKNOWN",
]);

const at9 = { time: 9, run: "run" };

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

describe("a step", () => {
  it.each(states.flatMap((from) => states.map((to) => [from, to] as const)))("from %s to %s", (from, to) => {
    if (steps.has(`${from} ${to}`)) {
      const intent = intentIn(from);
      expect(advance(intent, to, at9)).toEqual({
        ...intent,
        state: to,
        run: "run",
        times: { ...intent.times, [to]: 9 },
      });
    } else {
      expect(() => advance(intentIn(from), to, at9)).toThrow(TypeError);
    }
  });
});

describe("an outcome", () => {
  const ok: IntentOutcome = { kind: "ok", returnData: ["01"] };
  const failed: IntentOutcome = { kind: "failed", text: "no" };
  const unknown: IntentOutcome = { kind: "unknown", code: "service-timeout" };
  const notSent: IntentOutcome = { kind: "not-sent", code: "service-unreachable" };

  it.each([
    [ok, "OK"],
    [failed, "FAILED"],
    [unknown, "UNKNOWN"],
    [notSent, "FAILED"],
  ] as const)("%j of what was sent ends in %s", (outcome, state) => {
    expect(conclude(intentIn("SENT"), outcome, at9)).toMatchObject({ state, outcome, times: { [state]: 9 } });
  });

  it("of what was only claimed is never an answer", () => {
    expect(conclude(intentIn("CLAIMED"), notSent, at9).state).toBe("FAILED");
    expect(conclude(intentIn("CLAIMED"), unknown, at9).state).toBe("UNKNOWN");
    for (const outcome of [ok, failed]) expect(() => conclude(intentIn("CLAIMED"), outcome, at9)).toThrow(TypeError);
  });
});

describe("a call", () => {
  it("may be on its way only where it was claimed, is being signed, or was sent", () => {
    expect(states.filter(isUnderWay)).toEqual(["CLAIMED", "SIGNING", "SENT"]);
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

  it("lives no longer when the time of day steps back, in the same run or in a later one", () => {
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

  it("is over when its time of day has come", () => {
    const clock = testClock();
    const card = opened(clock);
    clock.step(30_000);
    expect(isExpired(card, { clock, run: "run" })).toBe(true);
  });
});
