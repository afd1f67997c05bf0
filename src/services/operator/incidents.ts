import type { StatsFs } from "node:fs";
import * as z from "zod";
import type { Basics } from "../../loop.js";
import { repeat } from "../../clock.js";
import { isFault, type ServiceName } from "../../fault.js";
import { readSetting, setting, writeSetting, type Transaction, type StoreBasics } from "../../store/store.js";
import type { PeriodicCheck } from "../chain/checks.js";
import { isOut, type ServiceHealth } from "../base/health.js";
import { markTold, untoldUnknowns } from "../intent/queries.js";
import { enqueueNotice, noticeTopic, type Incident, type OperatorEvent } from "../telegram/outbox.js";
import type { Outbox } from "../telegram/outbox-sender.js";

const incidents = setting("incidents", z.record(z.string(), z.object({ since: z.number() })), {});

const LOOK_EVERY_MS = 2_000;
/** Conflicts over this long are another instance: for a moment, they are what a restart leaves behind. */
const CONFLICT_MS = 60_000;
/** Two running copies keep taking polls from each other: the last such answer counts for this long. */
const CONFLICTED_MS = 300_000;
const LATE_MS = 60_000;
/** Operators are told of news, an announcement or weeks that reach nobody for this long. */
const STUCK_MS = 300_000;
/** Operators are told of messages that Telegram has refused for this long. */
const REFUSED_MS = 4 * 3_600_000;
/** What was late is on time again once it is less late than this, so that it isn't reported repeatedly. */
const ON_TIME_MS = 30_000;
/** Operators are told of a limit that is taken so far, in percent, until it is less than the other. */
const [FULL_PERCENT, ROOMY_PERCENT] = [90, 80];
const COUNT_EVERY_MS = 60_000;
/** A disk is nearly full with less than 5 % free, or less than a gigabyte if that is smaller. */
const FULL_PART = 20;
const FULL_BYTES = 1_000_000_000;
/**
 * Multiple of the limit that must be free to end the incident, so that a value around the limit isn't reported
 * repeatedly.
 */
const EMPTIED = 1.5;

export interface IncidentParts extends StoreBasics {
  readonly operators: readonly number[];
  readonly outbox: Pick<Outbox, "flush" | "giveWay" | "refusedSince" | "stuckMilliseconds" | "waiting" | "wake">;
  readonly services: () => readonly ServiceHealth[];
  readonly checks: readonly (Pick<PeriodicCheck, "isMismatch"> & { readonly incident: Incident })[];
  /** For how many milliseconds the first of what is polled has been overdue. */
  readonly overdue: Readonly<Record<"late-prices" | "late-orders" | "late-blocks", () => Promise<number>>>;
  /** How much of a limit that all people share is taken, in percent. */
  readonly taken: Readonly<Record<"full-orders", () => Promise<number>>>;
  readonly disk: () => Promise<Pick<StatsFs, "bavail" | "blocks" | "bsize">>;
}

/** Tells of an incident and its end in one row, since it may go to and fro; of a full disk each time. */
const telling = (tell: TellOperators, incident: Incident, since: number) => (tx: Transaction, event: OperatorEvent) =>
  incident === "full-disk" ? tell(tx, `${incident}-${since}`, event) : tell(tx, incident, event, true);

function arePollsTaken({ from, last }: NonNullable<ServiceHealth["conflict"]>, now: number, were: boolean): boolean {
  return now - last < CONFLICTED_MS && (were || last - from >= CONFLICT_MS);
}

