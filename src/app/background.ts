import type { Parts } from "../bot/context.js";
import { closeOpenCards, presentClosed } from "../bot/intents/cancel-open.js";
import { tellInterrupted } from "../bot/intents/interrupted.js";
import { sendCardTo } from "../bot/send.js";
import { forgottenCard } from "../cards/security.js";
import { messagesIn } from "../locales/messages.js";
import { publishCommands } from "../bot/publish-commands.js";
import { isLookedFor, isSigned, isUnderWay, type Intent } from "../services/intent/intent.js";
import type { Person } from "../services/person/person.js";
import { remindOfLocks } from "../services/lock/reminder.js";
import type { Alerting } from "./alerts.js";
import type { Chat } from "./chat.js";

/**
 * Begins what goes on beside people's updates: what was open is taken up, and operators are told of what goes wrong.
 * @returns what ends once the operator's part has, after the signal was aborted.
 */
export function startBackground(
  { delays, orders, outbox }: Alerting,
  parts: Parts,
  { bot, expiring, follow }: Chat,
): Promise<void> {
  const { clock, log, operator, stopping: signal } = parts;
  const inBackground = (what: string, task: Promise<void>) => {
    task.catch((error: unknown) => {
      if (!signal.aborted) log.error({ reason: error }, what);
    });
  };
  const takeUp = (intent: Intent) => {
    if (isSigned(intent) && (isUnderWay(intent.state) || isLookedFor(intent))) follow(intent);
  };
  inBackground("Commands could not be published", publishCommands(bot.api, { clock, log, signal }));
  const closeCards = async (userId: number) => presentClosed(parts, bot.api, await closeOpenCards(parts, userId));
  // Nothing is kept to try again from.
  const tellForgotten = (userId: number, { language }: Person) =>
    sendCardTo(bot.api, userId, forgottenCard(messagesIn(language))).catch((error: unknown) => {
      log.warn({ reason: error }, "Somebody could not be told that they are forgotten");
    });
  outbox.start();
  inBackground(
    "What was open could not be resumed",
    orders.start().then(() => log.info("Everything that was open is resumed")),
  );
  inBackground(
    "Some people could not be told of their interrupted calls",
    tellInterrupted(parts, bot.api, signal, takeUp),
  );
  const operating = [
    operator.run(signal),
    expiring.run(signal),
    delays.run({ closeCards, tellForgotten }, signal),
    remindOfLocks({ ...parts, epochStatus: parts.lock.epochStatus, outbox }, signal),
  ];
  return Promise.all(operating).then(() => undefined);
}
