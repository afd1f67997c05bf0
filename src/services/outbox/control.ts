import {
  defaultControl,
  type AlertControl,
  type AlertKind,
  type AlertMode,
  type QuietHours,
} from "../person/alert-control.js";

/**
 * How an alert of a kind goes out now. Quiet hours hold nothing back: an alert is there when the person looks, only without
 * a sound.
 * @param person.timeZone IANA name.
 */
export function modeFor(
  person: { readonly alerts?: AlertControl | undefined; readonly timeZone: string },
  kind: AlertKind,
  now: number,
): AlertMode {
  const { modes, quiet } = person.alerts ?? defaultControl;
  const mode = modes[kind] ?? "on";
  return mode === "on" && quiet !== undefined && isQuiet(quiet, person.timeZone, now) ? "silent" : mode;
}

const TIME = "((?:[01]?[0-9]|2[0-3]):[0-5][0-9])";
const HOURS = new RegExp(`^\\s*${TIME}\\s*[-\\u2013]\\s*${TIME}\\s*$`);

/** Reads quiet hours as a person types them, `22:00-07:00`; undefined for anything else. */
export function readQuietHours(text: string): QuietHours | undefined {
  const [, from, to] = HOURS.exec(text)?.map((time) => time.padStart(5, "0")) ?? [];
  return from !== undefined && to !== undefined && from !== to ? { from, to } : undefined;
}

function isQuiet({ from, to }: QuietHours, timeZone: string, now: number): boolean {
  const time = new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "short" }).format(now);
  return from < to ? from <= time && time < to : from <= time || time < to;
}
