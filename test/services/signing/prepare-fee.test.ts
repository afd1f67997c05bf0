import { expect, test } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { contractCall } from "../../../src/encoding/call.js";
import { Fault } from "../../../src/fault.js";
import { createFeeEstimates } from "../../../src/services/signing/prepare.js";
import { poolAddress } from "../market/pool-samples.js";
import { alice, kfi, klv, operator, silent, testClock } from "../samples.js";

const lock = (epoch: bigint) =>
  contractCall({ contract: "simpleLock", address: poolAddress(9) }, "lockTokens", { unlock_epoch: epoch }, [
    { tokenId: "KFI", units: 1_000_000n },
  ]);
const unlock = contractCall({ contract: "simpleLock", address: poolAddress(9) }, "unlockTokens", {}, [
  { tokenId: "LKTOK-1A2B", nonce: 1n, units: 1n },
]);

function desk() {
  const clock = testClock();
  const node = { built: 0, fails: false };
  const estimate = createFeeEstimates({
    clock,
    log: silent,
    node: {
      nonce: async () => ({ nonce: 7n, txPending: 0n }),
      build: async () => {
        node.built += 1;
        if (node.fails) throw new Fault("contract-failed", { text: "Slippage exceeded" });
        return { raw: { KAppFee: 2_000_000n, BandwidthFee: 2_700_001n }, hash: "" };
      },
    },
    // One KFI is worth 100 KLV.
    worthIn: async ({ token, units }) => (token.id === "KFI" ? amountOf(klv, units * 100n) : undefined),
  });
  return { clock, node, estimate };
}

test("an estimate is the node's fee with its margin, rounded up, and its share of the payment's value", async () => {
  const { estimate } = desk();
  // 4.700001, 5% of the bandwidth part, and the small amount that makes each request unique.
  const amount = amountOf(klv, 4_890_000n);
  expect(await estimate(lock(1n), alice, [amountOf(kfi, 1_000_000n)])).toEqual({ amount, shareBps: 489n });
  expect(await estimate(lock(1n), alice, [amountOf(klv, 9_000_000n)])).toEqual({ amount, shareBps: 5434n });
  // There is no share if the payment's price is unknown or nothing is paid.
  expect(await estimate(lock(1n), alice, [amountOf({ ...kfi, id: "DVK-34ZH" }, 5n)])).toEqual({ amount });
  expect(await estimate(lock(1n), alice, [])).toEqual({ amount });
});

test("the node builds one transaction per kind in ten minutes, whoever asks and however many at once", async () => {
  const { clock, node, estimate } = desk();
  await Promise.all(Array.from({ length: 50 }, (_, index) => estimate(lock(BigInt(index)), alice, [])));
  await estimate(lock(3n), operator, []);
  expect(node.built).toBe(1);
  await estimate(unlock, alice, []);
  expect(node.built).toBe(2);
  clock.advance(600_000);
  await estimate(unlock, alice, []);
  expect(node.built).toBe(3);
});

test("an estimate that the node refuses is unknown, and requested again the next time", async () => {
  const { node, estimate } = desk();
  node.fails = true;
  expect(await estimate(lock(1n), alice, [])).toBeUndefined();
  node.fails = false;
  expect(await estimate(lock(1n), alice, [])).toBeDefined();
  expect(node.built).toBe(2);
});
