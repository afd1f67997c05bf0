import { expect, it } from "vitest";
import { plainNumbers } from "../../src/encoding/typed.js";

it.each([
  // A comma between thousands, a point before decimals.
  ["1,000", "1000", "1.000"],
  ["12,345,678.9", "12345678.9", "12345678.9"],
  ["1,000.50", "1000.50", "1000.50"],
  ["1.000,50", "1000.50", "1000.50"],
  ["1.000.000", "1000000", "1000000"],
  ["1,000,000", "1000000", "1000000"],
  // A comma before decimals.
  ["1,5", "1,5", "1.5"],
  ["0,500", "0,500", "0.500"],
  ["1,2345", "1,2345", "1.2345"],
  [",5", ",5", ".5"],
  ["12,5%", "12,5%", "12.5%"],
  ["12.5 %", "12.5%", "12.5%"],
  // A point before three digits: in a comma language either decimals, as English wallets write them, or thousands.
  ["1.000", "1.000", "1,000"],
  ["0.972", "0.972", "0.972"],
  ["1.5", "1.5", "1.5"],
  ["1k", "1000", "1000"],
  ["2.5K", "2500", "2500"],
  ["2,5k", "2,5k", "2500"],
  ["1.000k", "1000", "1.000k"],
  ["max KLV", "max KLV", "max KLV"],
  ["5 KLV DVK-34ZH=1,5", "5 KLV DVK-34ZH=1,5", "5 KLV DVK-34ZH=1.5"],
  ["1,00,000", "1,00,000", "1,00,000"],
  ["1.2,3", "1.2,3", "1.2,3"],
  ["1,000.", "1,000.", "1,000."],
])("%s is %s with a decimal point, %s with a decimal comma", (typed, point, comma) => {
  expect(plainNumbers(typed, ".")).toBe(point);
  expect(plainNumbers(typed, ",")).toBe(comma);
});

it("takes a line of any length in linear time", () => {
  for (const part of ["1", "1,", "1.", "1 ", ",", ".", "1k", "1=", " %", "1,000"]) {
    const line = part.repeat(200_000);
    // Processor time, as a busy machine takes longer by the clock.
    const began = process.cpuUsage();
    plainNumbers(line, ",");
    plainNumbers(`${line}x`, ".");
    expect(process.cpuUsage(began).user).toBeLessThan(2_000_000);
  }
});
