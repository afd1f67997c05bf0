import { createRequire } from "node:module";
import type moment from "moment-timezone";
import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";
import {
  dueOccurrences,
  localOccurrence,
  occurrenceAt,
  type Every,
  type Schedule,
} from "../../../src/services/standing/schedule.js";
import { seededRandom } from "../../support/seed.js";

const { tz } = createRequire(import.meta.url)("moment-timezone") as typeof moment;
const [MINUTE, HOUR] = [60_000, 3_600_000];
const isWhole = process.env["FULL"] !== undefined;

const once = (zone: string, local: string): Schedule => ({
  zone,
  from: { date: local.slice(0, 10), time: local.slice(11, 16) },
  every: { count: 1, unit: "d" },
  times: 1,
});

/**
 * Zones whose rules are newer in the bot's table (2026f) than in a Node with those of 2025c, such as 20.20.2: the days of
 * the first and the last local time that differ.
 */
const NEWER: Readonly<Record<string, readonly [first: string, last: string]>> = {
  "Africa/Casablanca": ["2026-09-20", "2037-11-15"],
  "Africa/El_Aaiun": ["2026-09-20", "2037-11-15"],
  "America/Edmonton": ["2026-11-01", "2037-11-01"],
  "America/Havana": ["2026-11-01", "2027-03-14"],
  "America/Inuvik": ["2026-11-01", "2037-11-01"],
  "America/Vancouver": ["2026-11-01", "2037-11-01"],
  "America/Winnipeg": ["2026-11-01", "2037-11-01"],
  "Europe/Chisinau": ["2022-03-27", "2037-10-25"],
};

/** Of a zone, the instants at which Temporal says that its clocks change, and the table. */
function changesOf(zone: string): readonly number[] {
  const changes = new Set<number>();
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.from("2020-01-01T00:00Z").toZonedDateTimeISO(zone);
  while ((at = at.getTimeZoneTransition("next")) !== null && at.year < 2038) changes.add(at.epochMilliseconds);
  const [from, to] = [Date.UTC(2020, 0, 1), Date.UTC(2038, 0, 1)];
  for (const until of tz.zone(zone)?.untils ?? []) if (until >= from && until < to) changes.add(until);
  return [...changes].toSorted((one, other) => one - other);
}

describe("local times around changes of clocks", () => {
  it("are Temporal's in each of the runtime's zones from 2020 to 2037, but for those whose rules are newer here", () => {
    const all = Intl.supportedValuesOf("timeZone");
    const random = seededRandom("changes");
    const zones = isWhole ? all : all.filter((zone) => zone in NEWER || random() < 1 / 12);
    const differing = new Map<string, string[]>();
    let compared = 0;
    for (const zone of zones) {
      for (const change of changesOf(zone)) {
        // Around what the clocks show before the change, and after it.
        const middle = change - Math.round((tz.zone(zone)?.utcOffset(change - 1) ?? 0) * MINUTE);
        for (let minute = -180; minute <= 180; minute += 15) {
          const local = new Date(middle + minute * MINUTE).toISOString().slice(0, 16);
          const own = occurrenceAt(once(zone, local), 0);
          const theirs = Temporal.PlainDateTime.from(local).toZonedDateTime(zone, { disambiguation: "compatible" });
          compared += 1;
          if (own === theirs.epochMilliseconds) continue;
          expect(`${zone} ${local} ${own}`).toBe(`${zone} ${local} ${tz(local, zone).valueOf()}`);
          differing.set(zone, [...(differing.get(zone) ?? []), local.slice(0, 10)]);
        }
      }
    }
    const found = Object.fromEntries(
      [...differing].map(([zone, days]) => [zone, [days.toSorted()[0], days.toSorted().at(-1)]]),
    );
    // Other Nodes have fewer to differ in.
    expect(Object.keys(NEWER)).toEqual(expect.arrayContaining(Object.keys(found)));
    if (process.versions["tz"] === "2025c") expect(found).toEqual(NEWER);
    expect(compared).toBeGreaterThan(isWhole ? 100_000 : 2_000);
  });
});

const schedule = (from: string, every: Every, zone = "UTC", times = 366): Schedule => ({
  ...once(zone, from),
  every,
  times,
});
const days = (one: Schedule, count: number) =>
  Array.from({ length: count }, (_, place) => localOccurrence(one, place).date.slice(5));
const instants = (one: Schedule, count: number) =>
  Array.from({ length: count }, (_, place) => new Date(occurrenceAt(one, place)).toISOString().slice(5, 16));

describe("a schedule", () => {
  it("counts months from the first, so that the last days of months come back", () => {
    const month: Every = { count: 1, unit: "m" };
    expect(days(schedule("2027-01-31T09:00", month), 6)).toEqual([
      "01-31",
      "02-28",
      "03-31",
      "04-30",
      "05-31",
      "06-30",
    ]);
    expect(days({ ...schedule("2027-02-28T09:00", month), day: 31 }, 3)).toEqual(["02-28", "03-31", "04-30"]);
    expect(days(schedule("2028-02-29T09:00", { count: 12, unit: "m" }), 5)).toEqual([
      "02-29",
      "02-28",
      "02-28",
      "02-28",
      "02-29",
    ]);
    expect(days(schedule("2027-12-30T09:00", { count: 2, unit: "w" }), 3)).toEqual(["12-30", "01-13", "01-27"]);
  });

  it.each([
    // A gap moves as far as the clocks do, for that day only; of an hour that comes twice, it is the first.
    ["Europe/Berlin", "2027-03-27T02:30", "d", ["03-27T01:30", "03-28T01:30", "03-29T00:30"]],
    ["Europe/Berlin", "2027-10-30T02:30", "d", ["10-30T00:30", "10-31T00:30", "11-01T01:30"]],
    ["America/New_York", "2027-03-08T09:00", "w", ["03-08T14:00", "03-15T13:00", "03-22T13:00"]],
    ["Australia/Lord_Howe", "2027-10-02T02:15", "d", ["10-01T15:45", "10-02T15:45", "10-03T15:15"]],
    ["Mars/Olympus", "2027-03-27T02:30", "d", ["03-27T02:30", "03-28T02:30", "03-29T02:30"]],
  ] as const)("%s, from %s on", (zone, from, unit, expected) => {
    expect(instants(schedule(from, { count: 1, unit }, zone), 3)).toEqual(expected);
  });

  it("leaves out no occurrence that is due, and none comes before its time", () => {
    const daily = schedule("2027-01-01T09:00", { count: 1, unit: "d" }, "UTC", 5);
    const nine = Date.UTC(2027, 0, 1, 9);
    expect(
      [nine - 1, nine, nine + 2 * 24 * HOUR, nine + 99 * 24 * HOUR].map((at) => dueOccurrences(daily, 0, at)),
    ).toEqual([0, 1, 3, 5]);
    expect(dueOccurrences(daily, 5, nine + 99 * 24 * HOUR)).toBe(0);
  });
});
