import { z } from "zod";
import type { Notice } from "../outbox/notice.js";
import type { Person } from "../person/person.js";
import type { Transaction } from "../../store/queries.js";
import { readSetting, writeSetting, type Setting } from "../../store/settings.js";
import { tellEach, type Topic } from "../outbox/outbox.js";
import { audience } from "./queries.js";

const SERVICE = "exchange";
const BEGINNING = { topic: "outage", subject: "beginning" };
const END = { topic: "outage", subject: "end" };

const outage: Setting<{ readonly since: number; readonly toldAt: number } | null> = {
  name: "outage",
  schema: z.object({ since: z.number(), toldAt: z.number() }).nullable(),
  initial: null,
};

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

/** Undefined while it answers. */
export type Failing = { readonly since: number; readonly isLong: boolean } | undefined;

/** Tells every watcher once at the beginning and once at the end. @returns whether it does. */
export async function tellOfOutage(tx: Transaction, failing: Failing, now: number): Promise<boolean> {
  const last = await readSetting(tx, outage);
  if (failing?.isLong === true && last === null) {
    await writeSetting(tx, outage, { since: failing.since, toldAt: now });
    await tellEach(tx, audience(tx), BEGINNING, failing.since, now);
    return true;
  }
  if (failing !== undefined || last === null) return false;
  await writeSetting(tx, outage, null);
  // Only those who were told of the beginning, and still watch something.
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
  await tellEach(tx, told, END, last.since, now);
  return true;
}
