import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { formatBps, formatReferralPercentage, parseBps } from "../../src/encoding/percent.js";

describe("as percent text", () => {
  test.each([
    [0, "0"],
    [1, "0.01"],
    [10, "0.1"],
    [50, "0.5"],
    [100, "1"],
    [150, "1.5"],
    [1234, "12.34"],
    [10_000, "100"],
  ])("%s bps are %s %%", (bps, text) => {
    expect(formatBps(bps)).toBe(text);
  });

  test.each([
    [100, "0.1"],
    [1000, "1"],
    [1250, "1.25"],
    [4999, "4.999"],
    [5000, "5"],
  ])("a referral percentage of %s is %s %%", (percentage, text) => {
    expect(formatReferralPercentage(percentage)).toBe(text);
  });
});

describe("from percent text", () => {
  test.each([
    ["0", 0],
    ["0.5", 50],
    ["0.05", 5],
    ["1.50", 150],
    [" 1.5 %", 150],
    ["15%", 1500],
    ["100", 10_000],
  ])("%j are %s bps", (text, bps) => {
    expect(parseBps(text)).toBe(bps);
  });

  test.each(["", "%", "-1", "+1", ".5", "5.", "0.001", "1,5", "1e1", "0x1", "1000", "1 5", "NaN", "٥"])(
    "%j is no percentage",
    (text) => {
      expect(parseBps(text)).toBeUndefined();
    },
  );

  test.prop([fc.nat(99_999)])("what was written is read back", (bps) => {
    expect(parseBps(formatBps(bps))).toBe(bps);
  });
});
