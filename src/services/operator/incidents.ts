import type { StatsFs } from "node:fs";
import * as z from "zod";
import type { Basics } from "../../loop.js";
import { repeat } from "../../clock.js";
import type { ServiceName } from "../../fault.js";
import { readSetting, setting, writeSetting, type Transaction, type StoreBasics } from "../../store/store.js";
import type { FeedState } from "../chain/node-feed.js";
import type { PeriodicCheck } from "../chain/checks.js";
import { isOut, type ServiceHealth } from "../base/health.js";
import { markTold, untoldUnknowns } from "../intent/queries.js";
import { enqueueNotice, type Incident, type OperatorEvent } from "../telegram/outbox.js";
import type { Outbox } from "../telegram/outbox-sender.js";

const incidents = setting("incidents", z.record(z.string(), z.object({ since: z.number() })), {});

const LOOK_EVERY_MS = 2_000;
/** Two running copies keep taking polls from each other: one such answer counts for this long. */
const CONFLICT_MS = 300_000;
const LATE_MS = 60_000;
/** Operators are told of messages that Telegram has refused for this long. */
const REFUSED_MS = 4 * 3_600_000;
/** What was late is on time again once it is less late than this, so that it isn't reported repeatedly. */
const ON_TIME_MS = 30_000;
/** A disk is nearly full with less than 5 % free, or less than a gigabyte if that is smaller. */
const FULL_PART = 20;
const FULL_BYTES = 1_000_000_000;
/**
 * Multiple of the limit that must be free to end the incident, so that a value around the limit isn't reported
 * repeatedly.
 */
const EMPTIED = 1.5;

export interface IncidentParts extends StoreBasics {
  readonly outbox: Pick<Outbox, "refusedSince" | "waiting" | "wake">;
  readonly services: () => readonly ServiceHealth[];
  readonly checks: readonly Pick<PeriodicCheck, "incident" | "isMismatch">[];
  /** For how many milliseconds the first of what is polled has been overdue. */
  readonly overdue: Readonly<Record<"late-prices" | "late-orders", () => Promise<number>>>;
  /** Undefined if there is no feed. */
  readonly feed?: (() => FeedState) | undefined;
  readonly disk: () => Promise<Pick<StatsFs, "bavail" | "blocks" | "bsize">>;
}

/** Notifies operators when an incident begins, and when a service is back. */
export function watchForIncidents(p: IncidentParts, tell: TellOperators, signal: AbortSignal): Promise<void> {
  const { store, outbox, clock } = p;
  const known = new Map<Incident, boolean>();
  let isFull = false;
  /** Monotonic. For a while afterwards nobody knows how long alerts have waited. */
  let steppedAt = Number.NEGATIVE_INFINITY;
  const ignoreSteps = clock.onStep(() => (steppedAt = clock.monotonic()));
  signal.addEventListener("abort", ignoreSteps, { once: true });

  /** Reports once, also across restarts. `service`: the one whose return is reported. */
  async function note(incident: Incident, isOn: boolean, service?: ServiceName): Promise<void> {
    if (known.get(incident) === isOn) return;
    await store.write(async (tx) => {
      const { [incident]: before, ...others } = await readSetting(tx, incidents);
      if (isOn === (before !== undefined)) return;
      const { since } = before ?? { since: clock.now() };
      await writeSetting(tx, incidents, isOn ? { ...others, [incident]: { since } } : others);
      if (isOn) return tell(tx, `${incident}-${since}`, { about: "incident", incident, since });
      if (service !== undefined) await tell(tx, `${service}-return-${since}`, { about: "return", service, since });
    });
    outbox.wake();
    known.set(incident, isOn);
  }

  const noteLate = (incident: Incident, milliseconds: number): Promise<void> =>
    note(incident, milliseconds > (known.get(incident) === true ? ON_TIME_MS : LATE_MS));

  async function look(): Promise<void> {
    const now = clock.monotonic();
    for (const health of p.services()) {
      const { service, failingSince, answeredAt, conflictedAt } = health;
      const isOn = isOut(health, now);
      const isKnown = isOn || (failingSince === undefined && answeredAt !== undefined);
      if (isKnown) await note(`${service}-outage`, isOn, service);
      if (conflictedAt === undefined) continue;
      await note("second-poller", clock.monotonic() - conflictedAt < CONFLICT_MS);
    }
    if (clock.monotonic() - steppedAt > LATE_MS) {
      await noteLate("late-alerts", (await outbox.waiting()).oldestMilliseconds);
      for (const incident of ["late-prices", "late-orders"] as const)
        await noteLate(incident, await p.overdue[incident]());
    }
    const refusedSince = await outbox.refusedSince();
    await note("refused-messages", refusedSince !== undefined && clock.now() - refusedSince >= REFUSED_MS);
    for (const { incident, isMismatch } of p.checks) {
      const isOn = isMismatch();
      if (isOn !== undefined) await note(incident, isOn);
    }
    if (p.feed !== undefined) {
      const { kind, since } = p.feed();
      await noteLate("silent-feed", kind === "live" ? 0 : clock.now() - since);
    }
    const { bavail, blocks, bsize } = await p.disk();
    const limit = Math.min((blocks * bsize) / FULL_PART, FULL_BYTES);
    isFull = bavail * bsize < (isFull ? limit * EMPTIED : limit);
    await note("full-disk", isFull);
  }

  return repeat(clock, LOOK_EVERY_MS, signal, look, (err) => p.log.error({ err }, "Incident check failed"));
}

const MAX_NAMED = 10;
const TELL_EVERY_MS = 1_000;
const GATHER_MS = 5_000;
const PAUSE_MS = 600_000;

/** Notifies operators of calls of unknown outcome: of several within a while at once. */
export function createWatchOfUnknowns({ store, outbox, clock, log }: IncidentParts, tell: TellOperators) {
  /** Monotonic. */
  let tellFrom = 0;
  const look = async (): Promise<void> => {
    const untold = await untoldUnknowns(store.db);
    const [newest, oldest] = [untold[0], untold.at(-1)];
    if (newest === undefined || oldest === undefined) return;
    // One from the future ended before the clock was set back.
    const isGathering = Math.abs(clock.now() - oldest.endedAt) < GATHER_MS;
    if (isGathering || clock.monotonic() < tellFrom) return;
    tellFrom = clock.monotonic() + PAUSE_MS;
    const owners = [...new Set(untold.map(({ owner }) => owner))].slice(0, MAX_NAMED);
    await store.write(async (tx) => {
      await tell(tx, `unknown-${newest.id}`, { about: "unknown", calls: untold.length, owners });
      await markTold(tx, newest.endedAt);
    });
    outbox.wake();
  };
  return (signal: AbortSignal) =>
    repeat(clock, TELL_EVERY_MS, signal, look, (err) => {
      if (!signal.aborted) log.error({ err }, "Operators could not be notified of unknown outcomes");
    });
}

/** Runs in the transaction that records the event. A waiting one with the same `id` is replaced. */
export type TellOperators = (tx: Transaction, id: string, event: OperatorEvent) => Promise<void>;

export function createOperatorNotifications({ clock, log }: Basics, operators: readonly number[]): TellOperators {
  return async (tx, id, event) => {
    log.warn({ event }, "Notifying operators");
    const notice = { id, what: { kind: "operator", event } } as const;
    for (const userId of operators) await enqueueNotice(tx, userId, notice, clock.now());
  };
}
