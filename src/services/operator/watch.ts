import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import type { Incident } from "../../model/operator-event.js";
import type { Waiting } from "../alerts/alerts.js";
import { isOut, type ServiceHealth } from "../clients/health.js";
import { describeError } from "../telegram-errors.js";
import type { NoteIncident } from "./incidents.js";

const LOOK_EVERY_MILLISECONDS = 2_000;
/** Two copies keep taking polls from each other: one such answer counts for this long. */
const CONFLICT_MILLISECONDS = 300_000;
const LATE_MILLISECONDS = 60_000;
/** A disk is nearly full below a twentieth of it, or a gigabyte where that is less. */
const FULL_PART = 20;
const FULL_BYTES = 1_000_000_000;
/** So much more than that has to be free before it counts as emptied: a figure at the limit would be told again and again. */
const EMPTIED = 1.5;

/** A disk's free space and its size, in blocks of `bsize` bytes. */
export interface Disk {
  readonly bavail: number;
  readonly blocks: number;
  readonly bsize: number;
}

/** Looks every two seconds at what can go wrong, and has operators told of it. */
export function watchForIncidents(parts: {
  readonly note: NoteIncident;
  readonly services: () => readonly ServiceHealth[];
  readonly alerts: () => Waiting;
  /** Whether alerts leave from this process; only there is known how many wait. */
  readonly isLeading: () => boolean;
  /** The disk on which the store writes; undefined where that is not one of this machine. */
  readonly disk: (() => Promise<Disk>) | undefined;
  /** What else was found, and whether it is so now. */
  readonly reported: ReadonlyMap<Incident, boolean>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { note, disk, clock, log, signal } = parts;
  let isFull = false;

  const look = async (): Promise<void> => {
    const now = clock.now();
    for (const health of parts.services()) {
      const { service, failingSince, answeredAt, conflictedAt } = health;
      const isOn = isOut(health, now);
      const isKnown = isOn || (failingSince === undefined && answeredAt !== undefined);
      if (isKnown) await note(`${service}-outage`, isOn);
      if (conflictedAt === undefined) continue;
      await note("second-poller", clock.monotonic() - conflictedAt < CONFLICT_MILLISECONDS);
    }
    if (parts.isLeading()) await note("late-alerts", parts.alerts().oldestMilliseconds > LATE_MILLISECONDS);
    for (const [incident, isOn] of parts.reported) await note(incident, isOn);
    if (disk === undefined) return;
    const { bavail, blocks, bsize } = await disk();
    const limit = Math.min((blocks * bsize) / FULL_PART, FULL_BYTES);
    isFull = bavail * bsize < (isFull ? limit * EMPTIED : limit);
    await note("full-disk", isFull);
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await look().catch((error: unknown) => {
        log.error({ reason: describeError(error) }, "It could not be checked whether something is wrong");
      });
      await clock.sleep(LOOK_EVERY_MILLISECONDS, signal).catch(() => undefined);
    }
  };
  return run();
}
