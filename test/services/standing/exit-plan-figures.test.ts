import { describe, expect, it } from "vitest";
import { amountOf, type Amount } from "../../../src/encoding/amount.js";
import {
  exitFigures,
  numberedFrom,
  partNumbers,
  partRule,
  partsNow,
  shrunkTo,
  soldInAll,
  stillFor,
  withoutDone,
  withTrailLine,
  type ExitState,
} from "../../../src/services/standing/exit-plan.js";
import type { ExitRequest } from "../../../src/services/standing/exit-request.js";
import { kfi, klv } from "../samples.js";

const of = (units: bigint) => amountOf(kfi, units);
const gets = (units: bigint) => amountOf(klv, units);
/** A royalty of 1 % on top. */
const payable = ({ token, units }: Amount) => amountOf(token, (units * 100n) / 101n);
/** Of a bot fee of 1 %. */
const percentage = 1000;

/** Of 1,000 units that bring 10,000, when the issuer takes 7 of each sale besides. */
const figures = ({ targets, floor }: Pick<ExitRequest, "floor" | "targets">, all = of(1_000n)) =>
  exitFigures(
    { targets, ...(floor && { floor }) },
    { all, base: gets(10_000n), payable, fixed: 7n, referralPercentage: percentage },
  );
const thirds = [
  { shareBps: 3_333n, upBps: 1_000n },
  { shareBps: 3_333n, upBps: 2_000n },
];
const bracket = () => figures({ targets: thirds, floor: { downBps: 2_000n } });
const trailing = () => figures({ targets: thirds, floor: { trailBps: 1_500n, fromBps: 2_000n } });
/** With the line that its trail has once it is reached. */
const reached = ({ rule, pay }: ExitState): ExitState => ({
  rule: withTrailLine(rule, { way: "trail", bps: 1_500n, from: 0n }, 10_000n, klv, percentage),
  pay,
});

describe("the figures of an exit", () => {
  it("are of what leaves the account, what is swapped of it, and what it brings with the issuer's part", () => {
    const first = { n: 0, takes: of(333n), pay: of(329n), net: gets(3_663n + 7n), then: of(660n) };
    const second = { n: 1, takes: of(333n), pay: of(329n), net: gets(3_996n + 7n), then: of(330n) };
    expect(bracket()).toEqual({
      rule: {
        ...{ begins: 0, of: 3, all: of(1_000n), left: of(1_000n), comesAtNight: false },
        ...{ targets: [first, second], floor: { n: 2, net: gets(8_000n + 7n) } },
      },
      pay: of(990n),
    });
  });

  it("have a trail that begins where the fee is taken off, if it doesn't begin at once", () => {
    // 12,127 before the fee leave 12,006.
    expect(trailing().rule.floor).toEqual({ n: 2, bps: 1_500n, from: 12_128n });
    expect(figures({ targets: [], floor: { trailBps: 1_500n } }).rule.floor).toEqual({ n: 0, bps: 1_500n, from: 0n });
  });

  it("can't be of nothing, nor of what the royalty leaves nothing of", () => {
    for (const units of [0n, 1n])
      expect(() => figures({ targets: [], floor: { trailBps: 1_500n } }, of(units))).toThrow(/amount-zero/);
  });

  it("have other numbers when they are set anew", () => {
    for (const { rule } of [bracket(), trailing()]) {
      const again = numberedFrom(rule, 5);
      expect([again.begins, partNumbers(again)]).toEqual([5, [5, 6, 7]]);
    }
    expect(partNumbers(numberedFrom(figures({ targets: thirds }).rule, 5))).toEqual([5, 6]);
  });
});

