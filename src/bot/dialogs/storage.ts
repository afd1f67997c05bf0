import type { ConversationContextStorage, ConversationData, VersionedState } from "@grammyjs/conversations";
import type { Context } from "grammy";
import type { Logger } from "pino";
import { people, type Person } from "../../model/person.js";
import type { Store } from "../../store/store.js";
import { withHandledUpdate } from "../middleware/handled-once.js";
import { personOnArrival } from "../middleware/person-on-arrival.js";

/** Why a dialog was dropped: the bot's dialogs have changed since, or it went on for far too long. */
export type DropReason = "outdated" | "too-long";

/** Steps after which a dialog is dropped: each one is kept and replayed at the next, so the cost grows with their square. */
const MAX_STEPS = 500;

/** A dialog as it is kept with its person. */
interface StoredDialog extends VersionedState<ConversationData> {
  /** The update that brought the dialog to this state. */
  readonly updateId: number;
}

/**
 * Keeps the state of a person's dialog in the person's document. It changes together with the note that the update was handled, so that an
 * update is never given to a dialog twice; and only when no other update has changed it meanwhile. Updates that come from
 * nobody have no dialog.
 */
export function createDialogStorage<C extends Context>(parts: {
  readonly store: Store;
  /** Of the dialogs' code: a dialog that began under another one can't go on. */
  readonly version: string;
  readonly log: Pick<Logger, "warn">;
  readonly onDropped: (ctx: C, reason: DropReason) => Promise<unknown>;
}): ConversationContextStorage<C, ConversationData> {
  const { store, version, log, onDropped } = parts;
  /** For each update under way the update that had changed the dialog last when it was read. */
  const seen = new WeakMap<C, number | undefined>();

  async function save(ctx: C, dialog: StoredDialog | undefined): Promise<void> {
    if (ctx.from === undefined) return;
    const saved = await store.update(people, String(ctx.from.id), (person) => {
      if (dialogOf(person)?.updateId !== seen.get(ctx)) return [person, false];
      const { dialog: _before, ...rest } = withHandledUpdate(person, ctx.update.update_id);
      return [dialog === undefined ? rest : { ...rest, dialog }, true];
    });
    if (!saved) log.warn({ updateId: ctx.update.update_id }, "A late update's change of a dialog was dropped");
  }

  async function drop(ctx: C, reason: DropReason): Promise<void> {
    log.warn({ userId: ctx.from?.id, reason }, "A dialog was dropped");
    await onDropped(ctx, reason);
  }

  return {
    type: "context",
    version,
    adapter: {
      read: async (ctx) => {
        if (ctx.from === undefined) return undefined;
        const person = await personOnArrival(store, ctx);
        const dialog = person && dialogOf(person);
        seen.set(ctx, dialog?.updateId);
        if (dialog === undefined) return undefined;
        if (dialog.version[1] !== version) {
          await store.update(people, String(ctx.from.id), ({ dialog: _outdated, ...rest }) => [rest, undefined]);
          seen.set(ctx, undefined);
          await drop(ctx, "outdated");
          return undefined;
        }
        // The plugin changes what it is given; a stored document is nobody's to change.
        return structuredClone({ version: dialog.version, state: dialog.state });
      },
      write: async (ctx, state) => {
        if (stepsOf(state.state) <= MAX_STEPS) {
          return save(ctx, { ...structuredClone(state), updateId: ctx.update.update_id });
        }
        await save(ctx, undefined);
        return drop(ctx, "too-long");
      },
      delete: (ctx) => save(ctx, undefined),
    },
  };
}

function dialogOf(person: Person): StoredDialog | undefined {
  return person.dialog as StoredDialog | undefined;
}

function stepsOf(dialogs: ConversationData): number {
  return Object.values(dialogs)
    .flat()
    .reduce((steps, dialog) => steps + dialog.replay.receive.length, 0);
}
