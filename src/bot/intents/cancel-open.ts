import type { Api } from "grammy";
import type { Intent } from "../../model/intent.js";
import type { Parts } from "../context.js";
import { presentIntent, type PresentParts } from "./present.js";

/** Cancels every open card of a person, requests for a signature too, and gives those that it closed. */
export async function cancelOpenCards(parts: Pick<Parts, "intents">, userId: number): Promise<readonly Intent[]> {
  const canceled: Intent[] = [];
  for (const intent of await parts.intents.list(userId)) {
    if (intent.state !== "QUOTED" && intent.state !== "SIGNING") continue;
    const now = await parts.intents.cancel(userId, intent.id);
    if (now?.state === "CANCELED" || now?.transaction?.closing !== undefined) canceled.push(now);
  }
  return canceled;
}

/** Makes the chat show that cards were closed. A request for a signature is shown once it ended. */
export async function presentAll(parts: PresentParts, api: Api, intents: readonly Intent[]): Promise<void> {
  for (const intent of intents) {
    if (intent.messageId !== undefined && intent.state !== "SIGNING") await presentIntent(parts, api, intent);
  }
}
