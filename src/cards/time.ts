/** Dates and times read the same in every language. */
const LOCALE = "en-GB";
const TIME = { hour: "2-digit", minute: "2-digit" } as const;
const DATE_AND_TIME = { year: "numeric", month: "2-digit", day: "2-digit", ...TIME } as const;

/** Beyond this many zones the formats of all are made anew: each takes some 50 kB. */
const MAX_FORMATS = 50;
const timesOfDay = new Map<string, Intl.DateTimeFormat>();

/**
 * A moment as a date and a time in the person's time zone, with the zone's name: `2026-12-31 23:59 UTC`, which reads the same
 * in every language. Milliseconds since 1970; undefined for a moment that is not known.
 */
export function formatMoment(at: number, timeZone: string): string;
export function formatMoment(at: number | undefined, timeZone: string): string | undefined;
export function formatMoment(at: number | undefined, timeZone: string): string | undefined {
  if (at === undefined) return undefined;
  const { year, month, day, hour, minute, timeZoneName } = partsIn(timeZone, { timeZoneName: "short" })(at);
  return `${year}-${month}-${day} ${hour}:${minute} ${timeZoneName}`;
}

/** A moment as a time of day with seconds and the zone's short name, for what ends within minutes. */
export function formatTimeOfDay(at: number, timeZone: string): string {
  const kept = timesOfDay.get(timeZone);
  if (kept !== undefined) return kept.format(at);
  if (timesOfDay.size >= MAX_FORMATS) timesOfDay.clear();
  const format = new Intl.DateTimeFormat(LOCALE, { timeZone, ...TIME, second: "2-digit", timeZoneName: "short" });
  timesOfDay.set(timeZone, format);
  return format.format(at);
}

/** How long something holds, in milliseconds: `30 s`, from two minutes on `10 min`, which reads the same in every language. */
export function formatLength(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** Whether the name is a time zone that this system knows. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat(LOCALE, { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * How moments are written with the offset of a zone, as programs read them: `2026-12-31T23:59:12+01:00`. Made once for many
 * moments, since finding a zone's rules costs more than applying them.
 */
export function offsetMoment(timeZone: string): (at: number) => string {
  const partsAt = partsIn(timeZone, { second: "2-digit", timeZoneName: "longOffset" });
  return (at) => {
    const { year, month, day, hour, minute, second, timeZoneName } = partsAt(at);
    return `${year}-${month}-${day}T${hour}:${minute}:${second}${timeZoneName.replace("GMT", "")}`;
  };
}

function partsIn(timeZone: string, more: Intl.DateTimeFormatOptions) {
  const format = new Intl.DateTimeFormat(LOCALE, { timeZone, ...DATE_AND_TIME, ...more });
  return (at: number) =>
    Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value])) as Record<
      Intl.DateTimeFormatPartTypes,
      string
    >;
}
