import { describe, expect, it } from "vitest";
import type { Token } from "../../src/encoding/amount.js";
import { type DecimalMark, grouped } from "../../src/encoding/decimal.js";
import { isNumeric, parseAmount, parseUntil, plainAmount, plainNumbers } from "../../src/encoding/typed.js";
import { Fault, isFault, unlessFaultSync } from "../../src/fault.js";
import { fc, often, property } from "../support/property.js";

it.each([
  // A comma between thousands, a point before decimals.
  ["1,000", "1000", "1,000"],
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
  // One mark before exactly three digits is read only as the language's own grouping mark.
  ["1.000", "1,000", "1000"],
  ["1.125", "1,125", "1125"],
  ["1,125", "1125", "1,125"],
  ["1.000KLV", "1,000KLV", "1000KLV"],
  [">1.000", ">1,000", ">1000"],
  ["1.000/5.000", "1,000/5,000", "1000/5000"],
  // Nobody groups digits like this, so the mark is a decimal one.
  ["1234.567", "1234.567", "1234.567"],
  ["1234,567", "1234,567", "1234.567"],
  ["0,000,001", "0,000,001", "0,000,001"],
  // Apostrophes group digits.
  ["1'000", "1000", "1000"],
  ["12’345’678,9", "12345678.9", "12345678.9"],
  ["1'00", "1'00", "1'00"],
  ["１０，０００．５０　％", "10000.50%", "10000.50%"],
  ["0.972", "0.972", "0.972"],
  ["1.5", "1.5", "1.5"],
  ["1k", "1k", "1k"],
  ["2,5k", "2,5k", "2.5k"],
  ["1.000k", "1,000k", "1000k"],
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

const token: Token = { id: "KLV", name: "Klever", precision: 18, kind: "fungible" };
const marks: readonly DecimalMark[] = [".", ","];

/** The units that a typed amount is read as, the readings that are asked about, or nothing if it can't be read. */
function reading(typed: string, mark: DecimalMark): bigint | readonly string[] | undefined {
  const read = () => parseAmount(plainNumbers(typed, mark), token).units;
  let asked: readonly string[] | undefined;
  const units = unlessFaultSync(read, (fault) => {
    if (isFault(fault, "amount-comma")) asked = fault.parameters.meant;
  });
  return units ?? asked;
}

describe("a typed amount", () => {
  it.each([
    ["1k", "1000"],
    ["2.5K", "2500"],
    ["1m", "1000000"],
    ["0.25M", "250000"],
    ["½", "0.5"],
    ["1½", "1.5"],
    ["2¼", "2.25"],
    ["10¾", "10.75"],
    ["5KLV", "5"],
    ["5 klv", "5"],
    ["1kKLV", "1000"],
    ["KLV", "KLV"],
    ["kk", "kk"],
    ["1kk", "1kk"],
    ["1mk", "1mk"],
    ["½½", "½½"],
  ])("%s is written out as %s", (typed, plain) => {
    expect(plainAmount(typed, "KLV")).toBe(plain);
  });

  it.each([
    ["1.000", ["1", "1000"], 1000n],
    ["1,000", 1000n, ["1", "1000"]],
    ["1.125k", ["1.125k", "1125k"], 1_125_000n],
    ["1,5", ["1.5"], undefined],
  ] as const)("%s asks unless the mark is the language's own", (typed, english, portuguese) => {
    const whole = (read: typeof english | typeof portuguese) => (typeof read === "bigint" ? read * 10n ** 18n : read);
    expect(reading(typed, ".")).toEqual(whole(english));
    if (portuguese !== undefined) expect(reading(typed, ",")).toEqual(whole(portuguese));
  });

  const digits = fc.stringMatching(/^[0-9]{1,4}$/);
  const separator = fc.constantFrom(".", ",", "'", "’", " ", "");
  const groups = fc.array(fc.tuple(separator, digits), { minLength: 0, maxLength: 4 });
  const suffix = fc.constantFrom("", "", "k", "m", "½", " KLV", "KLV");
  const text = fc
    .tuple(digits, groups, suffix)
    .map(([first, rest, end]) => first + rest.map(([mark, more]) => mark + more).join("") + end);

  property(
    "is read as the same amount in every language, or asked about",
    [text],
    (typed) => {
      const [english, portuguese] = marks.map((mark) => reading(typed, mark));
      if (typeof english === "bigint" && typeof portuguese === "bigint") expect(english).toBe(portuguese);
    },
    { numRuns: often(20_000) },
  );

  const anything = fc.string({
    unit: fc.constantFrom(...Array.from("0123456789.,'’ km%½KLV１．，/=-")),
    maxLength: 14,
  });
  property(
    "of any characters isn't read as two amounts either",
    [anything],
    (typed) => {
      const [english, portuguese] = marks.map((mark) => reading(typed, mark));
      if (typeof english === "bigint" && typeof portuguese === "bigint") expect(english).toBe(portuguese);
    },
    { numRuns: often(20_000) },
  );

  const figure = fc.stringMatching(/^(?:0|[1-9][0-9]{0,9})(?:\.[0-9]{0,7}[1-9])?$/).filter((plain) => plain !== "0");
  property(
    "that the bot wrote is read back, or asked about with it among the readings",
    [figure],
    (plain) => {
      for (const mark of marks) {
        const read = reading(grouped(plain, mark), mark);
        if (typeof read === "object") expect(read).toContain(plain);
        else expect(read).toBe(parseAmount(plain, token).units);
      }
    },
    { numRuns: often(5_000) },
  );
});

it("an m is months in a time, and asked about", () => {
  for (const typed of ["1m", "1M", "1 month", "1mo", "1 mês"]) {
    expect(() => parseUntil(typed)).toThrow(new Fault("unlock-time-months", { text: typed, days: "30d" }));
  }
  expect(isNumeric("1m")).toBe(true);
  for (const time of ["30d", "12h", "2026-12-31", "1y", "k", "%", ""]) expect(isNumeric(time)).toBe(false);
});
