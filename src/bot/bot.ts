import type { Bot } from "grammy";
import type { Pacer } from "../services/telegram/pacer.js";
import { type BotContext, withPerson } from "./context.js";
import { mountDialogs } from "./dialogs.js";
import { allFeatures, type Feature } from "./feature.js";
import { isBroadcasting, isPausing, requireAccess } from "./features/admin.js";
import { isFreeze } from "./features/security.js";
import { answerInline } from "./inline.js";
import { cardButtons, replyAmount } from "./intents/buttons.js";
import type { OpenCardParts } from "./intents/open.js";
import * as guards from "./middleware/guards.js";
import { answerTaps, errorBoundary, hurryConfirms, typing, userQueue, noteReturn } from "./middleware/handling.js";
import type { HandledNotes } from "./receive/handled.js";
import type { Metrics } from "./receive/metrics.js";
import type { Services } from "./shared.js";
import { answerOldTap, answerUnknown } from "./unknown.js";

/** Mounts all middleware and handlers, in the order in which updates pass them. */
export function handleUpdates(
  bot: Bot<BotContext>,
  parts: OpenCardParts &
    Pick<Services, "operator"> & {
      readonly features: readonly Feature[];
      readonly pacer: Pick<Pacer, "hurry">;
      readonly metrics: Pick<Metrics, "updatesFailed">;
      readonly handled: Pick<HandledNotes, "add">;
    },
): void {
  const { clock, features, pacer } = parts;
  bot.use(
    answerInline(parts),
    userQueue(parts, (ctx) => isFreeze(ctx) || isPausing(ctx, parts)),
    errorBoundary(parts),
    answerTaps,

    // Access checks, ahead of everything that stores something about a user.
    guards.privateChatOnly(parts),
    guards.withoutServiceMessages,
    requireAccess(parts),
    guards.ownCommandsOnly,

    typing(clock),
    hurryConfirms(pacer),
    withPerson(parts),
    guards.deleteLeakedSecrets,
    guards.shortTextsOnly((ctx) => isFreeze(ctx) || isBroadcasting(ctx, parts)),
    noteReturn(parts),

    // Handlers that work while a dialog is open, then the dialogs, then the commands that open them.
    cardButtons(parts),
    replyAmount(parts),
    mountDialogs(parts, features),
    allFeatures(features),
  );
  bot.on("message", answerUnknown(features));
  bot.on("callback_query", answerOldTap);
}
