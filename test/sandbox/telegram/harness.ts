import { serve } from "@hono/node-server";
import { systemClock } from "../../../src/clock.js";
import { createTelegram, type TelegramSetup } from "../../../sandbox/telegram/telegram.js";
import { telegramRoutes } from "../../../sandbox/telegram/routes.js";

export const token = "1000:test-token-that-opens-nothing";

export const alice = 1001;
export const bob = 1002;
export const traders = -4001;

/** A sandbox Telegram on a port of its own. */
export async function startTelegram(setup: Partial<TelegramSetup> = {}) {
  const telegram = createTelegram({
    token,
    people: [
      { id: alice, firstName: "Alice", username: "alice", languageCode: "en" },
      { id: bob, firstName: "Bob", languageCode: "pt" },
    ],
    groups: [{ id: traders, title: "Traders", memberIds: [alice, bob] }],
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
    async call(method: string, parameters: object = {}): Promise<Answer> {
      const response = await fetch(`${url}/bot${token}/${method}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(parameters),
      });
      return (await response.json()) as Answer;
    },
    async close() {
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
  // Tests look into results of every method.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  result?: any;
}

/** Waits until something holds, failing after five seconds. */
export async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 5000;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`It did not happen: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
