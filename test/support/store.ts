import { onTestFinished } from "vitest";
import { openStore } from "../../src/store/documents.js";
import type { Database, Store } from "../../src/store/store.js";
import { temporaryFolder } from "./temporary-folder.js";

/** A store in a folder of its own, both gone after the test. */
export async function temporaryStore(): Promise<Store & Database> {
  const store = openStore({ directory: await temporaryFolder() });
  onTestFinished(() => store.close());
  return store;
}
