import type { z } from "zod";
import { fromJson, readRow, toJson } from "./json.js";
import type { Reader, Transaction } from "./store.js";

export interface Setting<Value> {
  readonly name: string;
  readonly schema: z.ZodType<Value>;
  readonly initial: Value;
}

export function setting<Value>(name: string, schema: z.ZodType<Value>, initial: NoInfer<Value>): Setting<Value> {
  return { name, schema, initial };
}

/** @throws Fault `store-unreadable`: never taken for the initial value. */
export async function readSetting<Value>(db: Reader, { name, schema, initial }: Setting<Value>): Promise<Value> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
  if (row === undefined) return initial;
  return readRow(`settings/${name}`, () => schema.parse(fromJson(row.value)));
}

export async function writeSetting<Value>(tx: Transaction, { name }: Setting<Value>, next: Value): Promise<void> {
  const value = toJson(next);
  await tx
    .insertInto("settings")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
