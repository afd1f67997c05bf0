import { createRequire } from "node:module";
import type moment from "moment-timezone";
import table from "moment-timezone/package.json" with { type: "json" };
import { DAY_MS } from "../../clock.js";
import { lazy } from "../base/lazy.js";

/** The rules of a time zone. */
export interface Zone {
  /** Its name in the IANA database, as stored: every Node reads it, whatever rules it has for it. */
  readonly name: string;
  /** Milliseconds that its clocks are ahead of UTC at an instant. */
  readonly offsetAt: (at: number) => number;
}

/** What a zone's clocks show: `2026-12-31` and `23:59` or `23:59:12`. */
export interface LocalTime {
  readonly date: string;
  readonly time: string;
}

/** Of the table of rules and names. */
export const zonesVersion = table.version;

const UTC: Zone = { name: "UTC", offsetAt: () => 0 };
const MINUTE_MS = 60_000;

/** The rules of the IANA database, and all its names, old ones included, by the same in small letters. */
const database = lazy(() => {
  const { tz } = createRequire(import.meta.url)("moment-timezone") as typeof moment;
  return {
    rulesOf: (name: string) => tz.zone(name),
    zonesByName: new Map(tz.names().map((name) => [name.toLowerCase(), name])),
  };
});
/** As earlier versions stored them, where Node read it. */
const STORED_OFFSET = /^([+-])([01][0-9]):?([0-5][0-9])$/;

export const zoneNames = (): readonly string[] => [...database().zonesByName.values()];

/**
 * Finds a zone by its name in the IANA database, in any case. The rules come with the bot: those of a Node that is no
 * longer released stay as they were.
 */
export function findZone(name: string): Zone | undefined {
  const [, sign, hours, minutes] = STORED_OFFSET.exec(name) ?? [];
  if (hours !== undefined && minutes !== undefined) {
    const ahead = (sign === "-" ? -1 : 1) * Date.parse(`1970-01-01T${hours}:${minutes}Z`);
    return { name, offsetAt: () => ahead };
  }
  if (name === UTC.name) return UTC;
  const { zonesByName, rulesOf } = database();
  const known = zonesByName.get(name.toLowerCase());
  const rules = known === undefined ? null : rulesOf(known);
  if (known === undefined || rules === null) return undefined;
  return { name: known, offsetAt: (at) => Math.round(-rules.utcOffset(at) * MINUTE_MS) };
}

/** The zone of a person. One that isn't known counts as UTC. */
export const zoneOf = ({ timeZone }: { readonly timeZone: string }): Zone => findZone(timeZone) ?? UTC;

/** Whole seconds. */
export function localTime({ offsetAt }: Pick<Zone, "offsetAt">, at: number): LocalTime {
  const shown = new Date(at + offsetAt(at)).toISOString();
  return { date: shown.slice(0, 10), time: shown.slice(11, 19) };
}

/**
 * The instant at which a zone's clocks show a time. If they show it twice, the first; if they skip it, as long after
 * the change as it would have been: 02:30 becomes 03:30.
 */
export function instantOf({ offsetAt }: Pick<Zone, "offsetAt">, { date, time }: LocalTime): number {
  const shown = Date.parse(`${date}T${time}Z`);
  // Changes are further apart than two days.
  const [before, after] = [offsetAt(shown - DAY_MS), offsetAt(shown + DAY_MS)];
  const later = shown - after;
  const isBefore = offsetAt(shown - before) === before;
  return !isBefore && offsetAt(later) === after ? later : shown - before;
}

export const dayAfter = (date: string): string => localTime(UTC, Date.parse(`${date}T00:00Z`) + DAY_MS).date;

/** `+01:00` */
export function offsetText({ offsetAt }: Pick<Zone, "offsetAt">, at: number): string {
  const offset = offsetAt(at);
  const size = new Date(Math.abs(offset)).toISOString().slice(11, 16);
  return `${offset < 0 ? "-" : "+"}${size}`;
}
