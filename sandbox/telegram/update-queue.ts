import { createSignal } from "../signal.js";
import { type Clock, unixSeconds } from "./clock.js";
import type { Update, UpdateContent, UpdateKind } from "./types.js";

/** How long the server keeps an update that the bot does not fetch (tdlib/telegram-bot-api, Client::add_update). */
const lifetimeSeconds: Record<UpdateKind, number> = {
  message: 24 * 60 * 60,
  edited_message: 24 * 60 * 60,
  callback_query: 150,
  inline_query: 30,
  my_chat_member: 24 * 60 * 60,
};

/** An offset further than this past the newest update is considered a mistake and ignored (tdlib/td, TQueue). */
const farthestOffset = 10;

interface Entry {
  readonly update: Update;
  readonly expiresAt: number;
}

const isAwaited = (update: Update): boolean => "callback_query" in update || "inline_query" in update;

export type UpdateQueue = ReturnType<typeof createUpdateQueue>;

/** Updates that the bot has not confirmed yet, oldest first. */
export function createUpdateQueue(clock: Clock) {
  const pending: Entry[] = [];
  const history = new Map<number, Update>();
  const repeated: Update[] = [];
  const changed = createSignal();
  let nextId = 700_000_001;
  let allowed: ReadonlySet<string> | undefined;

  /** Whoever tapped waits in real time, however fast the world's clock runs. */
  const now = (update: Update): number => unixSeconds(isAwaited(update) ? Date : clock);
  const forgetExpired = () => {
    for (let index = pending.length - 1; index >= 0; index -= 1) {
      const entry = pending[index];
      if (entry !== undefined && entry.expiresAt <= now(entry.update)) pending.splice(index, 1);
    }
  };

  const confirmBelow = (offset: number) => {
    const index = pending.findIndex(({ update }) => update.update_id >= offset);
    pending.splice(0, index === -1 ? pending.length : index);
  };

  return {
    /** By which its entry expires, in seconds since 1970. */
    now,
    keep: () => ({ pending, nextId }),
    restore: (kept: { pending: readonly Entry[]; nextId: number }): void => {
      pending.push(...kept.pending);
      nextId = kept.nextId;
    },

    /** Adds an update, unless the bot did not allow its kind. @returns the update's id, or 0 if it was not added. */
    push<Kind extends UpdateKind>(kind: Kind, content: UpdateContent[Kind]): number {
      if (allowed !== undefined && !allowed.has(kind)) return 0;
      const update = structuredClone({ update_id: nextId, [kind]: content }) as Update;
      nextId += 1;
      pending.push({ update, expiresAt: now(update) + lifetimeSeconds[kind] });
      history.set(update.update_id, update);
      changed.tell();
      return update.update_id;
    },

    /**
     * The next `limit` updates from `offset`. Confirms everything below a positive offset; a negative one keeps only
     * that many of the newest. Repeated updates are included whatever the offset, but in order: a bot that saw a newer
     * one first would confirm the older one unseen.
     */
    take(offset: number, limit: number): Update[] {
      forgetExpired();
      if (offset < 0) pending.splice(0, Math.max(0, pending.length + offset));
      else if (offset <= nextId + farthestOffset) confirmBelow(offset);
      const taken = [...repeated, ...pending.map(({ update }) => update)]
        .sort((one, other) => one.update_id - other.update_id)
        .slice(0, limit);
      for (const update of taken) {
        const again = repeated.indexOf(update);
        if (again !== -1) repeated.splice(again, 1);
      }
      return taken;
    },

    /** Delivers updates again, confirmed or not, as Telegram does after a lost answer. */
    repeat(updateIds: readonly number[]): void {
      for (const id of updateIds) {
        const update = history.get(id);
        if (update === undefined) throw new Error(`There was no update ${id}.`);
        repeated.push(update);
      }
      changed.tell();
    },

    /** All updates to deliver, including repeated ones. */
    waiting(): { update: Update; expiresAt: number }[] {
      forgetExpired();
      return [...repeated.map((update) => ({ update, expiresAt: now(update) + 60 })), ...pending];
    },

    /** Removes an update that was delivered or given up. */
    settle(updateId: number): void {
      const again = repeated.findIndex((update) => update.update_id === updateId);
      if (again !== -1) {
        repeated.splice(again, 1);
        return;
      }
      const index = pending.findIndex(({ update }) => update.update_id === updateId);
      if (index !== -1) pending.splice(index, 1);
    },

    clear(): void {
      pending.length = 0;
      repeated.length = 0;
    },

    /** Sets the kinds of update that the bot wants: an empty list allows all, undefined keeps the last choice. */
    allow(kinds: readonly string[] | undefined): void {
      if (kinds !== undefined) allowed = kinds.length === 0 ? undefined : new Set(kinds);
    },

    allowedKinds: (): string[] | undefined => (allowed === undefined ? undefined : [...allowed]),

    subscribe: changed.subscribe,
  };
}
