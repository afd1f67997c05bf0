import type { AlertControl, AlertKind, Person } from "./person.js";
import { dayAfter, instantOf, localTime, zoneOf } from "./zone.js";

type Alerted = Pick<Person, "alerts" | "timeZone">;

/** Quiet hours hold nothing back; they only silence. */
export function modeFor(person: Alerted, kind: AlertKind, now: number) {
  const mode = person.alerts?.modes[kind] ?? "on";
  return mode === "on" && quietUntil(person, now) !== undefined ? "silent" : mode;
}

const TIME = "((?:[01]?[0-9]|2[0-3]):[0-5][0-9])";
const HOURS = new RegExp(`^\\s*${TIME}\\s*[-\\u2013]\\s*${TIME}\\s*$`);

/** Parses `22:00-07:00`; undefined for anything else. */
export function readQuietHours(text: string): AlertControl["quiet"] {
  const [, from, to] = HOURS.exec(text)?.map((time) => time.padStart(5, "0")) ?? [];
  return from !== undefined && to !== undefined && from !== to ? { from, to } : undefined;
}

/** The end of the current quiet hours; undefined outside them. */
export function quietUntil({ alerts, timeZone }: Alerted, now: number): number | undefined {
  if (alerts?.quiet === undefined) return undefined;
  const { from, to } = alerts.quiet;
  const zone = zoneOf({ timeZone });
  const { date, time } = localTime(zone, now);
  const isQuiet = from < to ? from <= time && time < to : from <= time || time < to;
  if (!isQuiet) return undefined;
  const end = instantOf(zone, { date: time < to ? date : dayAfter(date), time: to });
  // The clocks were set back within the quiet hours, and show their end a second time.
  return end > now ? end : now + Date.parse(`${date}T${to}Z`) - Date.parse(`${date}T${time}Z`);
}
