import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Transaction } from "../../store/store.js";
import { readSetting, setting, writeSetting } from "../../store/settings.js";
import { announcementSchema } from "./broadcast.js";

const plannedSchema = z.union([z.object({ reason: z.string() }), z.object({ announcement: announcementSchema })]);
type Planned = z.infer<typeof plannedSchema>;
const draftSchema = z.object({ id: z.string(), planned: plannedSchema });

/** The id is in the button, so that one under an older draft does nothing. */
const draftOf = (operatorId: number) => setting(`draft/${operatorId}`, draftSchema.optional(), undefined);

export async function dropDraft(tx: Transaction, operatorId: number): Promise<void> {
  await tx.deleteFrom("settings").where("name", "=", draftOf(operatorId).name).execute();
}

export async function keepDraft(tx: Transaction, operatorId: number, planned: Planned): Promise<string> {
  const id = randomBytes(16).toString("base64url");
  await writeSetting(tx, draftOf(operatorId), { id, planned });
  return id;
}

export async function takeDraft(tx: Transaction, operatorId: number, id: string): Promise<Planned | undefined> {
  const draft = await readSetting(tx, draftOf(operatorId));
  if (draft?.id !== id) return undefined;
  await dropDraft(tx, operatorId);
  return draft.planned;
}
