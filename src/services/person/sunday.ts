import * as z from "zod";
import { DAY_MS, dayOf } from "../../clock.js";
import { stored } from "../../store/store.js";
import { instantOf, localTime, zoneOf } from "./zone.js";

type Zoned = Parameters<typeof zoneOf>[0];

const EVENING = "19:00";

/**
 * Of a person who has chosen to be told of their weeks. `sunday`: the next of them, in their zone, also while that is off;
 * `heldUntil`: the end of the quiet hours that hold it back.
 */
export const weeklySchema = stored({
  sunday: z.iso.date(),
  isOff: z.literal(true).exactOptional(),
  heldUntil: z.number().exactOptional(),
});
export type WeeklyChoice = z.infer<typeof weeklySchema>;

/** When to look at the next week: it moves along with the time zone. Null if there is none. */
export function weekAt(person: Zoned & { readonly weekly?: WeeklyChoice }): number | null {
  const { sunday, isOff, heldUntil } = person.weekly ?? {};
  return sunday === undefined || isOff ? null : (heldUntil ?? weekEnd(person, sunday));
}

/** When the week of a Sunday (`2026-12-06`) ends for a person: that evening in their zone. */
export function weekEnd(person: Zoned, sunday: string): number {
  return instantOf(zoneOf(person), { date: sunday, time: EVENING });
}

export const weeksAfter = (sunday: string, weeks: number): string => dayOf(Date.parse(sunday) + 7 * weeks * DAY_MS);

/** The first Sunday whose week ends later than `now`. */
export function sundayAfter(person: Zoned, now: number): string {
  const today = Date.parse(localTime(zoneOf(person), now).date);
  const sunday = dayOf(today + ((7 - new Date(today).getUTCDay()) % 7) * DAY_MS);
  return weekEnd(person, sunday) > now ? sunday : weeksAfter(sunday, 1);
}
