import { z } from "zod";

export const alertKinds = ["fill", "done", "canceled", "other", "service"] as const;
export type AlertKind = (typeof alertKinds)[number];

export const alertModes = ["on", "silent", "off"] as const;
type AlertMode = (typeof alertModes)[number];

/** `HH:MM` in the user's time zone; may cross midnight. */
const quietSchema = z.object({ from: z.string(), to: z.string() }).readonly();
type QuietHours = z.infer<typeof quietSchema>;

/** What is left out is on. */
export const alertsSchema = z
  .object({
    modes: z.partialRecord(z.enum(alertKinds), z.enum(alertModes)).readonly(),
    quiet: quietSchema.exactOptional(),
  })
  .readonly();
export type AlertControl = z.infer<typeof alertsSchema>;

export const defaultControl: AlertControl = { modes: {} };

/** Quiet hours hold nothing back; they only silence. */
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

/** Reads `22:00-07:00`; undefined for anything else. */
export function readQuietHours(text: string): QuietHours | undefined {
  const [, from, to] = HOURS.exec(text)?.map((time) => time.padStart(5, "0")) ?? [];
  return from !== undefined && to !== undefined && from !== to ? { from, to } : undefined;
}

function isQuiet({ from, to }: QuietHours, timeZone: string, now: number): boolean {
  const time = new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "short" }).format(now);
  return from < to ? from <= time && time < to : from <= time || time < to;
}
