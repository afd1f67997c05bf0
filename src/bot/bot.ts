import type { Bot } from "grammy";
import type { OwnWrites } from "../services/person/own-writes.js";
import type { Operator } from "../services/operator/operator.js";
import type { Outbox } from "../services/telegram/outbox-sender.js";
import type { Pacer } from "../services/telegram/pacer.js";
import { type BotContext, withPerson } from "./context.js";
import { mountDialogs } from "./dialogs.js";
import { allFeatures, type Feature } from "./feature.js";
import { isBroadcasting, isPausing, requireAccess } from "./features/admin.js";
import { isFreeze } from "./features/security.js";
import { answerInline } from "./inline.js";
import { type AmountParts, type ButtonParts, cardButtons, replyAmount } from "./intents/buttons.js";
import * as guards from "./middleware/guards.js";
import {
  answerTaps,
  errorBoundary,
  hurryConfirms,
  ownWork,
  typing,
  userQueue,
  noteActed,
  noteReturn,
} from "./middleware/handling.js";
import type { Metrics } from "../services/operator/metrics.js";
import { answerOldTap, answerUnknown } from "./unknown.js";

interface UpdateParts extends ButtonParts, AmountParts {
  readonly features: readonly Feature[];
  readonly operator: Operator;
  readonly outbox: Outbox;
  readonly pacer: Pacer;
  readonly metrics: Metrics;
  readonly ownWrites: OwnWrites;
}

/** Mounts all middleware and handlers, in the order in which updates pass them. */
export function handleUpdates(bot: Bot<BotContext>, parts: UpdateParts): void {
  const { base, features, cards, shownCards, intents, trades, operator, tradingPause, outbox } = parts;
  const { handled, lookUp, metrics, ownWrites, pacer } = parts;
  const { clock } = base;
  bot.use(
    answerInline({ base, features, operator }),
    // From when it is received, also while it waits; and as long as it runs, also once the queue has let it go.
    ownWork(ownWrites),
    userQueue(base, (ctx) => isFreeze(ctx) || isPausing(ctx, operator)),
    errorBoundary({ base, metrics, operator, outbox }),
    ownWork(ownWrites),
    answerTaps,

    // Access checks, ahead of everything that stores something about a user.
    guards.privateChatOnly({ clock, features, operator }),
    guards.withoutServiceMessages,
    requireAccess(base, operator),
    guards.ownCommandsOnly,

    typing(clock),
    hurryConfirms(pacer),
    withPerson(base),
    guards.deleteLeakedSecrets,
    guards.shortTextsOnly((ctx) => isFreeze(ctx) || isBroadcasting(ctx, operator)),
    noteReturn({ features, outbox }),
    noteActed(features),

    // Handlers that work while a dialog is open, then the dialogs, then the commands that open them.
    cardButtons({ base, cards, shownCards, intents, tradingPause, lookUp, handled }),
    replyAmount({ cards, shownCards, intents, trades }),
    mountDialogs(base, features),
    allFeatures(features),
  );
  bot.on("message", answerUnknown(features));
  bot.on("callback_query", answerOldTap);
}