/** Notifies operators when an incident begins, and when a service is back. */
export function watchForIncidents(p: IncidentParts, tell: TellOperators, signal: AbortSignal): Promise<void> {
  const { store, outbox, clock } = p;
  const known = new Map<Incident, boolean>();
  let [isFull, isToldNow] = [false, false];
  let countFrom = Number.NEGATIVE_INFINITY;
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
      const told = telling(tell, incident, since);
      if (isOn) return told(tx, { about: "incident", incident, since });
      if (service !== undefined) await told(tx, { about: "return", service, since });
    });
    outbox.wake();
    known.set(incident, isOn);
  }

  const noteLate = (incident: Incident, milliseconds: number): Promise<void> =>
    note(incident, milliseconds > (known.get(incident) === true ? ON_TIME_MS : LATE_MS));

  /** A disk that is full can't hold the notice of it, and what fills it at once leaves no time: told without the disk. */
  async function noteDisk(): Promise<void> {
    const { bavail, blocks, bsize } = await p.disk();
    const limit = Math.min((blocks * bsize) / FULL_PART, FULL_BYTES);
    isFull = bavail * bsize < (isFull ? limit * EMPTIED : limit);
    try {
      await note("full-disk", isFull);
      isToldNow &&= isFull;
    } catch (error) {
      if (!isFull || !isFault(error, "store-write-failed")) throw error;
      if (isToldNow) return;
      isToldNow = true;
      await tellNow(p, "full-disk", { about: "incident", incident: "full-disk", since: clock.now() });
    }
  }

  async function noteTaken(): Promise<void> {
    if (clock.monotonic() < countFrom) return;
    countFrom = clock.monotonic() + COUNT_EVERY_MS;
    const percent = await p.taken["full-orders"]();
    await note("full-orders", percent >= (known.get("full-orders") === true ? ROOMY_PERCENT : FULL_PERCENT));
  }

  async function look(): Promise<void> {
    await noteDisk();
    await noteTaken();
    const now = clock.monotonic();
    for (const health of p.services()) {
      const { service, failingSince, answeredAt, conflict } = health;
      const isOn = isOut(health, now);
      const isKnown = isOn || (failingSince === undefined && answeredAt !== undefined);
      if (isKnown) await note(`${service}-outage`, isOn, service);
      const wasTaken = known.get("second-poller") === true;
      if (conflict !== undefined) await note("second-poller", arePollsTaken(conflict, now, wasTaken));
    }
    if (clock.monotonic() - steppedAt > LATE_MS) {
      await noteLate("late-alerts", (await outbox.waiting()).oldestMilliseconds);
      for (const incident of ["late-prices", "late-orders", "late-blocks"] as const)
        await noteLate(incident, await p.overdue[incident]());
    }
    await note("stuck-news", outbox.stuckMilliseconds() >= STUCK_MS);
    const refusedSince = await outbox.refusedSince();
    await note("refused-messages", refusedSince !== undefined && clock.now() - refusedSince >= REFUSED_MS);
    for (const { incident, isMismatch } of p.checks) {
      const isOn = isMismatch();
      if (isOn !== undefined) await note(incident, isOn);
    }
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

/** Runs in the transaction that records the event. A waiting one with the same `id` is replaced. `mayStorm`: as queued. */
export type TellOperators = (tx: Transaction, id: string, event: OperatorEvent, mayStorm?: boolean) => Promise<void>;

export function createOperatorNotifications({ clock, log }: Basics, operators: readonly number[]): TellOperators {
  return async (tx, id, event, mayStorm = false) => {
    log.warn({ event }, "Notifying operators");
    const notice = { id, what: { kind: "operator", event } } as const;
    for (const userId of operators) await enqueueNotice(tx, userId, notice, clock.now(), { mayStorm });
  };
}

/** Sends without writing anything before. */
async function tellNow({ operators, outbox, log }: IncidentParts, id: string, event: OperatorEvent): Promise<void> {
  log.warn({ event }, "Notifying operators at once");
  const keyOf = (userId: number) => ({ user_id: userId, topic: noticeTopic.name, subject: id });
  const telling = operators.map((userId) => outbox.flush(keyOf(userId), { kind: "operator", event }));
  for (const told of await Promise.allSettled(telling)) {
    if (told.status === "rejected") log.error({ err: told.reason as unknown }, "An operator was not told");
  }
}
