import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import type { ServiceName } from "../../fault.js";
import type { Collection, Store } from "../../store/store.js";
import { overDefaults } from "../../store/defaults.js";
import { describeFailure } from "../alerts/telegram-failure.js";
import { withNotice } from "../alerts/notice.js";
import type { Notice } from "../../model/notice.js";
import { people, type Person } from "../../model/person.js";

/** What people were told about a service that can't be reached (the document's id is the service's name). */
interface Health {
  readonly version: 1;
  /** `down`: being told of, or told of, the outage. `up`: the same people are being told that it is over. */
  readonly phase: "fine" | "down" | "up";
  /** Since when, in milliseconds since 1970. */
  readonly since: number;
  readonly told: readonly number[];
}

const fine: Health = { version: 1, phase: "fine", since: 0, told: [] };

export const health: Collection<Health> = {
  name: "health",
  create: () => fine,
  parse: (stored) => overDefaults<Health>(fine, stored),
};

export interface Outage {
  /** Finishes what a stop of the process interrupted. */
  readonly start: () => Promise<void>;
  readonly succeeded: () => void;
  readonly failed: () => void;
  /** Ends when everything told so far is written. */
  readonly settled: () => Promise<void>;
}

export interface OutageParts {
  readonly service: ServiceName;
  /** An outage shorter than this is nobody's business. */
  readonly seconds: number;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whoever depends on the service now. */
  readonly audience: () => Promise<readonly number[]>;
  /** Hears of each person for whom a notice waits. */
  readonly noticed: (userId: number) => void;
}

/**
 * Tells everyone who depends on a service once that it can't be reached, and once that it is back. Who is told is written
 * down first, and each person's document remembers the outage together with its notice, so that a restart at any moment
 * neither repeats nor forgets anything.
 */
export function createOutage(parts: OutageParts): Outage {
  const { service, store, clock, log } = parts;
  let failingSince: number | undefined;
  let phase: Health["phase"] = "fine";
  let work: Promise<void> = Promise.resolve();

  /** One after the other, and in the background: nobody who asks an order waits for it. */
  function inTurn(task: () => Promise<void>): void {
    work = work.then(task).catch((error: unknown) => {
      log.error({ service, reason: describeFailure(error) }, "an outage was not told");
      // The next failure or success tries again.
      phase = phase === "down" ? "fine" : "down";
    });
  }

  async function tellOutage(since: number): Promise<void> {
    const told = await parts.audience();
    await write({ version: 1, phase: "down", since, told });
    log.warn({ service, since: new Date(since), people: told.length }, "people are told of an outage");
    await tellDown(since, told);
  }

  async function tellDown(since: number, told: readonly number[]): Promise<void> {
    for (const userId of told) {
      await tell(userId, (person) =>
        person.outages?.[service] === since
          ? person
          : withNotice(
              { ...person, outages: { ...person.outages, [service]: since } },
              notice({ kind: "outage", service, since }),
            ),
      );
    }
  }

  async function tellReturn(): Promise<void> {
    const { since, told } = (await store.read(health, service)) ?? fine;
    await write({ version: 1, phase: "up", since, told });
    for (const userId of told) {
      await tell(userId, (person) => {
        if (person.outages?.[service] !== since) return person;
        const { [service]: _over, ...outages } = person.outages;
        return withNotice({ ...person, outages }, notice({ kind: "return", service, since }));
      });
    }
    await write(fine);
  }

  async function tell(userId: number, change: (person: Person) => Person): Promise<void> {
    const isNew = await store.update(people, String(userId), (person) => {
      const next = change(person);
      return [next, next !== person];
    });
    if (isNew) parts.noticed(userId);
  }

  function notice(what: Extract<Notice["what"], { kind: "outage" | "return" }>): Notice {
    return { id: `${what.kind}-${what.service}-${what.since}`, at: clock.now(), what };
  }

  function write(next: Health): Promise<void> {
    return store.update(health, service, () => [next, undefined]);
  }

  return {
    start: async () => {
      const { phase: before, since, told } = (await store.read(health, service)) ?? fine;
      phase = before === "down" ? "down" : "fine";
      if (before === "down") inTurn(() => tellDown(since, told));
      if (before === "up") inTurn(tellReturn);
      await work;
    },
    succeeded: () => {
      failingSince = undefined;
      if (phase !== "down") return;
      phase = "fine";
      inTurn(tellReturn);
    },
    failed: () => {
      const now = clock.now();
      failingSince ??= now;
      const since = failingSince;
      if (phase === "down" || now - since < parts.seconds * 1000) return;
      phase = "down";
      inTurn(() => tellOutage(since));
    },
    settled: () => work,
  };
}
