import { describe, expect, it } from "vitest";
import { findZone, zoneNames } from "../../../src/services/person/zone.js";
import { readZone } from "../../../src/services/person/typed-zone.js";

const DAY = 86_400_000;

/** What people may type for a zone with this name. */
function forms(name: string): readonly string[] {
  const city = (name.split("/").at(-1) ?? "").replaceAll("_", " ");
  const plain = city.replaceAll("-", " ");
  const cities = [
    city,
    city.toLowerCase(),
    city.toUpperCase(),
    city.replaceAll(" ", "_"),
    plain,
    plain.replaceAll(" ", ""),
  ];
  return [name, name.toLowerCase(), name.replaceAll("_", " "), name.replaceAll("/", " / "), ` ${name}  `, ...cities];
}

/** Whether two zones have the same time until 2037. */
function agree(one: string, other: string): boolean {
  const [left, right] = [findZone(one), findZone(other)];
  if (left === undefined || right === undefined) return false;
  for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2037, 0, 1); at += 5 * DAY) {
    if (left.offsetAt(at) !== right.offsetAt(at)) return false;
  }
  return true;
}

const misread = (names: readonly string[]) =>
  names.flatMap((name) =>
    forms(name).flatMap((typed) => {
      const read = readZone(typed);
      if (read.kind === "several" && read.names.some((one) => agree(one, name))) return [];
      return read.kind === "zone" && (read.name === name || agree(read.name, name))
        ? []
        : [`${typed}: ${JSON.stringify(read)}`];
    }),
  );

describe("a typed time zone", () => {
  it("is each of this Node's, by its name or its city, as people type them", () => {
    const names = Intl.supportedValuesOf("timeZone").filter((name) => name !== "Pacific/Yap");
    expect(names.length).toBeGreaterThan(400);
    expect(misread(names)).toEqual([]);
  });

  it("is each city of the database by its names of today and of before", () => {
    // Regions, and abbreviations of states.
    const noCity = /^(?:Etc|US|Canada|Brazil|Mexico|Chile)\/|\/(?:North|South|East|West|ACT|LHI|NSW|Yap)$/;
    const names = zoneNames().filter((name) => name.includes("/") && !noCity.test(name));
    expect(names.length).toBeGreaterThan(480);
    expect(misread(names)).toEqual([]);
  });

  it.each([
    ["Kyiv", "Europe/Kyiv"],
    ["KOLKATA", "Asia/Kolkata"],
    ["ho chi minh", "Asia/Ho_Chi_Minh"],
    ["Ho Chi Minh City", "Asia/Ho_Chi_Minh"],
    ["kathmandu", "Asia/Kathmandu"],
    ["Yangon", "Asia/Yangon"],
    ["nuuk", "America/Nuuk"],
    ["Coyhaique", "America/Coyhaique"],
    ["lisbon", "Europe/Lisbon"],
    ["São Paulo", "America/Sao_Paulo"],
    ["sao_paulo", "America/Sao_Paulo"],
    ["new york", "America/New_York"],
    ["Brasília", "America/Sao_Paulo"],
    ["Asunción", "America/Asuncion"],
    ["Łódź", "Europe/Warsaw"],
    ["St. John's", "America/St_Johns"],
    ["Paris, France", "Europe/Paris"],
    ["Mumbai", "Asia/Kolkata"],
    ["San Francisco", "America/Los_Angeles"],
    ["Curitiba", "America/Sao_Paulo"],
    ["porto alegre", "America/Sao_Paulo"],
    ["Goiânia", "America/Sao_Paulo"],
    ["Pequim", "Asia/Shanghai"],
    ["Tóquio", "Asia/Tokyo"],
    ["Madri", "Europe/Madrid"],
    ["Sydney", "Australia/Sydney"],
    ["San Juan, Argentina", "America/Argentina/San_Juan"],
    ["Victoria, Canada", "America/Vancouver"],
    ["Hamilton New Zealand", "Pacific/Auckland"],
    ["America/Argentina/San_Juan", "America/Argentina/San_Juan"],
    ["Etc/GMT-5", "Etc/GMT-5"],
    ["utc", "UTC"],
    ["GMT", "UTC"],
    ["+0", "UTC"],
    ["+5", "Etc/GMT-5"],
    ["UTC+05:00", "Etc/GMT-5"],
    ["gmt -3", "Etc/GMT+3"],
    ["−3", "Etc/GMT+3"],
    ["+14", "Etc/GMT-14"],
    ["+05:30", "Asia/Kolkata"],
    ["UTC+0545", "Asia/Kathmandu"],
  ])("%j is %s", (typed, name) => {
    expect(readZone(typed)).toEqual({ kind: "zone", name });
  });

  it.each([
    ["San Juan", ["America/Puerto_Rico", "America/Argentina/San_Juan"]],
    ["hamilton", ["Atlantic/Bermuda", "America/Toronto", "Pacific/Auckland"]],
    ["Victoria", ["America/Vancouver", "Indian/Mahe", "Asia/Hong_Kong", "Australia/Melbourne"]],
    ["San José", ["America/Los_Angeles", "America/Costa_Rica"]],
    ["Valencia", ["America/Caracas", "Europe/Madrid"]],
  ])("%j is a town that several countries have", (typed, names) => {
    const read = readZone(typed);
    expect(read.kind === "several" && [...read.names].sort()).toEqual([...names].sort());
    for (const name of names) expect(readZone(name)).toEqual({ kind: "zone", name });
  });

  it("is never an abbreviation other than UTC and GMT, nor an offset that several zones share", () => {
    const abbreviations = [
      "BST",
      "IST",
      "AST",
      "ART",
      "NST",
      "EST",
      "MST",
      "HST",
      "CET",
      "MET",
      "PST",
      "PRC",
      "ROK",
      "cst",
      "CEST",
      "WEST",
    ];
    for (const typed of [...abbreviations, "+10:30", "-3:30", "+15", "-13", "UTC+12:45"]) {
      expect(`${typed} ${readZone(typed).kind}`).toBe(`${typed} unclear`);
    }
  });

  it("is nothing else", () => {
    for (const typed of [
      "",
      "Mars/Olympus",
      "Mars",
      "22:00",
      "; drop",
      "constructor",
      "__proto__",
      "5",
      "a".repeat(4096),
    ]) {
      expect(`${typed} ${readZone(typed).kind}`).toBe(`${typed} unknown`);
    }
  });

  it("is stored by a name that every Node reads", () => {
    for (const typed of ["+5", "-11", "+05:30", "+09:30", "kyiv", "nuuk", "Mumbai"]) {
      const read = readZone(typed);
      if (read.kind !== "zone") throw new Error(typed);
      expect(() => new Intl.DateTimeFormat("en", { timeZone: read.name })).not.toThrow();
      expect(read.name).toMatch(/^[A-Z][A-Za-z_]+\/[A-Z]/);
    }
  });
});
