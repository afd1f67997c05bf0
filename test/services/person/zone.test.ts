import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { quietUntil } from "../../../src/services/person/quiet-hours.js";
import {
  dayAfter,
  findZone,
  instantOf,
  localTime,
  offsetText,
  zoneNames,
  zoneOf,
} from "../../../src/services/person/zone.js";
import { seededRandom } from "../../support/seed.js";

const HOUR = 3_600_000;
const at = (text: string): number => Date.parse(`${text}Z`);
const zone = (timeZone: string) => zoneOf({ timeZone });
/** Moments of the years given, from the run's seed. */
function moments(from: number, to: number, count: number): readonly number[] {
  const random = seededRandom("zones");
  const [begin, span] = [Date.UTC(from, 0, 1), Date.UTC(to, 0, 1) - Date.UTC(from, 0, 1)];
  return Array.from({ length: count }, () => begin + 1000 * Math.floor((random() * span) / 1000));
}

/** Days (UTC) whose history the table's release corrects, of all that were compared every five hours from 1990 to 2025. */
const corrected = ["America/Bogota 1992-05-02", "America/Bogota 1992-05-03", "Europe/Chisinau 2022-10-30"];

describe("the rules of time zones", () => {
  it("agree with this Node's, which are another implementation, for the years that both know", () => {
    const all = Intl.supportedValuesOf("timeZone");
    expect(all.length).toBeGreaterThan(400);
    for (const timeZone of all) {
      const format = new Intl.DateTimeFormat("en-CA", {
        timeZone,
        dateStyle: "short",
        timeStyle: "medium",
        hourCycle: "h23",
      });
      for (const moment of moments(1990, 2025, 20)) {
        if (corrected.includes(`${timeZone} ${new Date(moment).toISOString().slice(0, 10)}`)) continue;
        const { date, time } = localTime(zone(timeZone), moment);
        expect(`${timeZone} ${date}, ${time}`).toBe(`${timeZone} ${format.format(moment)}`);
      }
    }
  });

  it.each([
    // Since autumn 2026: Node 20.20.2 has the rules of 2025 and is an hour off.
    ["America/Vancouver", "2026-11-27T20:00", "13:00:00"],
    ["America/Edmonton", "2026-11-27T20:00", "14:00:00"],
    ["America/Winnipeg", "2026-11-27T20:00", "15:00:00"],
    ["Africa/Casablanca", "2026-11-27T20:00", "20:00:00"],
    ["Europe/Lisbon", "2037-07-01T12:00", "13:00:00"],
    ["Europe/Lisbon", "2037-12-01T12:00", "12:00:00"],
    ["America/New_York", "2037-07-01T12:00", "08:00:00"],
    ["Asia/Kathmandu", "2026-11-27T12:00", "17:45:00"],
    ["Etc/GMT-5", "2026-11-27T12:00", "17:00:00"],
  ])("%s at %s UTC: %s", (timeZone, moment, time) => {
    expect(localTime(zone(timeZone), at(moment)).time).toBe(time);
  });

  it("are found in any case, for old names and for offsets as earlier versions stored them; anything else is UTC", () => {
    const [summer, winter] = [at("2026-07-01T12:00"), at("2026-12-01T12:00")];
    for (const timeZone of ["europe/kiev", "Europe/Kyiv", "EUROPE/KIEV"]) {
      expect([summer, winter].map((moment) => offsetText(zone(timeZone), moment))).toEqual(["+03:00", "+02:00"]);
    }
    expect(["+05:30", "-03:00", "+0545"].map((name) => offsetText(zone(name), summer))).toEqual([
      "+05:30",
      "-03:00",
      "+05:45",
    ]);
    for (const timeZone of [
      "Mars/Olympus",
      "",
      "BST",
      "constructor",
      "__proto__",
      "toString",
      "+5:30",
      "+25:00",
      "\0",
    ]) {
      expect(findZone(timeZone)).toBeUndefined();
      expect(zoneOf({ timeZone }).name).toBe("UTC");
    }
  });
});

