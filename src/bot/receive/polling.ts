import type { Context } from "grammy";
import { LONG_POLL_SECONDS } from "../../services/clients/telegram-client.js";
import { allowedUpdates, deleteWebhook, startTransport, untilTelegramAnswers } from "./transport.js";
import type { Transport, TransportParts, Waiting } from "./transport.js";

const CONCURRENCY = 2_000;
/** A long poll is answered after some seconds at the latest; several times that without an answer is an outage. */
const HEALTHY_MS = 4 * LONG_POLL_SECONDS * 1000;
/** Pause between requests where a server does not hold a poll, or too much is in progress. */
const PACE_MS = 50;

export function startPolling<C extends Context>(parts: TransportParts<C>): Transport {
  const { bot, inbox, clock, log } = parts;
  let metAt = Number.NEGATIVE_INFINITY;
  /** Everything below it is stored; what Telegram repeats after a stop is recognised by id. */
  let offset = 0;

  async function poll(waiting: Waiting): Promise<void> {
    const { signal } = waiting;
    await untilTelegramAnswers(() => deleteWebhook(bot.api), waiting);
    await inbox.takeUp();
    signal.throwIfAborted();
    metAt = clock.monotonic();
    log.info({ username: bot.botInfo.username }, "Bot started (long polling)");
    while (!signal.aborted) {
      const askedAt = clock.monotonic();
      const request = { offset, limit: 100, timeout: LONG_POLL_SECONDS, allowed_updates: allowedUpdates };
      // grammY's declarations name a polyfill's signal; at run time any signal will do.
      const updates = await untilTelegramAnswers(() => bot.api.getUpdates(request, signal as never), waiting);
      metAt = clock.monotonic();
      await inbox.receive(updates);
      offset = (updates.at(-1)?.update_id ?? offset - 1) + 1;
      const early = askedAt + PACE_MS - metAt;
      if (updates.length === 0 && early > 0) await clock.sleep(early, signal);
      while (inbox.underWay() >= CONCURRENCY) await clock.sleep(PACE_MS, signal);
    }
  }

  const transport = startTransport(parts, poll, async () => {
    await Promise.allSettled([transport.done]);
    await inbox.idle();
  });
  return { ...transport, healthy: () => clock.monotonic() - metAt < HEALTHY_MS };
}
