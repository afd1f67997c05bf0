import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Update } from "../../../sandbox/telegram/types.js";
import { alice, bob, createBench } from "./harness.js";
import { until } from "../../support/until.js";

interface Received {
  update: Update;
  headers: IncomingHttpHeaders;
}

describe("a webhook", () => {
  let server: Server;
  let url: string;
  let received: Received[];
  let respond: (attempt: number) => { status?: number; body?: string; wait?: Promise<unknown> };

  beforeEach(async () => {
    received = [];
    respond = () => ({});
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const update = JSON.parse(Buffer.concat(chunks).toString()) as Update;
        received.push({ update, headers: request.headers });
        const { status = 200, body = "", wait } = respond(received.length);
        void Promise.resolve(wait).then(() => response.writeHead(status).end(body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const texts = () => received.map(({ update }) => update.message?.text);

  it("is sent waiting and new updates with its secret, and calls back", async () => {
    const { call, telegram } = createBench();
    respond = () => ({ body: JSON.stringify({ method: "sendMessage", chat_id: alice, text: "Hello" }) });
    await call("setWebhook", { url, secret_token: "s3cret", max_connections: 2, allowed_updates: ["message"] });
    await until(() => telegram.chat(alice).length === 2);
    respond = () => ({ body: "ok" });
    telegram.sendText(alice, "hi");
    await until(() => received.length === 2);
    expect(texts()).toEqual(["/start", "hi"]);
    expect(received[1]?.headers["x-telegram-bot-api-secret-token"]).toBe("s3cret");
    expect(telegram.chat(alice)[1]).toMatchObject({ from: "bot", text: "Hello" });
    await until(async () => (await pending(call)) === 0);
    expect((await call("getWebhookInfo")).result).toEqual({
      url,
      has_custom_certificate: false,
      pending_update_count: 0,
      max_connections: 2,
      allowed_updates: ["message"],
    });
    telegram.close();
  });

  it("is sent an update again after a pause that doubles, until it accepts", async () => {
    const { call, telegram, clock } = createBench();
    const statuses = [500, 503, 502, 200];
    respond = (attempt) => ({ status: statuses[attempt - 1]! });
    await call("setWebhook", { url });
    const failure = async () =>
      ((await call("getWebhookInfo")).result as { last_error_message?: string }).last_error_message;
    for (const [attempt, pause] of [1000, 2000, 4000].entries()) {
      await until(async () => (await failure())?.includes(String(statuses[attempt])) === true);
      await clock.advance(pause - 1);
      expect(received).toHaveLength(attempt + 1);
      await clock.advance(1);
      await until(() => received.length === attempt + 2);
    }
    await until(async () => (await pending(call)) === 0);
    expect(new Set(received.map(({ update }) => update.update_id)).size).toBe(1);
    telegram.close();
  });

  it("is sent one person's messages one after another, and others' meanwhile", async () => {
    const { call, telegram } = createBench();
    let release: (value: unknown) => void = () => undefined;
    respond = (attempt) => (attempt === 1 ? { wait: new Promise((resolve) => (release = resolve)) } : {});
    telegram.sendText(alice, "second");
    telegram.sendText(bob, "from Bob");
    await call("setWebhook", { url });
    await until(() => received.length === 2);
    expect(texts()).toEqual(["/start", "from Bob"]);
    release(undefined);
    await until(() => received.length === 3);
    expect(texts()[2]).toBe("second");
    telegram.close();
  });

  it("is sent an update once more when the tester wants it", async () => {
    const { call, telegram } = createBench();
    await call("setWebhook", { url });
    await until(() => received.length === 1);
    telegram.redeliver([received[0]!.update.update_id]);
    await until(() => received.length === 2);
    expect(texts()).toEqual(["/start", "/start"]);
    telegram.close();
  });

  it("leaves what it did not accept to whoever polls after it", async () => {
    const { call, telegram } = createBench();
    respond = () => ({ status: 503 });
    await call("setWebhook", { url });
    await until(() => received.length === 1);
    await call("deleteWebhook");
    expect((await call("getUpdates")).result).toMatchObject([{ message: { text: "/start" } }]);
    telegram.sendText(alice, "more");
    await call("setWebhook", { url: "", drop_pending_updates: true });
    expect((await call("getUpdates", { offset: 1 })).result).toEqual([]);
  });
});

/** How many updates are still to be accepted. */
async function pending(call: ReturnType<typeof createBench>["call"]): Promise<number> {
  return ((await call("getWebhookInfo")).result as { pending_update_count: number }).pending_update_count;
}
