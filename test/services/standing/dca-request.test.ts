import { describe, expect, it } from "vitest";
import { plainNumbers } from "../../../src/encoding/typed.js";
import { isFault, unlessFaultSync } from "../../../src/fault.js";
import { isParsed } from "../../../src/services/base/typed-line.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { dcaLine, readDca, scheduleOf, type DcaRequest } from "../../../src/services/standing/dca-request.js";
import { occurrenceAt } from "../../../src/services/standing/schedule.js";
import { kfi, klv } from "../samples.js";

const tokens = tokenListOf([klv, kfi]);
/** A Tuesday. */
const NOW = Date.UTC(2026, 11, 1, 8);

/** The line of a request, and its first and last two times in the zone. */
function planned(line: string, zone = "UTC", now = NOW): string {
  const read = readDca(plainNumbers(line, "."), tokens);
  if (!isParsed<DcaRequest>(read)) return typeof read === "string" ? read : read.faults.map(({ code }) => code).join();
  let code = "";
  const schedule = unlessFaultSync(
    () => scheduleOf(read, zone, now),
    (fault) => void (code = fault.code),
  );
  if (schedule === undefined) return code;
  const at = (place: number) => new Date(occurrenceAt(schedule, place)).toISOString().slice(0, 16);
  return `${dcaLine(read)}: ${schedule.times} from ${at(0)} to ${at(schedule.times - 1)}`;
}

