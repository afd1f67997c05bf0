import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { goodEnvironment, secrets, testDesk } from "../support/desk.js";
import { freePort } from "../support/listen.js";
import { until } from "../support/until.js";
import { stopwatch } from "../support/stopwatch.js";

/** Variables that make the bot serve the signing page. */
const wallets = {
  CALL_GATEWAY: "wallet",
  PUBLIC_URL: "https://bot.example",
  CHAIN_ID: "109",
  WALLET_NODE_URL: "https://node.example",
  WALLET_API_URL: "https://api.example",
};

const METRICS_TOKEN = "planted_token_of_the_metrics";

function start(updateId: number, { id }: { readonly id: number }) {
  return {
    update_id: updateId,
    message: {
      message_id: updateId,
      date: 1,
      chat: { id, type: "private" },
      from: { id, is_bot: false, first_name: "A", language_code: "en" },
      text: "/start",
      entities: [{ type: "bot_command", offset: 0, length: 6 }],
    },
  };
}

function posted(url: string, update: object, secret: string = secrets.webhookSecret): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "x-telegram-bot-api-secret-token": secret },
    body: JSON.stringify(update),
  });
}

it("accepts updates by webhook if one is configured, and only with the secret", async () => {
  const PORT = String(await freePort());
  const WEBHOOK_URL = `http://127.0.0.1:${PORT}/updates`;
  const desk = await testDesk({ PORT, WEBHOOK_URL, METRICS_TOKEN });
  const { calls } = desk.telegram;
  await until(() => calls.some(({ method }) => method === "setWebhook"));
  expect(calls.find(({ method }) => method === "setWebhook")!.parameters).toMatchObject({
    url: WEBHOOK_URL,
    secret_token: goodEnvironment["WEBHOOK_SECRET"],
  });

  const person = desk.stranger();
  const post = (updateId: number, secret: string) => posted(WEBHOOK_URL, start(updateId, person), secret);
  expect((await post(1, "guess")).status).toBe(401);
  expect((await post(2, secrets.webhookSecret)).status).toBe(200);
  expect((await post(2, secrets.webhookSecret)).status).toBe(200);
  await person.reads(/Welcome/);
  expect(person.transcript()).toHaveLength(1);
  expect((await fetch(`http://127.0.0.1:${PORT}/health`)).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${PORT}/metrics`)).status).toBe(404);
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const metrics = await (await fetch(`http://127.0.0.1:${PORT}/metrics`, { headers })).text();
  expect(metrics).toContain("swapdesk_updates_handled_total");
  expect(metrics).toContain("process_cpu_seconds_total");
  for (const secret of Object.values(secrets)) expect(metrics).not.toContain(secret);

  desk.program().kill("SIGTERM");
  expect(await desk.program().ended).toBe(0);
});

/** Opens connections, sends `say` on each, and nothing more. @returns what came back, and how many were closed. */
function holdOpen(port: string, count: number, say: string) {
  const sockets: Socket[] = [];
  const heard: string[] = [];
  let closed = 0;
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  for (let index = 0; index < count; index += 1) {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(say));
    socket.on("error", () => undefined).on("close", () => (closed += 1));
    socket.on("data", (chunk) => heard.push(String(chunk).split("\r\n")[0]!));
    sockets.push(socket);
  }
  return { heard, closed: () => closed };
}

const TOKEN = "A".repeat(43);
const signing = (body: string) =>
  `POST /sign/${TOKEN}/signature HTTP/1.1\r\nHost: bot.example\r\nOrigin: https://bot.example\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n${body}`;

it.each([
  ["on which nothing is asked", ""],
  ["whose headers never end", "POST /sign/"],
  ["with a signature that never comes", signing("{")],
])("accepts updates at once, even with hundreds of open connections %s", async (_, say) => {
  const PORT = String(await freePort());
  const WEBHOOK_URL = `http://127.0.0.1:${PORT}/updates`;
  const desk = await testDesk({ PORT, WEBHOOK_URL, ...wallets });
  await until(() => desk.telegram.calls.some(({ method }) => method === "setWebhook"));
  for (let round = 1; round <= 3; round += 1) {
    holdOpen(PORT, 210, say);
    const person = desk.stranger();
    expect((await posted(WEBHOOK_URL, start(round, person))).status).toBe(200);
    await person.reads(/Welcome/);
  }
});

it("closes a connection whose signature doesn't come within two seconds", async () => {
  const PORT = String(await freePort());
  const desk = await testDesk({ PORT, ...wallets });
  await until(() =>
    fetch(`http://127.0.0.1:${PORT}/health`).then(
      () => true,
      () => false,
    ),
  );
  const took = stopwatch(desk.program().pid);
  const { heard, closed } = holdOpen(PORT, 5, signing("{"));
  await until(() => closed() === 5);
  expect(heard).toEqual(Array(5).fill("HTTP/1.1 408 Request Timeout"));
  expect(took()).toBeLessThan(8_000);
});
