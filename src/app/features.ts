import type { BotBase } from "../bot/context.js";
import type { Feature } from "../bot/feature.js";
import { arrivalsFeature } from "../bot/features/arrivals.js";
import { addressesFeature } from "../bot/features/addresses.js";
import { adminFeature } from "../bot/features/admin.js";
import { bigTradesFeature } from "../bot/features/big-trades.js";
import { historyFeature } from "../bot/features/history.js";
import { launchFeature } from "../bot/features/launch.js";
import { lockFeature } from "../bot/features/lock.js";
import { newPairsFeature } from "../bot/features/new-pairs.js";
import { orderFeature } from "../bot/features/order.js";
import { pictureFeature } from "../bot/features/picture.js";
import { portfolioFeature } from "../bot/features/portfolio.js";
import { priceAlertFeature } from "../bot/features/price-alert.js";
import { securityFeature } from "../bot/features/security.js";
import { settingsFeature } from "../bot/features/settings.js";
import { signalsFeature } from "../bot/features/signals.js";
import { standingFeature } from "../bot/features/standing.js";
import { startFeature } from "../bot/features/start.js";
import { swapFeature } from "../bot/features/swap.js";
import { tokenFeature } from "../bot/features/token.js";
import { walletFeature } from "../bot/features/wallet.js";
import { weekFeature } from "../bot/features/week.js";
import { createForms } from "../bot/forms.js";
import { createHoldings } from "../bot/holdings.js";
import type { IntentCards } from "../bot/intents/intent-cards.js";
import type { ShownCards } from "../bot/intents/shown-cards.js";
import type { Allowance } from "../services/base/rate.js";
import type { Delays } from "../services/operator/delays.js";
import { newId } from "../services/base/new-id.js";
import type { Weekly } from "../services/history/week-subscription.js";
import type { Proposals } from "../services/standing/proposals.js";
import type { StandingOrders } from "../services/standing/standing-orders.js";
import type { Services } from "./services.js";

/** What features build on besides the services. Each is passed only what it needs, by name. */
interface BotParts {
  readonly base: BotBase;
  readonly botName: () => string;
  readonly cards: IntentCards;
  readonly shownCards: ShownCards;
  readonly quoteAllowance: Allowance;
  readonly delays: Delays;
  readonly standingOrders: StandingOrders;
  readonly proposals: Proposals;
  readonly weekly: Weekly;
}

/** Every feature; see {@link Feature} for what one contributes. Text without a command is offered to them in order. */
export function createFeatures(services: Services, parts: BotParts): readonly Feature[] {
  const { connections, market, intents, orders, outbox, operator, tokenPosition, tradingPause } = services;
  const { base, botName, cards, shownCards, quoteAllowance, delays, proposals, standingOrders, weekly } = parts;
  const { balances } = connections;
  const {
    arrivals,
    bigTrades,
    launching,
    lock,
    newPairs,
    pairFacts,
    pools,
    priceAlerts,
    prices,
    rights,
    swaps,
    tokenMarket,
    trades,
    worth,
  } = market;
  const holdings = createHoldings({ base, balances, lock });
  const forms = createForms({ base, cards, holdings, pools, tradingPause, worth });
  return [
    startFeature({ arrivals, base, bigTrades, holdings, newPairs, orders, pools, priceAlerts, standingOrders }),
    orderFeature({ base, botName, forms, orders, quoteAllowance, standingOrders }),
    walletFeature({ arrivals, base, delays, forms, shownCards, standingOrders }),
    addressesFeature({ base, forms }),
    // Before swaps, whose words it also reads: “buy KFI below 96”.
    standingFeature({ base, balances, cards, forms, orders, quoteAllowance, rights, standingOrders, swaps }),
    signalsFeature({ base, forms, proposals }),
    swapFeature({ base, balances, cards, forms, quoteAllowance, rights, swaps }),
    lockFeature({ base, cards, forms, holdings, lock, outbox, trades }),
    launchFeature({ base, cards, forms, intents, launching }),
    priceAlertFeature({ base, forms, priceAlerts, quoteAllowance }),
    newPairsFeature({ base, newPairs, pairFacts, rights }),
    bigTradesFeature({ base, bigTrades }),
    portfolioFeature({ arrivals, base, balances, holdings, intents, lock, pools, rights, standingOrders, swaps }),
    arrivalsFeature({ base, arrivals }),
    historyFeature({ base, intents }),
    weekFeature({ base, intents, weekly }),
    settingsFeature({ base, forms, intents, newId, outbox, standingOrders }),
    securityFeature({ base, delays, intents, shownCards }),
    pictureFeature({
      base,
      balances,
      botName,
      holdings,
      intents,
      orders,
      pools,
      prices,
      quoteAllowance,
      tokenPosition,
      worth,
    }),
    tokenFeature({
      base,
      balances,
      forms,
      holdings,
      intents,
      operator,
      quoteAllowance,
      rights,
      standingOrders,
      swaps,
      tokenMarket,
      tokenPosition,
    }),
    adminFeature({ base, operator, standingOrders, tradingPause }),
  ];
}
