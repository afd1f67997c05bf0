import { describe, expect, it, test } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import type { IntentOutcome } from "../../../src/services/intent/intent.js";
import type { LaunchTerms } from "../../../src/services/terms/launch-terms.js";
import { offeredLock, recordStep, stepsOf, withFacts } from "../../../src/services/trade/launch.js";
import * as record from "../../../src/services/trade/launch-record.js";
import type { Launch } from "../../../src/services/trade/launch-record.js";
import { suggestedLpName, readLpName, readLpTicker } from "../../../src/services/trade/launch-request.js";
import { stepResult } from "../../../src/services/trade/launch-steps.js";
import { toJson } from "../../../src/store/store.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { assertNoScans } from "../../support/plans.js";
import { intent } from "../../cards/arrange.js";
import { nested } from "../../encoding/nested.js";
import { dvk, factsAfter, launch, lp, noFacts, pair, pairHex, terms } from "./launch-samples.js";

const payment = (tokenId: string, units: bigint) => nested.payment({ tokenId, units });
const deposited = [payment(lp.id, 141_420_356n), payment("DVK-34ZH", 1_000_000_000n), payment("KFI", 20_000_000n)];

const ok = (...returnData: string[]): IntentOutcome => ({ kind: "ok", returnData });
const unknown: IntentOutcome = { kind: "unknown", code: "service-timeout" };

/** Exports without a query. */
const pure = ["lpTokenOf", "withDone", "withOpen"] as const;
const OWNER = 1001;
const { addLaunch, changeLaunch, dropLaunch, findLaunch, launchesOf, launchOf, withDone, withOpen } = record;

/** The launch after an intent about it ended with this outcome. */
async function after(
  about: LaunchTerms,
  outcome: IntentOutcome | undefined,
  before = launch(),
  encoding: "hex" | "base64" = "hex",
): Promise<Launch> {
  const { db, write } = createMemoryDisk().open();
  await write((tx) => addLaunch(tx, OWNER, before));
  await write((tx) => recordStep(tx, intent(about, "OK", outcome), encoding));
  return launchOf(db, OWNER, before.id);
}

describe("the amount offered for a lock", () => {
  const offered = (least: bigint, all?: bigint) =>
    offeredLock(amountOf(lp, least), all === undefined ? undefined : amountOf(lp, all))?.units;

  it("is what is needed and 5 %, rounded up", () => {
    expect(offered(221_359_468n)).toBe(232_427_442n);
    expect(offered(1n)).toBe(2n);
    expect(offered(100n, 105n)).toBe(105n);
  });

  it("is all if that is between, and nothing if all is not enough", () => {
    expect(offered(100n, 104n)).toBe(104n);
    expect(offered(100n, 100n)).toBe(100n);
    expect(offered(100n, 99n)).toBeUndefined();
  });
});

describe("an answer to a launch's call", () => {
  it("has the pair's address in 64 hex characters, even if everything else is base64", () => {
    expect(stepResult({ terms: terms.createPair, outcome: ok(pairHex) }, "hex")).toEqual({ pair });
    expect(stepResult({ terms: terms.createPair, outcome: ok(pairHex) }, "base64")).toEqual({ pair });
  });

  const [lpPayment, first, second] = deposited as [string, string, string];
  const account = "e41b323a571fd955e09cd41660ff4465c3f44693c87f2faea4a0fc408727c8ea";
  it.each([
    ["an account for a pair", terms.createPair, [account], undefined],
    ["nothing for a pair", terms.createPair, [], undefined],
    ["something for the issue", terms.issueLp, ["00"], undefined],
    ["nothing for the roles", terms.setRoles, [], {}],
    ["nothing for enabling", terms.enable, [], {}],
    ["the deposit", terms.addLiquidity, deposited, { lpTokenId: lp.id, lpUnits: 141_420_356n }],
    ["the deposit the other way round", terms.addLiquidity, [lpPayment, second, first], undefined],
    ["another deposit", terms.addLiquidity, [lpPayment, payment("DVK-34ZH", 1n), second], undefined],
  ])("is believed only if it is what the contract must have done: %s", (_, about, returnData, result) => {
    expect(stepResult({ terms: about, outcome: ok(...returnData) }, "hex")).toEqual(result);
  });
});

