import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { filesOf, monthlyBalances, seededCalls, type Balances } from "../support/seeded-calls.js";

/** What an accounting program read: `node --import tsx scripts/accounting.ts --write` has it read anew. */
interface Read {
  readonly calls: number;
  readonly seed: number;
  readonly files: Readonly<
    Record<"cointracking" | "history" | "koinly", { readonly sha256: string; readonly months: readonly Balances[] }>
  >;
}

const read = JSON.parse(readFileSync(new URL("accounting-read.json", import.meta.url), "utf8")) as Read;
const { intents, moves } = seededCalls(read.calls, read.seed);
const files = filesOf(intents);

describe.each(["history", "koinly", "cointracking"] as const)("%s.csv", (form) => {
  it("is what hledger was given to read", () => {
    expect(createHash("sha256").update(files[form]).digest("hex")).toBe(read.files[form].sha256);
  });

  it("says of every token at every month's end what the calls moved, as hledger reads it", () => {
    expect(read.files[form].months).toEqual(monthlyBalances(moves, form));
    expect(Object.keys(read.files[form].months.at(-1)!).length).toBeGreaterThan(5);
  });
});
