import { describe, expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import type { Person } from "../../../src/services/person/person.js";
import type { SwapTerms } from "../../../src/services/intent/terms.js";
import { beyondLimit, withLimit } from "../../../src/services/intent/within-limits.js";
import { readTokenList } from "../../../src/services/token/list.js";
import { dvk, kfi, klv, person } from "../samples.js";
import { arrange, chatId, draft, holds, owner } from "./arrange.js";

const NOW = Date.UTC(2026, 5, 1, 12);
const DAY = 86_400_000;
const tokens = readTokenList([klv, kfi, dvk]);
const limited = (typed: string, now = NOW) => withLimit(person(), typed, tokens, now);
const paying = (units: bigint) => ({ ...draft.terms, amountIn: amountOf(klv, units) }) as SwapTerms;

describe("a limit", () => {
  it("is typed as a token, the most at a time and the most in a day, a dash for none", () => {
    expect(limited("KLV 100 / 500").limits).toEqual({
      KLV: { most: { inOneSwap: amountOf(klv, 100_000_000n), inADay: amountOf(klv, 500_000_000n) } },
    });
    expect(limited(" KLV - / 500").limits?.["KLV"]?.most).toEqual({ inADay: amountOf(klv, 500_000_000n) });
    expect(limited("KLV 100/–").limits?.["KLV"]?.most).toEqual({ inOneSwap: amountOf(klv, 100_000_000n) });
    expect(limited("KLV - / -").limits).toEqual({});
  });

  it.each([
    ["KLV", "limit-unreadable"],
    ["KLV 100", "limit-unreadable"],
    ["KLV 100 / 1 / 2", "limit-unreadable"],
    ["NONE 1 / 2", "token-unknown"],
    ["KLV many / 2", "amount-not-a-number"],
  ])("%s is refused", (typed, code) => {
    expect(() => limited(typed)).toThrow(expect.objectContaining({ code }) as Error);
  });

  it("is one of twenty tokens at most, of which each can still be changed", () => {
    const many = Array.from({ length: 21 }, (_, at) => ({ ...klv, id: `TK${at}-ABCD`, name: `TK${at}` }));
    const list = readTokenList(many);
    const full = many.slice(0, 20).reduce((before, { id }) => withLimit(before, `${id} 1 / 2`, list, NOW), person());
    expect(() => withLimit(full, "TK20-ABCD 1 / 2", list, NOW)).toThrow(
      expect.objectContaining({ code: "limits-full" }) as Error,
    );
    expect(Object.keys(withLimit(full, "TK3-ABCD 1 / 1", list, NOW).limits ?? {})).toHaveLength(20);
  });

  it("is lowered at once, and raised a day later", () => {
    const before = limited("KLV 100 / 500");
    const raised = withLimit(before, "KLV 200 / 300", tokens, NOW);
    const asked = paying(150_000_000n);
    expect(beyondLimit(raised, asked, [], NOW + DAY - 1)).toMatchObject({ code: "limit-in-one-swap" });
    expect(beyondLimit(raised, asked, [], NOW + DAY)).toBeUndefined();
    expect(beyondLimit(raised, paying(301_000_000n), [], NOW + DAY)).toBeDefined();
  });
});

describe("a call", () => {
  it.each([
    [4, "a hundredth of the units"],
    [8, "a hundred times the units"],
    [undefined, "nobody knows how many"],
  ])("is of whole tokens when the token list corrects a precision to %s: %s", (precision, _units) => {
    const { precision: _before, ...rest } = klv;
    const corrected = { ...rest, ...(precision !== undefined && { precision }) };
    const whole = 10n ** BigInt(precision ?? 0);
    const asks = (limits: Person, units: bigint) =>
      beyondLimit(limits, { ...paying(0n), amountIn: amountOf(corrected, units) }, [], NOW);
    const before = limited("KLV 100 / 500");
    expect(asks(before, 100n * whole)).toBeUndefined();
    expect(asks(before, 100n * whole + 1n)).toMatchObject({ code: "limit-in-one-swap", parameters: { most: "100" } });
    // Raising one stays a matter of a day.
    const list = { ...tokens, find: () => corrected };
    if (precision === undefined) return;
    const raised = withLimit(before, "KLV 9000 / 9000", list, NOW);
    expect(asks(raised, 100n * whole + 1n)).toMatchObject({ code: "limit-in-one-swap" });
    expect(asks(withLimit(before, "KLV 50 / 500", list, NOW), 51n * whole)).toMatchObject({
      parameters: { most: "50" },
    });
  });

  it("of a token without a limit, and one that pays nothing, is never beyond it", () => {
    expect(beyondLimit(person(), paying(10n ** 30n), [], NOW)).toBeUndefined();
    expect(beyondLimit(limited("KFI 1 / 1"), paying(10n ** 30n), [], NOW)).toBeUndefined();
    expect(beyondLimit(limited("KLV 100 / -"), paying(100_000_000n), [], NOW)).toBeUndefined();
  });

  it("beyond the rest of a day is refused with what is left, also where more was spent than is allowed now", () => {
    const spent = [{ at: NOW - 900_000, amount: amountOf(klv, 450_000_000n) }];
    const fault = (typed: string, units: bigint) => beyondLimit(limited(typed), paying(units), spent, NOW);
    expect(fault("KLV - / 500", 50_000_000n)).toBeUndefined();
    expect(fault("KLV - / 500", 50_000_001n)).toMatchObject({ code: "limit-in-a-day", parameters: { left: "50" } });
    expect(fault("KLV - / 400", 1n)).toMatchObject({ parameters: { left: "0", most: "400" } });
  });

  it("that is confirmed beyond a limit is not claimed", async () => {
    const { open, confirm, changePerson, find, sent } = arrange();
    const { id } = await open(owner, chatId, draft);
    await changePerson((before) => withLimit(before, "KLV 99 / -", tokens, 0));
    expect(await confirm(owner, id, holds)).toMatchObject({ kind: "limited", fault: { code: "limit-in-one-swap" } });
    expect(await find(owner, id)).toMatchObject({ state: "QUOTED" });
    expect(sent).toEqual([]);
  });
});
