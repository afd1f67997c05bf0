import { tooManyRequests } from "./api-error.js";
import type { Clock } from "./clock.js";

/**
 * A bucket that holds `burst` and gains `perSecond`. Telegram says only "about one message per second and chat, short bursts allowed,
 * 20 per minute and group, about 30 per second overall" (Bot API FAQ); the bursts are our own, on the strict side.
 */
interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

const rates = {
  overall: { perSecond: 30, burst: 30 },
  chat: { perSecond: 1, burst: 5 },
  group: { perSecond: 20 / 60, burst: 20 },
  /** Read in tdlib/telegram-bot-api, Client::process_set_webhook_query. */
  setWebhook: { perSecond: 1, burst: 1 },
} satisfies Record<string, Rate>;

/** The methods that count against the limits: those that put a message into a chat or change one. */
const limited = new Set([
  "sendMessage",
  "sendRichMessage",
  "sendDocument",
  "sendPhoto",
  "editMessageText",
  "editMessageMedia",
  "editMessageReplyMarkup",
]);

/** When a bucket is full again, in milliseconds since 1970: all that has to be kept of it. */
type FullAt = number;

/**
 * Takes one out of a bucket. Answers the bucket afterwards, or how many milliseconds are missing until there is one in it.
 */
export function takeOne(
  fullAt: FullAt,
  now: number,
  { perSecond, burst }: Rate,
): { fullAt: FullAt } | { wait: number } {
  const each = 1000 / perSecond;
  const next = Math.max(fullAt, now) + each;
  const latest = now + each * burst;
  return next <= latest ? { fullAt: next } : { wait: next - latest };
}

export type Limits = ReturnType<typeof createLimits>;

export function createLimits(clock: Clock, switchedOn: boolean) {
  let isOn = switchedOn;
  const buckets = new Map<string, FullAt>();

  return {
    switch: (on: boolean): void => {
      isOn = on;
    },

    /** Counts a call; refuses it with 429 when it comes too early. A refused call counts nowhere. */
    check(method: string, chatId: unknown): void {
      if (!isOn) return;
      const now = clock.now();
      const asked = bucketsOf(method, String(chatId));
      const taken = asked.map(([name, rate]) => [name, takeOne(buckets.get(name) ?? 0, now, rate)] as const);
      const wait = Math.max(0, ...taken.map(([, result]) => ("wait" in result ? result.wait : 0)));
      if (wait > 0) throw tooManyRequests(Math.ceil(wait / 1000));
      for (const [name, result] of taken) if ("fullAt" in result) buckets.set(name, result.fullAt);
    },
  };
}

/** The buckets that a call takes from, with their rates. */
function bucketsOf(method: string, chatId: string): (readonly [string, Rate])[] {
  if (method === "setWebhook") return [["setWebhook", rates.setWebhook]];
  if (!limited.has(method)) return [];
  const group = chatId.startsWith("-") ? ([[`group ${chatId}`, rates.group]] as const) : [];
  return [["overall", rates.overall], [`chat ${chatId}`, rates.chat], ...group];
}
