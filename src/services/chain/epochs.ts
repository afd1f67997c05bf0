import { momentOf, type Until } from "../../encoding/until.js";
import { Fault } from "../../fault.js";
import type { ChainStatus } from "../intent/gateway.js";

export interface UnlockTime {
  readonly epoch: bigint;
  /** Milliseconds since 1970, estimated; absent where the length of epochs is not known. */
  readonly beginsAt?: number;
}

const HOUR_MS = 3_600_000;
const YEAR_MS = 31_557_600_000n;
/** On Klever's main network (klever-go: 5400 slots of four seconds), for where the node does not say. */
const USUAL_EPOCH_MS = 6 * HOUR_MS;
const LAST_MOMENT = 8.64e15;

/** Rounds up to the next epoch. @throws Fault `epoch-length-unknown` where the node reports no length. */
export function unlockTimeAt(until: Until, status: ChainStatus | undefined, now: number): UnlockTime {
  if ("epoch" in until) return unlockTimeOf(until.epoch, status, now);
  const target = momentOf(until, now);
  const length = status?.epochMilliseconds;
  if (status === undefined || length === undefined) throw new Fault("epoch-length-unknown", {});
  const next = nextEpochAt(status, length, now);
  const further = target <= next ? 0 : Math.ceil((target - next) / length);
  return unlockTimeOf(target <= now ? status.epoch : status.epoch + 1n + BigInt(further), status, now);
}

/** Estimated where the length of epochs is not known. */
export function waitFor(epoch: bigint, status: ChainStatus) {
  const length = BigInt(Math.round(status.epochMilliseconds ?? USUAL_EPOCH_MS));
  const milliseconds = epoch > status.epoch ? (epoch - status.epoch) * length : 0n;
  return {
    years: milliseconds / YEAR_MS,
    isLongerThan: (years: bigint) => milliseconds > years * YEAR_MS,
  };
}

/** Without a date for one that has begun, or lies beyond the calendar. */
export function unlockTimeOf(epoch: bigint, status: ChainStatus | undefined, now: number): UnlockTime {
  const length = status?.epochMilliseconds;
  if (status === undefined || length === undefined || epoch <= status.epoch) return { epoch };
  const beginsAt = nextEpochAt(status, length, now) + approximately(epoch - status.epoch - 1n) * length;
  return beginsAt > LAST_MOMENT ? { epoch } : { epoch, beginsAt };
}

/** Without the node's word the epoch has just begun: rather late than early. */
function nextEpochAt(status: ChainStatus, length: number, now: number): number {
  return status.nextEpochAt ?? now + length;
}

function approximately(count: bigint): number {
  // oxlint-disable-next-line money/no-floating-point -- a count or a time, never an amount
  return Number(count);
}
