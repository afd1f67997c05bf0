import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import type { ServiceName } from "../../fault.js";
import type { Notice } from "../../model/notice.js";
import { people, type Person } from "../../model/person.js";
import { collectionOf } from "../../store/defaults.js";
import type { Store } from "../../store/store.js";
import { withNotice, withoutNotice } from "../alerts/notices.js";
import { describeError } from "../telegram-errors.js";

/** What people were told about a service that can't be reached (the document's id is the service's name). */
interface Health {
  readonly version: 1;
  /** `down`: being told of, or told of, the outage. `up`: the same people are being told that it is over. */
  readonly phase: "fine" | "down" | "up";
  /** When it began, in milliseconds since 1970. */
  readonly since: number;
  readonly told: readonly number[];
}

const fine: Health = { version: 1, phase: "fine", since: 0, told: [] };

export const health = collectionOf("health", fine);

export interface Outage {
  /** Finishes what a stop of the process interrupted. */
  readonly start: () => Promise<void>;
  readonly succeeded: () => void;
  /** @param holdMilliseconds for how long it is known that nothing will succeed. */
  readonly failed: (holdMilliseconds?: number) => void;
  /** Ends when everything reported so far is written. */
  readonly settled: () => Promise<void>;
}

export interface OutageParts {
  readonly service: ServiceName;
  /** An outage shorter than this is reported to nobody. */
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
  let failing: { readonly since: number; readonly from: number } | undefined;
  let isDown = false;
  let work: Promise<void> = Promise.resolve();

  /** One after another, in the background: nobody who asks for an order waits for it. */
  function inTurn(task: () => Promise<void>): void {
    work = work.then(task).catch((error: unknown) => {
      log.error({ service, reason: describeError(error) }, "People could not be told of an outage");
      // The next failure or success tries again.
      isDown = !isDown;
    });
  }

  async function tell(news: Health): Promise<void> {
    await write(news);
    log.warn(
      { service, phase: news.phase, since: new Date(news.since), people: news.told.length },
      "telling of an outage",
    );
    for (const userId of news.told) {
      const isNew = await store.update(people, String(userId), (person) => {
        const next = news.phase === "down" ? withOutage(person, news.since) : withReturn(person, news.since);
        return [next, next !== person];
      });
      if (isNew) parts.noticed(userId);
    }
    if (news.phase === "up") await write(fine);
  }

  function withOutage(person: Person, since: number): Person {
    if (person.outages?.[service] === since) return person;
    return withNotice({ ...person, outages: { ...person.outages, [service]: since } }, notice("outage", since));
  }

  /** An outage that nobody was told of yet is dropped, and so is its end. */
  function withReturn(person: Person, since: number): Person {
    if (person.outages?.[service] !== since) return person;
    const { [service]: _over, ...outages } = person.outages;
    const untold = withoutNotice(person, notice("outage", since).id);
    return untold === person ? withNotice({ ...person, outages }, notice("return", since)) : { ...untold, outages };
  }

  function notice(kind: "outage" | "return", since: number): Notice {
    return { id: `${kind}-${service}-${since}`, at: clock.now(), what: { kind, service, since } };
  }

  function write(next: Health): Promise<void> {
    return store.update(health, service, () => [next, undefined]);
  }

  return {
    start: async () => {
      const last = (await store.read(health, service)) ?? fine;
      isDown = last.phase === "down";
      if (last.phase !== "fine") inTurn(() => tell(last));
      await work;
    },
    succeeded: () => {
      failing = undefined;
      if (!isDown) return;
      isDown = false;
      inTurn(async () => tell({ ...((await store.read(health, service)) ?? fine), phase: "up" }));
    },
    failed: (holdMilliseconds = 0) => {
      failing ??= { since: clock.now(), from: clock.monotonic() };
      const { since, from } = failing;
      if (isDown || clock.monotonic() + holdMilliseconds - from < parts.seconds * 1000) return;
      isDown = true;
      inTurn(async () => tell({ version: 1, phase: "down", since, told: await parts.audience() }));
    },
    settled: () => work,
  };
}
