import { type Api, type Bot, GrammyError } from "grammy";
import type { Update } from "grammy/types";
import type { Basics } from "../../loop.js";
import { pauseAfter, within } from "../../clock.js";
import type { Config } from "../../config.js";
import { Fault, isFault } from "../../fault.js";
import { LONG_POLL_SECONDS } from "../../services/telegram/telegram-client.js";
import { describeError, floodSeconds, refusesToken } from "../../services/telegram/telegram-errors.js";
import type { Inbox } from "./inbox.js";
import type { SigningSite } from "../signing/routes.js";
import type { Metrics } from "../../services/operator/metrics.js";
import type { Proposals } from "../../services/standing/proposals.js";
import type { WebhookRoute } from "./server.js";

export interface Transport {
  /** @throws Fault `service-unauthorized` if Telegram refuses the token at once, `service-status` if for an hour later. */
  readonly done: Promise<void>;
  /** Resolves once Telegram has been asked for updates. */
  readonly receiving: Promise<void>;
  readonly healthy: () => boolean;
  /** Stops receiving, waits until the deadline for updates in progress, and never throws. */
  readonly stop: (deadlineMilliseconds: number) => Promise<void>;
}

interface TransportParts extends Basics {
  readonly bot: Pick<Bot, "api" | "botInfo">;
  readonly inbox: Inbox;
}

export interface StartParts extends Basics {
  readonly signal: AbortSignal;
}

/** While the store takes longer than this to answer, another instance may take over. */
const SLOW_STORE_MS = 5_000;

interface ReceivingParts extends TransportParts {
  readonly config: Pick<Config, "updates" | "port" | "host" | "metricsToken">;
  readonly metrics: Metrics;
  readonly signing?: SigningSite | undefined;
  readonly proposals?: Proposals | undefined;
  /** Whether this process owns a store that works. */
  readonly owns: () => Promise<boolean>;
  /** Whether the services work. */
  readonly isWell: () => boolean;
}

/**
 * Receives by webhook if one is configured, otherwise by polling. With a port, also serves health, metrics and the
 * signing page. @throws Node's own error if host or port can't be used.
 */
