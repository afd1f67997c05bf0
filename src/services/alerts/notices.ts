import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import type { AlertKind } from "../../model/alert-control.js";
import type { Notice } from "../../model/notice.js";
import { people, type Person } from "../../model/person.js";
import type { Store } from "../../store/store.js";
import { changePerson, openPeople } from "../people.js";
import type { Alerts } from "./alerts.js";
import { describeError } from "../telegram-errors.js";

/** What is told to one person alone. It waits in the person's document. */
export interface Notices {
  /** Takes up what waits in people's documents. */
  readonly start: () => Promise<void>;
  /** Sends a person a test alert, the same way as all others. However often it is asked for, one waits. */
  readonly test: (userId: number) => Promise<void>;
  /** To be called after {@link withNotice} was written: tells it in its turn. */
  readonly noticed: (userId: number) => void;
}

export function createNotices<Message>(parts: {
  readonly store: Store;
  readonly alerts: Pick<Alerts<Message>, "add">;
  readonly clock: Clock;
  readonly log: Logger;
  /** Names this run of the program. */
  readonly run: string;
  readonly render: (notice: Notice, person: Person) => Message;
}): Notices {
  const { store, log } = parts;
  const offer = parts.alerts.add({
    name: "notices",
    keysOf: ({ outbox = [] }) => (outbox.length === 0 ? [] : [""]),
    due: (userId, person) => {
      const notice = person.outbox?.[0];
      if (notice === undefined) return undefined;
      return {
        message: parts.render(notice, person),
        kind: kindOf(notice),
        isLast: true,
        ...(notice.what.kind === "broadcast" && { mayLeave: () => begin(userId, notice.id) }),
        noteAsTold: async () => {
          const left = await changePerson(store, userId, (now) => withoutNotice(now, notice.id));
          if (left.outbox !== undefined) noticed(userId);
        },
      };
    },
  });
  const noticed = (userId: number): void => offer(userId, "");

  /** Notes that this run sends a notice; false when an earlier run did, and died over it. */
  const begin = (userId: number, id: string): Promise<boolean> =>
    store.update(people, String(userId), (person) => {
      const { outbox = [] } = person;
      const by = outbox.find((notice) => notice.id === id)?.begunBy ?? parts.run;
      const begun = outbox.map((notice) => (notice.id === id ? { ...notice, begunBy: by } : notice));
      return [{ ...person, outbox: begun }, by === parts.run];
    });

  return {
    start: async () => {
      const unreadable = (error: unknown, id: string) =>
        log.error({ userId: id, reason: describeError(error) }, "A person's notices could not be read");
      for await (const [userId, { outbox }] of openPeople(store, unreadable)) {
        if (outbox !== undefined) noticed(userId);
      }
    },
    test: async (userId) => {
      const notice = { id: "test", at: parts.clock.now(), what: { kind: "test" } } as const;
      await changePerson(store, userId, (person) => withNotice(person, notice));
      noticed(userId);
    },
    noticed,
  };
}

/** Which switch of the person's settings a notice obeys; what they asked for themselves always comes. */
function kindOf({ what }: Notice): AlertKind | undefined {
  return what.kind === "outage" || what.kind === "return" ? "service" : undefined;
}

/** The person with one more notice waiting. */
export function withNotice(person: Person, notice: Notice): Person {
  const waiting = person.outbox ?? [];
  return waiting.some(({ id }) => id === notice.id) ? person : { ...person, outbox: [...waiting, notice] };
}

/** The person without one notice; the same when it does not wait. */
export function withoutNotice(person: Person, id: string): Person {
  const { outbox = [], ...rest } = person;
  const left = outbox.filter((notice) => notice.id !== id);
  if (left.length === outbox.length) return person;
  return left.length === 0 ? rest : { ...rest, outbox: left };
}
