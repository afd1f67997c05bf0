import { describe, expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import type { SignedIntent } from "../../../src/model/intent.js";
import { decide, type Reading, type Seen } from "../../../src/services/wallet-gateway/decide.js";
import type { ChainTransaction } from "../../../src/services/wallet-gateway/transaction-answer.js";
import { intent, swapTerms } from "../../cards/arrange.js";
import { klv } from "../samples.js";

const HOUR = 3_600_000;
const sentAt = intent(swapTerms, "SENT").times.SENT ?? 0;
const sent: SignedIntent = {
  ...intent(swapTerms, "SENT"),
  transaction: {
    bytes: "00",
    hash: "hash",
    nonce: 7n,
    networkFee: amountOf(klv, 1n),
    token: "token",
    signUntil: 0,
    signature: "aa",
  },
};
const { signature: _signature, ...withoutSignature } = sent.transaction;
const byWallet: SignedIntent = { ...sent, transaction: withoutSignature };

const inBlock: ChainTransaction = { block: 100n, isOk: true, returnData: ["01", "63"], signature: "aa" };
const failure = { text: "Slippage exceeded" };
const failed: ChainTransaction = { block: 100n, isOk: false, returnData: [], signature: "aa", failure };
const pending: ChainTransaction = { block: 0n, isOk: true, returnData: [], signature: "aa" };
const unknown = (nonce: bigint): Reading => ({ nonce, transaction: undefined });
const look = (reading: Reading, seen: Seen = {}, after = 0, of = sent) => decide(of, reading, seen, sentAt + after);

describe("a transaction in a block", () => {
  it("has ended when two looks find the same, and another block follows", () => {
    const reading = { nonce: 8n, transaction: inBlock, height: 101n };
    expect(look(reading)).toEqual({ kind: "wait", seen: { onChain: inBlock } });
    expect(look({ ...reading, height: 100n }, { onChain: inBlock }).kind).toBe("wait");
    expect(look(reading, { onChain: inBlock })).toEqual({
      kind: "end",
      outcome: { kind: "ok", returnData: ["01", "63"], encoding: "hex" },
    });
  });

  it("has failed with the contract's words, and its fee is gone", () => {
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
  ])("that shows %s than before is looked at again", (_what, transaction) => {
    expect(look({ nonce: 8n, transaction, height: 105n }, { onChain: inBlock }).kind).toBe("wait");
  });

  it("that was undone waits again", () => {
    expect(look({ nonce: 7n, transaction: pending }, { onChain: inBlock })).toEqual({ kind: "wait", seen: {} });
    expect(look(unknown(7n), { onChain: inBlock })).toEqual({ kind: "broadcast", seen: {} });
  });
});

describe("a transaction that the node does not know", () => {
  it("is given to the network again while its number is free, if the bot has its signature", () => {
    expect(look(unknown(7n)).kind).toBe("broadcast");
    expect(look(unknown(6n)).kind).toBe("broadcast");
    expect(look(unknown(7n), {}, 0, byWallet).kind).toBe("wait");
  });

  it("and that nobody but the wallet can send again is unknown after ten minutes in which it was never seen", () => {
    const first = look(unknown(7n), {}, 5000, byWallet);
    expect(first).toEqual({ kind: "wait", seen: { lostSince: sentAt + 5000 } });
    const { seen } = first as { seen: Seen };
    expect(look(unknown(7n), seen, 604_999, byWallet).kind).toBe("wait");
    expect(look(unknown(7n), seen, 605_000, byWallet)).toMatchObject({ kind: "end", outcome: { kind: "unknown" } });
    expect(look({ nonce: 7n, transaction: pending }, seen, 605_000, byWallet)).toEqual({ kind: "wait", seen: {} });
    expect(look(unknown(7n), seen, 605_000).kind).toBe("broadcast");
  });

  it("was replaced when its number is used, in two looks with ten seconds between", () => {
    const first = look(unknown(8n), {}, 5000);
    expect(first).toEqual({ kind: "wait", seen: { goneSince: sentAt + 5000 } });
    const { seen } = first as { seen: Seen };
    expect(look(unknown(8n), seen, 14_999).kind).toBe("wait");
    expect(look(unknown(8n), seen, 15_000)).toEqual({
      kind: "end",
      outcome: { kind: "not-sent", code: "transaction-replaced" },
    });
  });

  it("may be found after all", () => {
    expect(look({ nonce: 8n, transaction: inBlock, height: 101n }, { goneSince: sentAt }, 15_000).kind).toBe("wait");
  });

  it("is unknown for good after two days: nodes forget", () => {
    expect(look(unknown(8n), {}, 49 * HOUR)).toMatchObject({ kind: "end", outcome: { kind: "unknown" } });
    expect(look(unknown(7n), {}, 49 * HOUR)).toMatchObject({ kind: "end", outcome: { kind: "unknown" } });
    expect(look({ nonce: 8n, transaction: inBlock, height: 101n }, { onChain: inBlock }, 49 * HOUR)).toMatchObject({
      outcome: { kind: "ok" },
    });
  });
});