export async function startReceiving(parts: ReceivingParts): Promise<Transport> {
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

/**
 * Updates in progress at a time, as those cost memory. What bounds work are the people of whom they are, since a person's
 * wait for one another: those of ten whose chats Telegram holds back keep nobody else waiting.
 */
const MAX_UNDER_WAY = 10_000;
const POLLING_PEOPLE = 2_000;
/** Telegram answers a long poll within seconds, so several times that without an answer is an outage. */
const HEALTHY_MS = 4 * LONG_POLL_SECONDS * 1000;
/** Pause between requests if the server doesn't hold a poll, or too many updates are in progress. */
const PACE_MS = 50;
/** The most that Telegram hands out at a time. */
const POLL_LIMIT = 100;
/** Updates that take longer than this don't hold up the next ones. */
const MAX_LOT_MS = 50;

export function startPolling(parts: TransportParts): Transport {
  const { bot, inbox, clock, log } = parts;
  let metAt = Number.NEGATIVE_INFINITY;
  /** Updates below it are stored. Those that Telegram repeats after a restart are recognised by id. */
  let offset = 0;
  const healthy = () => clock.monotonic() - metAt < HEALTHY_MS;
  /** Telegram refuses polls while a webhook is set. Other Bot API servers may not know the method: 404. */
  const deleteWebhook = (ended: EndSignal) =>
    bot.api.deleteWebhook({}, ended).catch((error: unknown) => {
      if (!(error instanceof GrammyError) || error.error_code !== 404) throw error;
    });

  return startTransport(parts, healthy, async (waiting, onReceiving) => {
    const { signal } = waiting;
    await untilTelegramAnswers(deleteWebhook, waiting);
    await inbox.takeUp();
    signal.throwIfAborted();
    metAt = clock.monotonic();
    log.info({ username: bot.botInfo.username }, "Bot started (long polling)");
    // The first request leaves before what waits for it begins.
    setImmediate(onReceiving);
    while (!signal.aborted) {
      const askedAt = clock.monotonic();
      const request = { offset, limit: POLL_LIMIT, timeout: LONG_POLL_SECONDS, allowed_updates: allowedUpdates };
      const updates = await untilTelegramAnswers((ended) => bot.api.getUpdates(request, ended), waiting);
      metAt = clock.monotonic();
      await inbox.receive(updates);
      offset = (updates.at(-1)?.update_id ?? offset - 1) + 1;
      const early = askedAt + PACE_MS - metAt;
      if (updates.length === 0 && early > 0) await clock.sleep(early, signal);
      // With more waiting at Telegram, these are handled first: those in progress at a time cost memory.
      if (updates.length === POLL_LIMIT) await within(clock, MAX_LOT_MS, inbox.handled());
      while (inbox.people() >= POLLING_PEOPLE || inbox.underWay() >= MAX_UNDER_WAY) await clock.sleep(PACE_MS, signal);
    }
  });
}

/** With updates of this many people in progress, further ones are refused, and Telegram posts them again. */
const WEBHOOK_PEOPLE = 500;
/** How often Telegram is asked whether it still answers: with a webhook, nothing else may be sent for long. */
const ASK_EVERY_MS = 60_000;

export function startWebhook(
  parts: TransportParts,
  { webhookUrl: url, webhookSecret: secret }: { readonly webhookUrl: string; readonly webhookSecret: string },
): Transport & { readonly route: WebhookRoute } {
  const { bot, inbox, clock, log } = parts;
  let taking: AbortSignal | undefined;
  const healthy = () => taking?.aborted === false;
  /** Too many updates are no reason to refuse somebody else's. */
  const isFullFor = (update: Update): boolean =>
    inbox.people() >= WEBHOOK_PEOPLE || (inbox.underWay() >= MAX_UNDER_WAY && inbox.isBusyWith(update));

  const transport = startTransport(parts, healthy, async (waiting, onReceiving) => {
    const { signal } = waiting;
    await inbox.takeUp();
    taking = signal;
    const options = { secret_token: secret, allowed_updates: allowedUpdates };
    await untilTelegramAnswers((ended) => bot.api.setWebhook(url, options, ended), waiting);
    log.info({ username: bot.botInfo.username }, "Bot started (webhook)");
    onReceiving();
    while (!signal.aborted) {
      await clock.sleep(ASK_EVERY_MS, signal);
      await untilTelegramAnswers((ended) => bot.api.getMe(ended), waiting);
    }
  });
  const route: WebhookRoute = {
    path: new URL(url).pathname,
    secret,
    receive: async (update) => {
      if (!healthy() || isFullFor(update)) return false;
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
  receive: (waiting: StartParts, onReceiving: () => void) => Promise<void>,
): Transport {
  const stopping = new AbortController();
  let onReceiving = (): void => undefined;
  const receiving = new Promise<void>((resolve) => (onReceiving = resolve));
  const waiting = { clock, log, signal: stopping.signal };
  /** Until Telegram has known the token, a refusal is a fault of the configuration. */
  const getMe = (ended: EndSignal) =>
    bot.api.getMe(ended).catch((error: unknown) => {
      if (!refusesToken(error)) throw error;
      const cause = new Error(describeError(error));
      throw new Fault("service-unauthorized", { service: "telegram" }, { cause });
    });
  const run = async (): Promise<void> => {
    bot.botInfo = await untilTelegramAnswers(getMe, waiting);
    await receive(waiting, onReceiving);
  };
  const done = run().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  return {
    done,
    receiving,
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
/** Telegram is known to refuse good tokens for a while. After this long, only somebody else can mend it. */
const MAX_REFUSED_MS = 3_600_000;

/** What grammY takes for a signal: by its types a polyfill's, at run time any. */
type EndSignal = NonNullable<Parameters<Api["getMe"]>[0]>;

/**
 * Retries until `call` succeeds, after the wait that Telegram asks for, or with back-off. @throws Fault
 * `service-status` once Telegram has refused the token for an hour, a fault that `call` throws, or an AbortError once
 * the signal is aborted.
 */
export async function untilTelegramAnswers<Result>(
  call: (ended: EndSignal) => Promise<Result>,
  { clock, log, signal }: StartParts,
) {
  let refusedAt: number | undefined;
  for (let failures = 1; ; failures++) {
    signal.throwIfAborted();
    try {
      return await call(signal as never);
    } catch (err) {
      signal.throwIfAborted();
      if (isFault(err)) throw err;
      const { error_code: status = 0 } = err instanceof GrammyError ? err : {};
      const isRefused = refusesToken(err);
      if (isRefused) refusedAt ??= clock.monotonic();
      if (isRefused && clock.monotonic() - (refusedAt ?? 0) >= MAX_REFUSED_MS)
        throw new Fault("service-status", { service: "telegram", status }, { cause: new Error(describeError(err)) });
      const asked = floodSeconds(err);
      const pause = asked === undefined ? pauseAfter(failures, BACK_OFF) : Math.min(asked * 1000, MAX_ASKED_MS);
      const about = { err, waitMilliseconds: pause };
      if (status === 409) log.error(about, "Another instance receives this bot's updates; retrying");
      else if (isRefused) log.error(about, "Telegram refuses the token that it knew; retrying for an hour");
      else log.warn(about, "Telegram unreachable; retrying");
      await clock.sleep(pause, signal);
    }
  }
}
