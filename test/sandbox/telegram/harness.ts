import { serve } from "@hono/node-server";
import { systemClock } from "../../../src/clock.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import type { TelegramSetup } from "../../../sandbox/telegram/server.js";
import { createTelegram } from "../../../sandbox/telegram/telegram.js";
import { telegramRoutes } from "../../../sandbox/telegram/routes.js";

export const token = "1000:test-token-that-opens-nothing";

export const alice = 1001;
export const bob = 1002;

const people = [
  { id: alice, firstName: "Alice", username: "alice", languageCode: "en" },
  { id: bob, firstName: "Bob", languageCode: "pt" },
];

/** A sandbox Telegram without a network, on a virtual clock. Alice pressed start, Bob did not. */
export function createBench(setup: Partial<TelegramSetup> = {}) {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const telegram = createTelegram({ token, people, clock, ...setup });
  telegram.sendText(alice, "/start");
  const call = async (method: string, parameters: object = {}, signal?: AbortSignal): Promise<Answer> => {
    const answer = await telegram.answer({
      method,
      read: () => Promise.resolve({ ...parameters }),
      ...(signal && { signal }),
    });
    return typeof answer === "string" ? { ok: false, description: answer } : (answer.body as Answer);
  };
  return {
    clock,
    telegram,
    call,
    /** Sends to Alice and returns the message's id. */
    sent: async (text = "Hello", more: object = {}): Promise<number> => {
      return ((await call("sendMessage", { chat_id: alice, text, ...more })).result as { message_id: number })
        .message_id;
    },
    /** The refusal's text, or `accepted`. */
    refusal: async (method: string, parameters: object = {}): Promise<string> => {
      const { ok, description = "" } = await call(method, parameters);
      return ok ? "accepted" : description;
    },
  };
}

/** A sandbox Telegram on its own port. */
export async function startTelegram(setup: Partial<TelegramSetup> = {}) {
  const telegram = createTelegram({
    token,
    people,
    clock: systemClock,
    ...setup,
  });
  const routes = telegramRoutes(telegram);
  const { server, port } = await new Promise<{ server: ReturnType<typeof serve>; port: number }>((resolve) => {
    const server = serve({ fetch: routes.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) =>
      resolve({ server, port }),
    );
  });
  const url = `http://127.0.0.1:${port}`;

  return {
    telegram,
    url,
    /** Calls a method with a JSON body and returns the whole answer. */
    call: async (method: string, parameters: object = {}): Promise<Answer> => {
      const response = await fetch(`${url}/bot${token}/${method}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(parameters),
      });
      return (await response.json()) as Answer;
    },
    close: async () => {
      telegram.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface Answer {
  ok: boolean;
  error_code?: number;
  description?: string;
  parameters?: { retry_after: number };
  // Tests read the results of every method.
  // oxlint-disable-next-line typescript/no-explicit-any
  result?: any;
}
