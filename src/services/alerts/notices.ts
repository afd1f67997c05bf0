import type { AlertKind } from "../../model/alert-control.js";
import type { Notice } from "../../model/notice.js";
import { people, type Person } from "../../model/person.js";
import type { Store } from "../../store/store.js";
import type { CommonParts } from "../common-parts.js";
import { changePerson, openPeople } from "../people.js";
import type { AddSource } from "./alerts.js";

/** Changes a person's document, and has the notices told that it puts into it; whether it changed anything. */
export type Notify = (userId: number, change: (person: Person) => Person) => Promise<boolean>;

/** @param noticed hears of each person for whom a notice waits. */
export function createNotify(store: Store, noticed: (userId: number) => void): Notify {
  return async (userId, change) => {
    const [before, after] = await store.update(people, String(userId), (person) => {
      const next = change(person);
      return [next, [person, next]];
    });
    if (after !== before && after.outbox !== undefined) noticed(userId);
    return after !== before;
  };
}

/** What is told to one person alone. It waits in the person's document. */
export type Notices = ReturnType<typeof createNotices>;

export function createNotices<Message>(
  parts: CommonParts & {
    readonly alerts: { readonly add: AddSource<Message> };
    /** Names this run of the program. */
    readonly run: string;
    readonly render: (notice: Notice, person: Person) => Message;
  },
) {
  const { store } = parts;
  const offer = parts.alerts.add({
    name: "notices",
    keysOf: (_userId, { outbox = [] }) => (outbox.length === 0 ? [] : [""]),
    due: (userId, person) => {
      const notice = person.outbox?.[0];
      if (notice === undefined) return undefined;
      return {
        message: parts.render(notice, person),
        kind: kindOf(notice),
        isLast: true,
        ...(notice.what.kind === "broadcast" && { mayLeave: () => begin(userId, notice.id) }),
        noteAsTold: () => notify(userId, (now) => withoutNotice(now, notice.id)),
      };
    },
  });
  const noticed = (userId: number): void => offer(userId, "");
  const notify = createNotify(store, noticed);

  /** Notes that this run sends a notice; false when an earlier run did, and died over it. */
  const begin = async (userId: number, id: string): Promise<boolean> => {
    const begun = (notice: Notice) => (notice.id === id ? { begunBy: parts.run, ...notice } : notice);
    const { outbox = [] } = await changePerson(store, userId, (person) => ({
      ...person,
      outbox: (person.outbox ?? []).map(begun),
    }));
    return outbox.every((notice) => notice.id !== id || notice.begunBy === parts.run);
  };

  return {
    /** Takes up what waits in people's documents. */
    start: async (): Promise<void> => {
      for await (const [userId, { outbox }] of openPeople(parts)) {
        if (outbox !== undefined) noticed(userId);
      }
    },
    notify,
    /** Sends a person a test alert, the same way as all others. However often it is asked for, one waits. */
    test: (userId: number): Promise<boolean> =>
      notify(userId, (person) => withNotice(person, { id: "test", what: { kind: "test" } })),
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
