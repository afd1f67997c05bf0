import { badRequest } from "./api-error.js";
import { type Clock, unixSeconds } from "./clock.js";
import type { Update } from "./types.js";
import type { UpdateQueue } from "./update-queue.js";

export interface WebhookSetup {
  readonly url: string;
  readonly secretToken?: string;
  readonly maxConnections: number;
}

const firstPauseSeconds = 1;
const longestPauseSeconds = 60;
const requestTimeoutMilliseconds = 60_000;

/** Delivers updates to the bot's HTTP server, in order for each chat, with retries. */
export function createWebhook(queue: UpdateQueue, clock: Clock) {
  let setup: WebhookSetup | undefined;
  let lifetime = new AbortController();
  let lastError: { date: number; message: string } | undefined;
  let busy = new Set<string>();

  const pump = () => {
    if (setup === undefined) return;
    const lanes = busy;
    for (const { update, expiresAt } of queue.waiting()) {
      if (lanes.size >= setup.maxConnections) return;
      const lane = laneOf(update);
      if (lanes.has(lane)) continue;
      lanes.add(lane);
      deliver(setup, update, expiresAt, lifetime.signal).then(
        () => {
          lanes.delete(lane);
          queue.settle(update.update_id);
          pump();
        },
        () => lanes.delete(lane), // the webhook was removed meanwhile: the update stays for the next fetch
      );
    }
  };
  queue.subscribe(pump);

  /** Resolves when the update is accepted or too old to retry; rejects when the webhook is removed. */
  const deliver = async (to: WebhookSetup, update: Update, expiresAt: number, signal: AbortSignal): Promise<void> => {
    for (let pause = firstPauseSeconds; ; pause = Math.min(pause * 2, longestPauseSeconds)) {
      try {
        await post(to, update, signal);
        return;
      } catch (error) {
        signal.throwIfAborted();
        lastError = { date: unixSeconds(clock), message: error instanceof Error ? error.message : String(error) };
      }
      if (queue.now(update) + pause > expiresAt) return;
      await clock.sleep(pause * 1000, signal);
    }
  };

  const post = async (to: WebhookSetup, update: Update, signal: AbortSignal): Promise<void> => {
    const response = await fetch(to.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(to.secretToken !== undefined && { "x-telegram-bot-api-secret-token": to.secretToken }),
      },
      body: JSON.stringify(update),
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMilliseconds)]),
    }).catch((error: unknown) => {
      throw new Error(`Connection failed: ${error instanceof Error ? error.message : String(error)}`);
    });
    await response.text();
    if (!response.ok) throw new Error(`Wrong response from the webhook: ${response.status} ${response.statusText}`);
  };

  return {
    isSet: (): boolean => setup !== undefined,

    /** Starts delivering to another URL; undefined stops. */
    set(next: WebhookSetup | undefined): void {
      lifetime.abort(new Error("The webhook was changed."));
      lifetime = new AbortController();
      busy = new Set();
      lastError = undefined;
      setup = next;
      pump();
    },

    /** The result of getWebhookInfo. */
    info: () => ({
      url: setup?.url ?? "",
      has_custom_certificate: false,
      pending_update_count: queue.waiting().length,
      ...(setup !== undefined && { max_connections: setup.maxConnections }),
      ...(lastError !== undefined && { last_error_date: lastError.date, last_error_message: lastError.message }),
      ...(queue.allowedKinds() !== undefined && { allowed_updates: queue.allowedKinds() }),
    }),
  };
}

/** Checks a webhook's URL. Plain HTTP is refused as by Telegram, except on localhost. */
export function checkWebhookUrl(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isLoopback = parsed !== undefined && ["127.0.0.1", "localhost", "[::1]"].includes(parsed.hostname);
  if (parsed === undefined) throw badRequest("invalid webhook URL specified");
  // Text as commonly reported.
  if (parsed.protocol !== "https:" && !isLoopback)
    throw badRequest("bad webhook: An HTTPS URL must be provided for webhook");
}

export function checkSecretToken(secret: string): void {
  if (secret.length > 256) throw badRequest("secret token is too long");
  if (!/^[\w-]*$/.test(secret)) throw badRequest("secret token contains unallowed characters");
}

/** Updates of a lane are delivered in order: messages by chat, taps by person (Client::add_update's queue ids). */
function laneOf(update: Update): string {
  if (update.callback_query !== undefined) return `tap ${update.callback_query.from.id}`;
  const message = update.message ?? update.edited_message;
  if (message !== undefined) return `chat ${message.chat.id}`;
  return `member ${update.my_chat_member?.chat.id ?? 0}`;
}
