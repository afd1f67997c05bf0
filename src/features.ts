import { formParts } from "./bot/dialogs/market.js";
import type { Feature } from "./bot/feature.js";
import { adminFeature } from "./bot/features/admin.js";
import { balanceFeature } from "./bot/features/balance.js";
import { freezeFeature } from "./bot/features/freeze.js";
import { historyFeature } from "./bot/features/history.js";
import { launchFeature } from "./bot/features/launch.js";
import { lockFeature } from "./bot/features/lock.js";
import { multihopFeature } from "./bot/features/multihop.js";
import { orderFeature } from "./bot/features/order.js";
import { pictureFeature } from "./bot/features/picture.js";
import { portfolioFeature } from "./bot/features/portfolio.js";
import { priceAlertFeature } from "./bot/features/price-alert.js";
import { receiptFeature } from "./bot/features/receipt.js";
import { securityFeature } from "./bot/features/security.js";
import { formOfSettings, settingsFeature } from "./bot/features/settings.js";
import { startFeature } from "./bot/features/start.js";
import { swapFeature } from "./bot/features/swap.js";
import { tokenFeature } from "./bot/features/token.js";
import { saveWallet, walletFeature } from "./bot/features/wallet.js";
import { createHoldings } from "./bot/held.js";
import type { CardButtonParts } from "./bot/intents/buttons.js";
import type { Operator } from "./services/operator/operator.js";
import type { Orders } from "./services/order/watch.js";
import type { Outbox } from "./services/outbox/sender.js";
import { createPortfolio } from "./services/portfolio/portfolio.js";
import type { Delays } from "./services/security/delays.js";
import type { TokenList } from "./services/token/list.js";
import type { Market } from "./trading.js";

/** The one list of features; {@link Feature} says what is fed from it. A text without a command is offered to them in this order. */
export function createFeatures(parts: {
  /** Opens cards that spend. */
  readonly cards: CardButtonParts;
  readonly market: Market;
  readonly orders: Orders;
  readonly outbox: Outbox;
  readonly operator: Operator;
  readonly delays: Pick<Delays, "note">;
  readonly tokens: TokenList;
  /** The bot's user name at Telegram, which is known once updates come in. */
  readonly botName: () => string;
}): readonly Feature[] {
  const { cards, orders, outbox, operator, delays, tokens, botName } = parts;
  const { balances, clock, intents, log, quoteAllowance, settings, store, trading } = cards;
  const { launch, lock, pools, priceAlerts, prices, swaps, worth } = parts.market;
  const { referralPercentage } = settings;
  const holdings = createHoldings({ balances, lock, tokens, settings, clock });
  const views = { settings, store, clock };
  const forms = formParts({
    tokens,
    holdings,
    pools,
    worth,
    settings,
    store,
    saveWallet: saveWallet.bind(undefined, views),
  });
  const read = createPortfolio({ balances, intents, lock, pools, swaps, tokens, store, clock, settings });
  const setting = formOfSettings({ ...views, forms });
  const lookingAtOrders = { ...views, orders, quoteAllowance, botName };
  return [
    startFeature({ ...lookingAtOrders, holdings, pools, tokens, referralPercentage }),
    orderFeature({ ...lookingAtOrders, forms }),
    walletFeature({ ...views, intents, outbox, delays, forms }),
    swapFeature({ ...cards, swaps, tokens, forms }),
    multihopFeature({ ...cards, forms }),
    lockFeature({ ...cards, lock, holdings, forms, outbox }),
    launchFeature({ ...cards, launch, lock, tokens, worth, forms }),
    balanceFeature({ balances, holdings, lock, pools, tokens, store, clock }),
    priceAlertFeature({ ...views, priceAlerts, forms, outbox, quoteAllowance, tokens }),
    portfolioFeature({ read, holdings, tokens, store, clock, log }),
    historyFeature({ intents, referralPercentage, clock }),
    receiptFeature({ intents, store, clock, log }),
    settingsFeature({ ...views, outbox, log }, setting),
    securityFeature({ ...views, delays, intents }, setting),
    freezeFeature({ ...views, delays, intents, outbox, log }),
    pictureFeature({ ...lookingAtOrders, pools, prices, worth, tokens, intents, log }),
    tokenFeature({ pools, swaps, tokens, quoteAllowance, log }),
    adminFeature({ ...views, operator, trading, tokens, log }),
  ];
}
