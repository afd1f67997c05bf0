import { Api, HttpError } from "grammy";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTelegramHttp, nodeSignal } from "../../../src/services/clients/telegram-http.js";

const token = "1000:test-token-that-opens-nothing";

/** grammY's own client over the shim, against a server that answers as told. */
async function apiAgainst(answer: (request: IncomingMessage, response: ServerResponse, body: string) => void) {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => answer(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const http = createTelegramHttp({ timeoutSeconds: 1 });
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await http.close();
  });
  const apiRoot = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { http, apiRoot, api: new Api(token, { apiRoot, fetch: http.fetch as never }) };
}

const ok = (response: ServerResponse, result: unknown) => response.end(JSON.stringify({ ok: true, result }));

describe("HTTP to Telegram", () => {
  it("carries grammY's calls as JSON", async () => {
    const seen: unknown[] = [];
    const { api } = await apiAgainst((request, response, body) => {
      seen.push([request.method, request.url, request.headers["content-type"], JSON.parse(body)]);
      ok(response, true);
    });
    expect(await api.sendChatAction(7, "typing")).toBe(true);
    expect(seen).toEqual([
      ["POST", `/bot${token}/sendChatAction`, "application/json", { chat_id: 7, action: "typing" }],
    ]);
  });

  it("takes a gateway's error page for the error of its status", async () => {
    const { api } = await apiAgainst((_request, response) => {
      response.writeHead(502, { "content-type": "text/html" });
      response.end("<h1>Bad Gateway</h1>");
    });
    await expect(api.getMe()).rejects.toMatchObject({ error_code: 502, description: "The answer was not JSON" });
  });

  it("fails on an answer that is no JSON although all seems well", async () => {
    const { api } = await apiAgainst((_request, response) => response.end("<h1>Log in to the hotel's network</h1>"));
    await expect(api.getMe()).rejects.toBeInstanceOf(HttpError);
  });

  it("gives a request up after the time allowed, but lets a long poll rest", async () => {
    const { api } = await apiAgainst((request, response) => {
      if (request.url?.endsWith("/getUpdates") === true) setTimeout(() => ok(response, []), 2_500);
    });
    const [call, poll] = await Promise.allSettled([api.getMe(), api.getUpdates({ timeout: 30 })]);
    expect(call).toMatchObject({ status: "rejected", reason: { error: { code: "UND_ERR_HEADERS_TIMEOUT" } } });
    expect(poll).toEqual({ status: "fulfilled", value: [] });
  });

  it("ends a long poll that is called off", async () => {
    let arrived = () => {};
    const polling = new Promise<void>((resolve) => (arrived = resolve));
    const { api } = await apiAgainst(() => arrived());
    const stopping = new AbortController();
    const poll = api.getUpdates({ timeout: 30 }, stopping.signal as never);
    await polling;
    stopping.abort();
    await expect(poll).rejects.toBeInstanceOf(HttpError);
  });

  it("does not begin what was called off before", () => {
    const stopping = new AbortController();
    stopping.abort();
    expect(nodeSignal(stopping.signal).aborted).toBe(true);
    expect(nodeSignal(undefined).aborted).toBe(false);
  });

  it("refuses files", async () => {
    const { http, apiRoot } = await apiAgainst(() => undefined);
    await expect(http.fetch(`${apiRoot}/x`, { body: new Uint8Array() })).rejects.toThrow("only JSON bodies");
  });
});
