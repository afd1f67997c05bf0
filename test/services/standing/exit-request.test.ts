import { expect, it } from "vitest";
import { isParsed } from "../../../src/services/base/typed-line.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { exitLine, readExit, type ExitRequest } from "../../../src/services/standing/exit-request.js";
import { MAX_WORDS } from "../../../src/services/standing/standing-request.js";
import { kfi, klv, locked } from "../samples.js";

const dvk = { ...kfi, id: "DVK-34ZH", name: "DVK", precision: 2 };
/** Called as a word that means something in an exit. */
const stop = { ...kfi, id: "STOP-77AB", name: "STOP" };
const tokens = tokenListOf([klv, kfi, dvk, locked, stop]);

/** What an exit asks for, as a line; or what is wrong with it. */
function shown(line: string): string {
  const read = readExit(line, tokens);
  if (isParsed<ExitRequest>(read)) return exitLine(read);
  return typeof read === "string" ? read : read.faults.map(({ code }) => code).join();
}

it.each([
  ["KFI +50% -20%", "max KFI KLV 100%@+50% -20%"],
  ["5 KFI 25%@+25% 25%@+50% 25%@+100% trail 25%", "5 KFI KLV 25%@+25% 25%@+50% 25%@+100% trail 25%"],
  ["KFI móvel 15% de +20% 90d", "max KFI KLV trail 15% from +20% 90d"],
  ["5 KFI KLV +50%", "5 KFI KLV 100%@+50%"],
  ["50% KFI +50% -20%", "50% KFI KLV 100%@+50% -20%"],
  ["5 kfi to klv at +50% or -20% until 2027-01-31", "5 KFI KLV 100%@+50% -20% 2027-01-31"],
  ["5 KFI DVK +50%", "5 KFI DVK-34ZH 100%@+50%"],
  ["KLV KFI +50%", "max KLV KFI 100%@+50%"],
  ["5 KFI +50% paid 500", "5 KFI KLV 100%@+50% paid 500"],
  ["5 DVK +50% paid 500.1234", "5 DVK-34ZH KLV 100%@+50% paid 500.1234"],
  ["5 KFI +50% paid 500 KLV", "5 KFI KLV 100%@+50% paid 500"],
  ["KFI paid 500 KLV +50%", "max KFI KLV 100%@+50% paid 500"],
  ["5 KFI -20%", "5 KFI KLV -20%"],
  ["5 KFI stop 20%", "5 KFI KLV -20%"],
  ["5 KFI 25% @ +25% -20%", "5 KFI KLV 25%@+25% -20%"],
  ["5 KFI trail 15% +20%", "5 KFI KLV 100%@+20% trail 15%"],
  ["5 KFI trail 15% from +20%", "5 KFI KLV trail 15% from +20%"],
  ["5 KFI trail 15% from +20% 50%@+30%", "5 KFI KLV 50%@+30% trail 15% from +20%"],
  ["STOP +50%", "max STOP-77AB KLV 100%@+50%"],
  ["5 KFI STOP +50%", "5 KFI STOP-77AB 100%@+50%"],
  ["5 STOP KLV stop 20%", "5 STOP-77AB KLV -20%"],
  ["5 KFI +1% -1%", "5 KFI KLV 100%@+1% -1%"],
  ["5 KFI +1.5% -2.25%", "5 KFI KLV 100%@+1.5% -2.25%"],
  ["5 KFI +9999.99%", "5 KFI KLV 100%@+9999.99%"],
  ["5 KFI -99.99%", "5 KFI KLV -99.99%"],
  ["5 KFI trail 20% from +9999%", "5 KFI KLV trail 20% from +9999%"],
  ["5 KFI +10% +20% +30%", "5 KFI KLV 33.33%@+10% 33.33%@+20% 33.34%@+30%"],
  ["5 KFI +30% +10% +20%", "5 KFI KLV 33.33%@+10% 33.33%@+20% 33.34%@+30%"],
  ["5 KFI 60%@+30% 40%@+10%", "5 KFI KLV 40%@+10% 60%@+30%"],
  ["5 KFI 100%@+30%", "5 KFI KLV 100%@+30%"],
  ["5 KFI 0.01%@+30%", "5 KFI KLV 0.01%@+30%"],
  ["5 KFI +10% +20% +30% +40% +50%", "5 KFI KLV 20%@+10% 20%@+20% 20%@+30% 20%@+40% 20%@+50%"],
  ["5 KFI trail 15% and +20%", "5 KFI KLV 100%@+20% trail 15%"],
  ["5 KFI trail 15% de +20% +50%", "5 KFI KLV 100%@+50% trail 15% from +20%"],
  ["5 KFI trail 15% de 25%@+20%", "5 KFI KLV 25%@+20% trail 15%"],
  ["5 KFI +50% paid 500KLV 30d", "5 KFI KLV 100%@+50% paid 500 30d"],
  ["5 KFI DVK +50% paid 500 DVK-34ZH", "5 KFI DVK-34ZH 100%@+50% paid 500"],
])("%s is read as %s, and that as itself", (line, whole) => {
  expect(shown(line)).toBe(whole);
  expect(shown(whole)).toBe(whole);
});

