import type { Api } from "grammy";
import { intentCard, type CardOptions } from "./card.js";
import type { Intent } from "../../model/intent.js";
import { intentOf } from "../../services/intents/person-intents.js";
import { people } from "../../model/person.js";
import type { Parts } from "../context.js";
import { editCard, sendCardTo } from "../send.js";
import { viewOf } from "../person.js";

/**
 * Makes the chat show an intent as it is: edits its card, or sends one where there is none yet, and remembers which state
 * is shown. What could not be shown stays remembered as not shown and is tried again at the next start.
 */
export async function presentIntent(
  parts: Pick<Parts, "store" | "intents" | "settings">,
  api: Api,
  intent: Intent,
  options: CardOptions = {},
): Promise<void> {
  const person = await parts.store.read(people, String(intent.owner));
  if (person === undefined) return;
  const card = intentCard(intent, viewOf(person, parts), options);
  // The card may have moved to another message since the caller looked.
  const shownIn = intentOf(person, intent.id)?.messageId ?? intent.messageId;
  const messageId =
    shownIn === undefined
      ? (await sendCardTo(api, intent.chatId, card)).message_id
      : await editCard(api, intent.chatId, shownIn, card);
  if (messageId !== shownIn) await parts.intents.attachMessage(intent.owner, intent.id, messageId);
  await parts.intents.markShown(intent.owner, intent.id, intent.state);
}
