import { z } from "zod";
import { Fault } from "../fault.js";
import { MAX_U64 } from "./amount.js";

/** Until when to lock: an epoch, a day that begins at midnight UTC, or a length of time from now. */
export type Until =
  | { readonly epoch: bigint }
  | { readonly date: string }
  | { readonly count: number; readonly unit: keyof typeof HOURS_IN };

export const untilSchema: z.ZodType<Until> = z.union([
  z.object({ epoch: z.bigint() }),
  z.object({ date: z.string() }),
  z.object({ count: z.number(), unit: z.enum(["h", "d", "w", "y"]) }),
]);

/** A number, or one marked as an epoch: `#5500`. */
const EPOCH = /^(#?)([0-9]{1,20})$/;
/** Few enough digits to stay exact in milliseconds. */
const DURATION = /^([0-9]{1,6})([hdwy])$/;
const HOURS_IN = { h: 1, d: 24, w: 7 * 24, y: 365 * 24 } as const;
const HOUR_MS = 3_600_000;

/**
 * `5500`, `2026-12-31`, `12h`, `30d`, `4w` or `1y` (365 days). @throws Fault `unlock-time-invalid`,
 * `unlock-time-ambiguous`.
 */
export function parseUntil(text: string): Until {
  const typed = text
    .trim()
    .toLowerCase()
    .replace(/(?<!\s)\s+(?=[hdwy]$)/, "");
  const [, mark, digits] = EPOCH.exec(typed) ?? [];
  if (digits !== undefined) {
    const date = digits.replace(/^([0-9]{4})([0-9]{2})([0-9]{2})$/, "$1-$2-$3");
    if (mark === "" && isDate(date)) throw new Fault("unlock-time-ambiguous", { digits, date });
    const epoch = BigInt(digits);
    if (epoch > MAX_U64) throw new Fault("unlock-time-invalid", { text: typed });
    return { epoch };
  }
  const [, count, unit] = DURATION.exec(typed) ?? [];
  // oxlint-disable-next-line money/no-floating-point -- a length of time, never an amount
  if (count !== undefined) return { count: Number(count), unit: unit as keyof typeof HOURS_IN };
  if (!isDate(typed)) throw new Fault("unlock-time-invalid", { text: typed.slice(0, 40) });
  return { date: typed };
}

export function formatUntil(until: Until): string {
  if ("epoch" in until) return `#${until.epoch}`;
  return "date" in until ? until.date : `${until.count}${until.unit}`;
}

export function momentOf(until: Exclude<Until, { epoch: bigint }>, now: number): number {
  if ("date" in until) return Date.parse(`${until.date}T00:00:00Z`);
  return now + until.count * HOURS_IN[until.unit] * HOUR_MS;
}

function isDate(text: string): boolean {
  return z.iso.date().safeParse(text).success;
}
