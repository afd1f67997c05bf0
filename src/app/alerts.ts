import { Api } from "grammy";
import { sendCardTo } from "../bot/send.js";
import { noticeCard, orderAlertCard } from "../cards/alert.js";
import type { Card } from "../cards/card.js";
import { unlockableCard } from "../cards/lock.js";
import { messagesIn } from "../locales/messages.js";
import type { Notice } from "../services/outbox/notice.js";
import type { Person } from "../services/person/person.js";
import { createDelays } from "../services/security/delays.js";
import { lockTopic } from "../services/lock/reminder.js";
import { broadcastTopic } from "../services/operator/broadcast.js";
import { forget } from "../services/operator/forget.js";
import { createOrders, orderTopic } from "../services/order/watch.js";
import { outageTopic } from "../services/order/outage.js";
import { noteReach } from "../services/order/queries.js";
import { noticeTopic } from "../services/outbox/outbox.js";
import { createPacer } from "../services/outbox/pacer.js";
import { createOutbox } from "../services/outbox/sender.js";
import type { Foundations, Services } from "./services.js";

export type Alerting = ReturnType<typeof composeAlerts>;

/** Whatever tells people of something that they did not just ask for. */
export function composeAlerts(
  { config, clock, log, store, run }: Foundations,
  { telegram, metrics, exchange }: Services,
  noteError: (error: unknown) => void,
) {
  const pacer = createPacer({ clock });
  // An API of its own: alerts are paced and tried again by their sender alone.
  const api = new Api(config.botToken, telegram.optionsForAlerts);
  api.config.use(telegram.olderServer);
  const viewOf = ({ language }: Person) => ({ words: messagesIn(language), now: clock.now() });
  const render = (what: Notice["what"], person: Person) => noticeCard({ what }, viewOf(person));
  const outbox = createOutbox<Card>({
    store,
    topics: [
      orderTopic((alert, person) => orderAlertCard(alert, viewOf(person))),
      outageTopic(render),
      noticeTopic(render),
      broadcastTopic(render),
      lockTopic((lock, person) => unlockableCard(lock, viewOf(person))),
    ],
    pacer,
    deliver: (chatId, card, { isSilent }) => sendCardTo(api, chatId, card, isSilent),
    onReach: noteReach,
    noteError,
    run,
    clock,
    log,
  });
  metrics.outbox(outbox.waiting);
  const common = { store, outbox, clock, log };
  const orders = createOrders({
    ...common,
    exchange,
    pace: {
      minSeconds: config.orderPollMinSeconds,
      maxSeconds: config.orderPollMaxSeconds,
      requestsPerSecond: config.orderPollRps,
    },
    outageSeconds: config.serviceOutageSeconds,
  });
  const delays = createDelays({
    ...common,
    forget: (userId, mayGo) => forget(store, userId, clock.now(), mayGo),
  });
  return { delays, pacer, outbox, orders };
}
