import { createRequire } from "node:module";
import type * as tzdb from "@vvo/tzdb";
import { lazy } from "../base/lazy.js";
import { findZone, zoneNames } from "./zone.js";

/**
 * `unclear`: an abbreviation or an offset that belongs to several zones, so that a city has to be asked for.
 * `several`: a town that several countries have, by the zones of each.
 */
export type TypedZone =
  | { readonly kind: "zone"; readonly name: string }
  | { readonly kind: "several"; readonly names: readonly string[] }
  | { readonly kind: "unclear" }
  | { readonly kind: "unknown" };

const MAX_ZONE_LENGTH = 60;

/** Reads an IANA name, a city or an offset, ignoring case, accents, punctuation and spaces. */
export function readZone(typed: string): TypedZone {
  const text = typed.trim();
  if (text.length > MAX_ZONE_LENGTH) return { kind: "unknown" };
  const offset = TYPED_OFFSET.exec(text);
  if (offset !== null) return offsetZone(offset);
  // Signs tell apart what folding would make the same: `Etc/GMT-5`.
  const exact = text.includes("/") ? findZone(text.replaceAll(" ", "_"))?.name : undefined;
  const names = exact === undefined ? zonesByPlace().get(folded(text)) : [exact];
  const [name, ...others] = names ?? [];
  if (names !== undefined && others.length > 0) return { kind: "several", names };
  if (name !== undefined) return { kind: "zone", name };
  return { kind: ABBREVIATION.test(text) ? "unclear" : "unknown" };
}

/** `+5`, `UTC+05:30`, `GMT-3`: ahead of UTC, unlike the names `Etc/GMT-5`. */
const TYPED_OFFSET = /^(?:utc|gmt)?\s*([+\-−–])\s*([0-9]{1,2})(?::?([0-5][0-9]))?$/i;
/** BST is London's summer, Dhaka and Bougainville; libraries guess. Three letters, or what is written like one. */
const ABBREVIATION = /^(?:[A-Za-z]{3}|[A-Z]{4,5})$/;

/** Zones that have this offset all year, and no other one has: every Node reads their names. */
const PARTS_OF_HOURS = new Map([
  ["+3:30", "Asia/Tehran"],
  ["+4:30", "Asia/Kabul"],
  ["+5:30", "Asia/Kolkata"],
  ["+5:45", "Asia/Kathmandu"],
  ["+6:30", "Asia/Yangon"],
  ["+8:45", "Australia/Eucla"],
  ["+9:30", "Australia/Darwin"],
  ["-9:30", "Pacific/Marquesas"],
]);

function offsetZone([, sign = "", hours = "", minutes = "00"]: RegExpExecArray): TypedZone {
  const [side, count] = [sign === "+" ? "+" : "-", hours.replace(/^0(?=.)/, "")];
  if (minutes === "00" && count === "0") return { kind: "zone", name: "UTC" };
  const inverse = side === "+" ? "-" : "+";
  const name = minutes === "00" ? `Etc/GMT${inverse}${count}` : PARTS_OF_HOURS.get(`${side}${count}:${minutes}`);
  const zone = name === undefined ? undefined : findZone(name);
  return zone === undefined ? { kind: "unclear" } : { kind: "zone", name: zone.name };
}

/** Names that people type but the databases don't have. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  lisboa: "Europe/Lisbon",
  porto: "Europe/Lisbon",
  londres: "Europe/London",
  berlim: "Europe/Berlin",
  madri: "Europe/Madrid",
  pequim: "Asia/Shanghai",
  toquio: "Asia/Tokyo",
  brasilia: "America/Sao_Paulo",
  rio: "America/Sao_Paulo",
  riodejaneiro: "America/Sao_Paulo",
  curitiba: "America/Sao_Paulo",
  portoalegre: "America/Sao_Paulo",
  goiania: "America/Sao_Paulo",
  novayork: "America/New_York",
  novaiorque: "America/New_York",
  utc: "UTC",
  gmt: "UTC",
};

/** Towns that more countries have than the database says: those are asked about, too. */
const NAMESAKES: readonly (readonly [town: string, country: string, name: string])[] = [
  ["Hamilton", "Canada", "America/Toronto"],
  ["Hamilton", "New Zealand", "Pacific/Auckland"],
  ["San Juan", "Argentina", "America/Argentina/San_Juan"],
  ["Victoria", "Australia", "Australia/Melbourne"],
];

/** Their last parts name no place by themselves, or one within the part before. */
const REGION = /^(?:Etc|US|Canada|Brazil|Mexico|Chile)\/|\/(?:North|South|East|West)$/;

/** Zones by what people may call them, {@link folded}: several for a town that several countries have. */
const zonesByPlace = lazy((): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, readonly string[]>();
  const add = (place: string, zones: readonly string[]): void => {
    const key = folded(place);
    if (key.length > 3 || place === "UTC") found.set(key, found.get(key) ?? zones);
  };
  for (const [place, name] of Object.entries(OTHER_NAMES)) found.set(place, [name]);
  const towns = cities();
  for (const { 0: town } of NAMESAKES) add(town, towns.get(folded(town)) ?? []);
  // Signs are what tells these apart.
  const names = zoneNames().filter((name) => !/[+-][0-9]/.test(name));
  for (const name of names) add(name, [name]);
  for (const name of names.filter((name) => !REGION.test(name))) add(name.split("/").at(-1) ?? "", [name]);
  for (const [town, zones] of towns) add(town, zones);
  return found;
});

/** The zones of larger cities, each by its name, and by its name and its country's. */
function cities(): ReadonlyMap<string, readonly string[]> {
  const { rawTimeZones } = createRequire(import.meta.url)("@vvo/tzdb") as typeof tzdb;
  const known = rawTimeZones.flatMap(({ countryName, mainCities, name }) =>
    mainCities.map((city) => [city, countryName, name] as const),
  );
  const zones = new Map<string, readonly string[]>();
  for (const [city, country, name] of [...known, ...NAMESAKES]) {
    for (const key of [folded(city), folded(`${city} ${country}`)]) {
      zones.set(key, [...new Set([...(zones.get(key) ?? []), name])]);
    }
  }
  return zones;
}

/** Letters that have no accent to leave out. */
const LETTERS: Readonly<Record<string, string>> = {
  ł: "l",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ı: "i",
};

function folded(name: string): string {
  const small = name.toLowerCase().normalize("NFKD");
  return small.replace(/[łøđðþßæœı]/g, (letter) => LETTERS[letter] ?? "").replace(/[^a-z0-9]/g, "");
}
