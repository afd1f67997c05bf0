import { once } from "node:events";
import { type Bot, GrammyError } from "grammy";
import type { Basics } from "../../loop.js";
import { pauseAfter, within } from "../../clock.js";
import type { Config } from "../../config.js";
import { Fault } from "../../fault.js";
import { LONG_POLL_SECONDS } from "../../services/clients/telegram-client.js";
import { describeError, floodSeconds } from "../../services/clients/telegram-errors.js";
import type { Inbox } from "./inbox.js";
import type { ServerParts, WebhookRoute } from "./server.js";

export interface Transport {
  /** @throws Fault `service-unauthorized` when Telegram refuses the token. */
  readonly done: Promise<void>;
  readonly healthy: () => boolean;
  /** Stops receiving, waits until the deadline for updates in progress, and never throws. */
  readonly stop: (deadlineMilliseconds: number) => Promise<void>;
}

interface TransportParts extends Basics {
  readonly bot: Pick<Bot, "api" | "botInfo">;
  readonly inbox: Inbox;
}

export interface Waiting extends Basics {
  readonly signal: AbortSignal;
}

/** While the store takes longer than this to answer, another instance may take over. */
const SLOW_STORE_MS = 5_000;

/**
 * Receives by webhook if one is configured, otherwise by polling. With a port, also serves health, metrics and the
 * signing page. @throws Node's own error if host or port can't be used.
 */
export async function startReceiving(
  parts: TransportParts &
    Pick<ServerParts, "metrics" | "signing"> & {
      readonly config: Pick<Config, "updates" | "port" | "host" | "metricsToken">;
      /** Whether this process owns a store that works. */
      readonly owns: () => Promise<boolean>;
      /** Whether the services work. */
      readonly isWell: () => boolean;
    },
): Promise<Transport> {
  const { updates, port, host, metricsToken } = parts.config;
  const webhook = updates.kind === "webhook" ? startWebhook(parts, updates) : undefined;
  const transport = webhook ?? startPolling(parts);
  if (port === undefined) return transport;

  parts.metrics.watchProcess();
  try {
    const { createReadiness, startServer } = await import("./server.js");
    const owns = createReadiness(parts.owns, parts.clock);
    const active = () => owns(SLOW_STORE_MS);
    const ready = async () => transport.healthy() && parts.isWell() && (await owns());
    const server = await startServer({ ...parts, port, host, metricsToken, active, ready, webhook: webhook?.route });
    return {
      ...transport,
      stop: async (deadlineMilliseconds) => {
        await transport.stop(deadlineMilliseconds);
        await server.close();
      },
    };
  } catch (error) {
    await transport.stop(0);
    throw error;
  }
}

const POLLING_CONCURRENCY = 2_000;
/** Telegram answers a long poll within seconds, so several times that without an answer is an outage. */
const HEALTHY_MS = 4 * LONG_POLL_SECONDS * 1000;
/** Pause between requests if the server doesn't hold a poll, or too many updates are in progress. */
const PACE_MS = 50;
/** The most that Telegram hands out at a time. */
const LOT = 100;
/** Updates that take longer than this don't hold up the next ones. */
const MAX_LOT_MS = 200;

export function startPolling(parts: TransportParts): Transport {
  const { bot, inbox, clock, log } = parts;
  let metAt = Number.NEGATIVE_INFINITY;
  /** Updates below it are stored. Those that Telegram repeats after a restart are recognised by id. */
  let offset = 0;
  const healthy = () => clock.monotonic() - metAt < HEALTHY_MS;
  /** Telegram refuses polls while a webhook is set. Other Bot API servers may not have webhooks: 404. */
  const deleteWebhook = () =>
    bot.api.deleteWebhook().catch((error: unknown) => {
      if (!(error instanceof GrammyError) || error.error_code !== 404) throw error;
    });

  return startTransport(parts, healthy, async (waiting) => {
    const { signal } = waiting;
    await untilTelegramAnswers(deleteWebhook, waiting);
    await inbox.takeUp();
    signal.throwIfAborted();
    metAt = clock.monotonic();
    log.info({ username: bot.botInfo.username }, "Bot started (long polling)");
    while (!signal.aborted) {
      const askedAt = clock.monotonic();
      const request = { offset, limit: LOT, timeout: LONG_POLL_SECONDS, allowed_updates: allowedUpdates };
      // grammY's types expect a polyfill's signal; at run time any signal works.
      const updates = await untilTelegramAnswers(() => bot.api.getUpdates(request, signal as never), waiting);
      metAt = clock.monotonic();
      await inbox.receive(updates);
      offset = (updates.at(-1)?.update_id ?? offset - 1) + 1;
      const early = askedAt + PACE_MS - metAt;
      if (updates.length === 0 && early > 0) await clock.sleep(early, signal);
      // With more waiting at Telegram, these are handled first: those in progress at a time cost memory.
      if (updates.length === LOT) await within(clock, MAX_LOT_MS, inbox.handled());
      while (inbox.underWay() >= POLLING_CONCURRENCY) await clock.sleep(PACE_MS, signal);
    }
  });
}

