import type { Clock } from "../../clock.js";
import { type Address, parseAccountAddress } from "../../encoding/address.js";
import type { Database } from "../../store/store.js";
import {
  assertNotFrozen,
  changePerson,
  type GuardChange,
  inEffect,
  type Person,
  personIn,
  putPerson,
  withChange,
  withLater,
} from "./person.js";

interface AddressParts {
  readonly store: Database;
  readonly clock: Clock;
}

type Wallet = NonNullable<Person["wallet"]>;

/** An address that a user has named as theirs. */
export type NamedWallet =
  | { readonly kind: "saved"; readonly person: Person; readonly wallet: Wallet }
  /** Another one is saved: this one is only offered, since someone else's message may have led here. */
  | { readonly kind: "offered"; readonly person: Person; readonly before: Address; readonly address: Address };

/** Saves a user's first address, and offers any other. @throws Fault `address-…`, `frozen`. */
export async function saveWallet({ store, clock }: AddressParts, userId: number, text: string): Promise<NamedWallet> {
  const address = parseAccountAddress(text);
  const since = clock.now();
  return store.write(async (tx) => {
    const known = await personIn(tx, userId);
    assertNotFrozen(known);
    const before = known.wallet;
    if (before !== undefined && before.address !== address) {
      const person = { ...known, offeredWallet: address };
      await putPerson(tx, userId, person);
      return { kind: "offered", person, before: before.address, address };
    }
    if (before !== undefined) return { kind: "saved", person: known, wallet: before };
    const wallet = { address, since };
    const person = withChange({ ...known, wallet }, "first-wallet", since);
    await putPerson(tx, userId, person);
    return { kind: "saved", person, wallet };
  });
}

/** Offers an address, which {@link saveWallet} or {@link changeWallet} may save later; without one, nothing any more. */
export function offerWallet(store: Database, userId: number, address?: Address): Promise<Person> {
  return store.write((tx) =>
    changePerson(tx, userId, ({ offeredWallet: _before, ...person }) =>
      address === undefined ? person : { ...person, offeredWallet: address },
    ),
  );
}

/** What names an offered address on a button, which has no room for all of it. */
export const walletMark = (address: Address): string => address.slice(-24);

/** A changed address. Until `later` is in effect, the person still has the one of before. */
export interface ChangedWallet {
  readonly before: Address;
  readonly person: Person;
  readonly later: GuardChange & { readonly guard: "wallet" };
}

/**
 * Puts the offered address in the place of the saved one, at once without a delay of guards.
 * @param mark the {@link walletMark} of the address that the user agrees to.
 * @returns undefined if another address, or none, is offered now. @throws Fault `frozen`.
 */
export async function changeWallet(
  { store, clock, settings }: AddressParts & { readonly settings: { readonly guardDelaySeconds: number } },
  userId: number,
  mark: string,
): Promise<ChangedWallet | undefined> {
  const now = clock.now();
  const delay = settings.guardDelaySeconds * 1000;
  return store.write(async (tx) => {
    const known = await personIn(tx, userId);
    const { offeredWallet: address, wallet: before, ...rest } = known;
    if (address === undefined || before === undefined || walletMark(address) !== mark) return undefined;
    assertNotFrozen(known);
    const later = { guard: "wallet", address, from: now + delay } as const;
    const asked = { ...rest, wallet: before };
    const person = delay === 0 ? inEffect(asked, later, now) : withLater(asked, later);
    await putPerson(tx, userId, person);
    return { before: before.address, person, later };
  });
}
