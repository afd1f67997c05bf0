import { handleUpdates } from "../bot/bot.js";
import type { BotBase } from "../bot/context.js";
import { tellForgotten } from "../bot/features/security.js";
import { intentTopics } from "../bot/intents/card-topic.js";
import { createIntentCards } from "../bot/intents/intent-cards.js";
import { createShownCards } from "../bot/intents/shown-cards.js";
import type { HandledNotes } from "../services/telegram/handled-notes.js";
import { signingView } from "../bot/signing/page.js";
import { createUserRateLimit } from "../services/base/rate.js";
import type { Intent } from "../services/intent/intent.js";
import { createWeekly } from "../services/history/week-subscription.js";
import { createDelays } from "../services/operator/delays.js";
import type { OwnWrites } from "../services/person/own-writes.js";
import type { Person } from "../services/person/person.js";
import type { Base, Events } from "./base.js";
import { createFeatures } from "./features.js";
import { createOffering } from "./offering.js";
import type { Services } from "./services.js";
import { createSigning } from "./signing.js";

/** What the store's writes go through for updates. */
export interface UpdateWrites {
  readonly handled: HandledNotes;
  readonly ownWrites: OwnWrites;
}

/** Creates what answers updates, and mounts it. @returns what runs and stops by itself. */
export function mountBot(base: Base, services: Services, updates: UpdateWrites, events: Events) {
  const { config, clock, log, store, tokens } = base;
  const { connections, market, bot, outbox, pacer, intents, operator, tradingPause, metrics } = services;
  const { handled, ownWrites } = updates;
  const { trades } = market;
  const botBase: BotBase = { settings: config, tokens, store, clock, log };
  const botName = () => bot.botInfo.username;
  const shownCards = createShownCards({ intents, outbox, clock, log });
  const closeCards = async (userId: number) => {
    await shownCards.showClosed(await shownCards.closeOpen(userId));
    // A new address pauses them.
    await standingOrders.look(userId);
    await market.arrivals.follow(userId);
  };
  const sayGoodbye = (userId: number, person: Person) => tellForgotten(bot.api, log, userId, person);
  const delays = createDelays({
    settings: config,
    outbox,
    ownWrites,
    closeCards,
    tellForgotten: sayGoodbye,
    onInEffect: (userId) => standingOrders.lookAtHeldOf(userId),
    store,
    clock,
    log,
  });
  const present = (intent: Intent) => shownCards.showEnd(intent);
  events.on("changed", shownCards.showClaim);

  const view = signingView({ base: botBase, botName, outbox });
  const signing = createSigning(base, services, { events, view, present });
  const quoteAllowance = createUserRateLimit({ clock, burst: 60, refillSeconds: 1 });
  const cards = createIntentCards({
    base: botBase,
    balances: connections.balances,
    rights: market.rights,
    intents,
    outbox,
    trades,
    tradingPause,
    quoteAllowance,
    chainCheck: connections.chainCheck,
    estimateFee: signing?.estimateFee,
  });
  const estimateFee = signing?.estimateFee;
  const { proposals, standingOrders } = createOffering(base, services, { events, quoteAllowance, estimateFee });
  const weekly = createWeekly({ outbox, noteError: operator.noteError, store, clock, log });
  const features = createFeatures(services, {
    base: botBase,
    botName,
    cards,
    shownCards,
    quoteAllowance,
    delays,
    standingOrders,
    proposals,
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
    ownWrites,
    lookUp: signing?.tracker.lookUp,
  });
  /** Undefined unless programs can reach a port. */
  const shown = config.proposalUrl === undefined ? undefined : proposals;
  return { features, signing, delays, standingOrders, proposals: shown };
}
