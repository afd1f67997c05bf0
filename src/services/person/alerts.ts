import { z } from "zod";
import { stored } from "../../store/store.js";

export const alertKinds = ["fill", "done", "canceled", "other", "service"] as const;
export type AlertKind = (typeof alertKinds)[number];

export const alertModes = ["on", "silent", "off"] as const;

/** `HH:MM` in the user's time zone; may cross midnight. */
const quietSchema = stored({ from: z.string(), to: z.string() });

/** What is left out is on. */
export const alertsSchema = stored({
  modes: z.partialRecord(z.enum(alertKinds), z.enum(alertModes)).readonly(),
  quiet: quietSchema.exactOptional(),
});
export type AlertControl = z.infer<typeof alertsSchema>;

export const defaultControl: AlertControl = { modes: {} };

interface Recipient {
  readonly alerts?: AlertControl | undefined;
  readonly timeZone: string;
}

/** Quiet hours hold nothing back; they only silence. */
export function modeFor(person: Recipient, kind: AlertKind, now: number) {
  const mode = person.alerts?.modes[kind] ?? "on";
  return mode === "on" && quietUntil(person, now) !== undefined ? "silent" : mode;
}

const TIME = "((?:[01]?[0-9]|2[0-3]):[0-5][0-9])";
const HOURS = new RegExp(`^\\s*${TIME}\\s*[-\\u2013]\\s*${TIME}\\s*$`);

/** Reads `22:00-07:00`; undefined for anything else. */
export function readQuietHours(text: string): AlertControl["quiet"] {
  const [, from, to] = HOURS.exec(text)?.map((time) => time.padStart(5, "0")) ?? [];
  return from !== undefined && to !== undefined && from !== to ? { from, to } : undefined;
}

/** When the quiet hours end that a person has now; undefined outside of them. A change of the clocks may move it by an hour. */
export function quietUntil({ alerts, timeZone }: Recipient, now: number): number | undefined {
  if (alerts?.quiet === undefined) return undefined;
  const { from, to } = alerts.quiet;
  const time = new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "short" }).format(now);
  const isQuiet = from < to ? from <= time && time < to : from <= time || time < to;
  if (!isQuiet) return undefined;
  const minutes = (minuteOf(to) - minuteOf(time) + DAY_MINUTES) % DAY_MINUTES;
  return now - (now % MINUTE_MS) + minutes * MINUTE_MS;
}

const DAY_MINUTES = 1440;
const MINUTE_MS = 60_000;

/** `HH:MM` as minutes since midnight. */
function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}
