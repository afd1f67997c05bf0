import { Fault } from "../fault.js";
import type { ChainStatus } from "./gateway.js";

/** An unlock epoch as a person chose it, and when it is expected to begin. */
export interface UnlockTime {
  readonly epoch: bigint;
  /** Milliseconds since 1970, estimated from the length of epochs; absent where nobody tells it. */
  readonly beginsAt?: number;
}

const MAX_U64 = (1n << 64n) - 1n;
const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR };
/** A length of time in digits that the arithmetic below keeps exact. */
const MAX_DIGITS = 6;

/**
 * Reads an unlock time: an epoch (`5500`), a date (`2026-12-31`, midnight UTC) or a duration (`12h`, `30d`, `4w`). Dates and
 * durations become the first epoch that begins no earlier.
 * @param now milliseconds since 1970.
 * @throws Fault `unlock-time-invalid`, `epoch-length-unknown` for a date or duration where nobody tells how long epochs are.
 */
export function readUnlockTime(text: string, status: ChainStatus, now: number): UnlockTime {
  const typed = text.trim().toLowerCase();
  if (/^[0-9]{1,20}$/.test(typed)) {
    const epoch = BigInt(typed);
    if (epoch > MAX_U64) throw new Fault("unlock-time-invalid", { text: typed });
    return unlockTimeOf(epoch, status, now);
  }
  const target = momentOf(typed, now);
  if (target === undefined) throw new Fault("unlock-time-invalid", { text: typed.slice(0, 40) });
  const length = status.epochMilliseconds;
  if (length === undefined) throw new Fault("epoch-length-unknown", {});
  const next = nextEpochAt(status, length, now);
  const further = target <= next ? 0 : Math.ceil((target - next) / length);
  return unlockTimeOf(target <= now ? status.epoch : status.epoch + 1n + BigInt(further), status, now);
}

/** An epoch with the moment in which it is expected to begin. One that began already has none. */
export function unlockTimeOf(epoch: bigint, status: ChainStatus, now: number): UnlockTime {
  const length = status.epochMilliseconds;
  if (length === undefined || epoch <= status.epoch) return { epoch };
  const further = epoch - status.epoch - 1n;
  // Beyond this no calendar has a date; the epoch alone is shown.
  if (further > 10_000_000n) return { epoch };
  return { epoch, beginsAt: nextEpochAt(status, length, now) + parseFewDigits(further.toString()) * length };
}

function momentOf(typed: string, now: number): number | undefined {
  const duration = /^([0-9]+)\s*([hdw])$/.exec(typed);
  if (duration?.[1] !== undefined && duration[1].length <= MAX_DIGITS) {
    return now + parseFewDigits(duration[1]) * (UNITS[duration[2] ?? ""] ?? 0);
  }
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(typed)) return undefined;
  const moment = Date.parse(`${typed}T00:00:00Z`);
  // `Date.parse` takes a 31st of April for the 1st of May.
  return Number.isNaN(moment) || new Date(moment).toISOString().slice(0, 10) !== typed ? undefined : moment;
}

/** Without the node's word, the epoch is taken to have just begun: the estimate is late rather than early. */
function nextEpochAt(status: ChainStatus, length: number, now: number): number {
  return status.nextEpochAt ?? now + length;
}

/** A count or a time of few digits. */
function parseFewDigits(digits: string): number {
  // eslint-disable-next-line no-restricted-syntax -- times and counts, never an amount
  return Number(digits);
}
