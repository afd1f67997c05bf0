import { z } from "zod";
import { repeat } from "../../clock.js";
import type { ServiceName } from "../../fault.js";
import type { Incident } from "../outbox/operator-event.js";
import { readSetting, writeSetting, type Setting } from "../../store/settings.js";
import { isOut } from "../clients/health.js";
import type { OperatorParts } from "./parts.js";
import type { TellOperators } from "./pushes.js";

/** What is wrong now, since when, and whether operators were told of it. */
const incidents: Setting<Partial<Record<string, { readonly since: number; readonly isTold: boolean }>>> = {
  name: "incidents",
  schema: z.record(z.string(), z.object({ since: z.number(), isTold: z.boolean() })),
  initial: {},
};

const OUTAGE = "-outage";
/** Sending takes less; after this time, whoever was to send it must have died. */
const UNTOLD_MILLISECONDS = 10_000;

/** Notes whether an incident goes on now. Operators are told when it begins, and when a service is back. Safe to repeat. */
type NoteIncident = (incident: Incident, isOn: boolean) => Promise<void>;

/** An incident's beginning is written before it is reported, so that a restart does not report it again. */
export function createIncidents(
  { store, clock }: Pick<OperatorParts, "clock" | "store">,
  tell: TellOperators,
): NoteIncident {
  /** What this process has last brought about or found. */
  const known = new Map<Incident, boolean>();

  const begin = async (incident: Incident): Promise<void> => {
    const now = clock.now();
    const since = await store.write(async (tx) => {
      const all = await readSetting(tx, incidents);
      const before = all[incident];
      if (before === undefined)
        await writeSetting(tx, incidents, { ...all, [incident]: { since: now, isTold: false } });
      else if (before.isTold || now - before.since < UNTOLD_MILLISECONDS) return undefined;
      return before?.since ?? now;
    });
    if (since === undefined) return;
    await tell(`${incident}-${since}`, { about: "incident", incident, since });
    await store.write(async (tx) => {
      const all = await readSetting(tx, incidents);
      if (all[incident]?.since === since)
        await writeSetting(tx, incidents, { ...all, [incident]: { since, isTold: true } });
    });
  };

  const end = async (incident: Incident): Promise<void> => {
    const since = await store.write(async (tx) => {
      const { [incident]: before, ...others } = await readSetting(tx, incidents);
      if (before !== undefined) await writeSetting(tx, incidents, others);
      return before?.since;
    });
    if (since === undefined || !incident.endsWith(OUTAGE)) return;
    const service = incident.slice(0, -OUTAGE.length) as ServiceName;
    await tell(`${service}-return-${since}`, { about: "return", service, since });
  };

  return async (incident, isOn) => {
    if (known.get(incident) === isOn) return;
    await (isOn ? begin(incident) : end(incident));
    known.set(incident, isOn);
  };
}

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
  parts: Pick<OperatorParts, "clock" | "disk" | "log" | "outbox" | "reported" | "services">,
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
    await note("late-alerts", (await parts.outbox.waiting()).oldestMilliseconds > LATE_MILLISECONDS);
    for (const [incident, isOn] of parts.reported) await note(incident, isOn);
    const { bavail, blocks, bsize } = await disk();
    const limit = Math.min((blocks * bsize) / FULL_PART, FULL_BYTES);
    isFull = bavail * bsize < (isFull ? limit * EMPTIED : limit);
    await note("full-disk", isFull);
  };

  return repeat(clock, LOOK_EVERY_MILLISECONDS, signal, look, (error) => {
    log.error({ reason: error }, "It could not be checked whether something is wrong");
  });
}
