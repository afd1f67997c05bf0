import { isDeepStrictEqual } from "node:util";
import { DAY_MS } from "../../clock.js";
import type { Config } from "../../config.js";
import type { Fault } from "../../fault.js";
import { createLoop, type LoopRunner } from "../../loop.js";
import { createMoves } from "../base/moves.js";
import type { OwnWrites } from "../person/own-writes.js";
import { changePerson, inEffect, personIn, type Later, type Person } from "../person/person.js";
import { dueFrom, type Reader, type StoreBasics, type Transaction, unlessUnreadable } from "../../store/store.js";
import { hasOpenCalls } from "../intent/queries.js";
import { hasUntold } from "../intent/change.js";
import { forget } from "./forget.js";
import { enqueueNotice } from "../telegram/outbox.js";
import type { Outbox } from "../telegram/outbox-sender.js";

const MAX_CONCURRENT = 10;
const LOOK_EVERY_MS = 2_000;
/** How long forgetting a user is delayed at most so that they can be notified of how their calls ended. */
const TELLING_MS = DAY_MS;

type DelayConfig = Pick<Config, "guardDelaySeconds">;

/** Milliseconds until a change takes effect. Forgetting removes limits, so it does no sooner than raising one. */
export function delayOf(guard: Later["guard"], { limits = {} }: Pick<Person, "limits">, config: DelayConfig): number {
  const least = guard === "forget" && Object.keys(limits).length > 0 ? DAY_MS : 0;
  return Math.max(config.guardDelaySeconds * 1000, least);
}

interface DelayParts extends StoreBasics {
  readonly settings: DelayConfig;
  readonly outbox: Pick<Outbox, "wake">;
  readonly ownWrites: Pick<OwnWrites, "end">;
  /** Called after a new wallet address, or before the user is forgotten. */
  readonly closeCards: (userId: number) => Promise<unknown>;
  /** Called after changes of a user have taken effect. */
  readonly onInEffect: (userId: number) => Promise<unknown>;
  /** `person`: the record before it was deleted. */
  readonly tellForgotten: (userId: number, person: Person) => Promise<unknown>;
}

/** Sets when each change that waits takes effect. @param at is told when it would, and its whole delay. */
function withTimes(person: Person, config: DelayConfig, at: (from: number, delay: number) => number): Person {
  const later = person.later?.map((one) => ({ ...one, from: at(one.from, delayOf(one.guard, person, config)) }));
  const entries = Object.entries(person.limits ?? {}).map(([id, limit]) => {
    const raise = limit.later;
    return [id, raise === undefined ? limit : { ...limit, later: { ...raise, from: at(raise.from, DAY_MS) } }] as const;
  });
  return { ...person, ...(later && { later }), ...(person.limits && { limits: Object.fromEntries(entries) }) };
}

/**
 * Moves what waits along with the clock, which was set ahead by `step` milliseconds. What was scheduled before it was
 * set back unnoticed waits for no longer than the whole delay from now.
 */
function moved(person: Person, step: number, now: number, config: DelayConfig): Person {
  const next = withTimes(person, config, (from, delay) => {
    const isOver = from <= now && from <= now - step;
    return isOver ? from : Math.min(from + step, now + delay);
  });
  return isDeepStrictEqual(next, person) ? person : next;
}

/** What lifts a guard waits its whole delay from now: the data was restored, and its owner may have taken it back since. */
export function waitingAgain(person: Person, now: number, config: DelayConfig): Person {
  return withTimes(person, config, (_from, delay) => now + delay);
}

/** Matches the limits of a person who raised one. */
const RAISED = '%"later"%';

/** Those for whom something waits. */
export async function peopleWaiting(db: Reader): Promise<readonly number[]> {
  const people = db.selectFrom("users").select("id");
  const rows = people.where((row) => row.or([row("later_at", "is not", null), row("limits", "like", RAISED)]));
  return (await rows.execute()).map(({ id }) => id);
}

