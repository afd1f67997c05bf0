import { z } from "zod";
import { MAX_U64 } from "../../encoding/asset.js";
import { Fault } from "../../fault.js";
import type { ChainStatus } from "../clients/gateway.js";

/** An unlock epoch as a person chose it, and when it is expected to begin. */
export interface UnlockTime {
  readonly epoch: bigint;
  /** Milliseconds since 1970, estimated from the length of epochs; absent where that is not known. */
  readonly beginsAt?: number;
}

/** A number, or one marked as an epoch: `#5500`. */
const EPOCH = /^(#?)([0-9]{1,20})$/;
const HOUR_MILLISECONDS = 3_600_000;
/** A year of 365.25 days. */
const YEAR_MILLISECONDS = 31_557_600_000n;
/** How long an epoch lasts on Klever's main network (klever-go: 5400 slots of four seconds), for where the node does not say. */
const USUAL_EPOCH_MILLISECONDS = 6 * HOUR_MILLISECONDS;
const HOURS_IN: Readonly<Record<string, number>> = { h: 1, d: 24, w: 7 * 24, y: 365 * 24 };
/** A length of time in digits that the arithmetic below keeps exact. */
const MAX_DIGITS = 6;
/** The last moment that a calendar of this language has. */
const LAST_MOMENT = 8.64e15;

/**
 * Reads an unlock time: an epoch (`5500`), a date (`2026-12-31`, midnight UTC) or a duration (`12h`, `30d`, `4w`, `1y` of 365 days). Dates and
 * durations become the first epoch that begins no earlier.
 * @param status undefined where the node does not even report the epoch.
 * @param now milliseconds since 1970.
 * @throws Fault `unlock-time-invalid`, `unlock-time-ambiguous`; `epoch-length-unknown` for a date or duration where nobody
 * tells how long epochs are.
 */
export function readUnlockTime(text: string, status: ChainStatus | undefined, now: number): UnlockTime {
  const typed = parseUnlockTime(text, now);
  if ("epoch" in typed) return unlockTimeOf(typed.epoch, status, now);
  const target = typed.moment;
  const length = status?.epochMilliseconds;
  if (status === undefined || length === undefined) throw new Fault("epoch-length-unknown", {});
  const next = nextEpochAt(status, length, now);
  const further = target <= next ? 0 : Math.ceil((target - next) / length);
  return unlockTimeOf(target <= now ? status.epoch : status.epoch + 1n + BigInt(further), status, now);
}

/**
 * Reads the form of an unlock time, before any node is asked.
 * @throws Fault `unlock-time-invalid`; `unlock-time-ambiguous` for eight digits that are a date, such as 20261231.
 */
export function parseUnlockTime(text: string, now: number): { readonly epoch: bigint } | { readonly moment: number } {
  // `30 D` is meant as `30d`.
  const typed = text
    .trim()
    .toLowerCase()
    .replace(/(?<!\s)\s+(?=[hdwy]$)/, "");
  const [, mark, digits] = EPOCH.exec(typed) ?? [];
  if (digits !== undefined) {
    const date = digits.replace(/^([0-9]{4})([0-9]{2})([0-9]{2})$/, "$1-$2-$3");
    if (mark === "" && momentOf(date, now) !== undefined) throw new Fault("unlock-time-ambiguous", { digits, date });
    const epoch = BigInt(digits);
    if (epoch > MAX_U64) throw new Fault("unlock-time-invalid", { text: typed });
    return { epoch };
  }
  const moment = momentOf(typed, now);
  if (moment === undefined) throw new Fault("unlock-time-invalid", { text: typed.slice(0, 40) });
  return { moment };
}

/**
 * How long it takes until an epoch begins, in years rounded down, and whether that is more than a number of years: estimated
 * where it is not known how long epochs last.
 */
export function waitFor(epoch: bigint, status: ChainStatus) {
  const length = BigInt(Math.round(status.epochMilliseconds ?? USUAL_EPOCH_MILLISECONDS));
  const milliseconds = epoch > status.epoch ? (epoch - status.epoch) * length : 0n;
  return {
    years: milliseconds / YEAR_MILLISECONDS,
    isLongerThan: (years: bigint) => milliseconds > years * YEAR_MILLISECONDS,
  };
}

/** An epoch with the moment in which it is expected to begin. One that began already has none, nor has one beyond the calendar. */
export function unlockTimeOf(epoch: bigint, status: ChainStatus | undefined, now: number): UnlockTime {
  const length = status?.epochMilliseconds;
  if (status === undefined || length === undefined || epoch <= status.epoch) return { epoch };
  const beginsAt = nextEpochAt(status, length, now) + approximately(epoch - status.epoch - 1n) * length;
  return beginsAt > LAST_MOMENT ? { epoch } : { epoch, beginsAt };
}

function momentOf(typed: string, now: number): number | undefined {
  const [, count, unit] = /^([0-9]+)([hdwy])$/.exec(typed) ?? [];
  if (count !== undefined && count.length <= MAX_DIGITS) {
    return now + approximately(BigInt(count)) * (HOURS_IN[unit ?? ""] ?? 0) * HOUR_MILLISECONDS;
  }
  return z.iso.date().safeParse(typed).success ? Date.parse(`${typed}T00:00:00Z`) : undefined;
}

/** Without the node's word, the epoch is taken to have just begun: the estimate is late rather than early. */
function nextEpochAt(status: ChainStatus, length: number, now: number): number {
  return status.nextEpochAt ?? now + length;
}

/** A count as a number, exact up to fifteen digits. */
function approximately(count: bigint): number {
  // oxlint-disable-next-line money/no-floating-point -- a count or a time, never an amount
  return Number(count);
}
