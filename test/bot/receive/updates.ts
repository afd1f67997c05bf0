import { Bot, type Context } from "grammy";
import type { Update } from "grammy/types";
import { createHandledNotes } from "../../../src/services/telegram/handled-notes.js";
import { createInbox } from "../../../src/bot/receive/inbox.js";
import { createOrigin } from "../../../src/bot/receive/origin.js";
import { createMetrics, type Metrics } from "../../../src/services/operator/metrics.js";
import { createLog } from "../../../src/log.js";

export const alice = 1001;
export const bob = 1002;
export const botInfo = {
  id: 1000,
  is_bot: true,
  first_name: "Swapdesk",
  username: "swapdesk_test_bot",
  can_join_groups: true,
  can_read_all_group_messages: false,
  supports_inline_queries: false,
  can_connect_to_business: false,
  has_main_web_app: false,
} as never;

/** A text message from a user in their private chat, or in the group whose id is given. */
export function text(updateId: number, userId: number, words: string, chatId = userId): Update {
  const command = /^\/\w+(?:@\w+)?/.exec(words)?.[0];
  const chat =
    chatId === userId ? { id: chatId, type: "private", first_name: "P" } : { id: chatId, type: "group", title: "G" };
  return {
    update_id: updateId,
    message: {
      message_id: updateId,
      date: 1_700_000_000,
      chat,
      from: { id: userId, is_bot: false, first_name: "P" },
      text: words,
      ...(command !== undefined && { entities: [{ type: "bot_command", offset: 0, length: command.length }] }),
    },
  } as Update;
}

/** A tap on a button under one of the bot's messages. */
export function tap(updateId: number, userId: number, data: string): Update {
  return {
    update_id: updateId,
    callback_query: {
      id: `tap-${updateId}`,
      from: { id: userId, is_bot: false, first_name: "P" },
      message: {
        message_id: 1,
        date: 1_700_000_000,
        chat: { id: userId, type: "private", first_name: "P" },
        text: "/swap",
      },
      chat_instance: "1",
      data,
    },
  };
}

export interface Call {
  readonly method: string;
  readonly payload: Record<string, unknown>;
}

/** A bot whose calls are recorded and answered by `answer`, by default with a message. */
export function testBot<C extends Context = Context>(
  answer: (call: Call) => object = () => ({
    ok: true,
    result: { message_id: 1, date: 1, chat: { id: 1, type: "private" } },
  }),
) {
  const calls: Call[] = [];
  const bot = new Bot<C>("1000:test-token-that-opens-nothing", { botInfo });
  bot.api.config.use(async (_previous, method, payload) => {
    // As the network would see it; it throws on what JSON can't express.
    const call = { method, payload: JSON.parse(JSON.stringify(payload)) as Record<string, unknown> };
    calls.push(call);
    return answer(call) as never;
  });
  return { bot, calls, texts: () => calls.map(({ payload }) => payload["text"]).filter((text) => text !== undefined) };
}

/** A log that keeps its lines. */
export function testLog() {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as never) };
  const log = createLog("debug", (line) => line, destination);
  return { log, lines, messages: () => lines.map(({ msg }) => msg) };
}

/** An inbox that reports nothing to operators. */
export function testInbox(
  parts: Pick<Parameters<typeof createInbox>[0], "bot" | "store" | "clock" | "log"> & {
    readonly metrics?: Metrics;
    readonly apiRoot?: string;
  },
) {
  const { metrics = createMetrics(), apiRoot = "https://api.example.org", ...rest } = parts;
  const origin = createOrigin({ apiRoot, ...rest });
  const handled = createHandledNotes(rest);
  return createInbox({
    ...rest,
    handled,
    origin,
    metrics,
    noteError: () => undefined,
    tellOfGivenUp: () => Promise.resolve(),
  });
}
