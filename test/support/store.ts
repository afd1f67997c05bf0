import { onTestFinished } from "vitest";
import { createEmbeddedStore } from "../../src/store/embedded.js";
import type { Store } from "../../src/store/store.js";
import { temporaryFolder } from "./temporary-folder.js";

/** An embedded store in a folder of its own, both gone after the test. */
export async function temporaryStore(): Promise<Store> {
  const store = await createEmbeddedStore({ directory: await temporaryFolder() });
  onTestFinished(() => store.close());
  return store;
}
