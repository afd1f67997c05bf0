import { expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import type { SignedIntent } from "../../../src/model/intent.js";
import { createFollower } from "../../../src/services/wallet-gateway/follower.js";
import { intent, swapTerms } from "../../cards/arrange.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { klv, silent } from "../samples.js";

it("asks about a thousand transactions at most ten times a second", async () => {
  const clock = createVirtualClock();
  const sent = { ...intent(swapTerms, "SENT"), times: { SENT: clock.now() } };
  const transaction = { bytes: "", hash: "", nonce: 7n, networkFee: amountOf(klv, 1n), token: "", signUntil: 0 };
  const followed = Array.from({ length: 1000 }, (_, index): SignedIntent => {
    return { ...sent, id: String(index), transaction: { ...transaction, hash: String(index), signature: "00" } };
  });
  const asked: number[] = [];
  const lookedUp = new Set<string>();
  const answer = async <Value>(value: Value): Promise<Value> => {
    asked.push(clock.monotonic());
    return value;
  };
  const follower = createFollower({
    node: {
      nonce: () => answer({ nonce: 7n, pending: 1n }),
      transaction: (hash: string) => {
        lookedUp.add(hash);
        return answer({ block: 0n, isOk: true, returnData: [], text: "" });
      },
    } as unknown as Parameters<typeof createFollower>[0]["node"],
    intents: { find: async (_owner: number, id: string) => followed[Number(id)] } as unknown as Parameters<
      typeof createFollower
    >[0]["intents"],
    present: async () => undefined,
    clock,
    log: silent,
  });
  for (const each of followed) follower.follow(each);
  await clock.advance(240_000);
  // Two questions for each of a thousand, ten a second: every one had its turn.
  expect(lookedUp.size).toBe(1000);
  expect(asked.length).toBeGreaterThan(2300);
  for (const [index, at] of asked.entries()) {
    expect((asked[index + 10] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThanOrEqual(1000);
  }
});