describe("/dca", () => {
  it.each([
    [
      "100 KLV KFI monday 09:00 x12",
      "100 KLV KFI every 1w monday 09:00 x12: 12 from 2026-12-07T09:00 to 2027-02-22T09:00",
    ],
    [
      "100 KLV KFI segunda-feira 9h x12",
      "100 KLV KFI every 1w monday 09:00 x12: 12 from 2026-12-07T09:00 to 2027-02-22T09:00",
    ],
    [
      "100 KLV para KFI toda segunda às 9h30 12 vezes",
      "100 KLV KFI every 1w monday 09:30 x12: 12 from 2026-12-07T09:30 to 2027-02-22T09:30",
    ],
    [
      "100 KLV KFI every monday at 9am for 12 times",
      "100 KLV KFI every 1w monday 09:00 x12: 12 from 2026-12-07T09:00 to 2027-02-22T09:00",
    ],
    // Today, as it isn't nine yet; a day later, tomorrow.
    ["100 KLV KFI daily 09:00 x30", "100 KLV KFI every 1d 09:00 x30: 30 from 2026-12-01T09:00 to 2026-12-30T09:00"],
    ["100 KLV KFI diário 07:00 30x", "100 KLV KFI every 1d 07:00 x30: 30 from 2026-12-02T07:00 to 2026-12-31T07:00"],
    [
      "100 KLV KFI todo dia 21:15 90d",
      "100 KLV KFI every 1d 21:15 until 90d: 90 from 2026-12-01T21:15 to 2027-02-28T21:15",
    ],
    [
      "100 KLV KFI daily 09:00 until 2026-12-05",
      "100 KLV KFI every 1d 09:00 until 2026-12-05: 5 from 2026-12-01T09:00 to 2026-12-05T09:00",
    ],
    [
      "100 KLV KFI every 2w friday 12:00 x3",
      "100 KLV KFI every 2w friday 12:00 x3: 3 from 2026-12-04T12:00 to 2027-01-01T12:00",
    ],
    [
      "100 KLV KFI a cada 2 semanas 12:00 x3",
      "100 KLV KFI every 2w 12:00 x3: 3 from 2026-12-01T12:00 to 2026-12-29T12:00",
    ],
    ["100 KLV KFI 31 09:00 x3", "100 KLV KFI every 1m 31 09:00 x3: 3 from 2026-12-31T09:00 to 2027-02-28T09:00"],
    ["100 KLV KFI dia 15 9:00 x2", "100 KLV KFI every 1m 15 09:00 x2: 2 from 2026-12-15T09:00 to 2027-01-15T09:00"],
    ["100 KLV KFI monthly 12:00 x12", "100 KLV KFI every 1m 12:00 x12: 12 from 2026-12-01T12:00 to 2027-11-01T12:00"],
    [
      "100 KLV KFI 2026-12-24 18:00 weekly x2",
      "100 KLV KFI every 1w 2026-12-24 18:00 x2: 2 from 2026-12-24T18:00 to 2026-12-31T18:00",
    ],
    [
      "100 KLV KFI tomorrow 06:00 daily x2",
      "100 KLV KFI every 1d tomorrow 06:00 x2: 2 from 2026-12-02T06:00 to 2026-12-03T06:00",
    ],
    [
      "100 KLV KFI daily 09:00 x2 São Paulo",
      "100 KLV KFI every 1d 09:00 x2 America/Sao_Paulo: 2 from 2026-12-01T12:00 to 2026-12-02T12:00",
    ],
    // 2027-01-04 is a Monday.
    [
      "100 KLV KFI monday 09:00 x2 from 2027-01-04",
      "100 KLV KFI every 1w 2027-01-04 09:00 x2: 2 from 2027-01-04T09:00 to 2027-01-11T09:00",
    ],
    ["50% KLV KFI daily 09:00 x2", "50% KLV KFI every 1d 09:00 x2: 2 from 2026-12-01T09:00 to 2026-12-02T09:00"],
    ["1,234.5 KLV KFI daily 09:00 x1", "1234.5 KLV KFI every 1d 09:00 x1: 1 from 2026-12-01T09:00 to 2026-12-01T09:00"],
  ])("%s", (line, expected) => {
    expect(planned(line)).toBe(expected);
  });

  it.each([
    ["100 KLV KFI", "incomplete"],
    ["", "incomplete"],
    ["100 KLV KFI daily x12", "incomplete"],
    ["100 KLV KFI 09:00 x12", "incomplete"],
    ["100 KLV KFI daily 09:00", "incomplete"],
    ["100 KLV KFI monday daily 09:00 x12", "unreadable"],
    ["100 KLV KFI daily 09:00 10:00 x12", "standing-twice"],
    ["100 KLV KFI monday 09:00 x3 from 2027-01-05", "standing-twice"],
    ["100 KLV KFI daily 09:00 x3 from 2030-01-01", "standing-begins"],
    ["100 KLV KFI 2030-01-01 09:00 x3", "incomplete"],
    ["100 KLV KFI today 07:00 daily x12", "standing-past"],
    ["100 KLV KFI 2026-11-30 09:00 daily x12", "standing-past"],
    ["100 KLV KFI 2026-02-30 09:00 daily x12", "standing-past"],
    ["100 KLV KFI daily 09:00 x0", "standing-times"],
    ["100 KLV KFI daily 09:00 x367", "standing-times"],
    ["100 KLV KFI daily 09:00 0 times", "standing-times"],
    ["100 KLV KFI daily 09:00 until 2026-11-01", "standing-past"],
    ["100 KLV KFI weekly 09:00 x54", "standing-span"],
    ["100 KLV KFI every 0 days 09:00 x5", "standing-span"],
    ["100 KLV KFI daily 09:00 3y", "ok"],
    ["100 KLV KFI daily 25:00 x12", "standing-time"],
    ["100 KLV KFI daily 9:5 x12", "standing-time"],
    ["100 KLV KFI daily 13pm x12", "standing-time"],
    ["100 KLV KFI daily 09:00 x12 Atlantis", "standing-zone"],
    ["100 KLV KFI daily 09:00 x12 San Juan", "standing-town"],
    ["100 KLV KLV daily 09:00 x12", "tokens-identical"],
    ["100 KLV XYZ daily 09:00 x12", "token-unknown"],
    ["0 KLV KFI daily 09:00 x12", "amount-zero"],
  ])("refuses %s: %s", (line, expected) => {
    const read = planned(line);
    expect(expected === "ok" ? read.includes(": 366 from") : read).toBe(expected === "ok" ? true : expected);
  });

  it("is at most a year, in which a leap day may come", () => {
    expect(planned("100 KLV KFI daily 09:00 x366")).toContain(": 366 from");
    expect(planned("100 KLV KFI every 12 months 09:00 x2")).toContain(": 2 from");
    expect(planned("100 KLV KFI every 13 months 09:00 x2")).toBe("standing-span");
  });

  it("is read back from its line", () => {
    for (const line of ["monday 09:00 x12", "31 09:00 90d", "tomorrow 9:00 every 2w x3", "daily 09:00 x2 Lisbon"]) {
      const read = readDca(`100 KLV KFI ${line}`, tokens) as DcaRequest;
      expect(readDca(dcaLine(read), tokens)).toEqual(read);
    }
  });

  it("never throws anything but a fault, whatever is typed", () => {
    const words = [
      "100",
      "KLV",
      "KFI",
      "x",
      "x9",
      "9x",
      "31",
      "dia",
      "every",
      "2",
      "w",
      "09:00",
      "9h",
      "until",
      "3y",
      "mon",
    ];
    for (let seed = 0; seed < 20_000; seed += 1) {
      const line = Array.from(
        { length: seed % 9 },
        (_, at) => words[(seed * 31 + at * at * 17 + at * seed) % words.length],
      ).join(" ");
      try {
        const read = readDca(line, tokens);
        if (isParsed<DcaRequest>(read)) scheduleOf(read, "Europe/Lisbon", NOW);
      } catch (error) {
        expect(isFault(error)).toBe(true);
      }
    }
  });
});
