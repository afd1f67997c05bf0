import type { Config } from "../config.js";
import type { Address } from "../encoding/address.js";
import { Fault, isFault } from "../fault.js";
import { people, type Person } from "../model/person.js";
import { readDocument, updateDocument } from "../store/document.js";
import type { Reader, Transaction } from "../store/queries.js";
import type { Store } from "../store/store.js";

/** What is stored about a person, or the defaults for one who has never written. */
export async function personOf(store: Store, userId: number): Promise<Person> {
  return (await store.read(people, String(userId))) ?? people.create(String(userId));
}

/** As {@link personOf}, of a reader or within a transaction. @public @throws Fault `store-unreadable`. */
export async function personIn(db: Reader, userId: number): Promise<Person> {
  return (await readDocument(db, people, String(userId))) ?? people.create(String(userId));
}

/** Changes one person within a transaction, and returns them as they are then. @public @throws Fault `store-unreadable`. */
export function changePersonIn(tx: Transaction, userId: number, change: (person: Person) => Person): Promise<Person> {
  return updateDocument(tx, people, String(userId), (person) => {
    const next = change(person);
    return [next, next];
  });
}

/** Where a person's tokens go. @throws Fault `wallet-missing`. */
export function payoutOf({ wallet }: Pick<Person, "wallet">): Address {
  if (wallet === undefined) throw new Fault("wallet-missing", {});
  return wallet.address;
}

/** What the operator decides about slippage. */
export type SlippageConfig = Pick<Config, "defaultSlippageBps" | "maxSlippageBps">;

/** The slippage in force for a person, in hundredths of a percent: their own or the operator's default, never above the ceiling. */
export function slippageOf(person: Pick<Person, "slippageBps">, operator: SlippageConfig): number {
  return Math.min(person.slippageBps ?? operator.defaultSlippageBps, operator.maxSlippageBps);
}

/** Changes one person's document. */
export function changePerson(store: Store, userId: number, change: (person: Person) => Person): Promise<Person> {
  return store.update(people, String(userId), (person) => {
    const next = change(person);
    return [next, next];
  });
}

/** What a promise gives, or undefined where a person's record can't be read: that holds up nobody else. */
export async function unlessUnreadable<Value>(task: Promise<Value>): Promise<Value | undefined> {
  try {
    return await task;
  } catch (error) {
    if (!isFault(error, "store-unreadable")) throw error;
    return undefined;
  }
}

/** The Telegram user id of a person's document. */
export function userIdOf(id: string): number {
  // oxlint-disable-next-line money/no-floating-point -- not an amount
  return Number(id);
}

/** @throws Fault `frozen` where the person stopped trading. */
export function assertNotFrozen({ frozenSince }: Person): void {
  if (frozenSince !== undefined) throw new Fault("frozen", {});
}
