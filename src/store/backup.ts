import { existsSync } from "node:fs";
import { chmod, copyFile, open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Fault } from "../fault.js";
import { assertWhole, DATA_FILE, faultOf, openToRead, own, tableNames, valueOf } from "./database.js";

/**
 * A consistent copy that only its owner can read; the bot may run meanwhile. The file appears only once it is checked.
 * @throws Fault `store-damaged`, `store-newer`, `store-write-failed`.
 */
export async function backUp(directory: string, path: string): Promise<void> {
  await putInPlace(path, (draft) => {
    const database = openToRead(join(directory, DATA_FILE));
    try {
      database.prepare("VACUUM INTO ?").run(draft);
    } finally {
      database.close();
    }
  });
}

/**
 * All or nothing, into a folder without a store. @throws Fault `store-locked`, `store-not-empty`, `store-damaged`,
 * `store-newer`, `store-write-failed`.
 */
export async function restore(path: string, directory: string): Promise<void> {
  verify(path);
  const disown = own(directory);
  try {
    const data = join(directory, DATA_FILE);
    if (existsSync(data)) throw new Fault("store-not-empty", { directory });
    await putInPlace(data, (draft) => copyFile(path, draft));
  } finally {
    disown();
  }
}

/** @returns the number of rows. @throws Fault `store-damaged`, `store-newer`. */
export function verify(path: string): number {
  const database = openToRead(path);
  try {
    assertWhole(database, path);
    const countIn = (table: string) => Number(valueOf(database, `SELECT count(*) FROM ${table}`));
    return tableNames(database).reduce((rows, table) => rows + countIn(table), 0);
  } finally {
    database.close();
  }
}

/** Has a file written under another name, checked, synced, and then put in its place. */
async function putInPlace(path: string, write: (draft: string) => Promise<void> | void): Promise<void> {
  const draft = `${resolve(path)}.unfinished`;
  try {
    await rm(draft, { force: true });
    await write(draft);
    await chmod(draft, 0o600);
    verify(draft);
    await sync(draft);
    await rename(draft, path);
    await sync(dirname(resolve(path)));
  } catch (error) {
    throw faultOf(error, path);
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
