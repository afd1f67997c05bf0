import { createLoop } from "../../loop.js";
import { changePerson, inEffect, personIn, type Person } from "../person/person.js";
import { dueFrom, type Reader, type StoreBasics } from "../../store/store.js";
import { hasOpenCalls } from "../intent/queries.js";
import { hasUntold } from "../intent/change.js";
import { forget } from "../operator/forget.js";
import { tellNotice } from "../outbox/outbox.js";
import type { Outbox } from "../outbox/sender.js";

const WIDTH = 10;
const LOOK_EVERY_MS = 2_000;
/** How long forgetting a user is delayed at most so that they can be notified of how their calls ended. */
const TELLING_MS = 86_400_000;

interface DelayParts extends StoreBasics {
  readonly outbox: Pick<Outbox, "wake">;
  /** Called after a new wallet address, or before the user is forgotten. */
  readonly closeCards: (userId: number) => Promise<unknown>;
  /** `person`: the record before it was deleted. */
  readonly tellForgotten: (userId: number, person: Person) => Promise<unknown>;
}

export type Delays = ReturnType<typeof createDelays>;

/** Applies delayed changes when they are due, and notifies the user. The guard holds until then. */
export function createDelays(parts: DelayParts) {
  const { store, clock, log } = parts;
  const { db } = store;

  const loop = createLoop(parts, {
    name: "delays",
    width: WIDTH,
    ...dueFrom(db.selectFrom("users").select("id").orderBy("later_at"), "id", { column: "later_at" }),
    run: async ({ id }, signal) => {
      const isOver = await lookAt(id);
      if (!isOver) await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
    },
  });

  const dueOf = ({ later = [] }: Person) => later.filter(({ from }) => from <= clock.now());
  const toForget = (person: Person) => dueOf(person).find(({ guard }) => guard === "forget");

  /** @returns false while the user still has to be forgotten, once their calls have ended. */
  async function lookAt(userId: number): Promise<boolean> {
    const done = await store.write(async (tx) => {
      const due = dueOf(await personIn(tx, userId)).filter((one) => one.guard !== "forget");
      for (const change of due) {
        await changePerson(tx, userId, (person) => inEffect(person, change, clock.now()));
        const id = `in-effect-${change.guard}-${change.from}`;
        await tellNotice(tx, userId, { id, what: { kind: "in-effect", change } }, clock.now());
      }
      return due;
    });
    parts.outbox.wake();
    if (done.some(({ guard }) => guard === "wallet")) await parts.closeCards(userId);
    const person = await personIn(db, userId);
    if (toForget(person) === undefined) return true;
    const mayGo = async (reader: Reader, now: Person): Promise<boolean> => {
      const asked = toForget(now);
      if (asked === undefined || (await hasOpenCalls(reader, userId))) return false;
      return clock.now() - asked.from > TELLING_MS || !(await hasUntold(reader, userId));
    };
    if (!(await mayGo(db, person))) return false;
    await parts.closeCards(userId);
    const outcome = await forget(store, userId, clock.now(), mayGo);
    if (outcome === "forgotten") await parts.tellForgotten(userId, person);
    return outcome !== "waits";
  }

  return {
    /** Runs until the signal is aborted. */
    run: loop.run,
    /** Call it when a change is pending; one without delay is in effect afterwards. */
    note: async (userId: number) => {
      await lookAt(userId).catch((err: unknown) => log.error({ userId, err }, "Pending change not applied yet"));
      loop.wake();
    },
  };
}
