import { describe, expect, it } from "vitest";
import type { IntentOutcome } from "../../../src/services/intent/intent.js";
import type { LaunchTerms } from "../../../src/services/intent/terms.js";
import {
  bookLaunch,
  launchOf,
  stepsUnderWay,
  withDone,
  withFacts,
  withLaunch,
  withOpen,
} from "../../../src/services/launch/launch.js";
import type { Launch } from "../../../src/services/launch-record.js";
import { suggestedLpName, readLpName, readLpTicker } from "../../../src/services/launch/request.js";
import { gainOf } from "../../../src/services/launch/steps.js";
import { person } from "../samples.js";
import { factsAfter, intent, launch, lp, noFacts, pair, pairHex, terms } from "./samples.js";

/** `KdaTokenPayment`, nested: the token id and the amount with their lengths, the nonce in 8 bytes. */
function payment(tokenId: string, units: bigint): string {
  const bytes = (buffer: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, buffer.length]), buffer]);
  const amount = units.toString(16);
  const digits = Buffer.from(amount.length % 2 === 0 ? amount : `0${amount}`, "hex");
  return Buffer.concat([bytes(Buffer.from(tokenId)), Buffer.alloc(8), bytes(digits)]).toString("hex");
}
const deposited = [payment(lp.id, 141_420_356n), payment("DVK-34ZH", 1_000_000_000n), payment("KFI", 20_000_000n)];

const ok = (...returnData: string[]): IntentOutcome => ({ kind: "ok", returnData });
const unknown: IntentOutcome = { kind: "unknown", code: "service-timeout" };

/** The launch after an intent about it ended so. */
function after(about: LaunchTerms, outcome: IntentOutcome | undefined, before = launch()): Launch {
  const ended = intent(about, outcome);
  const booked = bookLaunch(person({ launches: { [before.id]: before } }), ended, "hex");
  return launchOf(booked, before.id);
}

describe("an answer to a launch's call", () => {
  it("gives the pair's address from 64 hex characters, also where all else is base64", () => {
    expect(gainOf({ terms: terms.createPair, outcome: ok(pairHex) }, "hex")).toEqual({ pair });
    expect(gainOf({ terms: terms.createPair, outcome: ok(pairHex) }, "base64")).toEqual({ pair });
  });

  it("is believed only when it is what the contract must have done", () => {
    const account = "e41b323a571fd955e09cd41660ff4465c3f44693c87f2faea4a0fc408727c8ea";
    expect(gainOf({ terms: terms.createPair, outcome: ok(account) }, "hex")).toBeUndefined();
    expect(gainOf({ terms: terms.createPair, outcome: ok() }, "hex")).toBeUndefined();
    expect(gainOf({ terms: terms.issueLp, outcome: ok("00") }, "hex")).toBeUndefined();
    expect(gainOf({ terms: terms.setRoles, outcome: ok() }, "hex")).toEqual({});
    expect(gainOf({ terms: terms.enable, outcome: ok() }, "hex")).toEqual({});
    const [lpPayment, first, second] = deposited as [string, string, string];
    expect(gainOf({ terms: terms.addLiquidity, outcome: ok(lpPayment, first, second) }, "hex")).toEqual({
      lpTokenId: lp.id,
      lpUnits: 141_420_356n,
    });
    expect(gainOf({ terms: terms.addLiquidity, outcome: ok(lpPayment, second, first) }, "hex")).toBeUndefined();
    expect(
      gainOf({ terms: terms.addLiquidity, outcome: ok(lpPayment, payment("DVK-34ZH", 1n), second) }, "hex"),
    ).toBeUndefined();
  });
});