describe("the end of a launch's call", () => {
  it("is recorded if it was answered", async () => {
    expect(await after(terms.createPair, ok(pairHex))).toMatchObject({ pair, done: { "create-pair": "answer" } });
    expect(await after(terms.addLiquidity, ok(...deposited))).toMatchObject({
      lpTokenId: lp.id,
      lpUnits: 141_420_356n,
      done: { "add-liquidity": "answer" },
    });
    expect(await after(terms.issueLp, ok())).toMatchObject({ done: { "issue-lp": "answer" } });
  });

  it("is read in the encoding its answer states, whatever the node's encoding is", async () => {
    const outcome: IntentOutcome = { kind: "ok", returnData: deposited, encoding: "hex" };
    expect(await after(terms.addLiquidity, outcome, launch(), "base64")).toMatchObject({
      lpUnits: 141_420_356n,
      unknown: [],
    });
  });

  it("is recorded as unknown until a later answer, also if its answer is unreadable", async () => {
    const before = await after(terms.createPair, unknown);
    expect(before).toMatchObject({ done: {}, unknown: ["create-pair"] });
    expect(await after(terms.createPair, unknown, before)).toEqual(before);
    expect((await after(terms.createPair, ok("00"))).unknown).toEqual(["create-pair"]);
    expect(await after(terms.createPair, ok(pairHex), before)).toMatchObject({
      unknown: [],
      done: { "create-pair": "answer" },
    });
  });

  it("changes nothing if the call was refused, not sent or has not ended", async () => {
    expect(await after(terms.createPair, { kind: "failed", text: "Pair creation is disabled" })).toEqual(launch());
    expect(await after(terms.createPair, { kind: "not-sent", code: "frozen" })).toEqual(launch());
    expect(await after(terms.createPair, undefined)).toEqual(launch());
  });

  it("leaves no trace of a dropped launch", async () => {
    const { db, write } = createMemoryDisk().open();
    await write((tx) => recordStep(tx, intent(terms.createPair, "OK", ok(pairHex)), "hex"));
    expect(await launchesOf(db, OWNER)).toEqual([]);
  });
});

describe("the launches on record", () => {
  it("come back as they were, newest first, to their owner only", async () => {
    const { db, write } = createMemoryDisk().open();
    const full = launch({
      pair,
      lpTokenId: lp.id,
      lpUnits: 5n,
      shownIn: 7,
      done: { "create-pair": "view" },
      unknown: ["enable"],
    });
    const newer = launch({
      id: "launch-2",
      secondToken: lp,
      createdAt: 2,
      liquidity: { first: amountOf(dvk, 1n), second: amountOf(lp, 2n) },
    });
    for (const each of [full, newer]) await write((tx) => addLaunch(tx, OWNER, each));
    expect(await launchesOf(db, OWNER)).toEqual([newer, full]);
    expect(await launchesOf(db, OWNER + 1)).toEqual([]);
    await expect(launchOf(db, OWNER + 1, full.id)).rejects.toMatchObject({ code: "launch-unknown" });
    await expect(write((tx) => changeLaunch(tx, OWNER + 1, full.id, () => newer))).rejects.toMatchObject({
      code: "launch-unknown",
    });
    await write((tx) => dropLaunch(tx, OWNER + 1, full.id));
    await write((tx) => dropLaunch(tx, OWNER, newer.id));
    expect(await launchesOf(db, OWNER)).toEqual([full]);
  });

  it("are written only if something changed", async () => {
    const { db, write } = createMemoryDisk().open();
    await write((tx) => addLaunch(tx, OWNER, launch()));
    await write((tx) =>
      tx
        .updateTable("launches")
        .set({ body: `${toJson(launch())} ` })
        .execute(),
    );
    const bodies = async () => (await db.selectFrom("launches").select("body").execute()).map(({ body }) => body);
    await write((tx) => changeLaunch(tx, OWNER, "launch-1", (now) => ({ ...now, unknown: [] })));
    expect(await bodies()).toEqual([`${toJson(launch())} `]);
    await write((tx) => changeLaunch(tx, OWNER, "launch-1", (now) => ({ ...now, unknown: ["enable"] })));
    expect(await bodies()).not.toEqual([`${toJson(launch())} `]);
  });

  it("are one per pair, in either order, and at most 20", async () => {
    const { db, write } = createMemoryDisk().open();
    const add = (each: Launch) => write((tx) => addLaunch(tx, OWNER, each));
    const paired = (index: number) => launch({ id: `launch-${index}`, secondToken: { ...lp, id: `LP${index}-1A2B` } });
    for (let index = 1; index <= 20; index += 1) await add(paired(index));
    await expect(add(paired(21))).rejects.toThrow(new Fault("launches-full", { maximum: 20 }));
    const { firstToken, secondToken } = paired(3);
    const reversed = launch({ id: "launch-22", firstToken: secondToken, secondToken: firstToken });
    expect((await add(reversed)).id).toBe("launch-3");
    await write((tx) => dropLaunch(tx, OWNER, "launch-3"));
    expect((await add(reversed)).id).toBe("launch-22");
    expect(await launchesOf(db, OWNER)).toHaveLength(20);
  });

  it("are a fault if they can't be read, and never taken for none", async () => {
    const { db, write } = createMemoryDisk().open();
    await write((tx) => addLaunch(tx, OWNER, launch()));
    for (const body of ["", "{}", '{"done":{}}']) {
      await write((tx) => tx.updateTable("launches").set({ body }).execute());
      const document = `launches/${OWNER}/launch-1`;
      await expect(launchesOf(db, OWNER)).rejects.toThrow(new Fault("store-unreadable", { document }));
      await expect(findLaunch(db, OWNER, "launch-1")).rejects.toThrow(new Fault("store-unreadable", { document }));
    }
  });

  test("no query reads a whole table", async () => {
    const body = toJson({ firstToken: dvk, secondToken: lp, lpName: "LP", lpTicker: "LP", done: {}, unknown: [] });
    const [id, other] = ["launch-7", launch({ id: "other" })];
    const queries: Readonly<
      Record<Exclude<keyof typeof record, (typeof pure)[number]>, Parameters<typeof assertNoScans>[1][string]>
    > = {
      launchesOf: (tx) => record.launchesOf(tx, 7),
      findLaunch: (tx) => record.findLaunch(tx, 7, id),
      launchOf: (tx) => record.launchOf(tx, 7, id),
      launchOfPair: (tx) => record.launchOfPair(tx, 7, other),
      addLaunch: (tx) => record.addLaunch(tx, 9_999, other),
      changeLaunch: (tx) => record.changeLaunch(tx, 7, id, (launch) => ({ ...launch, shownIn: 1 })),
      dropLaunch: (tx) => record.dropLaunch(tx, 8, "launch-8"),
    };
    await assertNoScans((data) => {
      const row = data.prepare("INSERT INTO launches VALUES (?, ?, 1, ?)");
      for (let number = 1; number <= 20_000; number += 1) row.run(`launch-${number}`, number % 5000, body);
    }, queries);
  });
});

