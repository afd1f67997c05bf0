import type { Update } from "grammy/types";
import type { Logger } from "pino";
import type { Collection, Store } from "../../store/store.js";

export type Inbox = ReturnType<typeof createInbox>;

interface KeptUpdate {
  readonly update: Update | undefined;
}

const updates: Collection<KeptUpdate> = {
  name: "updates",
  create: () => ({ update: undefined }),
  parse: (stored) => stored as KeptUpdate,
};

/** Updates that take long, kept so that they can be confirmed to Telegram before they are handled. */
export function createInbox({ store, log }: { store: Store; log: Pick<Logger, "error"> }) {
  async function read(id: string): Promise<Update[]> {
    try {
      return [(await store.read(updates, id))?.update].filter((update) => update !== undefined);
    } catch (error) {
      log.error({ err: error }, "An update that was left unhandled can't be read");
      return [];
    }
  }
  return {
    /** Resolves when the update is durable. @throws Fault `store-write-failed`. */
    keep: (update: Update): Promise<void> =>
      store.update(updates, String(update.update_id), () => [{ update }, undefined]),
    /** Forgets one that was handled. */
    forget: (updateId: number): Promise<void> => store.remove(updates, String(updateId)),
    /** What an earlier run left unhandled, oldest first. An unreadable one is logged, and left where it is. */
    left: async (): Promise<Update[]> => {
      const ids = await store.ids(updates);
      const left = (await Promise.all(ids.map(read))).flat();
      return left.sort((one, other) => one.update_id - other.update_id);
    },
  };
}