describe("a local time", () => {
  it("is found again in every zone, or the first time if it comes twice", () => {
    let twice = 0;
    for (const name of zoneNames()) {
      for (const moment of moments(2020, 2037, 40)) {
        const local = localTime(zone(name), moment);
        const found = instantOf(zone(name), local);
        if (found !== moment) twice += 1;
        expect(found).toBeLessThanOrEqual(moment);
        expect(localTime(zone(name), found)).toEqual(local);
      }
    }
    expect(twice).toBeLessThan(zoneNames().length);
  });

  it("that clocks skip is as long after the change, and one they show twice is the first", () => {
    const lisbon = zone("Europe/Lisbon");
    // 29 March 2026: 00:59:59 is followed by 02:00. 25 October: 01:59:59 is followed by 01:00.
    expect(instantOf(lisbon, { date: "2026-03-29", time: "01:30" })).toBe(at("2026-03-29T01:30"));
    expect(localTime(lisbon, at("2026-03-29T01:30")).time).toBe("02:30:00");
    expect(instantOf(lisbon, { date: "2026-10-25", time: "01:30" })).toBe(at("2026-10-25T00:30"));
    expect(instantOf(lisbon, { date: "2026-10-25", time: "02:00" })).toBe(at("2026-10-25T02:00"));
    const lordHowe = zone("Australia/Lord_Howe");
    // Half an hour.
    expect(instantOf(lordHowe, { date: "2026-10-04", time: "02:15" })).toBe(at("2026-10-03T15:45"));
    expect(instantOf(lordHowe, { date: "2026-04-05", time: "01:45" })).toBe(at("2026-04-04T14:45"));
  });

  it("has a day after", () => {
    expect(["2026-12-31", "2028-02-28", "2027-02-28"].map(dayAfter)).toEqual([
      "2027-01-01",
      "2028-02-29",
      "2027-03-01",
    ]);
  });
});

describe("quiet hours", () => {
  const until = (timeZone: string, now: number, quiet = { from: "22:00", to: "07:00" }) =>
    quietUntil({ alerts: { modes: {}, quiet }, timeZone }, now);

  it("end when the clock says so, also in a night in which clocks change", () => {
    expect(until("Europe/Lisbon", at("2026-03-28T23:30"))).toBe(at("2026-03-29T06:00"));
    expect(until("Europe/Lisbon", at("2026-10-24T22:30"))).toBe(at("2026-10-25T07:00"));
    expect(until("Mars/Olympus", at("2026-11-27T23:30"))).toBe(at("2026-11-28T07:00"));
  });

  it("are always over some time later, and no later than a day", () => {
    for (const name of zoneNames()) {
      for (const moment of moments(2026, 2030, 4)) {
        for (const quiet of [
          { from: "22:00", to: "01:30" },
          { from: "00:30", to: "02:15" },
          { from: "07:00", to: "06:59" },
        ]) {
          const end = until(name, moment, quiet);
          if (end === undefined) continue;
          expect(end).toBeGreaterThan(moment);
          expect(end - moment).toBeLessThanOrEqual(25 * HOUR);
        }
      }
    }
    // The second 01:15 of a night, while the hours end at 01:30.
    expect(until("Europe/Lisbon", at("2026-10-25T01:15"), { from: "22:00", to: "01:30" })).toBe(at("2026-10-25T01:30"));
  });
});

it("nothing asks Node for a time zone", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const asking = files.filter((file) =>
    /DateTimeFormat|supportedValuesOf|toLocale/.test(readFileSync(join("src", file), "utf8")),
  );
  expect(asking).toEqual([]);
});

it("the rules aren't loaded at a start, nor for those who are in UTC", () => {
  const run = `import { createRequire } from "node:module";
    import { findZone } from "./src/services/person/zone.ts";
    import { readZone } from "./src/services/person/typed-zone.ts";
    const { cache } = createRequire(import.meta.url);
    const isLoaded = () => Object.keys(cache).some((path) => /moment-timezone|tzdb/.test(path));
    console.log(findZone("UTC").name, isLoaded(), readZone("Porto").name, isLoaded());`;
  const { stdout } = spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", run]);
  expect(stdout.toString().trim()).toBe("UTC false Europe/Lisbon true");
});
