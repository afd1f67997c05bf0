import { expect, test } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { contractCall } from "../../../src/encoding/call.js";
import { Fault } from "../../../src/fault.js";
import { createFeeEstimates } from "../../../src/services/wallet/prepare.js";
import { poolAddress } from "../pool/samples.js";
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
    // A KFI is worth 100 KLV.
    worthIn: async ({ token, units }) => (token.id === "KFI" ? amountOf(klv, units * 100n) : undefined),
  });
  return { clock, node, estimate };
}

test("a fee is the node's with its margin, rounded up, and its share of what the payment is worth", async () => {
  const { estimate } = desk();
  // 4.700001, a twentieth of the second part, and the trifle that tells requests apart.
  const amount = amountOf(klv, 4_890_000n);
  expect(await estimate(lock(1n), alice, [amountOf(kfi, 1_000_000n)])).toEqual({ amount, shareBps: 489n });
  expect(await estimate(lock(1n), alice, [amountOf(klv, 9_000_000n)])).toEqual({ amount, shareBps: 5434n });
  // Of what nobody knows the price, nor of nothing, there is no share.
  expect(await estimate(lock(1n), alice, [amountOf({ ...kfi, id: "DVK-34ZH" }, 5n)])).toEqual({ amount });
  expect(await estimate(lock(1n), alice, [])).toEqual({ amount });
});

test("the node builds one of a kind in ten minutes, whoever asks, and however many at once", async () => {
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

test("what the node refuses is unknown, and asked again for the next one", async () => {
  const { node, estimate } = desk();
  node.fails = true;
  expect(await estimate(lock(1n), alice, [])).toBeUndefined();
  node.fails = false;
  expect(await estimate(lock(1n), alice, [])).toBeDefined();
  expect(node.built).toBe(2);
});
