import * as z from "zod";
import { DAY_MS } from "../../clock.js";
import { stored } from "../../store/store.js";
import { instantOf, localTime, zoneOf, type LocalTime } from "../person/zone.js";

/** The longest time between two of them is a year. */
export const everySchema = stored({ count: z.int().min(1).max(366), unit: z.enum(["d", "w", "m"]) });
export type Every = z.infer<typeof everySchema>;

/** Occurrences at the same local time, in the zone in which they were set up. */
export const scheduleSchema = stored({
  zone: z.string(),
  /** The local date and time of the first: `2026-12-31`, `09:00`. */
  from: stored({ date: z.iso.date(), time: z.string().regex(/^[0-9]{2}:[0-9]{2}$/) }),
  every: everySchema,
  /** Of a monthly one: its day, in months that have it; absent: that of the first. */
  day: z.int().min(1).max(31).exactOptional(),
  times: z.int().min(1).max(366),
});
export type Schedule = z.infer<typeof scheduleSchema>;

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The local time of the occurrence at a place, from 0. Each is counted from the first: after 28 February comes 31 March. */
export function localOccurrence({ from, day, every: { count, unit } }: Schedule, place: number): LocalTime {
  const first = new Date(`${from.date}T00:00Z`);
  if (unit !== "m") {
    const days = place * count * (unit === "w" ? 7 : 1);
    return { ...from, date: dateOf(first.getTime() + days * DAY_MS) };
  }
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + place * count];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return { ...from, date: dateOf(Date.UTC(year, month, Math.min(day ?? first.getUTCDate(), lastDay))) };
}

/** In milliseconds since 1970. A local time that clocks skip comes as much later as they jump; of two, it is the first. */
export function occurrenceAt(schedule: Schedule, place: number): number {
  return instantOf(zoneOf({ timeZone: schedule.zone }), localOccurrence(schedule, place));
}

/** How many of the occurrences from `place` on are due: none of them is left out, however long nobody looked. */
export function dueOccurrences(schedule: Schedule, place: number, now: number): number {
  let due = 0;
  while (place + due < schedule.times && occurrenceAt(schedule, place + due) <= now) due += 1;
  return due;
}

/**
 * The same hours by another zone's clocks. The occurrence at `place`, and so all that follow, is as many dates later as it
 * takes to be later than `now`: none is left out, and none comes sooner than its date.
 */
export function movedTo(zone: string, schedule: Schedule, place: number, now: number): Schedule {
  const there = { ...schedule, zone };
  let later = 0;
  while (occurrenceAt(there, place + later) <= now) later += 1;
  if (later === 0) return there;
  const from = localOccurrence(there, later);
  // A later month may lack the day of the first.
  const day = schedule.day ?? new Date(`${schedule.from.date}T00:00Z`).getUTCDate();
  return { ...there, from: { ...from, time: schedule.from.time }, ...(schedule.every.unit === "m" && { day }) };
}

/** What a zone's clocks show now: `2026-12-31`, `23:59`. */
export function localNow(zone: string, now: number): LocalTime {
  const { date, time } = localTime(zoneOf({ timeZone: zone }), now);
  return { date, time: time.slice(0, 5) };
}
