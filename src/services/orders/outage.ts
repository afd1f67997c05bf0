import type { Notice } from "../../model/notice.js";
import type { Person } from "../../model/person.js";
import { collectionOf } from "../../store/defaults.js";
import { withNotice, withoutNotice, type Notify } from "../alerts/notices.js";
import type { CommonParts } from "../common-parts.js";

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
const SERVICE = "exchange";

/**
 * Tells everyone who depends on the exchange once that it can't be reached, and once that it is back. Who is told is written
 * down first, and each person's document remembers the outage together with its notice, so that a restart at any moment
 * neither repeats nor forgets anything.
 */
export function createOutage(
  parts: CommonParts & {
    /** An outage shorter than this is reported to nobody. */
    readonly outageSeconds: number;
    /** Whoever depends on the service now. */
    readonly audience: () => Promise<readonly number[]>;
    readonly notify: Notify;
  },
) {
  const { store, clock, log } = parts;
  const read = async () => (await store.read(health, SERVICE)) ?? fine;
  const write = (next: Health) => store.update(health, SERVICE, () => [next, undefined]);
  let failing: { readonly since: number; readonly from: number } | undefined;
  let isDown = false;
  let work: Promise<void> = Promise.resolve();

  /** One after another, in the background: nobody who asks for an order waits for it. */
  function tellInTurn(news: () => Health | Promise<Health>): void {
    work = work
      .then(news)
      .then(tell)
      .catch((error: unknown) => {
        log.error({ service: SERVICE, reason: error }, "People could not be told of an outage");
        // The next failure or success tries again.
        isDown = !isDown;
      });
  }

  async function tell(news: Health): Promise<void> {
    await write(news);
    const { phase, since, told } = news;
    log.warn({ service: SERVICE, phase, since: new Date(since), people: told.length }, "People are told of an outage");
    const change = phase === "down" ? withOutage : withReturn;
    for (const userId of told) await parts.notify(userId, (person) => change(person, since));
    if (phase === "up") await write(fine);
  }

  return {
    /** Finishes what a stop of the process interrupted. */
    start: async (): Promise<void> => {
      const last = await read();
      isDown = last.phase === "down";
      if (last.phase !== "fine") tellInTurn(() => last);
      await work;
    },
    succeeded: (): void => {
      failing = undefined;
      if (!isDown) return;
      isDown = false;
      tellInTurn(async () => ({ ...(await read()), phase: "up" }));
    },
    /** @param holdMilliseconds for how long it is known that nothing will succeed. */
    failed: (holdMilliseconds = 0): void => {
      failing ??= { since: clock.now(), from: clock.monotonic() };
      const { since, from } = failing;
      const isLong = clock.monotonic() + holdMilliseconds - from >= parts.outageSeconds * 1000;
      if (isDown || !isLong) return;
      isDown = true;
      tellInTurn(async () => ({ version: 1, phase: "down", since, told: await parts.audience() }));
    },
    /** Ends when everything reported so far is written. */
    settled: (): Promise<void> => work,
  };
}

function withOutage(person: Person, since: number): Person {
  if (person.outages?.[SERVICE] === since) return person;
  return withNotice({ ...person, outages: { ...person.outages, [SERVICE]: since } }, noticeOf("outage", since));
}

/** An outage that nobody was told of yet is dropped, and so is its end. */
function withReturn(person: Person, since: number): Person {
  if (person.outages?.[SERVICE] !== since) return person;
  const { [SERVICE]: _over, ...outages } = person.outages;
  const untold = withoutNotice(person, noticeOf("outage", since).id);
  return untold === person ? withNotice({ ...person, outages }, noticeOf("return", since)) : { ...untold, outages };
}

function noticeOf(kind: "outage" | "return", since: number): Notice {
  return { id: `${kind}-${SERVICE}-${since}`, what: { kind, service: SERVICE, since } };
}
