import { describe, expect, it } from "vitest";
import { arrivedCard } from "../../src/cards/arrivals.js";
import { tokenListOf } from "../../src/services/market/token-list.js";
import { kfi, klv } from "../services/samples.js";
import { en, pt } from "./arrange.js";

const hostile = { id: "SPM-9Z9Z", name: "🎁 claim at evil.example", precision: 6, kind: "fungible" } as const;
const { named } = tokenListOf([klv, kfi, hostile]);

describe.each([en, pt])("what has arrived", (view) => {
  it("is named by its ID alone, to the unit, whatever its issuer calls it", () => {
    const amounts = [["SPM-9Z9Z", 1_234_567n] as const, ["KLV", 1n] as const];
    const { text, entities } = arrivedCard({ amounts, more: 0, small: 0 }, { ...view, tokenOf: named });
    expect(text.replaceAll(",", ".")).toMatch(/\+1\.234567 SPM-9Z9Z\n\+0\.000001 KLV/);
    expect(text).not.toMatch(/evil|🎁/);
    expect(entities.every(({ type }) => type === "bold")).toBe(true);
  });

  it("says how many are left out, and when there is a next message at the earliest, only if that is so", () => {
    const amounts = [["KFI", 1n] as const];
    const plain = arrivedCard({ amounts, more: 0, small: 0 }, view).text;
    const full = arrivedCard({ amounts, more: 2, small: 1, nextAt: view.now + 3_600_000 }, view).text;
    expect(full.split("\n").length - plain.split("\n").length).toBe(3);
    expect(full).toContain("13:00:00 UTC");
  });
});
