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
    const { text, entities } = arrivedCard({ amounts }, { ...view, tokenOf: named });
    expect(text.replaceAll(",", ".")).toMatch(/\+1\.234567 SPM-9Z9Z\n\+0\.000001 KLV/);
    expect(text).not.toMatch(/evil|🎁/);
    expect(entities.every(({ type }) => type === "bold")).toBe(true);
  });

  it("names five tokens and counts the others, and links to the transaction if it was one", () => {
    const amounts = Array.from({ length: 7 }, (_, at) => [`T${at}`, 1n] as const);
    const hash = "ab".repeat(32);
    const linked = { ...view, explorerUrl: "https://explorer.example" };
    const many = arrivedCard({ amounts }, linked);
    expect(many.text.match(/\+1/g)).toHaveLength(5);
    expect(many.text).toMatch(/2/);
    expect(JSON.stringify(many)).not.toContain("explorer.example");
    expect(JSON.stringify(arrivedCard({ amounts, hash }, linked))).toContain(
      `https://explorer.example/transaction/${hash}`,
    );
  });
});
