import type { Address } from "../../encoding/address.js";
import { Fault } from "../../fault.js";
import type { Database } from "../../store/store.js";
import { looksOf, plainText } from "../base/display-text.js";
import { changePerson, type Person } from "./person.js";

/** An address that a user only looks at, by a name of theirs. Nothing is ever paid to it or by it. */
export type WatchOnly = NonNullable<Person["watchOnly"]>[number];

export const MAX_WATCH_ONLY = 5;
const MAX_NAME = 24;
/** Letters, digits and what joins them: nothing that Telegram would make a command, a mention or a link of. */
const NAME = new RegExp(`^(?!klv1)(?=[\\p{L}\\p{N}])[\\p{L}\\p{M}\\p{N} '’_-]{1,${MAX_NAME}}$`, "iu");

/** Those of a user without the one that is their own now. */
export const watchOnlyOf = ({ wallet, watchOnly = [] }: Pick<Person, "wallet" | "watchOnly">): readonly WatchOnly[] =>
  watchOnly.filter(({ address }) => address !== wallet?.address);

/** All addresses of a user: the one that pays, and those that they only look at. */
export function addressesOf({ wallet, watchOnly = [] }: Pick<Person, "wallet" | "watchOnly">): readonly Address[] {
  const all = watchOnly.map(({ address }) => address);
  return wallet === undefined ? all : [wallet.address, ...all];
}

/** Reads a name that no token has: it stands beside amounts. @throws Fault `watch-only-name`. */
export function parseWatchOnlyName(text: string, isToken: (text: string) => boolean): string {
  const name = plainText(text, MAX_NAME + 1);
  // Nothing of a longer text is dropped without a word.
  if (text.length > 2 * MAX_NAME || !NAME.test(name) || isToken(name))
    throw new Fault("watch-only-name", { maximum: MAX_NAME });
  return name;
}

/** @throws Fault `watch-only-own`, `watch-only-full`. */
export function assertWatchable({ wallet, watchOnly = [] }: Person, address: Address): void {
  if (address === wallet?.address) throw new Fault("watch-only-own", {});
  const isKnown = watchOnly.some((each) => each.address === address);
  if (!isKnown && watchOnly.length >= MAX_WATCH_ONLY) throw new Fault("watch-only-full", { maximum: MAX_WATCH_ONLY });
}

/** Adds an address, or gives it another name. @throws Fault `watch-only-named` and as {@link assertWatchable}. */
export function watchAddress(store: Database, userId: number, { address, name }: WatchOnly): Promise<Person> {
  return store.write((tx) =>
    changePerson(tx, userId, (person) => {
      assertWatchable(person, address);
      const { watchOnly = [] } = person;
      const isTaken = watchOnly.some((each) => each.address !== address && looksOf(each.name) === looksOf(name));
      if (isTaken) throw new Fault("watch-only-named", { text: name });
      // Renamed, it keeps its place.
      const named = new Map(watchOnly.map((each) => [each.address, each.name])).set(address, name);
      return { ...person, watchOnly: [...named].map(([address, name]) => ({ address, name })) };
    }),
  );
}

export function unwatchAddress(store: Database, userId: number, address: Address): Promise<Person> {
  return store.write((tx) =>
    changePerson(tx, userId, ({ watchOnly = [], ...person }) => {
      const left = watchOnly.filter((each) => each.address !== address);
      return left.length === 0 ? person : { ...person, watchOnly: left };
    }),
  );
}
