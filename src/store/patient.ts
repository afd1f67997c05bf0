import type { Clock } from "../clock.js";
import { isFault } from "../fault.js";
import type { Store } from "./store.js";

const TRY_AGAIN_MILLISECONDS = 1_000;

/** Does something again for as long as the store is away. @throws Fault `store-away` once the signal is aborted. */
export async function untilStored<Result>(
  task: () => Promise<Result>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Result> {
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (!isFault(error, "store-away") || signal.aborted) throw error;
      await clock.sleep(TRY_AGAIN_MILLISECONDS, signal).catch(() => undefined);
    }
  }
}

/**
 * The store for work in the background, which no person waits for: while the server is away everything waits until it is
 * back. Once the signal is aborted, it throws `store-away` as the store itself does.
 */
export function createPatientStore(store: Store, clock: Clock, signal: AbortSignal): Store {
  const patiently = <Result>(task: () => Promise<Result>) => untilStored(task, { clock, signal });
  return {
    ...store,
    read: (collection, id) => patiently(() => store.read(collection, id)),
    update: (collection, id, change) => patiently(() => store.update(collection, id, change)),
    remove: (collection, id, isOver) => patiently(() => store.remove(collection, id, isOver)),
    ids: (collection) => patiently(() => store.ids(collection)),
    openIds: (collection) => patiently(() => store.openIds(collection)),
  };
}
