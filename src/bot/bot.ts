import type { Bot } from "grammy";
import type { Intent } from "../services/intent/intent.js";
import type { Intents } from "../services/intent/intent-service.js";
import type { Operator, TradingPause } from "../services/operator/operator.js";
import type { Outbox } from "../services/telegram/outbox-sender.js";
import type { Pacer } from "../services/telegram/pacer.js";
import type { Kinds } from "../services/trade/kinds.js";
import { type BotBase, type BotContext, withPerson } from "./context.js";
import { mountDialogs } from "./dialogs.js";
import { allFeatures, type Feature } from "./feature.js";
import { isBroadcasting, isPausing, requireAccess } from "./features/admin.js";
import { isFreeze } from "./features/security.js";
import { answerInline } from "./inline.js";
import { cardButtons, replyAmount } from "./intents/buttons.js";
import type { IntentCards } from "./intents/intent-cards.js";
import type { ShownCards } from "./intents/shown-cards.js";
import * as guards from "./middleware/guards.js";
import { answerTaps, errorBoundary, hurryConfirms, typing, userQueue, noteReturn } from "./middleware/handling.js";
import type { HandledNotes } from "../services/telegram/handled-notes.js";
import type { Metrics } from "../services/operator/metrics.js";
import { answerOldTap, answerUnknown } from "./unknown.js";

interface UpdateParts {
  readonly base: BotBase;
  readonly features: readonly Feature[];
  readonly cards: IntentCards;
  readonly shownCards: ShownCards;
  readonly intents: Intents;
  readonly trades: Kinds;
  readonly operator: Operator;
  readonly tradingPause: TradingPause;
  readonly outbox: Outbox;
  readonly pacer: Pacer;
  readonly metrics: Metrics;
  readonly handled: HandledNotes;
  /** See {@link cardButtons}. */
  readonly lookUp: ((intent: Intent) => Promise<boolean | undefined>) | undefined;
}

/** Mounts all middleware and handlers, in the order in which updates pass them. */
export function handleUpdates(bot: Bot<BotContext>, parts: UpdateParts): void {
  const { base, features, cards, shownCards, intents, trades, operator, tradingPause, outbox } = parts;
  const { handled, lookUp, metrics, pacer } = parts;
  const { clock } = base;
  bot.use(
    answerInline({ base, features, operator }),
    userQueue(base, (ctx) => isFreeze(ctx) || isPausing(ctx, operator)),
    errorBoundary({ base, metrics, operator, outbox }),
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

    // Handlers that work while a dialog is open, then the dialogs, then the commands that open them.
    cardButtons({ base, cards, shownCards, intents, tradingPause, lookUp, handled }),
    replyAmount({ cards, shownCards, intents, trades }),
    mountDialogs(base, features),
    allFeatures(features),
  );
  bot.on("message", answerUnknown(features));
  bot.on("callback_query", answerOldTap);
}
