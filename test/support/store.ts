import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createEmbeddedStore } from "../../src/store/embedded.js";
import type { Store } from "../../src/store/store.js";

/** An embedded store in a folder of its own, both gone after the test. */
export async function temporaryStore(): Promise<Store> {
  const directory = await mkdtemp(join(tmpdir(), "swapdesk-test-"));
  const store = await createEmbeddedStore({ directory });
  onTestFinished(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });
  return store;
}
