import type { Config } from "../../config.js";
import type { Address } from "../../encoding/address.js";
import { Fault, isFault } from "../../fault.js";
import { findPerson, newPerson, putPerson, type Person } from "./person.js";
import type { Reader, Transaction, Database } from "../../store/store.js";

/** The defaults for somebody new. @throws Fault `store-unreadable`. */
export async function personIn(db: Reader, userId: number): Promise<Person> {
  return (await findPerson(db, userId)) ?? newPerson(userId);
}

export function personOf({ db }: Pick<Database, "db">, userId: number): Promise<Person> {
  return personIn(db, userId);
}

/** Writes nothing where the person is unchanged. @throws Fault `store-unreadable`. */
export async function updatePersonIn<Result>(
  tx: Transaction,
  userId: number,
  change: (person: Person) => readonly [next: Person, result: Result],
): Promise<Result> {
  const now = await personIn(tx, userId);
  const [next, result] = change(now);
  if (next !== now) await putPerson(tx, userId, next);
  return result;
}

export function changePersonIn(tx: Transaction, userId: number, change: (person: Person) => Person): Promise<Person> {
  return updatePersonIn(tx, userId, (person) => {
    const next = change(person);
    return [next, next];
  });
}

export function updatePerson<Result>(
  { write }: Pick<Database, "write">,
  userId: number,
  change: (person: Person) => readonly [next: Person, result: Result],
): Promise<Result> {
  return write((tx) => updatePersonIn(tx, userId, change));
}

export function changePerson(
  { write }: Pick<Database, "write">,
  userId: number,
  change: (person: Person) => Person,
): Promise<Person> {
  return write((tx) => changePersonIn(tx, userId, change));
}

/** @throws Fault `wallet-missing`. */
export function payoutOf({ wallet }: Pick<Person, "wallet">): Address {
  if (wallet === undefined) throw new Fault("wallet-missing", {});
  return wallet.address;
}

export type SlippageConfig = Pick<Config, "defaultSlippageBps" | "maxSlippageBps">;

/** In basis points: the user's own or the operator's default, never above the ceiling. */
export function slippageOf(person: Pick<Person, "slippageBps">, operator: SlippageConfig): number {
  return Math.min(person.slippageBps ?? operator.defaultSlippageBps, operator.maxSlippageBps);
}

/** Undefined where a person's record can't be read, so that it blocks nobody else. */
export async function unlessUnreadable<Value>(task: Promise<Value>): Promise<Value | undefined> {
  try {
    return await task;
  } catch (error) {
    if (!isFault(error, "store-unreadable")) throw error;
    return undefined;
  }
}

export function userIdOf(id: string): number {
  // oxlint-disable-next-line money/no-floating-point -- not an amount
  return Number(id);
}

/** @throws Fault `frozen`. */
export function assertNotFrozen({ frozenSince }: Person): void {
  if (frozenSince !== undefined) throw new Fault("frozen", {});
}
