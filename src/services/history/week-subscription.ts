import { DAY_MS } from "../../clock.js";
import { createLoop } from "../../loop.js";
import type { Fault } from "../../fault.js";
import { dueFrom, type StoreBasics, type Transaction, unlessRowFails } from "../../store/store.js";
import { changePerson, type Person, personIn, setColumns } from "../person/person.js";
import { quietUntil } from "../person/quiet-hours.js";
import { sundayAfter, weekEnd, weeksAfter, type WeeklyChoice } from "../person/sunday.js";
import { enqueue, type Topic } from "../telegram/outbox.js";
import type { Outbox } from "../telegram/outbox-sender.js";
import type { Span, Week } from "./week-figures.js";

const WEEK = "week";
/** A week isn't told any more this long after its end, whether quiet hours or an outage kept it: then the next one is. */
const MAX_LATE_MS = DAY_MS;
/** A clock that ran up to a week ahead and was set back leaves the next Sunday so far away; a later one is a mistake. */
const MAX_SUNDAY_AHEAD_MS = 15 * DAY_MS;
/** Four people a second: a picture each, and less than half of what the outbox sends at its slowest. */
const NEXT_PERSON_MS = 250;

interface WeeklyParts extends StoreBasics {
  readonly outbox: Pick<Outbox, "giveWay" | "wake">;
  readonly noteError: (error: unknown) => void;
}

/** What is told on Sunday evenings, to those who chose it. */
export interface Weekly {
  readonly choose: (userId: number, isOn: boolean) => Promise<Person>;
  /** Runs until the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** Puts each person's week into the outbox when it has ended for them: a Sunday once, whatever clocks and zones do. */
export function createWeekly(parts: WeeklyParts): Weekly {
  const { store, clock, log, outbox } = parts;
  const way = outbox.giveWay();
  const people = store.db.selectFrom("users").select("id").orderBy("week_at");

  const loop = createLoop(parts, {
    name: "week",
    width: 1,
    ...dueFrom(people, "id", { column: "week_at", horizon: MAX_SUNDAY_AHEAD_MS }),
    run: async ({ id }, signal) => {
      while ((await way.room()) === 0) await clock.sleep(NEXT_PERSON_MS, signal);
      await store.write(async (tx) => {
        const now = clock.now();
        let fault: Fault | undefined;
        const work = () => tellWeek(tx, id, now);
        await unlessRowFails(`users/${id}`, work, (err) => (fault = err));
        if (fault === undefined) return;
        log.error({ userId: id, err: fault }, "A person's week can't be told: they are put aside for a day");
        await setColumns(tx, id, { week_at: now + DAY_MS });
        parts.noteError(fault);
      });
      way.moved(1);
      outbox.wake();
      await clock.sleep(NEXT_PERSON_MS, signal).catch(() => undefined);
    },
  });

  return {
    run: loop.run,
    choose: async (userId, isOn) => {
      const choose = (person: Person): Person => {
        const sunday = comingSunday(person, clock.now());
        return { ...person, weekly: isOn ? { sunday } : { sunday, isOff: true } };
      };
      const person = await store.write((tx) => changePerson(tx, userId, choose));
      loop.wake();
      return person;
    },
  };
}

/** The Sunday to tell next. One that was told, or left out, isn't told again. */
function comingSunday(person: Person, now: number): string {
  const [known = "", next] = [person.weekly?.sunday, sundayAfter(person, now)];
  return known > next && weekEnd(person, known) <= now + MAX_SUNDAY_AHEAD_MS ? known : next;
}

async function tellWeek(tx: Transaction, userId: number, now: number): Promise<void> {
  const person = await personIn(tx, userId);
  if (person.weekly === undefined) return;
  const { sunday } = person.weekly;
  const end = weekEnd(person, sunday);
  const put = (weekly: WeeklyChoice) => changePerson(tx, userId, (one) => ({ ...one, weekly }));
  // The clock was set back, or the person is in another zone now.
  if (end > now) return void (await put({ sunday: comingSunday(person, now) }));
  const isLate = end <= now - MAX_LATE_MS;
  const heldUntil = isLate ? undefined : quietUntil(person, now);
  if (heldUntil !== undefined) return void (await put({ sunday, heldUntil }));
  const isTold = !isLate && person.restingSince === undefined;
  if (isTold) await enqueue(tx, { user_id: userId, topic: WEEK, subject: sunday }, null, now);
  const [following, notLate] = [weeksAfter(sunday, 1), sundayAfter(person, now - MAX_LATE_MS)];
  await put({ sunday: following > notLate ? following : notLate });
}

/** Drawn when it is sent; without trades there is none. @param read reads somebody's week. */
export function weekTopic(
  now: () => number,
  read: (userId: number, span: Span) => Promise<Week | undefined>,
): Topic<Week> {
  return {
    name: WEEK,
    isOnce: true,
    render: async (_db, { userId, subject: sunday }, person) => {
      const to = weekEnd(person, sunday);
      if (to <= now() - MAX_LATE_MS || person.weekly?.isOff !== undefined) return undefined;
      const week = await read(userId, { from: weekEnd(person, weeksAfter(sunday, -1)), to });
      return week && { message: week, isMuted: quietUntil(person, now()) !== undefined };
    },
  };
}
