import { people, type Person } from "../model/person.js";
import type { Store } from "../store/store.js";

/** What is stored about a person, or the defaults for one who has never written. */
export async function personOf(store: Store, userId: number): Promise<Person> {
  return (await store.read(people, String(userId))) ?? people.create(String(userId));
}

/** Changes one person's document. */
export function changePerson(store: Store, userId: number, change: (person: Person) => Person): Promise<Person> {
  return store.update(people, String(userId), (person) => {
    const next = change(person);
    return [next, next];
  });
}
