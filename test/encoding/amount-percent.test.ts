import { expect, test } from "vitest";
import { formatBps, formatUnits } from "../../src/encoding/amount.js";
import { parseBps } from "../../src/encoding/typed.js";
import { fc, property } from "../support/property.js";

test.each([
  [0, "0"],
  [1, "0.01"],
  [10, "0.1"],
  [50, "0.5"],
  [100, "1"],
  [150, "1.5"],
  [1500, "15"],
  [9999, "99.99"],
  [1_000_000, "10000"],
])("%i basis points are %s %%", (bps, text) => {
  expect(formatBps(bps)).toBe(text);
});

test.each([
  [100, "0.1"],
  [1000, "1"],
  [1005, "1.005"],
  [5000, "5"],
  [300n, "0.3"],
] as const)("%s of 100000 are %s %%", (percentage, text) => {
  expect(formatUnits(percentage, 3)).toBe(text);
});

test.each([
  ["0", 0],
  ["0.5", 50],
  ["0.05", 5],
  ["2", 200],
  ["2 %", 200],
  [" 12.34% ", 1234],
  ["100", 10_000],
])("%j is read as %i", (text, bps) => {
  expect(parseBps(text)).toBe(bps);
});

test.each(["", "-1", "+1", "1e1", "0x1", "1,5", "1.", ".5", "0.001", "1000", "1 2", "%", "one", "١"])(
  "%j is not a percentage",
  (text) => {
    expect(parseBps(text)).toBeUndefined();
  },
);

property("what was written is read back", [fc.nat({ max: 99_999 })], (bps) => {
  expect(parseBps(formatBps(bps))).toBe(bps);
});
