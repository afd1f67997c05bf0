import { tooManyRequests } from "./api-error.js";
import type { Clock } from "./clock.js";

/**
 * A bucket that holds `burst` and refills by `perSecond`. Telegram only says "about one message per second and chat,
 * short bursts allowed, 20 per minute and group, about 30 per second overall" (Bot API FAQ); we chose strict bursts.
 */
interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

const rates = {
  overall: { perSecond: 30, burst: 30 },
  chat: { perSecond: 1, burst: 5 },
  group: { perSecond: 20 / 60, burst: 20 },
  /** From tdlib/telegram-bot-api, Client::process_set_webhook_query. */
  setWebhook: { perSecond: 1, burst: 1 },
} satisfies Record<string, Rate>;

/** The methods that count against the limits: those that send or edit messages. */
const limited = new Set([
  "sendMessage",
  "sendDocument",
  "sendPhoto",
  "editMessageText",
  "editMessageMedia",
  "editMessageReplyMarkup",
]);

export function createLimits(clock: Clock, switchedOn: boolean) {
  let isOn = switchedOn;
  /** When each bucket is full again, in milliseconds since 1970, which is all its state. */
  const buckets = new Map<string, number>();

  return {
    switch: (on: boolean): void => {
      isOn = on;
    },

    /** Counts a call, or refuses it with 429 if it comes too early. Refused calls don't count. */
    check(method: string, chatId: unknown): void {
      if (!isOn) return;
      const now = clock.now();
      const taken = bucketsOf(method, String(chatId)).map(([name, { perSecond, burst }]) => {
        const each = 1000 / perSecond;
        const fullAt = Math.max(buckets.get(name) ?? 0, now) + each;
        return { name, fullAt, wait: fullAt - (now + each * burst) };
      });
      const wait = Math.max(0, ...taken.map((each) => each.wait));
      if (wait > 0) throw tooManyRequests(Math.ceil(wait / 1000));
      for (const { name, fullAt } of taken) buckets.set(name, fullAt);
    },
  };
}

/** The buckets that a call draws from, with their rates. */
function bucketsOf(method: string, chatId: string): (readonly [string, Rate])[] {
  if (method === "setWebhook") return [["setWebhook", rates.setWebhook]];
  if (!limited.has(method)) return [];
  const group = chatId.startsWith("-") ? ([[`group ${chatId}`, rates.group]] as const) : [];
  return [["overall", rates.overall], [`chat ${chatId}`, rates.chat], ...group];
}
