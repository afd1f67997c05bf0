import { Api } from "grammy";
import type { Logger } from "pino";
import { callTopic, cardTopic } from "./bot/intents/card-topic.js";
import { editCard, sendCardTo } from "./bot/send.js";
import type { Config } from "./config.js";
import type { Connections } from "./connect.js";
import { noteReach } from "./services/order/queries.js";
import type { Pacer } from "./services/outbox/pacer.js";
import type { Database } from "./store/store.js";
import { noticeCard, orderAlertCard } from "./cards/alert.js";
import type { Card } from "./cards/card.js";
import { toldAlertCard } from "./cards/price-alert.js";
import { unlockableCard } from "./cards/lock.js";
import type { Clock } from "./clock.js";
import { messagesIn } from "./locales/messages.js";
import { lockTopic } from "./services/lock/reminder.js";
import { broadcastTopic } from "./services/operator/broadcast.js";
import { outageTopic } from "./services/order/outage.js";
import { priceAlertTopic } from "./services/price-alert/poll.js";
import { noteReachOfAlerts } from "./services/price-alert/queries.js";
import { orderTopic, type Orders } from "./services/order/watch.js";
import type { Notice } from "./services/outbox/notice.js";
import { noticeTopic, type Topic } from "./services/outbox/outbox.js";
import type { Person } from "./services/person/person.js";
import { formParts } from "./bot/dialogs/market.js";
import type { Feature } from "./bot/feature.js";
import { adminFeature } from "./bot/features/admin.js";
import { balanceFeature } from "./bot/features/balance.js";
import { freezeFeature } from "./bot/features/freeze.js";
import { historyFeature } from "./bot/features/history.js";
import { launchFeature } from "./bot/features/launch.js";
import { lockFeature } from "./bot/features/lock.js";
import { multihopFeature } from "./bot/features/multihop.js";
import { priceAlertFeature } from "./bot/features/price-alert.js";
import { portfolioFeature } from "./bot/features/portfolio.js";
import { orderFeature } from "./bot/features/order.js";
import { pictureFeature } from "./bot/features/picture.js";
import { receiptFeature } from "./bot/features/receipt.js";
import { securityFeature } from "./bot/features/security.js";
import { formOfSettings, settingsFeature } from "./bot/features/settings.js";
import { startFeature } from "./bot/features/start.js";
import { swapFeature } from "./bot/features/swap.js";
import { tokenFeature } from "./bot/features/token.js";
import { saveWallet, walletFeature } from "./bot/features/wallet.js";
import { createHoldings } from "./bot/held.js";
import { createPortfolio } from "./services/portfolio/portfolio.js";
import type { CardButtonParts } from "./bot/intents/buttons.js";
import type { Market } from "./trading.js";
import type { Operator } from "./services/operator/operator.js";
import { createOutbox, type Delivery, type Outbox } from "./services/outbox/sender.js";
import type { Delays } from "./services/security/delays.js";
import type { TokenList } from "./services/token/list.js";

/**
 * All features: commands, buttons, forms and what is written without a command are looked up here alone. A text without a command
 * is offered to them in this order.
 */
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
  const { callIncludesCaller, referralPercentage } = settings;
  const holdings = createHoldings({ balances, lock, tokens, callerIsPerson: callIncludesCaller, clock });
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
    portfolioFeature({ read, holdings, tokens, clock }),
    historyFeature({ intents, referralPercentage, clock }),
    receiptFeature({ intents, store, clock, log }),
    settingsFeature({ ...views, outbox, log }, setting),
    securityFeature({ ...views, delays, intents }, setting),
    freezeFeature({ ...views, delays, intents, outbox, log }),
    pictureFeature({ ...lookingAtOrders, prices, worth, tokens, intents, log }),
    tokenFeature({ pools, swaps, tokens, quoteAllowance, log }),
    adminFeature({ operator, trading, store, tokens, clock }),
  ];
}

/** Whatever tells people of something that they did not just ask for. */
export function createAlerts(parts: {
  readonly config: Config;
  /** For what people have just asked for. */
  readonly replies: Api;
  readonly connections: Pick<Connections, "telegram">;
  readonly pacer: Pacer;
  /** Told of what can't be read. */
  readonly noteError: (error: unknown) => void;
  /** Names this run of the program. */
  readonly run: string;
  readonly store: Database;
  readonly clock: Clock;
  readonly log: Logger;
}): Outbox {
  const { config, replies, connections, pacer, noteError, run, store, clock, log } = parts;
  const { telegram } = connections;
  // An API of its own: alerts are paced and tried again by their sender alone.
  const api = new Api(config.botToken, telegram.optionsForAlerts);
  api.config.use(...telegram.olderServer);
  const deliver = (chatId: number, card: Card, { isAsked, edits, ...how }: Delivery): Promise<number> => {
    const by = isAsked ? replies : api;
    return edits === undefined ? sendCardTo(by, chatId, card, how) : editCard(by, chatId, edits, card);
  };
  return createOutbox<Card>({
    topics: [...topicsFor(clock), cardTopic({ settings: config, clock }), callTopic({ settings: config, clock })],
    pacer,
    deliver,
    onReach: async (...reached) => {
      await noteReach(...reached);
      await noteReachOfAlerts(...reached);
    },
    noteError,
    run,
    store,
    clock,
    log,
  });
}

/** What people are told of without having asked for it just now. */
function topicsFor(clock: Pick<Clock, "now">): readonly Topic<Card>[] {
  const viewOf = ({ language }: Person) => ({ words: messagesIn(language), now: clock.now() });
  const render = (what: Notice["what"], person: Person) => noticeCard({ what }, viewOf(person));
  return [
    orderTopic((alert, person) => orderAlertCard(alert, viewOf(person))),
    priceAlertTopic(clock, (alert, person) => toldAlertCard(alert, viewOf(person))),
    outageTopic(render),
    noticeTopic(render),
    broadcastTopic(render),
    lockTopic((lock, person) => unlockableCard(lock, viewOf(person))),
  ];
}
