import { FormattedString } from "@grammyjs/parse-mode";
import type { Line, View } from "./card.js";

const LOCALE = "en-GB";
const DATE_AND_TIME = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
} as const;

/**
 * Telegram refuses a date of more than 1,098 days after it reads it, with the whole message, also when that is edited
 * (https://core.telegram.org/constructor/messageEntityFormattedDate). A day is to spare for clocks that differ.
 */
const FURTHEST_MS = 1_097 * 86_400_000;

const formats = { moment: "Dt", day: "D", time: "T", ticking: "r" } as const;

/**
 * Telegram shows it in each reader's own zone and language; old clients show the text, in UTC. `ticking` counts up
 * once the moment is over, so the words around it must hold before and after. @param at in milliseconds since 1970
 */
export function momentOf(at: number, view: Pick<View, "now">, shown?: keyof typeof formats): Line;
export function momentOf(
  at: number | undefined,
  view: Pick<View, "now">,
  shown?: keyof typeof formats,
): Line | undefined;
export function momentOf(
  at: number | undefined,
  { now }: Pick<View, "now">,
  shown: keyof typeof formats = "moment",
): Line | undefined {
  if (at === undefined) return undefined;
  const text = shown === "time" || shown === "ticking" ? `${new Date(at).toISOString().slice(11, 19)} UTC` : utcOf(at);
  const isShowable = at >= 1_000 && at - now <= FURTHEST_MS;
  return isShowable ? FormattedString.time(text, Math.floor(at / 1_000), formats[shown]) : text;
}

/** `2026-12-31 23:59 UTC`. */
export function utcOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
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
const MAX_ZONE_LENGTH = 60;

/** By IANA name or city, without regard to case, accents and spaces. */
export function timeZoneOf(typed: string): string | undefined {
  if (typed.length > MAX_ZONE_LENGTH) return undefined;
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
 * Writes moments with the zone's offset: `2026-12-31T23:59:12+01:00`. Made once for many: finding a zone's rules costs
 * more than applying them.
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
