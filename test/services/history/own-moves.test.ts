import { describe, expect, it } from "vitest";
import { insertIntent } from "../../../src/services/intent/intent-row.js";
import type { Intent } from "../../../src/services/intent/intent.js";
import { mayBeMoving, movesSince } from "../../../src/services/history/own-moves.js";
import { intent, lockTerms, routeTerms, swapTerms, unlockTerms } from "../../cards/arrange.js";
import { nested } from "../../encoding/nested.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { alice, operator } from "../samples.js";

const NOW = 10_000_000;
const MINUTE = 60_000;
const account = { owner: 1001, address: alice };
const ok = (...returnData: readonly string[]) => ({ kind: "ok", returnData }) as const;
const proven = { check: { at: NOW, by: "chain", finding: "arrived" } } as const;
const times = { CLAIMED: NOW - MINUTE, OK: NOW };

async function holding(call: Intent) {
  const store = createMemoryDisk().open();
  await store.write((tx) => insertIntent(tx, call));
  return store.db;
}
const movesOf = async (call: Intent, since = NOW - 1) =>
  Object.fromEntries(await movesSince(await holding(call), account, since, "hex"));

const swap = { ...intent(swapTerms, "OK", ok("26bf", "0efc3c")), times };
const coming = (asset: { readonly tokenId: string; readonly nonce?: bigint }, units: bigint) =>
  nested.payment({ ...asset, units });

describe("what own calls have moved", () => {
  it.each<[string, Intent, Record<string, bigint>]>([
    ["a proven swap", { ...swap, ...proven }, { KFI: 0x0efc3cn, KLV: -100_000_000n }],
    ["a swap that only the node's word says is done: what it paid may still be there", swap, { KFI: 0x0efc3cn }],
    [
      "a route with what comes back of all tokens",
      {
        ...intent(
          routeTerms,
          "OK",
          ok(
            coming({ tokenId: "KLV" }, 902_711n) +
              coming({ tokenId: "DVK-34ZH" }, 7n) +
              coming({ tokenId: "KFI" }, 890_000n),
          ),
        ),
        ...proven,
        times,
      },
      { KFI: 890_000n, "DVK-34ZH": 7n, KLV: -(91_173_711n - 902_711n) },
    ],
    [
      "an unlock",
      { ...intent(unlockTerms, "OK", ok(coming({ tokenId: "KFI" }, 5_000_000n))), ...proven, times },
      { KFI: 5_000_000n, "LKTOK-1A2B/7": -5_000_000n },
    ],
    [
      "a lock",
      { ...intent(lockTerms, "OK", ok(coming({ tokenId: "LKTOK-1A2B", nonce: 7n }, 5_000_000n))), ...proven, times },
      { KFI: -5_000_000n },
    ],
    [
      "a lock whose epoch had begun, which gives back what it is paid",
      { ...intent(lockTerms, "OK", ok(coming({ tokenId: "KFI" }, 5_000_000n))), ...proven, times },
      {},
    ],
    [
      "a swap whose answer can't be read",
      { ...intent(swapTerms, "OK", ok("00")), ...proven, times },
      { KLV: -100_000_000n },
    ],
    [
      "one that failed",
      { ...intent(swapTerms, "FAILED", { kind: "failed", text: "no" }), times: { CLAIMED: NOW, FAILED: NOW } },
      {},
    ],
    [
      "one of unknown outcome",
      {
        ...intent(swapTerms, "UNKNOWN", { kind: "unknown", code: "interrupted" }),
        times: { CLAIMED: NOW, UNKNOWN: NOW },
      },
      {},
    ],
    [
      "one that was signed late",
      { ...swap, ...proven, times: { CLAIMED: NOW - 50 * MINUTE, SENT: NOW - MINUTE, OK: NOW } },
      { KFI: 0x0efc3cn, KLV: -100_000_000n },
    ],
    ["one that took over ten minutes", { ...swap, ...proven, times: { CLAIMED: NOW - 11 * MINUTE, OK: NOW } }, {}],
    ["one that ended before", { ...swap, ...proven, times: { CLAIMED: NOW - MINUTE, OK: NOW - 1 } }, {}],
    ["one of another address", { ...swap, ...proven, terms: { ...swapTerms, payout: operator } }, {}],
    ["one of somebody else", { ...swap, ...proven, owner: 1002 }, {}],
  ])("is that of %s", async (_name, call, moved) => {
    expect(await movesOf(call)).toEqual(moved);
  });

  it.each<[string, Partial<Intent>, boolean]>([
    ["one in progress", { state: "SENT", times: { CLAIMED: NOW - MINUTE, SENT: NOW - MINUTE } }, true],
    ["one that was signed late", { state: "SENT", times: { CLAIMED: NOW - 50 * MINUTE, SENT: NOW - MINUTE } }, true],
    ["one in progress for over ten minutes", { state: "SENT", times: { CLAIMED: NOW - 11 * MINUTE } }, false],
    ["one of unknown outcome", { state: "UNKNOWN", times: { CLAIMED: NOW - MINUTE, UNKNOWN: NOW - MINUTE } }, true],
    [
      "one that ended a moment before the look",
      { state: "OK", times: { CLAIMED: NOW - MINUTE, OK: NOW - 14_000 } },
      true,
    ],
    ["one that ended before", { state: "OK", times: { CLAIMED: NOW - MINUTE, OK: NOW - 15_000 } }, false],
    ["a card", { state: "QUOTED", times: {} }, false],
    [
      "one of another address",
      { state: "SENT", times: { CLAIMED: NOW }, terms: { ...swapTerms, payout: operator } },
      false,
    ],
  ])("may be in a look or not while there is %s: %s", async (_name, fields, isSo) => {
    const { outcome: _outcome, ...open } = swap;
    const call = fields.state === "OK" ? { ...swap, ...fields } : { ...open, ...fields };
    expect(await mayBeMoving(await holding(call), account, NOW, NOW)).toBe(isSo);
  });
});
