import { setTimeout as sleep } from "node:timers/promises";
import { startHttpStub, type Answer } from "./http-stub.js";
import { until } from "./until.js";
import { accepted, asRead } from "./as-read.js";

/** A request from the bot to the Bot API. */
export interface ApiCall {
  readonly method: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The body as it came: that of a file isn't JSON. */
  readonly text: string;
}

/** A message from the bot, as the chat shows it now. */
export interface BotMessage {
  readonly chatId: number;
  readonly messageId: number;
  text: string;
  buttons: readonly { readonly text: string; readonly data: string }[];
}

/** A message from the bot as it was when it arrived or changed. */
interface ShownMessage extends Readonly<BotMessage> {
  readonly message: BotMessage;
}

export interface Chat {
  readonly id: number;
  readonly type: "private" | "group";
}

/** A user with a Telegram client. */
export type Person = ReturnType<TelegramStub["person"]>;

export type TelegramStub = Awaited<ReturnType<typeof startTelegramStub>>;

interface Update {
  readonly update_id: number;
  readonly [field: string]: unknown;
}

const bot = { id: 7_000_000_001, is_bot: true, first_name: "Swapdesk", username: "swapdesk_test_bot" };

/** A Bot API server that accepts and records everything, and lets a test act as any number of users. */
export async function startTelegramStub(token: string) {
  const set: {
    /** If set, replaces polling: called with each update until it returns true, in order for each user. */
    post: ((update: object) => Promise<boolean>) | undefined;
    /** May return an answer to send instead; set by tests. */
    intercept: (call: ApiCall) => Answer | undefined;
    /** What the answer to a call that was carried out waits for; set by tests. */
    hold: (call: ApiCall) => Promise<unknown> | undefined;
  } = { post: undefined, intercept: () => undefined, hold: () => undefined };
  const calls: ApiCall[] = [];
  /** What each chat showed, in order, by chat id. */
  const chats = new Map<number, ShownMessage[]>();
  const sent = new Map<number, Update>();
  /** User ids by tap id. */
  const tappers = new Map<string, number>();
  const tapAnswers: { readonly id: number; readonly text: string }[] = [];
  let waiting: Update[] = [];
  let again: Update[] = [];
  let lastUpdateId = 100;
  let lastMessageId = 10;
  let wake = () => {};
  /** Resolve when all of a user's updates were posted. */
  const lines = new Map<string, Promise<void>>();
  let isClosed = false;

  const server = await startHttpStub(async ({ path, text, json = {} }) => {
    const method = path.slice(`/bot${token}/`.length);
    if (path !== `/bot${token}/${method}`) return failure(401, "Unauthorized");
    const call = { method, parameters: json, text };
    if (method === "getUpdates") return set.intercept(call) ?? (await poll(json));
    calls.push(call);
    const refused = set.intercept(call);
    if (refused !== undefined) return refused;
    const result = carryOut(call);
    await set.hold(call);
    return success(result);
  });

  async function poll(parameters: ApiCall["parameters"]): Promise<Answer> {
    const offset = Number(parameters["offset"] ?? 0);
    waiting = waiting.filter((update) => update.update_id >= offset);
    if (waiting.length + again.length === 0) {
      wake();
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      await Promise.race([woken, sleep(Number(parameters["timeout"] ?? 0) * 1000, undefined, { ref: false })]);
    }
    const batch = [...again, ...waiting].slice(0, Number(parameters["limit"] ?? 100));
    again = again.filter((update) => !batch.includes(update));
    return success(batch);
  }

  function carryOut({ method, parameters }: ApiCall): unknown {
    switch (method) {
      case "getMe":
        return { ...bot, can_join_groups: true, can_read_all_group_messages: false, supports_inline_queries: false };
      case "sendMessage":
        return show(Number(parameters["chat_id"]), ++lastMessageId, parameters);
      case "editMessageText":
        return show(Number(parameters["chat_id"]), Number(parameters["message_id"]), parameters);
      case "editMessageReplyMarkup": {
        const shown = messagesOf(Number(parameters["chat_id"])).find(
          (one) => one.messageId === parameters["message_id"],
        );
        if (shown !== undefined) Object.assign(shown.message, { buttons: buttonsIn(parameters) });
        return true;
      }
      case "answerCallbackQuery": {
        const id = tappers.get(String(parameters["callback_query_id"]));
        if (id !== undefined) tapAnswers.push({ id, text: (parameters["text"] as string | undefined) ?? "" });
        return true;
      }
      default:
        return true;
    }
  }

  function messagesOf(chatId: number): ShownMessage[] {
    const messages = chats.get(chatId) ?? [];
    chats.set(chatId, messages);
    return messages;
  }

  function show(chatId: number, messageId: number, parameters: ApiCall["parameters"]): unknown {
    const markup = parameters["reply_markup"];
    const buttons = buttonsIn(parameters);
    const messages = messagesOf(chatId);
    const message = messages.find((message) => message.messageId === messageId)?.message ?? {
      chatId,
      messageId,
      text: "",
      buttons: [],
    };
    Object.assign(message, { text: asRead(String(parameters["text"])), buttons });
    messages.push({ ...message, message });
    return { ...wireMessage(message), ...(markup !== undefined && { reply_markup: markup }) };
  }

  function buttonsIn(parameters: ApiCall["parameters"]) {
    const markup = parameters["reply_markup"] as { inline_keyboard?: Markup } | undefined;
    return (markup?.inline_keyboard ?? []).flat().map((key) => ({ text: key.text, data: key.callback_data }));
  }

  /** Delivers an update of any kind. @returns its id. */
  function deliver(update: object): number {
    const whole = { update_id: ++lastUpdateId, ...update };
    sent.set(whole.update_id, whole);
    if (set.post !== undefined) {
      const { message, callback_query: tap } = whole as {
        message?: { from: object };
        callback_query?: { from: object };
      };
      const from = JSON.stringify(tap?.from ?? message?.from);
      lines.set(
        from,
        (lines.get(from) ?? Promise.resolve()).then(() => postUntilTaken(whole)),
      );
      return whole.update_id;
    }
    waiting.push(whole);
    wake();
    return whole.update_id;
  }

  async function postUntilTaken(update: object): Promise<void> {
    while (!isClosed && !(await set.post?.(update))) await sleep(100);
  }

  function person(id: number, language = "en") {
    const from = { id, is_bot: false, first_name: `Person ${id}`, language_code: language };
    let read = 0;

    const tap = (message: BotMessage, data: string) => {
      const callbackId = `tap-${tappers.size + 1}`;
      tappers.set(callbackId, id);
      return deliver({
        callback_query: { id: callbackId, from, message: wireMessage(message), chat_instance: "1", data },
      });
    };

    const messages = messagesOf(id);
    const transcript = () => messages.map(({ text }) => text);

    const missing = (pattern: RegExp) => () =>
      `${String(pattern)} did not come; the chat shows:\n${transcript().join("\n---\n")}`;

    /**
     * Sends a text, by default in the private chat. Texts and taps sent without waiting in between reach the bot in one
     * batch.
     * @returns the update's id.
     */
    const says = (
      text: string,
      chat: Chat = { id, type: "private" },
      more: Readonly<Record<string, unknown>> = {},
    ): number => {
      const command = /^\/[a-z_]+(?:@[a-z_]+)?/i.exec(text)?.[0];
      const entities = command && [{ type: "bot_command", offset: 0, length: command.length }];
      const message = { message_id: ++lastMessageId, date: seconds(), chat, from, text, ...(entities && { entities }) };
      return deliver({ message: { ...message, ...more } });
    };
    /** Taps the button whose label begins with `label`. @throws if there is none. */
    const taps = (message: BotMessage, label: string): number => {
      const button = message.buttons.find(({ text }) => text.startsWith(label));
      if (button === undefined) throw new Error(`no button ${label} under:\n${message.text}`);
      return tap(message, button.data);
    };
    /** Waits for the next message or edit in the private chat that matches, after the last one that was read. */
    const reads = async (pattern: RegExp): Promise<BotMessage> => {
      let found = -1;
      await until(() => {
        found = messages.findIndex((message, at) => at >= read && pattern.test(message.text));
        return found !== -1;
      }, missing(pattern));
      read = found + 1;
      return messages[found]!.message;
    };
    /** Waits until a message matches. */
    const sees = (message: BotMessage, pattern: RegExp): Promise<void> =>
      until(() => pattern.test(message.text), missing(pattern));

    return {
      id,
      says,
      taps,
      /** Sends a tap with any data, without a button. */
      forges: tap,
      reads,
      /** Sends a text to the bot and waits for the next answer that matches. */
      asks: (text: string, pattern: RegExp): Promise<BotMessage> => {
        says(text);
        return reads(pattern);
      },
      sees,
      /** Confirms a card and waits for its outcome, by default that the node accepted the call. */
      confirms: (card: BotMessage, outcome = accepted): Promise<void> => {
        taps(card, "✅ Confirm");
        return sees(card, outcome);
      },
      /** All that the private chat showed, in order. */
      transcript,
      /** The texts of the answers to this user's taps; empty if there was none. */
      tapAnswers: () => tapAnswers.filter((answer) => answer.id === id).map(({ text }) => text),
    };
  }

  return Object.assign(set, {
    url: server.url,
    opened: server.opened,
    calls,
    person,
    /** The bot's messages in a chat as they are now, oldest first. */
    messagesOf: (chatId: number) => [...new Set(messagesOf(chatId).map(({ message }) => message))],
    deliver,
    /** Delivers updates again, whether confirmed or not. */
    redeliver: (...updateIds: readonly number[]): void => {
      again.push(...updateIds.map((id) => sent.get(id)!));
      wake();
    },
    /** Resolves when the bot has confirmed all updates. */
    allConfirmed: () => until(() => waiting.length === 0),
    /** Resolves when the program has disconnected, and all that it sent has been received. */
    hungUp: server.hungUp,
    close: (): Promise<void> => {
      isClosed = true;
      return server.close();
    },
  });
}

type Markup = readonly (readonly { readonly text: string; readonly callback_data: string }[])[];

function wireMessage({ chatId, messageId, text }: BotMessage): object {
  const chat: Chat = { id: chatId, type: chatId < 0 ? "group" : "private" };
  return { message_id: messageId, date: seconds(), chat, from: bot, text };
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

function success(result: unknown): Answer {
  return { body: { ok: true, result } };
}

/** An error answer of the Bot API. */
export function failure(code: number, description: string, parameters?: object): Answer {
  return { status: code, body: { ok: false, error_code: code, description, ...(parameters && { parameters }) } };
}
