import { describe, expect, it } from "vitest";
import { intentStates } from "../../../src/services/intent/intent.js";
import type { IntentOutcome, IntentState, IntentTransaction } from "../../../src/services/intent/intent.js";
import { type OldTransaction, transactionFrom } from "../../../src/services/intent/old-transaction.js";
import { type Place, walletTransaction } from "../../support/wallet-transaction.js";

const signature = "ab";
const charged = { kind: "failed", text: "no", costsFee: true } as const;
const refused = { kind: "failed", text: "no" } as const;
const places: readonly Place[] = [
  { phase: "to-sign" },
  { phase: "withdrawn", end: "EXPIRED" },
  { phase: "withdrawn", end: "CANCELED" },
  { phase: "withdrawn", end: "SUPERSEDED" },
  { phase: "withdrawn", end: { code: "network-fee-too-high", parameters: { fee: "1", maximum: "2" } } },
  { phase: "signed", signature },
  { phase: "broadcast", signature, broadcastAt: 5 },
  { phase: "broadcast", signature, broadcastAt: 5, refusal: "invalid fees" },
  { phase: "on-chain", signature },
  { phase: "abandoned" },
  { phase: "abandoned", signature },
];

/** The phases that go with each end, written apart from the code under test. */
const phasesAt: Readonly<Record<IntentState, string>> = {
  QUOTED: "",
  CLAIMED: "",
  SIGNING: "to-sign withdrawn",
  SENT: "signed broadcast",
  OK: "on-chain",
  FAILED: "to-sign withdrawn signed broadcast abandoned",
  UNKNOWN: "signed broadcast abandoned",
  EXPIRED: "withdrawn abandoned",
  CANCELED: "withdrawn signed abandoned",
  SUPERSEDED: "withdrawn abandoned",
};

/** A transaction as version 1.0.0 wrote it. */
function asFlags({ phase, ...transaction }: IntentTransaction): OldTransaction {
  const { end, broadcastAt, ...others } = { end: undefined, broadcastAt: undefined, ...transaction };
  return {
    ...others,
    ...(broadcastAt !== undefined && { givenAt: broadcastAt }),
    ...(end !== undefined && { closing: typeof end === "string" ? { state: end } : { state: "FAILED", ...end } }),
    ...(phase === "abandoned" && { isOver: true }),
  };
}

describe("the transaction of a row of version 1.0.0", () => {
  const ends: readonly (readonly [IntentState, IntentOutcome | null])[] = [
    ...intentStates.map((state) => [state, state === "FAILED" ? refused : null] as const),
    ["FAILED", charged],
  ];

  it.each(ends)("comes back in its phase, or is refused with a state that it can't have: %s", (state, outcome) => {
    for (const place of places) {
      const transaction = walletTransaction(place);
      const possible = outcome === charged ? "on-chain" : phasesAt[state];
      const isOwn =
        possible === "on-chain" ||
        !("end" in place) ||
        state === "SIGNING" ||
        state === "FAILED" ||
        place.end === state;
      const read = () => transactionFrom(asFlags(transaction), state, outcome);
      // That it is on the chain is said by the outcome alone: no flag of its own does.
      const asRead = possible === "on-chain" ? "on-chain" : place.phase === "on-chain" ? "signed" : place.phase;
      const isPossible = possible.split(" ").includes(asRead) && (asRead !== "on-chain" || "signature" in place);
      if (!isPossible || !isOwn) expect(read, `${state} ${place.phase}`).toThrow(TypeError);
      else if (asRead === place.phase) expect(read()).toEqual(transaction);
      else expect(read()).toEqual(walletTransaction({ phase: asRead as "signed", signature }));
    }
  });
});
