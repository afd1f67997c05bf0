import type { MessageEntity } from "grammy/types";
import { z } from "zod";
import type { Transaction } from "../../store/queries.js";
import { readSetting, writeSetting, type Setting } from "../../store/settings.js";
import type { Announcement } from "./broadcast.js";
import type { OperatorParts } from "./parts.js";

/** What an operator wants to do: pause trading, or send something to everybody. */
type Planned = { readonly reason: string } | { readonly announcement: Announcement };

export const announcementSchema: z.ZodType<Announcement> = z.object({
  text: z.string(),
  entities: z.array(z.custom<MessageEntity>()),
});

/** What each operator is about to do and has still to confirm; the id is in the button, so that one under an older draft does nothing. */
const drafts: Setting<Readonly<Record<string, { readonly id: string; readonly planned: Planned }>>> = {
  name: "drafts",
  schema: z.record(
    z.string(),
    z.object({
      id: z.string(),
      planned: z.union([z.object({ reason: z.string() }), z.object({ announcement: announcementSchema })]),
    }),
  ),
  initial: {},
};

/** Removes an operator's draft. */
export async function dropDraft(tx: Transaction, operatorId: number): Promise<void> {
  const { [operatorId]: _draft, ...others } = await readSetting(tx, drafts);
  await writeSetting(tx, drafts, others);
}

/** Each operator's last draft. */
export function createDrafts({ store, newId }: Pick<OperatorParts, "newId" | "store">) {
  return {
    keep: (operatorId: number, planned: Planned): Promise<string> =>
      store.write(async (tx) => {
        const id = newId();
        await writeSetting(tx, drafts, { ...(await readSetting(tx, drafts)), [operatorId]: { id, planned } });
        return id;
      }),
    /** The draft of this id, once: a second tap finds none. */
    take: (operatorId: number, id: string): Promise<Planned | undefined> =>
      store.write(async (tx) => {
        const { [operatorId]: draft } = await readSetting(tx, drafts);
        if (draft?.id !== id) return undefined;
        await dropDraft(tx, operatorId);
        return draft.planned;
      }),
  };
}
