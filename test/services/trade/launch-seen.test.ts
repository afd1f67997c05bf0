import { describe, expect, it } from "vitest";
import { parseContractAddress } from "../../../src/encoding/address.js";
import type { Intent, IntentOutcome } from "../../../src/services/intent/intent.js";
import type { LaunchFacts } from "../../../src/services/trade/launch-facts.js";
import { seenStep, sightings } from "../../../src/services/trade/launch-seen.js";
import { intent, lockTerms } from "../../cards/arrange.js";
import { nested } from "../../encoding/nested.js";
import { operator } from "../samples.js";
import { factsAfter, noFacts, pairHex, terms } from "./launch-samples.js";

const ok = (...returnData: string[]): IntentOutcome => ({ kind: "ok", returnData });
const unknown: IntentOutcome = { kind: "unknown", code: "service-timeout" };

/** An answered lock of the launch, by the number of its token. */
const lockOf = (id: string, nonce: bigint): Intent => {
  const answer = nested.payment({ tokenId: "LKTOK-1A2B", nonce, units: lockTerms.amount.units });
  return { ...intent({ ...lockTerms, request: { ...lockTerms.request, launchId: "launch-1" } }, "OK", ok(answer)), id };
};

describe("what views show of a step", () => {
  const created = intent(terms.createPair, "OK", ok(pairHex));
  const seen = (about: Intent, facts: LaunchFacts, calls: readonly Intent[] = [about]) => {
    const found = seenStep(about, calls, facts, "hex");
    return found && [found.by, found.finding, found.why].join(" ").trim();
  };

  it("is what the checklist says of it", () => {
    expect(seen(created, factsAfter(0))).toBe("views not-arrived");
    expect(seen(created, factsAfter(1))).toBe("views arrived");
    expect(seen(intent(terms.createPair, "UNKNOWN", unknown), factsAfter(1))).toBe("views arrived");
    const roles = intent(terms.setRoles, "OK", ok());
    expect(seen(roles, factsAfter(3))).toBe("views unclear no-view");
    expect(seen(roles, factsAfter(4))).toBe("views arrived");
    expect(seen(roles, noFacts)).toBe("views unclear no-view");
    expect(seen(roles, { isReachable: false })).toBe("views unclear unread");
  });

  it("doesn't prove a call that may be another's doing", () => {
    const other = parseContractAddress("klv1qqqqqqqqqqqqqpgqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqrnfjud");
    expect(seen(created, { ...factsAfter(1), pair: other })).toBe("views unclear not-own");
    expect(seen(created, { ...factsAfter(1), adder: operator })).toBe("views unclear not-own");
    const byNode = intent({ ...terms.createPair, callerTravels: false }, "OK", ok(pairHex));
    expect(seen(byNode, { ...factsAfter(1), adder: operator })).toBe("views arrived");
    const again = { ...intent(terms.createPair, "UNKNOWN", unknown), id: "again" };
    for (const each of [created, again]) {
      expect(seen(each, factsAfter(1), [created, again])).toBe("views unclear not-own");
    }
  });

  it("proves a lock only if it was answered, and the pair is open", () => {
    const lock = { ...lockTerms, request: { ...lockTerms.request, launchId: "launch-1" } };
    expect(seen(intent(lock, "OK", ok("00")), factsAfter(5))).toBe("views unclear no-view");
    expect(seen(intent(lock, "OK", ok("00")), { isReachable: false })).toBe("views unclear unread");
    const balances = { before: { "LP-1": 1n }, after: { "LP-1": 1n }, finding: "not-arrived" } as const;
    expect(seen({ ...intent(lock, "OK", ok("00")), balances }, factsAfter(5))).toBeUndefined();
    expect(seen(intent(lock, "OK", ok("00")), factsAfter(6))).toBe("views arrived");
    expect(seen(intent(lock, "UNKNOWN", unknown), factsAfter(6))).toBeUndefined();
  });

  it("proves only the lock whose token enabling sent, of several; without that, none of several", () => {
    const enable = { ...intent(terms.enable, "OK", ok()), id: "enable" };
    const [one, other, merged] = [lockOf("one", 3n), lockOf("other", 4n), lockOf("merged", 3n)];
    const all = [enable, one, other, merged];
    expect(all.slice(1).map((lock) => seen(lock, factsAfter(6), all))).toEqual([
      "views arrived",
      "views unclear not-own",
      "views arrived",
    ]);
    // Enabled by hand.
    expect([one, other].map((lock) => seen(lock, factsAfter(6), [one, other]))).toEqual([
      "views unclear not-own",
      "views unclear not-own",
    ]);
    expect(seen(one, factsAfter(6), [one])).toBe("views arrived");
    const unread = { ...lockOf("unread", 3n), outcome: ok("00") };
    expect(seen(unread, factsAfter(6), [enable, unread])).toBe("views unclear not-own");
  });

  it("of one call shows others, but none that is under way, proven already, or a transaction", () => {
    const calls = [
      { ...intent(terms.enable, "OK", ok()), id: "enable" },
      lockOf("lock", 3n),
      { ...intent(terms.addLiquidity, "OK", ok()), id: "proven", check: { at: 1, by: "views", finding: "arrived" } },
      { ...intent(terms.setRoles, "SENT"), id: "under way" },
    ] satisfies Intent[];
    const found = sightings(calls, factsAfter(6), "hex").map(({ call, found }) => [call.id, found.finding]);
    expect(found).toEqual([
      ["enable", "arrived"],
      ["lock", "arrived"],
    ]);
  });
});
