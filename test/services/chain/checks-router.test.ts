import { expect, test } from "vitest";
import type { Address } from "../../../src/encoding/address.js";
import { Fault } from "../../../src/fault.js";
import type { ContractGateway } from "../../../src/services/chain/query-gateway.js";
import { createLockCheck, createRouterCheck } from "../../../src/services/chain/checks.js";
import { poolAddress } from "../market/pool-samples.js";
import { referralContract, silent, testClock } from "../samples.js";

const routerContract = poolAddress(1);
const other = poolAddress(2);
const lockContract = poolAddress(3);
const unreachable = new Fault("service-unreachable", { service: "node" });

/** A check whose node gives these answers in order, then repeats the last. */
function check(...answers: readonly (Address | Fault)[]) {
  const clock = testClock();
  const asked: string[] = [];
  const query = (async (target, functionName) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)]!;
    asked.push(`${target.address} ${functionName}`);
    if (answer instanceof Fault) throw answer;
    return [answer] as never;
  }) as ContractGateway["query"];
  const made = createRouterCheck({ gateway: { query }, referralContract, routerContract, clock, log: silent });
  return { ...made, clock, asked };
}

test("the same router lets every trade pass, and is checked again every 15 minutes", async () => {
  const { assertMatch, assertNoMismatch, asked, clock } = check(routerContract, routerContract, other);
  for (let minutes = 0; minutes < 15; minutes += 1) {
    await assertMatch();
    clock.advance(60_000);
    clock.step(-3_600_000);
  }
  expect(asked).toEqual([`${referralContract} getRouterAddress`]);
  assertNoMismatch();
  await assertMatch();
  expect(asked).toHaveLength(2);
  clock.advance(900_000);
  await expect(assertMatch()).rejects.toMatchObject({ code: "router-mismatch" });
});

test("another router stops every trade", async () => {
  const { assertMatch, assertNoMismatch } = check(other);
  await expect(assertMatch()).rejects.toMatchObject({ code: "router-mismatch" });
  expect(assertNoMismatch).toThrow(/router-mismatch/);
});

test("trading resumes once the router is the right one again, not when the node is unreachable", async () => {
  const { assertMatch, assertNoMismatch, asked, clock } = check(other, unreachable, routerContract);
  await expect(assertMatch()).rejects.toMatchObject({ code: "router-mismatch" });
  for (const answers of [2, 3]) {
    clock.advance(60_000);
    // No card is opened meanwhile, so nothing waits for the answer.
    expect(assertNoMismatch).toThrow(/router-mismatch/);
    await expect.poll(() => asked).toHaveLength(answers);
  }
  await assertMatch();
  assertNoMismatch();
});

test("a referral contract without a router stops every trade", async () => {
  const { assertMatch, assertNoMismatch } = check(new Fault("address-zero", {}));
  await expect(assertMatch()).rejects.toMatchObject({ code: "router-mismatch" });
  expect(assertNoMismatch).toThrow(/router-mismatch/);
});

test("an unreachable node stops no trade, and is asked again a minute later", async () => {
  const { assertMatch, asked, clock } = check(unreachable, unreachable, other);
  await assertMatch();
  await assertMatch();
  expect(asked).toHaveLength(1);
  clock.advance(60_000);
  await assertMatch();
  expect(asked).toHaveLength(2);
  clock.advance(60_000);
  await expect(assertMatch()).rejects.toMatchObject({ code: "router-mismatch" });
});

test("before the first answer, what sends nothing goes on", () => {
  expect(check(other).assertNoMismatch).not.toThrow();
});

/** A node at whose addresses these functions answer, and no others. */
function nodeWith(answering: Readonly<Record<Address, string>>) {
  const query = (async ({ address }, name) => {
    if (answering[address] !== name) throw new Fault("view-missing", { text: "invalid function" });
    return [other] as never;
  }) as ContractGateway["query"];
  return { gateway: { query }, referralContract, routerContract, lockContract, clock: testClock(), log: silent };
}

test("two addresses in each other's place, or a pair's, stop every trade", async () => {
  for (const wrong of ["getAllPairContractMetadata", "getLockedTokenId", "getReservesAndTotalSupply"]) {
    const { assertMatch } = createRouterCheck(nodeWith({ [referralContract]: wrong }));
    await expect(assertMatch()).rejects.toMatchObject({ code: "router-mismatch" });
  }
  for (const wrong of ["getAllPairContractMetadata", "getRouterAddress", "getReservesAndTotalSupply"]) {
    const { assertMatch, incident } = createLockCheck(nodeWith({ [lockContract]: wrong }));
    await expect(assertMatch()).rejects.toMatchObject({ code: "lock-mismatch" });
    expect(incident).toBe("lock-mismatch");
  }
});

test("a node without views stops no trade, nor does a lock contract that answers", async () => {
  await createRouterCheck(nodeWith({})).assertMatch();
  await createLockCheck(nodeWith({})).assertMatch();
  await createLockCheck(nodeWith({ [lockContract]: "getLockedTokenId" })).assertMatch();
});
