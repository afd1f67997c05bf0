import { isFault } from "../../fault.js";
import { paddedKeys, type StoreBasics, type Transaction } from "../../store/store.js";

const MAX_NOTES = 500;
/** A commit of its own for each note would cost as much as most updates. */
const AFTER_MS = 20;

/** Which updates were handled, so that none is handled again after a restart. */
export interface HandledNotes {
  /** Call it once a crash would lose nothing of an update, though its handler still runs. */
  readonly add: (updateId: number) => void;
  /** Call it when its handler has ended. */
  readonly end: (updateId: number) => void;
  /** The store's `write`, which takes the notes along. @throws what that and `work` throw; the notes are kept. */
  readonly write: <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;
  /** From now on, notes at once: the store is about to close. */
  readonly hurry: () => void;
  /** Resolves once all are noted, or have failed: those updates are handled again after a restart. */
  readonly noted: () => Promise<void> | undefined;
}

/** Notes which updates were handled: with whatever else is written, or after {@link AFTER_MS}. */
export function createHandledNotes({ store, clock, log }: StoreBasics): HandledNotes {
  const handled: number[] = [];
  /** Updates that were added, and whose handlers still run. */
  const early = new Set<number>();
  let cancel: (() => void) | undefined;
  let noting: Promise<void> | undefined;
  let isEnding = false;

  /** Updates that can't be noted now are noted with the next ones, or handled again after a restart. */
  async function noteWith<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const ids = handled.splice(0, MAX_NOTES);
    try {
      return await store.write(async (tx) => {
        if (ids.length > 0) {
          const update = tx.updateTable("updates").set({ body: null, user_id: 0 });
          await update.where("id", "in", paddedKeys(ids)).where("body", "is not", null).execute();
        }
        return work(tx);
      });
    } catch (error) {
      handled.push(...ids.slice(0, MAX_NOTES - handled.length));
      throw error;
    }
  }

  async function noteAll(): Promise<void> {
    try {
      while (handled.length > 0) await noteWith(() => Promise.resolve());
    } catch (err) {
      log.error({ err }, "Handled updates not recorded yet; retrying");
    }
    noting = undefined;
  }

  function noteNow(): void {
    cancel?.();
    cancel = undefined;
    // It may have gone with something else meanwhile.
    if (handled.length > 0) noting ??= noteAll();
  }

  function noteSoon(): void {
    if (isEnding) noteNow();
    else cancel ??= clock.timer(AFTER_MS, noteNow);
  }

  function add(updateId: number): void {
    if (early.has(updateId)) return;
    early.add(updateId);
    handled.push(updateId);
    noteSoon();
  }

  return {
    add,
    end: (updateId: number): void => {
      add(updateId);
      early.delete(updateId);
    },
    write: <Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> =>
      noteWith(work).catch((error: unknown) => {
        // What the work refuses, unlike a store that fails, says nothing about the notes.
        const isOfStore = isFault(error) && error.code.startsWith("store-");
        if (handled.length > 0 && !isOfStore) noteSoon();
        throw error;
      }),
    hurry: (): void => {
      isEnding = true;
      noteNow();
    },
    noted: () => noting,
  };
}
