import { untilToTime, type Until } from "../../encoding/typed.js";
import { dayAfter, instantOf, zoneOf } from "./zone.js";

/**
 * When what goes on "until" a date or for a time ends, in milliseconds since 1970: a date is included, by the clocks of
 * a zone. Locks have another meaning of it, the chain's: they end as the date begins in UTC.
 */
export function lastMoment(until: Until, timeZone: string, now: number): number {
  if ("epoch" in until) return now;
  if ("date" in until) return instantOf(zoneOf({ timeZone }), { date: dayAfter(until.date), time: "00:00" }) - 1;
  return untilToTime(until, now);
}
