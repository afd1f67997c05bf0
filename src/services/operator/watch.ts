import { repeat } from "../../clock.js";
import { isOut } from "../clients/health.js";
import type { NoteIncident } from "./incidents.js";
import type { OperatorParts } from "./parts.js";

const LOOK_EVERY_MILLISECONDS = 2_000;
/** Two copies keep taking polls from each other: one such answer counts for this long. */
const CONFLICT_MILLISECONDS = 300_000;
const LATE_MILLISECONDS = 60_000;
/** A disk is nearly full below a twentieth of it, or a gigabyte where that is less. */
const FULL_PART = 20;
const FULL_BYTES = 1_000_000_000;
/** So much more than that has to be free before it counts as emptied: a figure at the limit would be told again and again. */
const EMPTIED = 1.5;

/** Looks every two seconds at what can go wrong, and has operators told of it. */
export function watchForIncidents(
  parts: Pick<OperatorParts, "alerts" | "clock" | "disk" | "lead" | "log" | "reported" | "services">,
  note: NoteIncident,
  signal: AbortSignal,
): Promise<void> {
  const { disk, clock, log } = parts;
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
    if (parts.lead.isLeading()) await note("late-alerts", parts.alerts().oldestMilliseconds > LATE_MILLISECONDS);
    for (const [incident, isOn] of parts.reported) await note(incident, isOn);
    if (disk === undefined) return;
    const { bavail, blocks, bsize } = await disk();
    const limit = Math.min((blocks * bsize) / FULL_PART, FULL_BYTES);
    isFull = bavail * bsize < (isFull ? limit * EMPTIED : limit);
    await note("full-disk", isFull);
  };

  return repeat(clock, LOOK_EVERY_MILLISECONDS, signal, look, (error) => {
    log.error({ reason: error }, "It could not be checked whether something is wrong");
  });
}
