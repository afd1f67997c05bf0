import { expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import { createChainCheck } from "../../../src/services/chain/checks.js";
import { silent, testClock } from "../samples.js";

/** A check for chain 109. The node gives these answers in order, then repeats the last. */
function check(...answers: readonly (string | undefined | Fault)[]) {
  const clock = testClock();
  let asked = 0;
  const chainId = async () => {
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    if (answer instanceof Fault) throw answer;
    return answer;
  };
  return { ...createChainCheck({ node: { chainId }, chainId: "109", clock, log: silent }), clock };
}

it("resumes trading once the node reports the right chain, not when it reports none", async () => {
  const { assertMatch, assertNoMismatch, clock } = check("108", undefined, "109");
  await expect(assertMatch()).rejects.toMatchObject({ code: "chain-mismatch" });
  expect(assertNoMismatch).toThrow(/chain-mismatch/);
  clock.advance(60_000);
  await expect(assertMatch()).rejects.toMatchObject({ code: "chain-mismatch" });
  clock.advance(60_000);
  await assertMatch();
});

it("stops trading only for another chain", async () => {
  for (const answer of [undefined, new Fault("service-unreachable", { service: "node" })]) {
    const { assertMatch } = check(answer);
    await expect(assertMatch()).resolves.toBeUndefined();
  }
});
