import { onTestFinished } from "vitest";
import { openStore } from "../../src/store/sqlite.js";
import type { Store } from "../../src/store/store.js";
import { withDocuments, type Documents } from "./documents.js";
import { temporaryFolder } from "./temporary-folder.js";

/** A store in a folder of its own, both gone after the test. */
export async function temporaryStore(): Promise<Store & Documents> {
  const store = withDocuments(openStore({ directory: await temporaryFolder() }));
  onTestFinished(() => store.close());
  return store;
}