/** Moves everybody's pending changes. */
async function moveAll({ clock, log, settings }: DelayParts, tx: Transaction, step: number): Promise<void> {
  for (const id of await peopleWaiting(tx)) {
    const onFault = (err: Fault) => log.error({ userId: id, err }, "Pending change unreadable; not moved");
    const move = (person: Person) => moved(person, step, clock.now(), settings);
    await unlessUnreadable(() => changePerson(tx, id, move), onFault);
  }
}

/** Puts what waits, since it removes a guard, into effect when its time has come. */
export interface Delays {
  /** Runs until the signal is aborted. Errors are logged, and tried again. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Call it when a change is pending; one without delay is in effect afterwards. @throws Fault `store-…` */
  readonly note: (userId: number) => Promise<void>;
}

/**
 * Applies delayed changes when they are due, and notifies the user. The guard holds until then: a delay is time that
 * passes, so when the clock is set, what waits is moved with it.
 */
export function createDelays(parts: DelayParts): Delays {
  const { store, clock, log, settings } = parts;
  const { db } = store;
  // Until they have moved, nothing takes effect: it may have to wait longer.
  const moves = createMoves({
    ...parts,
    what: "delays",
    move: (tx, step) => moveAll(parts, tx, step),
    wake: () => loop.wake(),
  });

  const loop: LoopRunner = createLoop(parts, {
    name: "delays",
    width: MAX_CONCURRENT,
    ...dueFrom(db.selectFrom("users").select("id").orderBy("later_at"), "id", {
      column: "later_at",
      horizon: Math.max(settings.guardDelaySeconds * 1000, DAY_MS),
    }),
    run: async ({ id }, signal) => {
      const isOver = await lookAt(id);
      if (!isOver) await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
    },
  });

  const dueOf = ({ later = [] }: Person) => later.filter(({ from }) => from <= clock.now());
  const toForget = (person: Person) => dueOf(person).find(({ guard }) => guard === "forget");

  /** @returns false while the user still has to be forgotten, once their calls have ended. */
  async function lookAt(userId: number): Promise<boolean> {
    await moves.settled();
    const done = await store.write(async (tx) => {
      await changePerson(tx, userId, (person) => moved(person, 0, clock.now(), settings));
      const due = dueOf(await personIn(tx, userId)).filter((one) => one.guard !== "forget");
      for (const change of due) {
        await changePerson(tx, userId, (person) => inEffect(person, change, clock.now()));
        const id = `in-effect-${change.guard}-${change.from}`;
        await enqueueNotice(tx, userId, { id, what: { kind: "in-effect", change } }, clock.now());
      }
      return due;
    });
    parts.outbox.wake();
    if (done.some(({ guard }) => guard === "wallet")) await parts.closeCards(userId);
    if (done.length > 0) await parts.onInEffect(userId);
    const person = await personIn(db, userId);
    if (toForget(person) === undefined) return true;
    const mayGo = async (reader: Reader, now: Person): Promise<boolean> => {
      const asked = toForget(now);
      if (asked === undefined || (await hasOpenCalls(reader, userId))) return false;
      return clock.now() - asked.from > TELLING_MS || !(await hasUntold(reader, userId));
    };
    if (!(await mayGo(db, person))) return false;
    await parts.closeCards(userId);
    const outcome = await forget(store, userId, clock.now(), { mayGo, endWork: parts.ownWrites.end });
    if (outcome === "forgotten") await parts.tellForgotten(userId, person);
    return outcome !== "waits";
  }

  return {
    run: async (signal: AbortSignal): Promise<void> => {
      const endMoves = moves.begin(signal, 0);
      await loop.run(signal);
      endMoves();
    },
    note: async (userId: number) => {
      await lookAt(userId).catch((err: unknown) => log.error({ userId, err }, "Pending change not applied yet"));
      loop.wake();
    },
  };
}