/** With this many updates in progress, further ones are refused, and Telegram posts them again. */
const WEBHOOK_CONCURRENCY = 500;

export function startWebhook(
  parts: TransportParts,
  { webhookUrl: url, webhookSecret: secret }: { readonly webhookUrl: string; readonly webhookSecret: string },
): Transport & { readonly route: WebhookRoute } {
  const { bot, inbox, log } = parts;
  let taking: AbortSignal | undefined;
  const healthy = () => taking?.aborted === false;

  const transport = startTransport(parts, healthy, async (waiting) => {
    const stopped = once(waiting.signal, "abort");
    await inbox.takeUp();
    taking = waiting.signal;
    const options = { secret_token: secret, allowed_updates: allowedUpdates };
    await untilTelegramAnswers(() => bot.api.setWebhook(url, options), waiting);
    log.info({ username: bot.botInfo.username }, "Bot started (webhook)");
    await stopped;
  });
  const route: WebhookRoute = {
    path: new URL(url).pathname,
    secret,
    receive: async (update) => {
      if (!healthy() || inbox.underWay() >= WEBHOOK_CONCURRENCY) return false;
      await inbox.receive([update]);
      return true;
    },
  };
  return { ...transport, route };
}

/** Retries `getMe` until it succeeds, then receives. @param receive runs until the signal is aborted. */
function startTransport(
  { bot, inbox, clock, log }: TransportParts,
  healthy: () => boolean,
  receive: (waiting: Waiting) => Promise<void>,
): Transport {
  const stopping = new AbortController();
  const waiting = { clock, log, signal: stopping.signal };
  const run = async (): Promise<void> => {
    bot.botInfo = await untilTelegramAnswers(() => bot.api.getMe(), waiting);
    await receive(waiting);
  };
  const done = run().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  return {
    done,
    healthy,
    stop: async (deadlineMilliseconds) => {
      stopping.abort();
      await within(clock, deadlineMilliseconds, Promise.allSettled([done]).then(inbox.idle));
    },
  };
}

/** Edits, too, because a secret can be edited into a message. */
const allowedUpdates = ["message", "edited_message", "callback_query", "inline_query", "my_chat_member"] as const;

const BACK_OFF = { first: 500, longest: 5_000 };
/** Maximum wait that the bot honours: a mistaken number from Telegram must not silence it for years. */
const MAX_ASKED_MS = 300_000;

/**
 * Retries until `call` succeeds, after the wait that Telegram asks for, or with back-off. @throws Fault
 * `service-unauthorized`, or an AbortError once the signal is aborted.
 */
export async function untilTelegramAnswers<Result>(call: () => Promise<Result>, { clock, log, signal }: Waiting) {
  for (let failures = 1; ; failures++) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (err) {
      signal.throwIfAborted();
      const { error_code: code, description } = err instanceof GrammyError ? err : {};
      // Telegram answers a malformed token with "Not Found".
      if (code === 401 || description === "Not Found")
        throw new Fault("service-unauthorized", { service: "telegram" }, { cause: new Error(describeError(err)) });
      const asked = floodSeconds(err);
      const pause = asked === undefined ? pauseAfter(failures, BACK_OFF) : Math.min(asked * 1000, MAX_ASKED_MS);
      const about = { err, waitMilliseconds: pause };
      if (code === 409) log.error(about, "Another instance receives this bot's updates; retrying");
      else log.warn(about, "Telegram unreachable; retrying");
      await clock.sleep(pause, signal);
    }
  }
}
