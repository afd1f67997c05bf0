/** Dates and times read the same in every language. */
const LOCALE = "en-GB";
const TIME = { hour: "2-digit", minute: "2-digit" } as const;
const DATE_AND_TIME = { year: "numeric", month: "2-digit", day: "2-digit", ...TIME } as const;

/** Beyond this many zones the formats of all are made anew. Each takes some 30 kB, of which the garbage collector learns late. */
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
  const shown = { timeZone, ...TIME, second: "2-digit", timeZoneName: "short" } as const;
  const format = new Intl.DateTimeFormat(LOCALE, shown);
  timesOfDay.set(timeZone, format);
  return format.format(at);
}

/** How long something holds, in milliseconds: `30 s`, from two minutes on `10 min`, which reads the same in every language. */
export function formatLength(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** Cities that people name, and the IANA list doesn't; folded as {@link folded} does. */
const CITIES = new Map([
  ["lisboa", "Europe/Lisbon"],
  ["porto", "Europe/Lisbon"],
  ["londres", "Europe/London"],
  ["berlim", "Europe/Berlin"],
  ["brasilia", "America/Sao_Paulo"],
  ["riodejaneiro", "America/Sao_Paulo"],
  ["novayork", "America/New_York"],
  ["novaiorque", "America/New_York"],
]);
const LONGEST_ZONE = 60;

/** The time zone that a person means: by its IANA name or by a city, without regard to case, accents and spaces; undefined for none. */
export function timeZoneOf(typed: string): string | undefined {
  if (typed.length > LONGEST_ZONE) return undefined;
  const city = folded(typed);
  const named =
    CITIES.get(city) ??
    Intl.supportedValuesOf("timeZone").find((zone) => folded(zone.split("/").at(-1) ?? "") === city);
  if (named !== undefined) return named;
  try {
    new Intl.DateTimeFormat(LOCALE, { timeZone: typed });
    return typed;
  } catch {
    return undefined;
  }
}

function folded(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/[^a-z0-9+-]/gi, "")
    .toLowerCase();
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
