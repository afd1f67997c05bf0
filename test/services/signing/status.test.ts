import { describe, expect, it } from "vitest";
import type { SignedIntent } from "../../../src/services/intent/intent.js";
import { nextStatus, withheld, type ChainReading, type Seen } from "../../../src/services/signing/status.js";
import type { ChainTransaction } from "../../../src/services/signing/chain-node.js";
import { intent, swapTerms } from "../../cards/arrange.js";
import { walletTransaction } from "../../support/wallet-transaction.js";

const HOUR = 3_600_000;
const sentAt = intent(swapTerms, "SENT").times.SENT ?? 0;
const sent: SignedIntent = {
  ...intent(swapTerms, "SENT"),
  transaction: walletTransaction({ phase: "broadcast", signature: "aa", broadcastAt: sentAt }),
};
const neverGiven: SignedIntent = { ...sent, transaction: walletTransaction({ phase: "signed", signature: "aa" }) };

const inBlock: ChainTransaction = { block: 100n, isOk: true, returnData: ["01", "63"], signature: "aa" };
const failure = { text: "Slippage exceeded" };
const failed: ChainTransaction = { block: 100n, isOk: false, returnData: [], signature: "aa", failure };
const pending: ChainTransaction = { block: 0n, isOk: true, returnData: [], signature: "aa" };
const unknown = (nonce: bigint): ChainReading => ({ nonce, transaction: undefined });
const at = (time: number) => ({ now: time, monotonic: time });
const look = (reading: ChainReading, seen: Seen = {}, after = 0, of = sent) =>
  nextStatus(of, reading, seen, at(sentAt + after));

describe("a transaction in a block", () => {
  it("ends when two looks find the same and another block follows", () => {
    const reading = { nonce: 8n, transaction: inBlock, height: 101n };
    expect(look(reading)).toEqual({ kind: "wait", seen: { onChain: inBlock } });
    expect(look({ ...reading, height: 100n }, { onChain: inBlock }).kind).toBe("wait");
    expect(look(reading, { onChain: inBlock })).toEqual({
      kind: "end",
      outcome: { kind: "ok", returnData: ["01", "63"], encoding: "hex" },
    });
  });

  it("fails with the contract's text, and costs its fee", () => {
    expect(look({ nonce: 8n, transaction: failed, height: 101n }, { onChain: failed })).toEqual({
      kind: "end",
      outcome: { kind: "failed", text: "Slippage exceeded", costsFee: true },
    });
  });

  it.each([
    ["another block", { ...inBlock, block: 99n }],
    ["another result", { ...inBlock, isOk: false }],
    ["other words", { ...inBlock, failure }],
    ["other data", { ...inBlock, returnData: ["02"] }],
  ])("is looked at again if it shows %s than before", (_what, transaction) => {
    expect(look({ nonce: 8n, transaction, height: 105n }, { onChain: inBlock }).kind).toBe("wait");
  });

  it("is waited for or broadcast again after a rollback", () => {
    expect(look({ nonce: 7n, transaction: pending }, { onChain: inBlock })).toEqual({ kind: "wait", seen: {} });
    expect(look(unknown(7n), { onChain: inBlock })).toEqual({ kind: "give", seen: {} });
  });
});

describe("a transaction unknown to the node", () => {
  it("can be broadcast while its nonce is free", () => {
    expect(look(unknown(7n)).kind).toBe("give");
    expect(look(unknown(6n)).kind).toBe("give");
    expect(look(unknown(7n), { lostSince: sentAt })).toEqual({ kind: "give", seen: { lostSince: sentAt } });
  });

  it("ends when its nonce is used in two looks ten seconds apart: unknown, or not sent if that is shown", () => {
    const first = look(unknown(8n), {}, 5000);
    expect(first).toEqual({ kind: "wait", seen: { goneSince: sentAt + 5000 } });
    const { seen } = first as { seen: Seen };
    expect(look(unknown(8n), seen, 14_999).kind).toBe("wait");
    expect(look(unknown(8n), seen, 15_000)).toEqual({ kind: "end", outcome: { kind: "unknown", code: "nonce-used" } });
    expect(look({ ...unknown(8n), isReplaced: true }, seen, 14_999).kind).toBe("wait");
    expect(look({ ...unknown(8n), isReplaced: true }, seen, 15_000)).toEqual({
      kind: "end",
      outcome: { kind: "not-sent", code: "transaction-replaced" },
    });
    expect(look(unknown(8n), seen, 15_000, neverGiven)).toEqual({
      kind: "end",
      outcome: { kind: "not-sent", code: "nonce-used" },
    });
  });

  it("may be found after all", () => {
    expect(look({ nonce: 8n, transaction: inBlock, height: 101n }, { goneSince: sentAt }, 15_000).kind).toBe("wait");
  });

  it("ends as unknown after two days: nodes forget", () => {
    expect(look(unknown(8n), {}, 49 * HOUR)).toMatchObject({ kind: "end", outcome: { kind: "unknown" } });
    expect(look(unknown(7n), {}, 49 * HOUR)).toMatchObject({ kind: "end", outcome: { kind: "unknown" } });
    expect(look({ nonce: 8n, transaction: inBlock, height: 101n }, { onChain: inBlock }, 49 * HOUR)).toMatchObject({
      outcome: { kind: "ok" },
    });
  });
});

