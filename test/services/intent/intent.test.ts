import { describe, expect, it } from "vitest";
import { isDone, isProven, isUnresolved, withCheck } from "../../../src/services/intent/intent.js";
import type { Intent, OutcomeCheck } from "../../../src/services/intent/intent.js";
import { walletTransaction } from "../../support/wallet-transaction.js";
import { chatId, draft, owner } from "./arrange.js";

const call = (parts: Partial<Intent>): Intent => ({
  ...draft,
  id: "intent",
  owner,
  chatId,
  quotedAt: 1,
  state: "OK",
  run: "run",
  times: { QUOTED: 1 },
  ...parts,
});

const check = (by: OutcomeCheck["by"], finding: OutcomeCheck["finding"]): OutcomeCheck => ({ at: 2, by, finding });
const balances = (finding: OutcomeCheck["finding"]) => ({ before: {}, after: {}, finding });
const transaction = walletTransaction({ phase: "on-chain", signature: "aa" });

describe("a call", () => {
  it.each<[what: string, parts: Partial<Intent>, isSaidDone: boolean, mayBeCounted: boolean, isOpen: boolean]>([
    ["answered", { state: "OK" }, false, true, false],
    ["answered, without a move of balances", { state: "OK", balances: balances("not-arrived") }, false, true, false],
    ["answered, and seen in balances", { state: "OK", balances: balances("arrived") }, true, true, false],
    ["answered, and seen in views", { state: "OK", check: check("views", "arrived") }, true, true, false],
    ["answered, and not seen in views", { state: "OK", check: check("views", "unclear") }, false, true, false],
    ["executed by the chain", { state: "OK", transaction }, true, true, false],
    ["not answered", { state: "UNKNOWN" }, false, false, true],
    [
      "not answered, and seen in balances alone",
      { state: "UNKNOWN", balances: balances("arrived") },
      false,
      false,
      true,
    ],
    [
      "not answered, but found to have arrived",
      { state: "UNKNOWN", check: check("balances", "arrived") },
      true,
      true,
      false,
    ],
    [
      "not answered, put aside by its owner",
      { state: "UNKNOWN", check: check("owner", "not-arrived") },
      false,
      false,
      false,
    ],
    [
      "not answered, ended by the chain",
      { state: "UNKNOWN", check: check("chain", "not-arrived") },
      false,
      false,
      false,
    ],
    ["refused", { state: "FAILED" }, false, false, false],
    [
      "refused, although views show what it wanted",
      { state: "FAILED", check: check("views", "arrived") },
      false,
      false,
      false,
    ],
    ["refused, with a transaction", { state: "FAILED", transaction }, false, false, false],
    ["sent", { state: "SENT", balances: balances("arrived") }, false, false, false],
    ["cancelled", { state: "CANCELED", transaction }, false, false, false],
  ])("that was %s is called done only if that is proven, and open only if nobody knows", (_, parts, ...expected) => {
    const intent = call(parts);
    expect([isProven(intent), isDone(intent), isUnresolved(intent)]).toEqual(expected);
  });

  it("keeps what settled it, and its owner's word until something settles it", () => {
    const [arrived, unclear, aside] = [
      check("views", "arrived"),
      check("balances", "unclear"),
      check("owner", "not-arrived"),
    ];
    const after = (...checks: readonly OutcomeCheck[]) => checks.reduce(withCheck, call({ state: "UNKNOWN" })).check;
    expect(after(unclear, arrived)).toEqual(arrived);
    expect(after(arrived, unclear)).toEqual(arrived);
    expect(after(arrived, aside)).toEqual(arrived);
    expect(after(aside, unclear)).toEqual(aside);
    expect(after(aside, arrived)).toEqual(arrived);
    expect(after(unclear, aside)).toEqual(aside);
  });
});
