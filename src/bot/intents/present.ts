import type { Api } from "grammy";
import type { Intent } from "../../services/intent/intent.js";
import type { Logger } from "pino";
import type { Intents } from "../../services/intent/intents.js";
import { ownerOf, type ViewParts } from "../person.js";
import { editCard, sendCardTo } from "../send.js";
import type { CardOptions } from "../../cards/subject.js";
import { summaryOf } from "../../cards/kinds.js";
import { textOf } from "../../cards/card.js";
import { intentCard } from "./card.js";

export interface PresentParts extends ViewParts {
  readonly intents: Intents;
}

export interface PresentLaterParts extends PresentParts {
  readonly log: Logger;
  /** Aborted when the bot stops. */
  readonly stopping: AbortSignal;
}

/**
 * Makes the chat show an intent as it is: edits its card, or sends one where there is none yet, and remembers which state
 * is shown. Where another card took its place, that one is shown, whoever asks: a message shows what its newest card knows.
 */
export async function presentIntent(
  parts: PresentParts,
  api: Api,
  intent: Intent,
  options: CardOptions = {},
): Promise<void> {
  const newest = await newestInPlace(parts, intent);
  // What became of an unknown one is looked at when the person asks.
  const isDue = newest.state === "OK" && newest.balances?.after === undefined;
  const shown = isDue ? await parts.intents.look(newest) : newest;
  const { view } = await ownerOf(parts, intent.owner);
  const card = intentCard(shown, view, shown.id === intent.id ? options : {});
  const messageId =
    shown.messageId === undefined
      ? (await sendCardTo(api, shown.chatId, card)).message_id
      : await editCard(api, shown.chatId, shown.messageId, card);
  await parts.intents.markShown(shown.owner, shown.id, shown.state, messageId);
}

/** Pauses before a card that could not be shown is tried again, in milliseconds. Afterwards only a tap or a start shows it. */
const PAUSES = [1_000, 5_000, 15_000, 60_000, 300_000];

/** Shows an intent now, or in the background as soon as Telegram can be reached. Never throws. */
export async function presentSoon(
  parts: PresentLaterParts,
  api: Api,
  intent: Intent,
  options: CardOptions = {},
): Promise<void> {
  await presentIntent(parts, api, intent, options).catch((error: unknown) => {
    parts.log.warn({ intent: intent.id, reason: error }, "A card could not be shown yet");
    void presentLater(parts, api, intent);
  });
}

/** Says something about an intent in a message of its own, because an edited card notifies nobody. */
export async function sayUnderCard(api: Api, { chatId, messageId }: Intent, text: string): Promise<void> {
  await api.sendMessage(chatId, text, {
    ...(messageId !== undefined && {
      reply_parameters: { message_id: messageId, allow_sending_without_reply: true },
    }),
  });
}

/** Tells the owner of a call that the chain has it, although its card had ended. Never throws. */
export async function tellFound(parts: PresentLaterParts, api: Api, intent: Intent): Promise<void> {
  try {
    const { view } = await ownerOf(parts, intent.owner);
    await sayUnderCard(api, intent, view.words.intent.foundLater(textOf(summaryOf(intent, view))));
  } catch (error) {
    parts.log.warn({ intent: intent.id, reason: error }, "A call that was found later could not be told of");
  }
}

/** Shows an intent in the background as soon as Telegram can be reached. */
export async function presentLater(parts: PresentLaterParts, api: Api, { owner, id }: Intent): Promise<void> {
  for (const pause of PAUSES) {
    try {
      await parts.clock.sleep(pause, parts.stopping);
      const now = await parts.intents.find(owner, id);
      if (now !== undefined) await presentIntent(parts, api, now);
      return;
    } catch (error) {
      if (parts.stopping.aborted) return;
      parts.log.warn({ intent: id, reason: error }, "A card still could not be shown");
    }
  }
}

/** The card at the end of those that took the place of one another; as it is kept now. */
async function newestInPlace(parts: Pick<PresentParts, "intents">, intent: Intent): Promise<Intent> {
  const kept = (await parts.intents.find(intent.owner, intent.id)) ?? intent;
  // The caller may know an end that could not be saved.
  if (kept.replacedBy === undefined) return { ...intent, ...(kept.messageId && { messageId: kept.messageId }) };
  const next = await parts.intents.find(intent.owner, kept.replacedBy);
  return next === undefined ? kept : newestInPlace(parts, next);
}
