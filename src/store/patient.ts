import type { Clock } from "../clock.js";
import { isFault } from "../fault.js";
import type { Store } from "./store.js";

const TRY_AGAIN_MILLISECONDS = 500;

/**
 * The store for work in the background, which no person waits for: while the server is away everything waits until it is
 * back. Once the signal is aborted, it throws `store-away` as the store itself does.
 */
export function createPatientStore(store: Store, clock: Clock, signal: AbortSignal): Store {
  async function patiently<Result>(task: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await task();
      } catch (error) {
        if (!isFault(error, "store-away") || signal.aborted) throw error;
        await clock.sleep(TRY_AGAIN_MILLISECONDS, signal).catch(() => undefined);
      }
    }
  }
  return {
    ...store,
    read: (collection, id) => patiently(() => store.read(collection, id)),
    update: (collection, id, change) => patiently(() => store.update(collection, id, change)),
    remove: (collection, id, isOver) => patiently(() => store.remove(collection, id, isOver)),
    ids: (collection) => patiently(() => store.ids(collection)),
    openIds: (collection) => patiently(() => store.openIds(collection)),
  };
}
