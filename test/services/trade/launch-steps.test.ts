import { describe, expect, it } from "vitest";
import { launchSteps, type LaunchStep } from "../../../src/services/terms/launch-terms.js";
import { progressOf } from "../../../src/services/trade/launch-steps.js";
import { alice, operator } from "../samples.js";
import { factsAfter, input, launch, lock, noFacts } from "./launch-samples.js";
import { fc, property } from "../../support/property.js";

const enough = lock(141_420_356n, 5432n);

const someSteps = fc.uniqueArray(fc.constantFrom<LaunchStep>(...launchSteps));
const evidence = fc.constantFrom("view", "answer", "word");
const anyInput = fc.record({
  launch: fc
    .record({ done: fc.dictionary(fc.constantFrom(...launchSteps), evidence), unknown: someSteps })
    .map((fields) => launch(fields)),
  facts: fc.oneof(fc.integer({ min: 0, max: 6 }).map(factsAfter), fc.constant(noFacts)),
  locks: fc.constantFrom([], [enough], [lock(1n, 5432n)]),
  underWay: someSteps,
  caller: fc.record({ address: fc.constantFrom(alice, operator, undefined), travels: fc.boolean() }),
});

describe("a launch's progress", () => {
  property("is a row of done steps, at most one current step, and later ones", [anyInput], (all) => {
    const { done, current, state } = progressOf(all);
    expect(current).toBe(launchSteps[done.length]);
    expect(current === undefined).toBe(done.length === 6);
    expect(state === undefined).toBe(current === undefined);
  });

  property(
    "never offers a step whose call is on its way, or whose unknown outcome no view settles",
    [anyInput],
    (all) => {
      const { current, canDo } = progressOf(all);
      if (current === undefined || !canDo) return;
      expect(all.underWay).not.toContain(current);
      const isToldByViews = all.facts !== noFacts && current !== "set-roles" && current !== "lock";
      if (all.launch.unknown.includes(current)) expect(isToldByViews).toBe(true);
    },
  );

  property("never offers to enable with a lock whose value or time is not above the minimum", [anyInput], (all) => {
    const { current, lock: best, conditions } = progressOf(all);
    if (current === "enable" && conditions !== undefined && all.facts.reserves !== undefined) {
      expect(best).toEqual({ ...enough, verdict: best?.verdict });
    }
  });

  it.each([
    [0, "create-pair"],
    [1, "issue-lp"],
    [2, "set-roles"],
    [4, "lock"],
  ] as const)("after %i steps shown by views, continues with %s", (count, step) => {
    const progress = progressOf(input({ facts: factsAfter(count) }));
    expect(progress.current).toBe(step);
    expect(progress.canDo).toBe(true);
    expect(progress.state).toBe("next");
    expect(progress.done[0]).toBe(count === 0 ? undefined : "view");
  });

  it("is complete when the pair is open, with or without a lock", () => {
    const progress = progressOf(input({ facts: factsAfter(6) }));
    expect(progress.current).toBeUndefined();
    expect(progress.done).toHaveLength(6);
  });
});

describe("views and answers", () => {
  it("a view that shows a step as not done outweighs an answer, and the step says that a call was made", () => {
    const progress = progressOf(input({ launch: launch({ done: { "create-pair": "answer" } }), facts: factsAfter(0) }));
    expect(progress).toMatchObject({ current: "create-pair", state: "unseen" });
  });

  it("a view settles an unknown outcome, either way", () => {
    const unknown = launch({ unknown: ["create-pair"] });
    expect(progressOf(input({ launch: unknown, facts: factsAfter(1) })).current).toBe("issue-lp");
    expect(progressOf(input({ launch: unknown, facts: factsAfter(0) })).canDo).toBe(true);
    const untold = progressOf(input({ launch: unknown }));
    expect(untold).toMatchObject({ current: "create-pair", state: "unknown" });
    expect(untold.canDo).toBe(false);
  });

  it("without views, answers and the user's word count", () => {
    const done = { "create-pair": "answer", "issue-lp": "word", "set-roles": "word" } as const;
    const progress = progressOf(input({ launch: launch({ done }) }));
    expect(progress.current).toBe("add-liquidity");
    expect(progress.done).toEqual(["answer", "word", "word"]);
  });

  it("a lock is not asked for again after the pair was enabled", () => {
    const done = {
      "create-pair": "answer",
      "issue-lp": "answer",
      "set-roles": "answer",
      "add-liquidity": "answer",
      enable: "answer",
    } as const;
    expect(progressOf(input({ launch: launch({ done }) })).current).toBeUndefined();
  });

  it("a step whose call is on its way is not offered again", () => {
    const progress = progressOf(input({ facts: factsAfter(0), underWay: ["create-pair"] }));
    expect(progress).toMatchObject({ current: "create-pair", state: "under-way" });
    expect(progress.canDo).toBe(false);
  });
});

describe("the lock", () => {
  const facts = factsAfter(4);

  it("that suffices is preferred to a larger one that doesn't", () => {
    const long = lock(60_000_000n, 5500n, { locked: { tokenId: "LKTOK-1A2B", nonce: 4n } });
    const short = lock(80_000_000n, 5400n);
    const { lock: best, current } = progressOf(input({ facts, locks: [short, long] }));
    expect(best).toEqual({ ...long, verdict: best?.verdict });
    expect(current).toBe("enable");
  });

  it("in another token than the router's doesn't count", () => {
    const foreign = lock(141_420_356n, 5432n, { locked: { tokenId: "OTHER-1A2B", nonce: 1n } });
    expect(progressOf(input({ facts, locks: [foreign] })).current).toBe("lock");
  });

  it("counts by the user's word if no call of the bot made it", () => {
    const { done } = progressOf(input({ facts, locks: [{ ...enough, isAnswered: false }] }));
    expect(done[launchSteps.indexOf("lock")]).toBe("word");
  });
});

describe("obstacles", () => {
  it.each([
    ["no lock is offered for a pair that the router doesn't value", { common: "" }, "no-common-token"],
    ["no lock is offered for a pair without conditions in the router", { config: "none" }, "no-config"],
    ["no lock is offered for a pair without an adder, which nobody can enable", { adder: "none" }, "no-adder"],
  ] as const)("%s", (_, told, kind) => {
    const progress = progressOf(input({ facts: { ...factsAfter(4), ...told } }));
    expect(progress).toMatchObject({ current: "lock", canDo: false, obstacles: [{ kind }] });
  });

  it("no deposit is offered for somebody else's pair if the caller is certain; otherwise there is a warning", () => {
    const facts = { ...factsAfter(3), adder: operator };
    const rolesSet = launch({ done: { "set-roles": "answer" } });
    const certain = progressOf(input({ launch: rolesSet, facts }));
    expect(certain).toMatchObject({ current: "add-liquidity", canDo: false });
    const perhaps = progressOf(input({ launch: rolesSet, facts, caller: { address: alice, travels: false } }));
    expect(perhaps).toMatchObject({
      canDo: true,
      obstacles: [{ kind: "other-adder", adder: operator, isCertain: false }],
    });
  });
});
