import type { Parts } from "../bot/context.js";
import { tellInterrupted } from "../bot/intents/interrupted.js";
import { publishCommands } from "../bot/publish-commands.js";
import { isUnderWay, type Intent } from "../model/intent.js";
import { isSigned } from "../services/intents/requests.js";
import type { News } from "../services/lead.js";
import type { Alerting } from "./alerts.js";
import type { Chat } from "./chat.js";
import type { Place } from "./place.js";

/**
 * Begins what goes on beside people's updates: what the leading instance does for all, and what operators are told.
 * @returns what ends once the operator's part has, after the signal was aborted.
 */
export function startBackground(
  place: Place,
  { pacer, alerts, notices, orders, reminders }: Alerting,
  parts: Parts,
  { bot, desk, follower }: Chat,
): Promise<void> {
  const { clock, log, intents, operator, stopping: signal } = parts;
  const inBackground = (what: string, task: Promise<void>) => {
    task.catch((error: unknown) => {
      if (!signal.aborted) log.error({ reason: error }, what);
    });
  };
  const takeUp = (intent: Intent) => {
    operator.noteFound(intent);
    if (isSigned(intent) && isUnderWay(intent.state)) desk?.open(intent);
  };
  const hear = async (news: News): Promise<void> => {
    switch (news.about) {
      case "order":
        return orders.take(news.id);
      case "person":
        reminders.note(news.userId);
        return alerts.take(news.userId);
      case "transaction": {
        const intent = await intents.find(news.owner, news.id);
        if (intent !== undefined && isSigned(intent)) follower.follow(intent, news.isFresh);
        return;
      }
      case "replies":
        pacer.replied(news.chatIds);
    }
  };

  const operating = operator.run(signal);
  inBackground("Commands could not be published", publishCommands(bot.api, { clock, log, signal }));
  let telling = Promise.resolve();
  place.onLead({
    takeOver: () => {
      const takenUp = [reminders.start(), orders.start(), notices.start()];
      inBackground(
        "What was open could not be resumed",
        Promise.all(takenUp).then(() => log.info("Everything that was open is resumed")),
      );
      telling = telling.catch(() => undefined).then(() => tellInterrupted(parts, bot.api, signal, takeUp));
      inBackground("Some people could not be told of their interrupted calls", telling);
    },
    hear: (news) => inBackground("A message from another instance could not be handled", hear(news)),
  });
  return operating;
}
