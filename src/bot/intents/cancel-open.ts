import type { Api } from "grammy";
import { isUnderWay, type Intent } from "../../model/intent.js";
import type { Parts } from "../context.js";
import { presentIntent, type PresentParts } from "./present.js";

/** What a person's open cards became. */
interface Closed {
  readonly cancelled: readonly Intent[];
  /** Those whose time was over already: their end is that. */
  readonly expired: readonly Intent[];
  /** Those whose calls are on their way already. */
  readonly sent: readonly Intent[];
}

/** Closes every open card of a person, requests for a signature too. */
export async function closeOpenCards(parts: Pick<Parts, "intents">, userId: number): Promise<Closed> {
  const cancelled: Intent[] = [];
  const expired: Intent[] = [];
  const sent: Intent[] = [];
  for (const intent of await parts.intents.list(userId)) {
    if (intent.state !== "QUOTED" && !isUnderWay(intent.state)) continue;
    const now = await parts.intents.cancel(userId, intent.id);
    if (now?.state === "SENT") sent.push(now);
    else if (now?.state === "EXPIRED") expired.push(now);
    else if (now?.state === "CANCELED" || now?.transaction?.closing !== undefined) cancelled.push(now);
  }
  return { cancelled, expired, sent };
}

/** Makes the chat show that cards were closed. A request for a signature is shown once it ended. */
export async function presentClosed(parts: PresentParts, api: Api, { cancelled, expired }: Closed): Promise<void> {
  for (const intent of [...cancelled, ...expired]) {
    if (intent.messageId !== undefined && intent.state !== "SIGNING") await presentIntent(parts, api, intent);
  }
}