describe("the book of launches", () => {
  it("keeps what was answered", () => {
    expect(after(terms.createPair, ok(pairHex))).toMatchObject({ pair, done: { "create-pair": "answer" } });
    expect(after(terms.addLiquidity, ok(...deposited))).toMatchObject({
      lpTokenId: lp.id,
      lpUnits: 141_420_356n,
      done: { "add-liquidity": "answer" },
    });
    expect(after(terms.issueLp, ok())).toMatchObject({ done: { "issue-lp": "answer" } });
  });

  it("reads an answer that says how it is written so, whatever the node's are like", () => {
    const outcome: IntentOutcome = { kind: "ok", returnData: deposited, encoding: "hex" };
    const before = launch();
    const ended = intent(terms.addLiquidity, outcome);
    const booked = bookLaunch(person({ launches: { [before.id]: before } }), ended, "base64");
    expect(launchOf(booked, before.id)).toMatchObject({ lpUnits: 141_420_356n, unknown: [] });
  });

  it("keeps what is unknown, an unreadable answer too, until a later answer", () => {
    const before = after(terms.createPair, unknown);
    expect(before).toMatchObject({ done: {}, unknown: ["create-pair"] });
    expect(after(terms.createPair, ok("00")).unknown).toEqual(["create-pair"]);
    const again = intent(terms.createPair, ok(pairHex), "intent-2");
    const booked = bookLaunch(person({ launches: { [before.id]: before } }), again, "hex");
    expect(launchOf(booked, before.id)).toMatchObject({ unknown: [], done: { "create-pair": "answer" } });
  });

  it("keeps nothing of a refusal, of what was not sent, and of what is not over", () => {
    expect(after(terms.createPair, { kind: "failed", text: "Pair creation is disabled" })).toEqual(launch());
    expect(after(terms.createPair, { kind: "not-sent", code: "frozen" })).toEqual(launch());
    expect(after(terms.createPair, undefined)).toEqual(launch());
  });

  it("counts an intent once, so that a later word of the person stands", () => {
    const ended = intent(terms.setRoles, unknown);
    const booked = bookLaunch(person({ launches: { "launch-1": launch() } }), ended, "hex");
    const told = withLaunch(booked, withOpen(launchOf(booked, "launch-1"), "set-roles"));
    expect(bookLaunch(told, ended, "hex")).toBe(told);
    expect(launchOf(told, "launch-1").unknown).toEqual([]);
    const done = withLaunch(told, withDone(launchOf(told, "launch-1"), "set-roles", "word"));
    expect(launchOf(bookLaunch(done, ended, "hex"), "launch-1").done).toEqual({ "set-roles": "word" });
  });

  it("leaves a person whose launch was dropped as they are", () => {
    const ended = intent(terms.createPair, ok(pairHex));
    const dropped = person({ launches: {} });
    expect(bookLaunch(dropped, ended, "hex")).toBe(dropped);
  });

  it("knows the steps of which a call is under way, without one's own", () => {
    const sent = intent(terms.createPair, undefined);
    expect(stepsUnderWay([sent], "launch-1")).toEqual(["create-pair"]);
    expect(stepsUnderWay([sent], "launch-1", sent.id)).toEqual([]);
    expect(stepsUnderWay([sent], "launch-2")).toEqual([]);
  });

  it("keeps what the views proved, for when the node cannot be asked", () => {
    const seen = withFacts(launch(), factsAfter(4));
    expect(seen).toMatchObject({ pair, lpTokenId: lp.id });
    expect(Object.keys(seen.done)).toEqual(["create-pair", "issue-lp", "set-roles", "add-liquidity"]);
    expect(withFacts(seen, factsAfter(4))).toBe(seen);
    expect(withFacts(seen, noFacts)).toBe(seen);
  });
});

describe("the LP token's name and ticker", () => {
  it("are suggested in the form of those that exist", () => {
    expect(suggestedLpName({ id: "KLV" }, { id: "KFI" })).toBe("LPKLVKFI");
    expect(suggestedLpName({ id: "ABCDEFGHIJ-1A2B" }, { id: "KLMNOPQRST-1A2B" })).toBe("LPABCDKLMN");
  });

  it.each(["LP", "KLV", "kfi", "LPKLVKFIDVK", "LP-KLV", "ЛПК", ""])("%j is no ticker", (text) => {
    expect(() => readLpTicker(text)).toThrow("lp-ticker-invalid");
  });

  it.each(["LP", "LP KLV", "a".repeat(21), "LPé1"])("%j is no name", (text) => {
    expect(() => readLpName(text)).toThrow("lp-name-invalid");
  });

  it("are read as they are meant", () => {
    expect(readLpTicker(" lpklvkfi ")).toBe("LPKLVKFI");
    expect(readLpName(" My1stLP ")).toBe("My1stLP");
  });
});