describe("a launch", () => {
  it("forgets the user's word once they take it back", () => {
    const told = withDone(launch({ unknown: ["set-roles"] }), "set-roles", "word");
    expect(told).toMatchObject({ done: { "set-roles": "word" }, unknown: [] });
    expect(withOpen(told, "set-roles")).toEqual(launch());
  });

  it("knows the steps with a call on its way, apart from the given one", () => {
    const sent = intent(terms.createPair, "SENT");
    expect(stepsOf([sent], "launch-1")).toEqual(["create-pair"]);
    expect(stepsOf([sent], "launch-1", sent.id)).toEqual([]);
    expect(stepsOf([sent], "launch-2")).toEqual([]);
  });

  it("keeps what the views proved, for when the node is unreachable", () => {
    const seen = withFacts(launch(), factsAfter(4));
    expect(seen).toMatchObject({ pair, lpTokenId: lp.id });
    expect(Object.keys(seen.done)).toEqual(["create-pair", "issue-lp", "set-roles", "add-liquidity"]);
    expect(withFacts(seen, factsAfter(4))).toEqual(seen);
    expect(withFacts(seen, noFacts)).toEqual(seen);
  });
});

describe("the LP token's name and ticker", () => {
  it("are suggested in the form of existing ones", () => {
    expect(suggestedLpName({ id: "KLV" }, { id: "KFI" })).toBe("LPKLVKFI");
    expect(suggestedLpName({ id: "ABCDEFGHIJ-1A2B" }, { id: "KLMNOPQRST-1A2B" })).toBe("LPABCDKLMN");
  });

  it.each(["LP", "KLV", "kfi", "LPKLVKFIDVK", "LP-KLV", "ЛПК", ""])("%j is no ticker", (text) => {
    expect(() => readLpTicker(text)).toThrow("lp-ticker-invalid");
  });

  it.each(["LP", "LP KLV", "a".repeat(21), "LPé1"])("%j is no name", (text) => {
    expect(() => readLpName(text)).toThrow("lp-name-invalid");
  });

  it("are trimmed, and the ticker is put in capitals", () => {
    expect(readLpTicker(" lpklvkfi ")).toBe("LPKLVKFI");
    expect(readLpName(" My1stLP ")).toBe("My1stLP");
  });
});