describe("a transaction that may not be broadcast", () => {
  const stay = (of: SignedIntent, seen: Seen, after: number) =>
    withheld(of, { code: "frozen" }, seen, at(sentAt + after));

  it("ends as not sent, with that reason, if it never was broadcast", () => {
    expect(stay(neverGiven, {}, 0)).toEqual({ kind: "end", outcome: { kind: "not-sent", code: "frozen" } });
  });

  it("ends as unknown after ten minutes if it was: the network may have it", () => {
    const first = stay(sent, {}, 5000);
    expect(first).toEqual({ kind: "wait", seen: { lostSince: sentAt + 5000 } });
    const { seen } = first as { seen: Seen };
    expect(stay(sent, seen, 604_999).kind).toBe("wait");
    expect(stay(sent, seen, 605_000)).toMatchObject({ kind: "end", outcome: { kind: "unknown" } });
  });
});

it("in every combination an end has its proof, and nothing else ends or is broadcast", () => {
  const transactions = [undefined, pending, inBlock, failed];
  const heights = [undefined, 100n, 101n];
  const onChain = [undefined, inBlock, failed, { ...inBlock, block: 99n }];
  const since = [undefined, 5000, 10_000];
  let ends = 0;
  for (const transaction of transactions)
    for (const height of heights)
      for (const before of onChain)
        for (const gone of since)
          for (const lost of since)
            for (const age of [60_000, 49 * HOUR])
              for (const nonce of [6n, 7n, 8n])
                for (const isReplaced of [false, true])
                  for (const of of [sent, neverGiven]) {
                    const now = sentAt + age;
                    const seen: Seen = {
                      ...(before && { onChain: before }),
                      ...(gone !== undefined && { goneSince: now - gone }),
                      ...(lost !== undefined && { lostSince: now - lost }),
                    };
                    const reading = { nonce, transaction, isReplaced, ...(height !== undefined && { height }) };
                    const decision = nextStatus(of, reading, seen, at(now));
                    const isUnknownHash = transaction === undefined;
                    const isUsed = nonce > 7n;
                    const isGone = isUnknownHash && isUsed && gone === 10_000 && age < 48 * HOUR;
                    const proofs = {
                      ok: transaction === inBlock && before === inBlock && height === 101n,
                      failed: transaction === failed && before === failed && height === 101n,
                      "not-sent": isGone && (isReplaced || of === neverGiven),
                      unknown: isUnknownHash && (age > 48 * HOUR || (isGone && !isReplaced && of === sent)),
                      give: isUnknownHash && !isUsed && age < 48 * HOUR,
                    };
                    const what = decision.kind === "end" ? decision.outcome.kind : decision.kind;
                    const proven = Object.entries(proofs).find(([, holds]) => holds)?.[0] ?? "wait";
                    expect([what, reading, seen, of === sent]).toEqual([proven, reading, seen, of === sent]);
                    // A transaction seen in a block is remembered, so that the next look can be certain.
                    if (what === "wait" && transaction !== undefined && transaction.block > 0n) {
                      expect(decision).toEqual({ kind: "wait", seen: { onChain: transaction } });
                    }
                    if (decision.kind === "end") ends += 1;
                  }
  expect(ends).toBeGreaterThan(1000);
});