it.each([
  ["KLV +50%", "incomplete"],
  ["5 KFI KFI +50%", "tokens-identical"],
  ["5 KFI KLV DVK +50%", "unreadable"],
  ["5 6 KFI +50%", "unreadable"],
  ["5 KFI -10% -20%", "unreadable"],
  ["5 KFI -10% trail 20%", "unreadable"],
  ["5 KFI +50% paid 500 paid 600", "unreadable"],
  ["5 KFI +50% 30d 40d", "unreadable"],
  ["5 KFI +50% paid 500.0000001", "amount-too-many-decimals"],
  ["5 KFI", "incomplete"],
  ["5 KFI 25%@-20%", "unreadable"],
  ["5 KFI trail 15% -20%", "unreadable"],
  ["5 KFI trail 15% from -20%", "unreadable"],
  ["5 KFI +0.99%", "exit-percent"],
  ["5 KFI -0.99%", "exit-percent"],
  ["5 KFI +10000%", "exit-percent"],
  ["5 KFI -100%", "exit-percent"],
  ["5 KFI trail 100%", "exit-percent"],
  ["5 KFI trail 20% from +10000%", "exit-percent"],
  ["5 KFI 60%@+30% 41%@+10%", "exit-shares"],
  ["5 KFI 0%@+30%", "exit-percent"],
  ["5 KFI 50%@+30% +40%", "exit-shares"],
  ["5 KFI +30% +30%", "exit-shares"],
  ["5 KFI +10% +20% +30% +40% +50% +60%", "exit-shares"],
  ["5 KFI +50% klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy", "payout-own"],
  ["5 XYZ +50%", "token-unknown"],
  ["5 KFI hello +50%", "token-unknown"],
  ["-20%", "incomplete"],
  ["+50%", "incomplete"],
  ["", "incomplete"],
  ["5 KFI +50% paid 500 DVK", "unreadable"],
  ["5 KFI DVK +50% paid 500 KLV", "unreadable"],
  ["5 KFI +50% paid 500 KFI", "unreadable"],
  ["paid 500 KLV KFI +50%", "unreadable"],
  ["paid 500 KFI KLV +50%", "unreadable"],
])("%s is no exit: %s", (line, why) => {
  expect(shown(line)).toBe(why);
});

it("has a bounded number of words", () => {
  const line = (words: number) => `5 KFI +50% ${"at ".repeat(words - 3)}`;
  expect(shown(line(MAX_WORDS))).toBe("5 KFI KLV 100%@+50%");
  expect(shown(line(MAX_WORDS + 1))).toBe("unreadable");
});
