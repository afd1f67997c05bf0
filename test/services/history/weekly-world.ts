import { createWeekly, weekTopic } from "../../../src/services/history/week-subscription.js";
import type { Span, Week } from "../../../src/services/history/week-figures.js";
import { changePerson, newPerson, personIn, type Person, putPerson } from "../../../src/services/person/person.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { klv, silent } from "../samples.js";
import { outboxTo } from "../telegram/noticed.js";

export const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
/** A Friday. */
export const FRIDAY = Date.parse("2026-12-04T12:00:00Z");

/** Somebody traded in every week, unless it says otherwise. */
export interface Told {
  readonly userId: number;
  readonly at: number;
  readonly span: Span;
  readonly isSilent: boolean;
}

export function createWeeklyWorld(start = FRIDAY) {
  const clock = createVirtualClock(start);
  const disk = createMemoryDisk();
  const told: Told[] = [];
  const unread: unknown[] = [];
  const world = {
    clock,
    told,
    unread,
    /** Asked before a message is taken. */
    telegram: async (_userId: number): Promise<void> => undefined,
    readWeek: async (_userId: number, span: Span): Promise<Week | undefined> => ({
      ...span,
      countedIn: klv,
      trades: 1,
      unproven: 0,
      sales: 0,
      unknownSales: 0,
      gain: undefined,
      routes: 0,
      unknownRoutes: 0,
      unknownRoyalties: 0,
      tooOld: 0,
      saved: undefined,
    }),
    start: (run: string) => {
      const store = disk.open();
      const stopping = new AbortController();
      const deliver = async (userId: number, { from, to }: Week, { isSilent }: { readonly isSilent: boolean }) => {
        await world.telegram(userId);
        told.push({ userId, at: clock.now(), span: { from, to }, isSilent });
        return told.length;
      };
      const { outbox } = outboxTo<Week>({ store, clock, deliver, run });
      outbox.use([weekTopic(clock.now, (userId, span) => world.readWeek(userId, span))]);
      outbox.start();
      const noteError = (error: unknown) => void unread.push(error);
      const weekly = createWeekly({ outbox, noteError, store, clock, log: silent });
      void weekly.run(stopping.signal);
      return {
        store,
        outbox,
        weekly,
        person: (id: number) => personIn(store.db, id),
        put: (id: number, fields: Partial<Person> = {}) =>
          store.write((tx) => putPerson(tx, id, { ...newPerson(id), ...fields })),
        change: (id: number, fields: Partial<Person>) =>
          store.write((tx) => changePerson(tx, id, (before) => ({ ...before, ...fields }))),
        /** As after a SIGKILL. */
        kill: () => {
          store.kill();
          stopping.abort();
          void outbox.stop();
        },
        stop: async () => {
          stopping.abort();
          await outbox.stop();
        },
      };
    },
  };
  return world;
}

export type WeeklyProcess = ReturnType<ReturnType<typeof createWeeklyWorld>["start"]>;