describe("what is left of an exit", () => {
  it("is without what was sold, in the share of it that a stop is of", () => {
    const one = withoutDone(bracket(), [null, 0])!;
    expect([one.rule.left, one.pay, partNumbers(one.rule)]).toEqual([of(667n), of(660n), [1, 2]]);
    expect(partsNow(one)).toEqual([
      { n: 1, kind: "target", pay: of(329n), net: gets(4_003n) },
      // 8,007 of 1,000 is 5,340.669 of 667.
      { n: 2, kind: "stop", pay: of(660n), net: gets(5_340n) },
    ]);
    const two = withoutDone(one, [0, 1])!;
    expect([two.rule.left, two.pay, partNumbers(two.rule)]).toEqual([of(334n), of(330n), [2]]);
    expect(withoutDone(bracket(), [0, 1])).toEqual(two);
    expect(withoutDone(bracket(), [null])).toEqual(bracket());
  });

  it("adds up, with what was sold, to what it sells in all; what a change is for is the rest, or what is held", () => {
    const sums = ({ rule }: ExitState) => [rule.left, soldInAll(rule), stillFor(rule)].map(({ units }) => units);
    // Without a floor, what the targets leave isn't sold.
    const half = figures({ targets: thirds.map((target) => ({ ...target, shareBps: 2_500n })) });
    expect(sums(half)).toEqual([500n, 500n, 1_000n]);
    expect(sums(withoutDone(half, [0])!)).toEqual([250n, 500n, 750n]);
    expect(sums(withoutDone(bracket(), [0])!)).toEqual([667n, 1_000n, 667n]);
    expect(sums(withoutDone(bracket(), [0, 1])!)).toEqual([334n, 1_000n, 334n]);
    const fewer = shrunkTo(withoutDone(bracket(), [0])!, of(400n), payable);
    expect(sums(fewer)).toEqual([400n, 733n, 400n]);
    expect(sums(withoutDone(fewer, [1])!)).toEqual([67n, 733n, 67n]);
  });

  it("is nothing once its floor was sold, or its last target without one, or all but what the royalty takes", () => {
    expect(withoutDone(bracket(), [2])).toBeUndefined();
    expect(withoutDone(figures({ targets: thirds }), [0, 1])).toBeUndefined();
    const nearly = figures({ targets: [{ shareBps: 9_990n, upBps: 1_000n }], floor: { downBps: 2_000n } });
    expect(nearly.rule.targets[0]).toMatchObject({ takes: of(999n), then: of(0n) });
    expect(withoutDone(nearly, [0])).toBeUndefined();
  });

  it("is less if less is held, the nearest targets first", () => {
    const { rule, pay } = shrunkTo(bracket(), of(400n), payable);
    expect(rule).toMatchObject({ left: of(400n), shrunk: { planned: of(1_000n), held: of(400n) } });
    expect(rule.targets).toEqual([
      { n: 0, takes: of(333n), pay: of(329n), net: gets(3_670n), then: of(66n) },
      // 67 of 333 that were to bring 4,003.
      { n: 1, takes: of(67n), pay: of(66n), net: gets(806n), then: of(0n) },
    ]);
    expect(pay).toEqual(of(396n));
    expect(partNumbers(shrunkTo(bracket(), of(334n), payable).rule)).toEqual([0, 2]);
    const whole = shrunkTo(bracket(), of(1_000n), payable);
    expect(whole).toEqual(bracket());
  });

  it("has another line below the highest price", () => {
    const before = reached(trailing());
    expect(before.rule.floor).toMatchObject({ line: gets(8_415n) });
    const floor = { n: 2, bps: 1_500n, from: 12_128n };
    expect(withoutDone(before, [0])?.rule.floor).toEqual(floor);
    // What is on its way while less is held is still compared with it.
    expect(shrunkTo(before, of(400n), payable).rule.floor).toEqual({ ...floor, line: gets(3_366n) });
  });
});

describe("what watches for a part", () => {
  it("is an answer before the fee: at least for a target, at most for a stop", () => {
    const state = bracket();
    const [target, stop] = partsNow(state);
    // 3,706 leave 3,669; 8,088 leave 8,008.
    expect(partRule(state, target!, percentage)).toEqual({ way: "least", units: 3_707n });
    expect(partRule(state, stop!, percentage)).toEqual({ way: "most", units: 8_087n });
    // Two answers may leave the same: 3,699 and 3,700, or 7,999 and 8,000.
    expect(partRule(state, { ...target!, net: gets(3_663n) }, percentage)).toMatchObject({ units: 3_699n });
    expect(partRule(state, { ...stop!, net: gets(7_920n) }, percentage)).toMatchObject({ units: 8_000n });
  });

  it("is so far below the highest for a trail, which begins at the share that is left", () => {
    const state = withoutDone(trailing(), [0])!;
    const rule = { way: "trail", bps: 1_500n, from: 8_089n };
    for (const each of [state, reached(state)]) {
      const trail = partsNow(each)[1]!;
      expect(trail).toMatchObject({ n: 2, kind: "trail", pay: of(660n) });
      expect(partRule(each, trail, percentage)).toEqual(rule);
    }
  });

  it("notes no line for a trail that has no highest price yet, nor for a stop", () => {
    const { rule } = trailing();
    expect(withTrailLine(rule, { way: "trail", bps: 1_500n, from: 0n }, 0n, klv, percentage)).toEqual(rule);
    expect(reached(bracket())).toEqual(bracket());
  });
});
