import type { Store } from "../../store/store.js";
import type { Notice } from "../../model/notice.js";
import { people, type Person } from "../../model/person.js";
import type { AlertKind } from "../../model/alert-control.js";

/** Which switch of the person's settings a notice obeys; what they asked for themselves always comes. */
export function kindOfNotice(notice: Notice): AlertKind | undefined {
  return notice.what.kind === "outage" || notice.what.kind === "return" ? "service" : undefined;
}

/** The person with one more notice waiting. */
export function withNotice(person: Person, notice: Notice): Person {
  const waiting = person.outbox ?? [];
  return waiting.some(({ id }) => id === notice.id) ? person : { ...person, outbox: [...waiting, notice] };
}

/** The person after a notice was told. */
export function withoutNotice(person: Person, id: string): Person {
  const { outbox = [], ...rest } = person;
  const left = outbox.filter((notice) => notice.id !== id);
  return left.length === 0 ? rest : { ...rest, outbox: left };
}

/** Writes a notice down; from then on it is not lost. Whoever sends has to be told. */
export function writeNotice(store: Store, userId: number, notice: Notice): Promise<void> {
  return store.update(people, String(userId), (person) => [withNotice(person, notice), undefined]);
}
