import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "../../clock.js";
import type { Notice } from "../outbox/notice.js";
import type { Person } from "../person/person.js";
import type { Transaction } from "../../store/queries.js";
import { readSetting, writeSetting, type Setting } from "../../store/settings.js";
import type { Database } from "../../store/store.js";
import { tellEach, type Topic } from "../outbox/outbox.js";
import { audience } from "./queries.js";

const SERVICE = "exchange";
const BEGINNING = { topic: "outage", subject: "beginning" };
const END = { topic: "outage", subject: "end" };

/** The outage that people are told of: when it began, and when they were to be told. */
const outage: Setting<{ readonly since: number; readonly toldAt: number } | null> = {
  name: "outage",
  schema: z.object({ since: z.number(), toldAt: z.number() }).nullable(),
  initial: null,
};

/** That the exchange can't be reached, while that holds, and that it is back. */
export function outageTopic<Message>(render: (what: Notice["what"], person: Person) => Message): Topic<Message> {
  return {
    name: BEGINNING.topic,
    render: async (db, { subject, payload }, person) => {
      const since = payload as number;
      const isOver = subject === BEGINNING.subject && (await readSetting(db, outage))?.since !== since;
      if (isOver) return undefined;
      const kind = subject === BEGINNING.subject ? "outage" : "return";
      return { message: render({ kind, service: SERVICE, since }, person), kind: "service" };
    },
  };
}

export interface Outage {
  /** Finds out what people were told last. */
  readonly start: () => Promise<void>;
  readonly succeeded: () => void;
  /** @param holdMilliseconds for how long it is known that nothing will succeed. */
  readonly failed: (holdMilliseconds?: number) => void;
  /** Ends when everything reported so far is written. */
  readonly settled: () => Promise<void>;
}

/**
 * Tells everyone who depends on the exchange once that it can't be reached, and once that it is back. What holds and whom it is
 * told are one transaction, so that a restart at any moment neither repeats nor forgets anything.
 */
export function createOutage(parts: {
  readonly store: Database;
  /** An outage shorter than this is reported to nobody. */
  readonly outageSeconds: number;
  readonly outbox: { readonly wake: () => void };
  readonly clock: Clock;
  readonly log: Logger;
}): Outage {
  const { store, clock, log } = parts;
  let failing: { readonly since: number; readonly from: number } | undefined;
  let isDown = false;
  let work: Promise<void> = Promise.resolve();

  /** One after another, in the background: nobody who asks for an order waits for it. */
  function inTurn(step: (tx: Transaction) => Promise<void>): void {
    work = work
      .then(() => store.write(step))
      .then(parts.outbox.wake)
      .catch((error: unknown) => {
        log.error({ service: SERVICE, err: error }, "People could not be told of an outage");
        // The next failure or success tries again.
        isDown = !isDown;
      });
  }

  async function begin(tx: Transaction, since: number): Promise<void> {
    const toldAt = clock.now();
    await writeSetting(tx, outage, { since, toldAt });
    await tellEach(tx, audience(tx), BEGINNING, since, toldAt);
    log.warn({ service: SERVICE, since: new Date(since) }, "People are told of an outage");
  }

  /** Only those are told of the end who were told of the beginning, and still depend on the service. */
  async function end(tx: Transaction): Promise<void> {
    const last = await readSetting(tx, outage);
    if (last === null) return;
    await writeSetting(tx, outage, null);
    const told = audience(tx)
      .where("since", "<=", last.toldAt)
      .where((watch) =>
        watch.not(
          watch.exists(
            watch
              .selectFrom("outbox")
              .select("outbox.user_id")
              .whereRef("outbox.user_id", "=", "watches.user_id")
              .where((row) => row.and(BEGINNING)),
          ),
        ),
      );
    await tellEach(tx, told, END, last.since, clock.now());
    log.warn({ service: SERVICE, since: new Date(last.since) }, "People are told that an outage is over");
  }

  return {
    start: async () => {
      isDown = (await readSetting(store.db, outage)) !== null;
    },
    succeeded: () => {
      failing = undefined;
      if (!isDown) return;
      isDown = false;
      inTurn(end);
    },
    failed: (holdMilliseconds = 0) => {
      failing ??= { since: clock.now(), from: clock.monotonic() };
      const { since, from } = failing;
      const isLong = clock.monotonic() + holdMilliseconds - from >= parts.outageSeconds * 1000;
      if (isDown || !isLong) return;
      isDown = true;
      inTurn((tx) => begin(tx, since));
    },
    settled: () => work,
  };
}
