import { describe, expect, it } from "vitest";
import type { Intent, IntentOutcome, IntentState } from "../../../src/model/intent.js";
import { advance, conclude, isUnderWay } from "../../../src/services/intents/lifecycle.js";
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
  "CLAIMED SENT",
  "CLAIMED SUPERSEDED",
  "CLAIMED FAILED",
  "CLAIMED UNKNOWN",
  "SENT OK",
  "SENT FAILED",
  "SENT UNKNOWN",
]);

const intentIn = (state: IntentState): Intent => ({
  ...draft,
  id: "intent",
  owner,
  chatId,
  quotedAt: 1,
  expiresAt: 2,
  state,
  times: { QUOTED: 1, [state]: 5 },
});

describe("a step", () => {
  it.each(states.flatMap((from) => states.map((to) => [from, to] as const)))("from %s to %s", (from, to) => {
    if (steps.has(`${from} ${to}`)) {
      const intent = intentIn(from);
      expect(advance(intent, to, 9)).toEqual({ ...intent, state: to, times: { ...intent.times, [to]: 9 } });
    } else {
      expect(() => advance(intentIn(from), to, 9)).toThrow(TypeError);
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
    expect(conclude(intentIn("SENT"), outcome, 9)).toMatchObject({ state, outcome, times: { [state]: 9 } });
  });

  it("of what was only claimed is never an answer", () => {
    expect(conclude(intentIn("CLAIMED"), notSent, 9).state).toBe("FAILED");
    expect(conclude(intentIn("CLAIMED"), unknown, 9).state).toBe("UNKNOWN");
    for (const outcome of [ok, failed]) expect(() => conclude(intentIn("CLAIMED"), outcome, 9)).toThrow(TypeError);
  });
});

describe("a call", () => {
  it("may be on its way only where it was claimed, is being signed, or was sent", () => {
    expect(states.filter(isUnderWay)).toEqual(["CLAIMED", "SIGNING", "SENT"]);
  });
});
