import type { Context } from "grammy";
import { LONG_POLL_SECONDS } from "../../services/clients/telegram-client.js";
import { untilTelegramAnswers, type Waiting } from "./back-off.js";
import { allowedUpdates, deleteWebhook, startTransport, type Transport, type TransportParts } from "./transport.js";

/** Updates under way at most, with those that wait for an earlier one of the same person. */
const CONCURRENCY = 2_000;
/** A long poll is answered after some seconds at the latest; several times that without an answer is an outage. */
const HEALTHY_MILLISECONDS = 4 * LONG_POLL_SECONDS * 1000;
/** From one request to the next where a server does not hold a poll until something comes, or too much is under way. */
const PACE_MILLISECONDS = 50;
/** How long the last request may take when the bot stops. */
const CONFIRM_MILLISECONDS = 3_000;

/** Receives updates by long polling, from the moment in which Telegram first answers. */
export function startPolling<C extends Context>(parts: TransportParts<C>): Transport {
  const { bot, inbox, clock, log } = parts;
  let metAt = Number.NEGATIVE_INFINITY;
  /** What is below it was kept; Telegram hears of that with the next request. */
  let offset = 0;
  let toldOffset = 0;

  async function getUpdates(request: { limit: number; timeout: number }, signal: AbortSignal) {
    const told = offset;
    // grammY's declarations name a polyfill's signal; at run time any signal will do.
    const updates = await bot.api.getUpdates({ offset, ...request, allowed_updates: allowedUpdates }, signal as never);
    toldOffset = told;
    return updates;
  }

  async function poll(waiting: Waiting): Promise<void> {
    const { signal } = waiting;
    await untilTelegramAnswers(() => deleteWebhook(bot.api), waiting);
    await inbox.takeUp();
    signal.throwIfAborted();
    metAt = clock.monotonic();
    log.info({ username: bot.botInfo.username }, "Polling begins");
    while (!signal.aborted) {
      const askedAt = clock.monotonic();
      // Telegram gives no more at once.
      const request = { limit: 100, timeout: LONG_POLL_SECONDS };
      const updates = await untilTelegramAnswers(() => getUpdates(request, signal), waiting);
      metAt = clock.monotonic();
      await inbox.receive(updates);
      offset = (updates.at(-1)?.update_id ?? offset - 1) + 1;
      const early = askedAt + PACE_MILLISECONDS - metAt;
      if (updates.length === 0 && early > 0) await clock.sleep(early, signal);
      while (inbox.underWay() >= CONCURRENCY) await clock.sleep(PACE_MILLISECONDS, signal);
    }
  }

  const transport = startTransport(parts, poll, async () => {
    await Promise.allSettled([transport.done]);
    await inbox.idle();
  });
  return {
    done: transport.done,
    healthy: () => clock.monotonic() - metAt < HEALTHY_MILLISECONDS,
    stop: async (deadlineMilliseconds) => {
      await transport.stop(deadlineMilliseconds);
      if (offset === toldOffset) return;
      const last = { limit: 1, timeout: 0 };
      await getUpdates(last, AbortSignal.timeout(CONFIRM_MILLISECONDS)).catch((error: unknown) => {
        log.warn({ reason: error }, "The last updates could not be confirmed; Telegram will repeat them");
      });
    },
  };
}
