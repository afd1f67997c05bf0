import { handleUpdates } from "../bot/bot.js";
import type { BotBase } from "../bot/context.js";
import type { Feature } from "../bot/feature.js";
import { tellForgotten } from "../bot/features/security.js";
import { intentTopics } from "../bot/intents/card-topic.js";
import { createIntentCards } from "../bot/intents/intent-cards.js";
import { createShownCards } from "../bot/intents/shown-cards.js";
import type { HandledNotes } from "../services/telegram/handled-notes.js";
import { signingView } from "../bot/signing/page.js";
import { createUserRateLimit } from "../services/base/rate.js";
import type { Intent } from "../services/intent/intent.js";
import { createWeekly } from "../services/history/weekly.js";
import { createDelays, type Delays } from "../services/operator/delays.js";
import type { Person } from "../services/person/person.js";
import { openArrivals } from "./arrivals.js";
import type { Base, Events } from "./base.js";
import { createFeatures } from "./features.js";
import type { Services } from "./services.js";
import { createStanding } from "./standing.js";
import { createSigning, type Signing } from "./signing.js";

/** What {@link mountBot} made that runs and stops by itself. */
interface MountedBot {
  readonly features: readonly Feature[];
  /** Undefined unless wallets sign. */
  readonly signing: Signing | undefined;
  readonly delays: Delays;
}

/** Creates what answers updates, and mounts it. */
export function mountBot(base: Base, services: Services, handled: HandledNotes, events: Events): MountedBot {
  const { config, clock, log, store, tokens } = base;
  const { connections, feed, market, bot, outbox, pacer, intents, operator, tradingPause, metrics } = services;
  const { balances, chainCheck } = connections;
  const { pools, trades } = market;
  const botBase: BotBase = { settings: config, tokens, store, clock, log };
  const botName = () => bot.botInfo.username;
  const shownCards = createShownCards({ intents, outbox, clock, log });
  const closeCards = async (userId: number) => {
    await shownCards.showClosed(await shownCards.closeOpen(userId));
    // A new address pauses them.
    await standingOrders.look(userId);
    arrivals.look(userId);
  };
  const sayGoodbye = (userId: number, person: Person) => {
    arrivals.look(userId);
    return tellForgotten(bot.api, log, userId, person);
  };
  const delays = createDelays({ settings: config, outbox, closeCards, tellForgotten: sayGoodbye, store, clock, log });
  const present = (intent: Intent) => shownCards.showEnd(intent);
  events.on("changed", shownCards.showClaim);

  const view = signingView({ base: botBase, botName, outbox });
  const signing = createSigning(base, { connections, feed, events, intents, pools, tradingPause, view, present });
  const quoteAllowance = createUserRateLimit({ clock, burst: 60, refillSeconds: 1 });
  const cards = createIntentCards({
    base: botBase,
    balances,
    rights: market.rights,
    intents,
    outbox,
    trades,
    tradingPause,
    quoteAllowance,
    chainCheck,
    estimateFee: signing?.estimateFee,
  });
  const standingOrders = createStanding(base, services, { events, quoteAllowance, estimateFee: signing?.estimateFee });
  const arrivals = openArrivals(base, services);
  const weekly = createWeekly({ outbox, noteError: operator.noteError, store, clock, log });
  const features = createFeatures(services, {
    base: botBase,
    botName,
    cards,
    shownCards,
    quoteAllowance,
    delays,
    standingOrders,
    arrivals,
    weekly,
  });
  outbox.use([...intentTopics(botBase), ...features.flatMap(({ topics = [] }) => topics)]);
  handleUpdates(bot, {
    base: botBase,
    features,
    cards,
    shownCards,
    intents,
    trades,
    operator,
    tradingPause,
    outbox,
    pacer,
    metrics,
    handled,
    lookUp: signing?.tracker.lookUp,
  });
  return { features, signing, delays };
}
