import { Api } from "grammy";
import { sendCardTo } from "../bot/send.js";
import { noticeCard, orderAlertCard } from "../cards/alert.js";
import type { Card } from "../cards/card.js";
import { messagesIn } from "../locales/messages.js";
import type { Person } from "../model/person.js";
import { createAlerts } from "../services/alerts/alerts.js";
import { createNotices } from "../services/alerts/notices.js";
import { createPacer } from "../services/alerts/pacer.js";
import { createReminders } from "../services/alerts/reminders.js";
import { createDelays } from "../services/alerts/delays.js";
import { forget } from "../services/operator/forget.js";
import { createOrders } from "../services/orders/orders.js";
import type { Foundations, Services } from "./services.js";

export type Alerting = ReturnType<typeof composeAlerts>;

/** Whatever tells people of something that they did not just ask for. */
export function composeAlerts(
  { config, clock, log, store, database, run }: Foundations,
  { telegram, metrics, exchange, locking }: Services,
) {
  const common = { store, run, clock, log };
  const pacer = createPacer({ clock });
  // An API of its own: alerts are paced and tried again by their sender alone.
  const api = new Api(config.botToken, telegram.optionsForAlerts);
  const alerts = createAlerts<Card>({
    ...common,
    pacer,
    deliver: (chatId, card, { isSilent }) => sendCardTo(api, chatId, card, isSilent),
  });
  metrics.outbox(alerts.waiting);
  const viewOf = ({ language, timeZone }: Person) => ({ words: messagesIn(language), timeZone });
  const notices = createNotices<Card>({
    ...common,
    alerts,
    render: (notice, person) => noticeCard(notice, viewOf(person)),
  });
  const { notify } = notices;
  const orders = createOrders<Card>({
    ...common,
    database,
    exchange,
    pace: {
      minSeconds: config.orderPollMinSeconds,
      maxSeconds: config.orderPollMaxSeconds,
      requestsPerSecond: config.orderPollRps,
    },
    outageSeconds: config.serviceOutageSeconds,
    alerts,
    notify,
    render: (alert, person) => orderAlertCard(alert, viewOf(person)),
  });
  const reminders = createReminders({ ...common, epochStatus: locking.epochStatus, notify });
  const delays = createDelays({
    ...common,
    notify,
    forget: (userId, mayGo) => store.write((tx) => forget(tx, userId, clock.now(), mayGo)),
  });
  return { delays, pacer, alerts, notices, orders, reminders };
}
