import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { goodEnvironment, secrets, testDesk } from "../support/desk.js";
import { until } from "../support/until.js";

/** A port that was free a moment ago. */
async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return String(port);
}

it("takes updates by webhook where one is configured, and nothing from whoever doesn't know the secret", async () => {
  const PORT = await freePort();
  const WEBHOOK_URL = `http://127.0.0.1:${PORT}/updates`;
  const desk = await testDesk({ PORT, WEBHOOK_URL });
  const { calls } = desk.telegram;
  await until(() => calls.some(({ method }) => method === "setWebhook"));
  expect(calls.find(({ method }) => method === "setWebhook")!.parameters).toMatchObject({
    url: WEBHOOK_URL,
    secret_token: goodEnvironment["WEBHOOK_SECRET"],
  });

  const person = desk.stranger();
  const post = (updateId: number, secret: string) =>
    fetch(WEBHOOK_URL, {
      method: "POST",
      headers: { "content-type": "application/json", "x-telegram-bot-api-secret-token": secret },
      body: JSON.stringify({
        update_id: updateId,
        message: {
          message_id: updateId,
          date: 1,
          chat: { id: person.id, type: "private" },
          from: { id: person.id, is_bot: false, first_name: "A", language_code: "en" },
          text: "/start",
          entities: [{ type: "bot_command", offset: 0, length: 6 }],
        },
      }),
    });
  expect((await post(1, "guess")).status).toBe(401);
  expect((await post(2, secrets.webhookSecret)).status).toBe(200);
  expect((await post(2, secrets.webhookSecret)).status).toBe(200);
  await person.reads(/Welcome/);
  expect(person.transcript()).toHaveLength(1);
  expect((await fetch(`http://127.0.0.1:${PORT}/health`)).status).toBe(200);
  const metrics = await (await fetch(`http://127.0.0.1:${PORT}/metrics`)).text();
  expect(metrics).toContain("swapdesk_updates_handled_total");
  for (const secret of Object.values(secrets)) expect(metrics).not.toContain(secret);

  desk.program().kill("SIGTERM");
  expect(await desk.program().ended).toBe(0);
});
